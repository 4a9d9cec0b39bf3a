"""The evaluations that a form asks for, with their size and estimated time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from django.utils.translation import gettext as _

from evaluation.methods import NEEDS
from evaluation.methods.baselines import LINEAR
from evaluation.methods.language_models import REMOTE
from evaluation.models import Evaluation
from evaluation.selectors import (
    TimedSystem,
    Timing,
    in_words,
    scored_items,
    timings_of,
)
from frontend.shell.choices import DataChoice, MethodChoice, ModelChoice

MOST_RUNS = 24  # started at a time
READ_AT_MOST = 5_000  # questions; of more, the page does not count the options
SEEDED = "random"  # the method whose answers depend on the seed


@dataclass(frozen=True, slots=True)
class Planned:
    """One evaluation to start.

    ``n`` counts questions, ``n_texts`` the options that the model scores: 0 without a model. Each
    is None if unknown. ``seconds`` is an estimate for one worker, None if no figure is known.
    ``sends_blind``: blind questions are sent to a server.
    """

    system: str
    data: str
    asked: dict[str, Any]
    n: int | None
    n_texts: int | None
    seconds: float | None
    sends_blind: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """All evaluations to start, and the combinations that do not fit together, with reasons."""

    runs: tuple[Planned, ...]
    skipped: tuple[str, ...]

    @property
    def n(self) -> int:
        return sum(run.n or 0 for run in self.runs)

    @property
    def n_texts(self) -> int:
        return sum(run.n_texts or 0 for run in self.runs)

    @property
    def is_counted(self) -> bool:
        return all(None not in (run.n, run.n_texts) for run in self.runs)

    @property
    def seconds(self) -> float:
        """The seconds of the evaluations whose time is known."""
        return sum(run.seconds or 0 for run in self.runs)

    @property
    def n_untimed(self) -> int:
        return sum(run.seconds is None for run in self.runs)

    @property
    def sends_blind(self) -> list[Planned]:
        return [run for run in self.runs if run.sends_blind]

    @property
    def too_many(self) -> bool:
        return len(self.runs) > MOST_RUNS


def plan(
    *,
    data: Sequence[DataChoice],
    models: Sequence[ModelChoice],
    methods: Sequence[MethodChoice],
    transformations: Sequence[str],
    dtype: str,
    seeds: Sequence[int],
) -> Plan:
    """Return one evaluation for each combination that fits together."""
    timings = timings_of([model.spec for model in models])
    skipped: dict[str, None] = {}
    sizes: dict[tuple[str, str], tuple[int | None, int | None]] = {}
    runs = []
    for data_choice, method, transformation in _combinations(data, methods, transformations):
        refusal = _refusal(data_choice, transformation, method, models)
        if refusal:
            skipped[refusal] = None
            continue
        key = (data_choice.value, transformation)
        if key not in sizes:
            sizes[key] = _size(data_choice, transformation)
        for arguments in _systems(method, models, dtype, seeds):
            fields = {**data_choice.asked, **arguments, "transformation": transformation}
            runs.append(_planned(data_choice, fields, sizes[key], timings))
    return Plan(tuple(runs), tuple(skipped))


def _combinations(
    data: Sequence[DataChoice], methods: Sequence[MethodChoice], transformations: Sequence[str]
) -> Iterator[tuple[DataChoice, MethodChoice, str]]:
    """Yield each combination once; a method that needs a transformation has it without a choice."""
    for data_choice, choice in product(data, methods):
        required = choice.method.transformation
        for transformation in dict.fromkeys(name or required for name in transformations):
            yield data_choice, choice, transformation


def _refusal(
    data: DataChoice, transformation: str, choice: MethodChoice, models: Sequence[ModelChoice]
) -> str:
    """Return why a combination cannot be evaluated; empty if it can."""
    method = choice.method
    if method.name == LINEAR and (data.kind != "release" or transformation):
        return _("The linear model reads the encoding of a release, of questions as they are.")
    if method.transformation not in ("", transformation):
        text = _("The method “%(method)s” makes questions of its own and takes no transformation.")
        return text % {"method": method.title}
    if method.has_model and not any(model.fits(method) for model in models):
        text = _(
            "The method “%(method)s” needs %(kind)s, and no chosen model is known to be one. "
            "Choose or name another model."
        )
        return text % {"method": method.title, "kind": NEEDS[method.kind]}
    return ""


def _systems(
    choice: MethodChoice, models: Sequence[ModelChoice], dtype: str, seeds: Sequence[int]
) -> Iterator[dict[str, Any]]:
    method = {"method": choice.method.name, "variant": choice.variant}
    if choice.method.has_model:
        loaded = {"dtype": dtype} if choice.method.use else {}
        for model in models:
            if model.fits(choice.method):
                yield {**method, "model": model.spec, **loaded}
    else:
        for seed in seeds if choice.method.name == SEEDED else (0,):
            yield {**method, "seed": seed}


def _planned(
    data: DataChoice,
    arguments: dict[str, Any],
    size: tuple[int | None, int | None],
    timings: Mapping[TimedSystem, Timing],
) -> Planned:
    run = Evaluation(**arguments)
    system = (run.model, run.method, run.variant, run.dtype)
    timing = timings.get(system)
    seed = _("seed %s") % run.seed if run.method == SEEDED else ""
    n, n_texts = size
    return Planned(
        system=" · ".join(filter(None, [run.system, seed])),
        data=" · ".join(filter(None, [data.label, in_words(run.transformation)])),
        asked=arguments,
        n=n,
        n_texts=n_texts if run.model else 0,
        seconds=timing.seconds(n) if timing and n is not None else None,
        sends_blind=run.is_blind and run.method == REMOTE,
    )


def _size(data: DataChoice, transformation: str) -> tuple[int | None, int | None]:
    """Return the numbers of questions and options to score; None if they take long to count."""
    if data.n > READ_AT_MOST:
        # Questions of a campaign have two options; those of a reference set may have more.
        n = None if transformation else data.n
        return n, None if n is None or data.kind == "reference-set" else 2 * n
    items = scored_items(Evaluation(**data.asked, transformation=transformation)).items
    return len(items), sum(len(item.options) for item in items)
