"""The questions of an evaluation with the scores of their options."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from corpora.core.bundle.layout import INDEX
from corpora.core.items import Item
from corpora.core.metrics import choice_shares
from corpora.core.transformations import TRANSFORMATIONS
from corpora.selectors import full_agreement, labelled
from evaluation.core.side_by_side import AGREED
from evaluation.models import Evaluation, KeyAudit
from winoplatform.artifacts import store
from winoplatform.errors import Conflict
from winoplatform.models import Artifact

Floats = NDArray[np.float64]
Key = tuple[str | None, ...]
T = TypeVar("T")
Lines = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class OptionScore:
    """One option: its score, its share of the choice (1/m of m tied ones), and if it is right."""

    text: str
    score: float
    share: float
    is_answer: bool


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """A question with its options as a system scored them; without options if it is unanswered.

    ``evidence`` is what the method gave beside the scores, as it is in the file of predictions.
    """

    item: Item
    options: tuple[OptionScore, ...]
    evidence: tuple[Mapping[str, Any], ...] = ()

    @property
    def credit(self) -> float:
        """1 if it is answered correctly, 1/m in a tie of m with the right option, else 0."""
        return sum(option.share for option in self.options if option.is_answer)

    @property
    def is_tied(self) -> bool:
        return bool(self.options) and max(option.share for option in self.options) < 1


@dataclass(frozen=True, slots=True)
class Keyed(Generic[T]):
    """What something is computed from once, as it never changes; equal to others with its key."""

    key: tuple[Any, ...]
    of: T = field(compare=False)


@dataclass(frozen=True)
class ScoredQuestions:
    """The questions that evaluations score: transformed, with answers.

    The metadata say whether all validators agreed on a question, if it has votes.
    ``groups_before`` has the group of each question before the transformation, by id.
    """

    items: tuple[Item, ...]
    groups_before: Mapping[str, str]


def scored_items(run: Evaluation | KeyAudit) -> ScoredQuestions:
    """Return the questions of a run; read once per process, as they never change."""
    return _questions_of(Keyed(key_of(run), run))


def scores_of(run: Evaluation, items: Sequence[Item]) -> list[Floats | None]:
    """Return the stored scores of each of the questions from `scored_items`.

    They are None for a question without an answer, and empty for one that the method dropped.

    Raises
    ------
    DomainError
        When the questions are not those that were scored: a later version of the platform makes
        other questions with the transformation.
    """
    return _scores_in(lines_of(run), items)


def _scores_in(lines: Lines, items: Sequence[Item]) -> list[Floats | None]:
    n_options = {item.id: len(item.options) for item in items}
    for id, line in lines.items():
        if n_options.get(id) is None or len(line["scores"] or ()) not in (0, n_options[id]):
            raise Conflict(
                "questions_changed",
                "This version of the platform makes other questions of this set than those that "
                "were scored. Evaluate again to see them.",
            )
    return [_scores(lines.get(item.id)) for item in items]


def _scores(line: Mapping[str, Any] | None) -> Floats | None:
    if line is None:
        return np.empty(0)
    return None if line["scores"] is None else np.array(line["scores"], dtype=np.float64)


def lines_of(run: Evaluation) -> Lines:
    """Return the stored line of each question that was scored, by its id there."""
    assert run.predictions_id is not None
    with store.open_artifact(Artifact(sha256=run.predictions_id)) as file:
        # All lines as one value: a call for each line takes ten times as long.
        return {line["qID"]: line for line in json.loads(b"[" + b",".join(file) + b"]")}


def answered_items(run: Evaluation) -> list[AnsweredItem]:
    """Return each question with its options as scored, without those that the method dropped."""
    items = scored_items(run).items
    lines = lines_of(run)
    pairs = list(zip(items, _scores_in(lines, items), strict=True))
    answered = [(item, scores) for item, scores in pairs if scores is None or len(scores)]
    shares = iter(choice_shares([scores for _item, scores in answered if scores is not None]))
    return [
        AnsweredItem(
            item,
            _options(item, scores, next(shares)) if scores is not None else (),
            tuple(lines[item.id].get("evidence", ())),
        )
        for item, scores in answered
    ]


def _options(item: Item, scores: Floats, shares: Floats) -> tuple[OptionScore, ...]:
    rows = zip(item.options, scores.tolist(), shares.tolist(), strict=True)
    return tuple(OptionScore(*row, n == item.answer) for n, row in enumerate(rows, 1))


def key_of(run: Evaluation | KeyAudit) -> Key:
    """Return what identifies the questions of a run, by the hashes of their files."""
    return (*_files_of(run), run.split, run.transformation)


def _files_of(run: Evaluation | KeyAudit) -> Key:
    if run.release is not None:
        index = run.release.files.get(name=INDEX).artifact_id
        return (index, run.release.snapshot.questions_id)
    if run.snapshot is not None:
        # Equal questions of two snapshots may have other votes.
        return (run.snapshot.questions_id, str(run.snapshot.public_id))
    assert run.reference_set is not None
    return (run.reference_set.splits.get(name=run.split).items_id,)


@lru_cache(maxsize=8)
def _questions_of(key: Keyed[Evaluation | KeyAudit]) -> ScoredQuestions:
    items = _with_agreement(key.of, labelled(key.of).items)
    groups = {item.id: item.group for item in items}
    if key.of.transformation:
        items = TRANSFORMATIONS[key.of.transformation](items).items
    return ScoredQuestions(tuple(items), groups)


def _with_agreement(run: Evaluation | KeyAudit, items: Sequence[Item]) -> list[Item]:
    agreement = full_agreement(run, items)
    return [
        replace(item, metadata={**item.metadata, AGREED: agreement[item.id]})
        if item.id in agreement
        else item
        for item in items
    ]


def in_words(name: str) -> str:
    """Return a name of the code or of a file, such as ``no_candidates``, as words."""
    return name.replace("_", " ")
