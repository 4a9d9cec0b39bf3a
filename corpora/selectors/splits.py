"""The splits of a campaign, and how many pairs each would get."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Subquery, Sum

from collection.models import Campaign, Question, Twin
from collection.models.expressions import SentenceKey, key_of_each, sentence_keys
from corpora.core.dealing import DealBalance, groups
from corpora.models import Draw, DrawTable
from corpora.selectors.questions import VALID, valid_questions
from validation.models import PublishedSentence
from validation.selectors import twins_with_open_seats
from winoplatform import clock


@dataclass(frozen=True, slots=True)
class ExpectedPairs:
    """The valid pairs of a campaign, and how many of them each split is expected to get.

    Parameters
    ----------
    total : int
        Twins with two valid questions.
    fixed : mapping of str to int
        Those whose split is drawn or named by their file, by split.
    shares : mapping of str to float
        The shares of dev and test for all others.
    """

    total: int
    fixed: Mapping[str, int]
    shares: Mapping[str, float]

    def of(self, split: str) -> float:
        """Return the expected number of pairs of train, dev or test."""
        share = self.shares.get(split, 1 - sum(self.shares.values()))
        return self.fixed.get(split, 0) + self.undrawn * share

    @property
    def undrawn(self) -> int:
        """Pairs whose split the next snapshot draws."""
        return self.total - sum(self.fixed.values())

    @property
    def empty(self) -> list[str]:
        """Return the splits that may get no pair at all, although the campaign wants some."""
        return [name for name, share in self.shares.items() if share and self.of(name) < 1]

    def needed(self, pairs: int) -> int:
        """Return how many valid pairs let dev and test expect *pairs* each, if they have shares."""
        missing = [
            (pairs - self.fixed.get(name, 0)) / share
            for name, share in self.shares.items()
            if share
        ]
        more = max([0.0, *missing])
        return sum(self.fixed.values()) + math.ceil(round(more, 9))  # 25 / 0.1 is above 250


def expected_pairs(campaign: Campaign) -> ExpectedPairs:
    """Return what dev and test would get of the pairs that are valid now."""
    drawn = Draw.objects.filter(twin=OuterRef("twin")).values("split")[:1]
    twins = valid_questions(campaign).order_by().values("twin", "twin__source_split")
    pairs = twins.annotate(n=Count("pk"), drawn=Subquery(drawn)).filter(n=2)
    splits = Counter(
        split or told for split, told in pairs.values_list("drawn", "twin__source_split")
    )
    return ExpectedPairs(
        total=sum(splits.values()),
        fixed={name: n for name, n in splits.items() if name},
        shares={"dev": float(campaign.dev_share), "test": float(campaign.test_share)},
    )


_ANSWERED = Exists(PublishedSentence.objects.filter(key=OuterRef("key"), is_answered=True))


def showing_each_other(twins: Collection[int]) -> list[set[int]]:
    """Group *twins* with the twins of any campaign that reveal the same answer, drawn or not.

    A known answer applies wherever the sentence appears, and reveals the answer of the other
    question of the twin. A revised twin is nearly identical to the one it revises.

    Parameters
    ----------
    twins : collection of int
        Primary keys.

    Returns
    -------
    list of set of int
        At least two twins each: all that contain one sentence (ignoring case, spaces and
        punctuation, also in questions that are not valid), and all revisions of one another. A
        twin may be in several sets.
    """
    return [*_by_sentence(twins), *_by_revision(twins)]


def twins_told_by(sentences: Collection[str]) -> set[int]:
    """The twins, by primary key, with one of *sentences* whose answer has not been public yet."""
    keyed = Question.objects.order_by().annotate(key=SentenceKey("sentence"))
    twins = keyed.filter(~_ANSWERED, key__in=list(sentence_keys(sentences)))
    return set(twins.values_list("twin", flat=True))


def secret_twins(twins: set[int]) -> set[int]:
    """Return the twins with a secret answer, among *twins* and those that they reveal.

    Their answers are blind, not drawn yet, or asked of validators. *twins* are those of
    `twins_told_by`.
    """
    beside = twins.union(*showing_each_other(twins))
    splits = dict(Draw.objects.filter(twin__in=beside).values_list("twin", "split"))
    published = {twin for twin in twins if splits.get(twin) in (Draw.Split.TRAIN, Draw.Split.DEV)}
    blind = {twin for twin, split in splits.items() if split == Draw.Split.TEST}
    return (twins - published) | blind | twins_with_open_seats(beside, now=clock.now())


def secret_sentences(sentences: Collection[str]) -> set[str]:
    """Return those of *sentences* whose answer would show that of a secret twin."""
    keys = key_of_each(sentences)
    keyed = Question.objects.order_by().annotate(key=SentenceKey("sentence"))
    rows = keyed.filter(~_ANSWERED, key__in=[*keys.values()]).values_list("key", "twin")
    pairs = list(rows)
    twins = {twin for _, twin in pairs}
    secret = secret_twins(twins)
    links = showing_each_other(twins)
    hidden = secret.union(*(link for link in links if link & secret))
    secret_keys = {key for key, twin in pairs if twin in hidden}
    return {sentence for sentence, key in keys.items() if key in secret_keys}


def answered_outside(twins: Collection[int]) -> set[int]:
    """Those of *twins*, by primary key, that have a sentence whose answer is public."""
    keyed = Question.objects.order_by().annotate(key=SentenceKey("sentence"))
    return set(keyed.filter(_ANSWERED, twin__in=twins).values_list("twin", flat=True))


def _by_sentence(twins: Collection[int]) -> Iterator[set[int]]:
    keyed = Question.objects.order_by().annotate(key=SentenceKey("sentence"))
    # A list, not a subquery: after an import the database has no statistics of the table yet, and
    # would compare each question with every other.
    mine = list(keyed.filter(twin__in=twins).values_list("key", flat=True))
    holders: dict[str, set[int]] = defaultdict(set)
    for key, twin in keyed.filter(key__in=mine).values_list("key", "twin"):
        holders[key].add(twin)
    return (ids for ids in holders.values() if len(ids) > 1)


def _by_revision(twins: Collection[int]) -> Iterator[set[int]]:
    ends = set(twins)
    seen: set[int] = set()
    steps: set[tuple[int, int]] = set()
    while ends := ends - seen:  # one query per step of the longest chain, not per chain
        seen |= ends
        revisions = Twin.objects.filter(revises__isnull=False)
        edges = revisions.filter(Q(pk__in=ends) | Q(revises__in=ends)).values_list("pk", "revises")
        steps |= {(pk, revised) for pk, revised in edges if revised is not None}
        ends = {pk for step in steps for pk in step}
    members = sorted({pk for step in steps for pk in step})
    return (set(chain) for chain in groups(members, steps))


def strata(twins: Sequence[int], *, is_pair: bool) -> list[tuple[str, int | None]]:
    """Return what each twin's split is balanced by: domain, and the answer of a single question.

    Of a twin with both questions, which have both answers, the domain alone.
    """
    domains = dict(Twin.objects.filter(pk__in=twins).values_list("pk", "domain"))
    valid = Question.objects.filter(VALID, twin__in=twins)
    single = valid.none() if is_pair else valid
    answers = dict(single.order_by("-number").values_list("twin", "answer"))
    return [(domains[twin], answers.get(twin)) for twin in twins]


def draw_table_lines(table: DrawTable) -> list[bytes]:
    """Return the lines that a draw table's hash was computed from."""
    rows = table.draws.order_by().values_list("twin__public_id", "split")
    return table.lines((str(twin), split) for twin, split in rows)


def deal_balance(campaign: Campaign, *, is_pair: bool) -> DealBalance:
    """Return the balance of the campaign's deals of pairs, or of single questions, so far."""
    dealt = Draw.objects.filter(
        twin__campaign=campaign, origin=Draw.Origin.DEALT, is_pair=is_pair
    ).order_by()
    sums: dict[str, Any] = dealt.aggregate(
        **{f"asked_{name}": Sum(f"{name}_share") for name in ("dev", "test")},
        **{f"got_{name}": Count("pk", filter=Q(split=name)) for name in ("dev", "test")},
    )
    return DealBalance(
        **{
            name: float(sums[f"asked_{name}"] or 0) - sums[f"got_{name}"]
            for name in ("dev", "test")
        }
    )
