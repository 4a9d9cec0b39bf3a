"""Answered questions with their scores and evidence, as an evaluation's page shows them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora.core.items import Item
from evaluation.selectors import AnsweredItem
from frontend.items import pieces_of, question_of
from frontend.marks import Piece
from frontend.paging import Numbered, numbered

GROUPS = 20
DECIMALS = 3  # of a score
# The share of the groups of two or more that are “right” is the group score, apart from ties.
OF_PAIRS: dict[str, Any] = {
    "some": later("right on one only"),
    "none": later("wrong on both"),
    "right": later("right on both"),
}
OF_GROUPS: dict[str, Any] = {
    "some": later("right on some only"),
    "none": later("wrong on all"),
    "right": later("right on all"),
}
OF_UNPAIRED: dict[str, Any] = {
    "unpaired-right": later("unpaired question, right"),
    "unpaired-wrong": later("unpaired question, wrong"),
}
OF_QUESTIONS: dict[str, Any] = {
    "unpaired-right": later("right"),
    "unpaired-wrong": later("wrong"),
}


@dataclass(frozen=True, slots=True)
class CorpusEvidence:
    """A sentence of the corpus that speaks for options of a question, and why."""

    sentence: str
    context: str
    query: str
    options: tuple[str, ...]
    rule: str
    strength: float


@dataclass(frozen=True, slots=True)
class ItemView:
    """A question in pieces with the options as scored."""

    answered: AnsweredItem
    pieces: tuple[Piece, ...]
    question: str
    evidence: tuple[CorpusEvidence, ...]
    reason: str

    @property
    def verdict(self) -> tuple[str, str]:
        """The state of the answer and its words."""
        if not self.answered.options:
            return "bad", _("not answered, which counts as wrong")
        if self.answered.is_tied:
            return "warn", _("tied")
        return ("good", _("right")) if self.answered.credit == 1 else ("bad", _("wrong"))


@dataclass(frozen=True, slots=True)
class GroupView:
    """The questions of a group beside one another."""

    name: str
    items: tuple[ItemView, ...]


def item_view(answered: AnsweredItem, *, with_evidence: bool) -> ItemView:
    evidence = answered.evidence if with_evidence else ()
    return ItemView(
        answered,
        tuple(pieces_of(answered.item)),
        question_of(answered.item),
        tuple(_evidence_of(fact, answered.item) for fact in evidence if "sentence" in fact),
        next((fact["reason"] for fact in evidence if "reason" in fact), ""),
    )


def _evidence_of(evidence: Mapping[str, Any], item: Item) -> CorpusEvidence:
    options = tuple(item.options[number - 1] for number in evidence["options"])
    return CorpusEvidence(
        sentence=evidence["sentence"],
        context=evidence["context"],
        query=evidence["query"],
        options=options,
        rule=evidence["rule"],
        strength=evidence["strength"],
    )


@dataclass(frozen=True, slots=True)
class ItemList:
    """A page of groups, with the number of groups of each filter.

    ``decimals`` are those of every score: none if all scores of the evaluation are whole numbers.
    """

    page: Numbered
    shown: str
    filters: tuple[tuple[str, str, int], ...]
    has_groups: bool
    has_unpaired: bool
    decimals: int


def item_list(
    answered: Sequence[AnsweredItem], *, shown: str, number: str, with_evidence: bool
) -> ItemList:
    """Return a page of the groups that a filter keeps, in published order."""
    of_group: dict[str, list[AnsweredItem]] = {}
    for one in answered:
        of_group.setdefault(one.item.group, []).append(one)
    groups = list(of_group.values())
    kinds, sizes = [set(_kinds(group)) for group in groups], [len(group) for group in groups]
    titles = _titles(sizes)
    shown = shown if shown in titles else "all"
    groups_shown = [group for group, mine in zip(groups, kinds, strict=True) if shown in mine]
    page = numbered(groups_shown, number, GROUPS)
    rows = [_group_view(group, with_evidence=with_evidence) for group in page.rows]
    return ItemList(
        Numbered(rows, page.earlier, page.later),
        shown,
        tuple(
            (name, str(title), sum(name in of for of in kinds)) for name, title in titles.items()
        ),
        has_groups=max(sizes) > 1,
        has_unpaired=min(sizes) == 1 < max(sizes),
        decimals=_decimals(answered),
    )


def _group_view(group: Sequence[AnsweredItem], *, with_evidence: bool) -> GroupView:
    views = tuple(item_view(answer, with_evidence=with_evidence) for answer in group)
    return GroupView(group[0].item.group, views)


def _decimals(answered: Sequence[AnsweredItem]) -> int:
    scores = [option.score for answer in answered for option in answer.options]
    return 0 if all(score.is_integer() for score in scores) else DECIMALS


def _titles(sizes: Sequence[int]) -> dict[str, Any]:
    """Return the filters of groups of these sizes, with their titles."""
    titles: dict[str, Any] = {"all": later("all")}
    if max(sizes) > 1:
        titles |= OF_PAIRS if max(sizes) == 2 else OF_GROUPS
    if min(sizes) == 1:
        titles |= OF_QUESTIONS if max(sizes) == 1 else OF_UNPAIRED
    return titles | {"tied": later("tied")}


def _kinds(group: Sequence[AnsweredItem]) -> Iterator[str]:
    """Yield the filters that keep a group; a tie is neither right nor wrong."""
    yield "all"
    right = sum(answer.credit == 1 for answer in group)
    wrong = sum(answer.credit == 0 for answer in group)
    is_unpaired = len(group) == 1
    if right and wrong:
        yield "some"
    if wrong == len(group):
        yield "unpaired-wrong" if is_unpaired else "none"
    if right == len(group):
        yield "unpaired-right" if is_unpaired else "right"
    if any(answer.is_tied for answer in group):
        yield "tied"
