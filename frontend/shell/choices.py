"""What the form “Evaluate” offers: labelled questions, models, methods and transformations."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.core.transformations import TRANSFORMATIONS
from corpora.loading import EncoderRefused, installed, permitted
from corpora.models import ReferenceSet, Release, ReleaseFile, Snapshot
from evaluation.methods import METHODS, NEEDS, Method, kinds_in_words
from evaluation.methods.language_models import REMOTE
from evaluation.models import Evaluation
from evaluation.selectors import in_words
from evaluation.services import SCORED_SPLITS
from modeling.specs import SMOLLM2, ModelSpec, uses_of
from winoplatform.http.rights import reader
from winoplatform.runs.models import RunStatus

NEWEST = 15  # releases, snapshots and sets that are offered
USED = 8  # models of earlier evaluations that are offered
SERVER = frozenset({"server"})  # the kinds of a model behind the operator's server
USUAL = ("majority", "random", "retrieval")  # the first of the methods without a model


@dataclass(frozen=True, slots=True)
class DataChoice:
    """Questions to score: a split of a set, all with known answers."""

    kind: str
    name: str
    title: str
    split: str
    n: int
    asked: dict[str, Any]

    @property
    def value(self) -> str:
        return f"{self.kind}:{self.name}:{self.split}"

    @property
    def label(self) -> str:
        return f"{self.title} · {self.split}"

    @property
    def about(self) -> str:
        return ngettext("%s question", "%s questions", self.n) % f"{self.n:,}"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model under test; ``kinds`` are those that it is known to have, None if unknown."""

    spec: str
    kinds: frozenset[str] | None

    @classmethod
    def named(cls, name: str) -> "ModelChoice":
        """Return a model that a user named; its configuration is read only if it is permitted."""
        try:
            return cls(name, uses_of(permitted(name)))
        except EncoderRefused:
            return cls(name, None)

    @property
    def label(self) -> str:
        return self.spec if self._is_remote else ModelSpec.parse(self.spec).short_name

    @property
    def about(self) -> str:
        """The whole name, where the label is shorter; of a folder without its path."""
        name = self.spec if self._is_remote else ModelSpec.parse(self.spec).public_name
        return "" if name == self.label else name

    @property
    def kind(self) -> str:
        """The kind of model in words; empty if it is unknown."""
        return "" if self.kinds is None else kinds_in_words(self.kinds)

    @property
    def _is_remote(self) -> bool:
        """A server's models have names of their own form."""
        return self.kinds == SERVER

    def fits(self, method: Method) -> bool:
        if self.kinds is None:  # loaded here, in a way that is not known yet
            return method.name != REMOTE
        return method.kind in self.kinds


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """A method with one of its variants."""

    method: Method
    variant: str

    @property
    def value(self) -> str:
        return f"{self.method.name}:{self.variant}"

    @property
    def label(self) -> str:
        variant = str(self.method.variants.get(self.variant, ""))
        if self.method.name in (self.method.use, REMOTE) and variant:
            return variant  # below the title of its kind
        return ": ".join(filter(None, [str(self.method.title), variant]))


def data_choices() -> list[DataChoice]:
    """Return the newest releases, reference sets and snapshots that can be scored."""
    return [*_releases(), *_reference_sets(), *_snapshots()]


def _releases() -> Iterator[DataChoice]:
    files = Prefetch("files", ReleaseFile.objects.filter(rows__gt=0))
    rows = Release.objects.filter(
        Release.of_member(reader()), status=RunStatus.DONE
    ).prefetch_related(files)
    for release in rows.order_by("-pk")[:NEWEST]:
        n = {file.name: file.rows or 0 for file in release.files.all()}
        for split in SCORED_SPLITS:
            if f"{split}.jsonl" in n:
                of_release = {"release": release, "split": split}
                name = release.name
                yield DataChoice("release", name, name, split, n[f"{split}.jsonl"], of_release)


def _reference_sets() -> Iterator[DataChoice]:
    sets = ReferenceSet.objects.visible_to(reader()).prefetch_related("splits")
    for reference_set in sets.order_by("-pk")[:NEWEST]:
        for split in reference_set.splits.all():
            if split.n_labelled == split.n_items:
                of_set = {"reference_set": reference_set, "split": split.name}
                name = reference_set.name
                yield DataChoice(
                    "reference-set", name, reference_set.title, split.name, split.n_items, of_set
                )


def _snapshots() -> Iterator[DataChoice]:
    rows = Snapshot.objects.visible_to(reader()).filter(status=RunStatus.DONE, n_questions__gt=0)
    for snapshot in rows.select_related("campaign").order_by("-pk")[:NEWEST]:
        title = f"{snapshot.campaign.name} {str(snapshot.public_id)[:8]}"
        of_snapshot = {"snapshot": snapshot, "split": Evaluation.WHOLE}
        id, n = str(snapshot.public_id), snapshot.n_questions or 0
        yield DataChoice("snapshot", id, title, Evaluation.WHOLE, n, of_snapshot)


def model_choices() -> list[ModelChoice]:
    """Return the language model of the platform, those evaluated before, and installed ones."""
    kinds: dict[str, set[str]] = {SMOLLM2: {"causal"}}
    done = (
        Evaluation.objects.filter(Evaluation.of_member(reader()), status=RunStatus.DONE)
        .exclude(model="")
        .order_by()
    )
    if not settings.REMOTE_MODEL_URL:
        done = done.exclude(method=REMOTE)  # names that only the server knows
    for model, method in done.values_list("model", "method").distinct()[: USED * len(METHODS)]:
        method_facts = METHODS.get(method)
        kinds.setdefault(model, set()).add(method_facts.kind if method_facts else "")
    choices = [_choice_of(spec, frozenset(uses)) for spec, uses in [*kinds.items()][: USED + 1]]
    others = [ModelChoice.named(spec) for spec in installed() if spec not in kinds]
    # One of which nothing is known would seem to fit every method.
    return choices + [choice for choice in others if choice.kinds is not None]


def _choice_of(spec: str, uses: frozenset[str]) -> ModelChoice:
    """Return a model of an earlier evaluation, with what it was used for and could be used for."""
    if uses == SERVER:
        return ModelChoice(spec, uses)
    return ModelChoice(spec, uses | (ModelChoice.named(spec).kinds or frozenset()))


def method_choices() -> list[MethodChoice]:
    """Return every method that can be started here, with its variants, by kind of model."""
    methods = sorted(METHODS.values(), key=_place)
    return [
        MethodChoice(method, variant)
        for method in methods
        if method.is_requested_by_name and (method.name != REMOTE or settings.REMOTE_MODEL_URL)
        for variant in (method.variants or ("",))
    ]


def _place(method: Method) -> tuple[Any, ...]:
    """Return where a method is offered: by kind, the usual method of a kind first."""
    kinds = [*NEEDS, ""]
    is_usual = method.name in (method.use, REMOTE, *USUAL)
    return kinds.index(method.kind), method.reads == "corpus", not is_usual, method.name


def transformation_choices() -> list[tuple[str, str]]:
    """Return the transformations, with “none” first."""
    named = [(name, in_words(name)) for name in TRANSFORMATIONS]
    return [("", _("none: the questions as they are")), *named]
