"""Which twins reveal each other's answers, and how many twins were dealt to each split."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Sum

from collection.models import Campaign, Question, Twin
from collection.models.expressions import SentenceKey, sentence_keys
from corpora.core.dealing import Owed, groups
from corpora.models import Draw
from validation.models import PublishedSentence

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
    found = keyed.filter(~_ANSWERED, key__in=list(sentence_keys(sentences)))
    return set(found.values_list("twin", flat=True))


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
    return (found for found in holders.values() if len(found) > 1)


def _by_revision(twins: Collection[int]) -> Iterator[set[int]]:
    ends = set(twins)
    known: set[int] = set()
    steps: set[tuple[int, int]] = set()
    while ends := ends - known:  # one query per step of the longest chain, not per chain
        known |= ends
        revisions = Twin.objects.filter(revises__isnull=False)
        found = revisions.filter(Q(pk__in=ends) | Q(revises__in=ends)).values_list("pk", "revises")
        steps |= {(pk, revised) for pk, revised in found if revised is not None}
        ends = {pk for step in steps for pk in step}
    members = sorted({pk for step in steps for pk in step})
    return (set(chain) for chain in groups(members, steps))


def owed(campaign: Campaign, *, is_pair: bool) -> Owed:
    """Return the balance of the campaign's deals of pairs, or of single questions, so far."""
    dealt = Draw.objects.filter(
        twin__campaign=campaign, origin=Draw.Origin.DEALT, is_pair=is_pair
    ).order_by()
    sums: dict[str, Any] = dealt.aggregate(
        **{f"asked_{name}": Sum(f"{name}_share") for name in ("dev", "test")},
        **{f"got_{name}": Count("pk", filter=Q(split=name)) for name in ("dev", "test")},
    )
    return Owed(
        **{
            name: float(sums[f"asked_{name}"] or 0) - sums[f"got_{name}"]
            for name in ("dev", "test")
        }
    )
