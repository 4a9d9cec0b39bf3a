"""Queries of human evaluations: work for a worker, money promised, and results."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import NamedTuple

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from collection.selectors.joining import unblocked
from corpora.core.items import Item
from evaluation.core.human import PeopleScores, leaning, people_scores
from evaluation.models import HumanEvaluation, HumanSeat
from stats.intervals import Estimate, wilson
from workers.models import Qualification, User

Status = HumanEvaluation.Status
SENTENCES = {
    "all_answered": _("Every question has its votes. Thank you."),
    "known_to_you": _(
        "The remaining questions are for other people: you wrote, validated, saw or answered them "
        "or their twins."
    ),
    "all_leased": _("Other people are working on all remaining questions."),
}


def offered_to(worker: User, *, now: datetime) -> "QuerySet[HumanEvaluation]":
    """Return the open evaluations in which *worker* holds or could claim a seat now."""
    seats = HumanSeat.objects.filter(evaluation=OuterRef("pk"))
    free = seats.free(now=now).open_to(worker)
    mine = seats.held(now=now).filter(worker=worker)
    offered = Campaign.objects.visible_to(worker).offered()
    campaigns = unblocked(worker, Qualification.Skill.VALIDATE, offered)
    campaigns = campaigns.filter(status__in=[Campaign.Status.OPEN, Campaign.Status.CLOSED])
    could = Q(Exists(free), status=Status.OPEN, campaign__in=campaigns)
    return HumanEvaluation.objects.select_related("campaign").filter(could | Q(Exists(mine)))


def held_seat(worker: User, evaluation: HumanEvaluation, *, now: datetime) -> HumanSeat | None:
    """Return the seat that *worker* holds, unless they have validated its twin since the claim."""
    held = HumanSeat.objects.held(now=now).filter(worker=worker, evaluation=evaluation)
    return held.unknown_to(worker).select_related("item", "evaluation__campaign").first()


@dataclass(frozen=True, slots=True)
class NothingLeft:
    """Why a worker gets no seat now, as a code of ``SENTENCES``, and when to try again."""

    reason: str
    again_at: datetime | None = None

    @property
    def message(self) -> str:
        return str(SENTENCES[self.reason])


def why_nothing_left(
    worker: User, evaluation: HumanEvaluation, *, now: datetime
) -> NothingLeft | None:
    """Return why there is no seat for *worker*; None if there is one."""
    seats = HumanSeat.objects.waiting().filter(evaluation=evaluation, spare=False)
    theirs = seats.open_to(worker)
    if theirs.free(now=now).exists():
        return None
    first = theirs.held(now=now).aggregate(first=Min("leased_until"))["first"]
    if first is not None:
        return NothingLeft("all_leased", first)
    return NothingLeft("known_to_you" if seats.exists() else "all_answered")


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of an evaluation's items and votes are there, and who answered.

    Votes are those that are used, and ``n_people`` cast them; ``n_unused`` are paid and excluded
    or spare.
    """

    n_items: int
    n_groups: int
    n_complete: int
    n_votes: int
    n_wanted: int
    n_people: int
    n_unused: int

    @property
    def share(self) -> float:
        return self.n_votes / self.n_wanted if self.n_wanted else 1.0


USED = Q(answered_at__isnull=False, excluded_at=None, spare=False)
COUNTS = {
    "n_votes": Count("pk", filter=USED),
    "n_wanted": Count("pk", filter=Q(excluded_at=None, spare=False)),
    "n_people": Count("worker", filter=USED, distinct=True),
}


def with_counts(rows: "QuerySet[HumanEvaluation]") -> "QuerySet[HumanEvaluation]":
    """Annotate the numbers of votes and people, as ``n_votes``, ``n_wanted`` and ``n_people``."""
    seats = HumanSeat.objects.filter(evaluation=OuterRef("pk")).order_by().values("evaluation")
    return rows.annotate(
        **{name: Subquery(seats.annotate(n=n).values("n")) for name, n in COUNTS.items()}
    )


def progress_of(evaluation: HumanEvaluation) -> Progress:
    used = Q(seats__answered_at__isnull=False, seats__excluded_at=None, seats__spare=False)
    items = evaluation.items.annotate(n=Count("seats", filter=used)).order_by()
    n_items = evaluation.items.count()
    found = HumanSeat.objects.filter(evaluation=evaluation).aggregate(
        n_votes=COUNTS["n_votes"],
        n_people=COUNTS["n_people"],
        n_groups=Count("group_key", distinct=True),
        n_unused=Count("pk", filter=Q(answered_at__isnull=False) & ~USED),
    )
    return Progress(
        n_items=n_items,
        n_wanted=n_items * evaluation.votes_per_item,
        n_complete=items.filter(n=evaluation.votes_per_item).count(),
        **found,
    )


@dataclass(frozen=True, slots=True)
class Answered:
    """An item with all its votes, each an option and a number for who chose it."""

    number: int
    item: Item
    group: str
    votes: tuple[tuple[int, int], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of votes for each option."""
        given = Counter(option for option, _worker in self.votes)
        return tuple(given[at] for at in range(1, len(self.item.options) + 1))

    @property
    def answer(self) -> int:
        assert self.item.answer is not None  # sets without answers are refused
        return self.item.answer

    @property
    def right(self) -> int:
        """How many votes are for the answer."""
        return self.counts[self.answer - 1]

    @property
    def is_outvoted(self) -> bool:
        """Whether another option has at least as many votes as the answer."""
        others = [n for at, n in enumerate(self.counts, 1) if at != self.answer]
        return max(others) >= self.right

    @property
    def options(self) -> list[tuple[str, int, bool]]:
        """Each option with its votes, and whether it is the answer."""
        pairs = zip(self.item.options, self.counts, strict=True)
        return [(text, n, at == self.answer) for at, (text, n) in enumerate(pairs, 1)]


def human_answers(evaluation: HumanEvaluation) -> list[Answered]:
    """Return the items that have all their votes, in published order."""
    votes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    groups = {}
    seats = HumanSeat.objects.filter(evaluation=evaluation).counted().order_by("number")
    for pk, option, worker, group in seats.values_list("item", "option", "worker", "group_key"):
        votes[pk].append((option or 0, worker or 0))
        groups[pk] = group
    full = [pk for pk, given in votes.items() if len(given) == evaluation.votes_per_item]
    return [
        Answered(row.number, row.item, groups[row.pk], tuple(votes[row.pk]))
        for row in evaluation.items.filter(pk__in=full)
    ]


def scores_of(items: Sequence[Answered]) -> PeopleScores:
    return people_scores(
        [[option for option, _worker in each.votes] for each in items],
        [[worker for _option, worker in each.votes] for each in items],
        [each.answer for each in items],
        [each.group for each in items],
        n_options=[len(each.item.options) for each in items],
    )


def scores_by_domain(items: Sequence[Answered]) -> dict[str, PeopleScores]:
    """Return the scores of each domain that the items name; empty if they name none."""
    domains: dict[str, list[Answered]] = defaultdict(list)
    for each in items:
        domains[str(each.item.metadata.get("domain") or "")].append(each)
    if set(domains) == {""}:
        return {}
    return {domain: scores_of(domains[domain]) for domain in sorted(domains)}


@dataclass(frozen=True, slots=True)
class Voter:
    """A person's votes in an evaluation, excluded ones included.

    ``seconds`` is the median from the claim to the vote, and ``first`` the share of votes for the
    option shown first, of the questions whose options are shown in a random order. ``leans`` says
    that this share differs from chance, corrected for the number of people.
    """

    worker: str
    n: int
    n_excluded: int
    seconds: float
    first: Estimate
    leans: bool


def voters_of(evaluation: HumanEvaluation) -> list[Voter]:
    """Return who has voted, the quickest first; workers are pseudonyms."""
    seats = HumanSeat.objects.filter(evaluation=evaluation, answered_at__isnull=False)
    rows = seats.values_list(
        "worker__public_id", "answered_at", "claimed_at", "option", "order", "excluded_at", "item"
    )
    fixed = _of_fixed_order(evaluation)
    votes: dict[str, list[_Vote]] = defaultdict(list)
    for worker, at, claimed, option, order, excluded, item in rows.order_by():
        seconds = (at - claimed).total_seconds() if at and claimed else 0.0
        chance = 0.0 if item in fixed else 1 / len(order)
        vote = _Vote(seconds, order[0] == option, chance, excluded is not None)
        votes[worker].append(vote)
    lean = leaning([[(one.first, one.chance) for one in given] for given in votes.values()])
    found = [_voter(*of, leans) for of, leans in zip(votes.items(), lean, strict=True)]
    return sorted(found, key=lambda one: (one.seconds, one.worker))


class _Vote(NamedTuple):
    """A vote; ``chance`` is that of the option shown first, 0 if the order is not random."""

    seconds: float
    first: bool
    chance: float
    excluded: bool


def _of_fixed_order(evaluation: HumanEvaluation) -> set[int]:
    """Return the items whose options are always shown in the same order: true and false."""
    maybe = evaluation.items.filter(line__contains='"truth"')
    return {row.pk for row in maybe if row.item.form == "truth"}


def _voter(worker: str, votes: Sequence[_Vote], leans: bool) -> Voter:
    drawn = [one.first for one in votes if one.chance]
    return Voter(
        worker,
        len(votes),
        sum(one.excluded for one in votes),
        median(one.seconds for one in votes),
        wilson(sum(drawn), len(drawn)),
        leans,
    )


def votes_of(evaluation: HumanEvaluation, worker: User) -> "QuerySet[HumanSeat]":
    """Return the votes of a worker, excluded ones included, with their item."""
    mine = HumanSeat.objects.filter(evaluation=evaluation, worker=worker)
    return mine.filter(answered_at__isnull=False).select_related("item")
