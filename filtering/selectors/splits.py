"""Which twins show each other's answers, and how many have been dealt to which split."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import Count, Q, Sum

from collection.models import Campaign, Question, Twin
from collection.models.expressions import SentenceKey
from filtering.core.dealing import Owed
from filtering.models import Draw


def showing_each_other(twins: Collection[int]) -> list[set[int]]:
    """Gather twins, with those of any campaign that show the same answer, drawn or not.

    Whoever knows the answer of a sentence knows it wherever the sentence stands, and so that of
    the other question of each of these twins. A revised twin is nearly the one it revises.

    Parameters
    ----------
    twins : collection of int
        Primary keys.

    Returns
    -------
    list of set of int
        At least two twins each: all that hold one sentence (case, gaps and punctuation aside, also
        in questions that are not valid), and all revisions of one another. A twin may be in many.
    """
    return [*_by_sentence(twins), *_by_revision(twins)]


def _by_sentence(twins: Collection[int]) -> Iterator[set[int]]:
    keyed = Question.objects.order_by().annotate(key=SentenceKey("sentence"))
    # A list, not a query within the query: after an import nothing is known of the table yet, and
    # the database would compare each question with each.
    mine = list(keyed.filter(twin__in=twins).values_list("key", flat=True))
    holders: dict[str, set[int]] = defaultdict(set)
    for key, twin in keyed.filter(key__in=mine).values_list("key", "twin"):
        holders[key].add(twin)
    return (found for found in holders.values() if len(found) > 1)


def _by_revision(twins: Collection[int]) -> Iterator[set[int]]:
    revised = Q(revises__isnull=False) | Q(revised_by__isnull=False)
    ends = set(Twin.objects.filter(revised, pk__in=twins).values_list("pk", flat=True))
    while ends:
        chain = _chain(ends.pop())
        ends -= chain
        yield chain


def _chain(twin: int) -> set[int]:
    chain: set[int] = set()
    ends = {twin}
    while ends:
        chain |= ends
        beside = Q(revises__in=ends) | Q(revised_by__in=ends)
        ends = set(Twin.objects.filter(beside).values_list("pk", flat=True)) - chain
    return chain


def owed(campaign: Campaign, *, is_pair: bool) -> Owed:
    """What the campaign's deals of pairs, or of single questions, have left over so far."""
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
