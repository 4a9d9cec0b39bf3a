"""Progress and results of panels, and who answered."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from typing import NamedTuple

from django.db.models import Count, JSONField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from collection.core.people import People, people_of
from collection.selectors.people import accounts_of
from corpora.core.items import FIXED_OPTIONS, Item
from panels.core.people import PeopleScores, leaning, people_scores
from panels.models import Panel, PanelSeat
from stats.intervals import Estimate, wilson
from workers.models import User
from workers.models.promised_pay import NOTHING


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of a panel's items and votes are there, and who answered.

    Votes are those that are used, and ``n_people`` cast them; ``n_unused`` are paid and excluded
    or spare. ``n_enrolled`` people have taken enrolments that have not ended.
    """

    n_items: int
    n_groups: int
    n_complete: int
    n_votes: int
    n_wanted: int
    n_people: int
    n_unused: int
    n_enrolled: int

    @property
    def share(self) -> float:
        return self.n_votes / self.n_wanted if self.n_wanted else 1.0


USED = Q(answered_at__isnull=False, excluded_at=None, spare=False)
LINE = Cast("line", JSONField())
COUNTS = {
    "n_votes": Count("pk", filter=USED),
    "n_wanted": Count("pk", filter=Q(excluded_at=None, spare=False)),
    "n_people": Count("worker", filter=USED, distinct=True),
}


def with_counts(rows: "QuerySet[Panel]") -> "QuerySet[Panel]":
    """Annotate the numbers of votes and people, as ``n_votes``, ``n_wanted`` and ``n_people``."""
    seats = PanelSeat.objects.filter(panel=OuterRef("pk")).order_by().values("panel")
    return rows.annotate(
        **{name: Subquery(seats.annotate(n=n).values("n")) for name, n in COUNTS.items()}
    )


def progress_of(panel: Panel) -> Progress:
    used = Q(seats__answered_at__isnull=False, seats__excluded_at=None, seats__spare=False)
    items = panel.items.annotate(n=Count("seats", filter=used)).order_by()
    group = KeyTextTransform("group", LINE)
    counts = PanelSeat.objects.filter(panel=panel).aggregate(
        n_votes=COUNTS["n_votes"],
        n_people=COUNTS["n_people"],
        n_unused=Count("pk", filter=Q(answered_at__isnull=False) & ~USED),
    )
    return Progress(
        n_items=panel.n_items,
        n_groups=panel.items.aggregate(n=Count(group, distinct=True))["n"],
        n_wanted=panel.n_items * panel.votes_per_item,
        n_enrolled=panel.enrolments.active().filter(worker__isnull=False).count(),
        n_complete=items.filter(n=panel.votes_per_item).count(),
        **counts,
    )


def costs_of(panel: Panel) -> dict[str, Decimal]:
    """Return what votes have been paid, as ``spent``, and what all will be paid, as ``cost``."""
    done = PanelSeat.objects.done().filter(panel=panel)
    paid = done.aggregate(spent=Sum("reward"), unused=Sum("reward", filter=~USED))
    spent, unused = (paid[name] or NOTHING for name in ("spent", "unused"))
    return {"spent": spent, "cost": panel.cost + unused}


@dataclass(frozen=True, slots=True)
class Answered:
    """An item with all its votes, each an option and a number for who chose it."""

    number: int
    item: Item
    votes: tuple[tuple[int, int], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of votes for each option."""
        counts = Counter(option for option, _worker in self.votes)
        return tuple(counts[at] for at in range(1, len(self.item.options) + 1))

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


def panel_answers(panel: Panel) -> list[Answered]:
    """Return the items that have all their votes, in published order."""
    votes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    seats = PanelSeat.objects.filter(panel=panel).counting().order_by("number")
    for pk, option, worker in seats.values_list("item", "option", "worker"):
        votes[pk].append((option or 0, worker or 0))
    full = [pk for pk, votes_of_item in votes.items() if len(votes_of_item) == panel.votes_per_item]
    return [
        Answered(row.number, row.item, tuple(votes[row.pk]))
        for row in panel.items.filter(pk__in=full)
    ]


def scores_of(items: Sequence[Answered]) -> PeopleScores:
    return people_scores(
        [[option for option, _worker in each.votes] for each in items],
        [[worker for _option, worker in each.votes] for each in items],
        [each.answer for each in items],
        [each.item.group for each in items],
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
    """A person's votes in a panel, excluded ones included.

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


def voters_of(panel: Panel) -> list[Voter]:
    """Return who has voted, the quickest first; workers are pseudonyms."""
    seats = PanelSeat.objects.filter(panel=panel, answered_at__isnull=False)
    rows = seats.values_list(
        "worker__public_id", "answered_at", "claimed_at", "option", "order", "excluded_at", "item"
    )
    fixed = _of_fixed_order(panel)
    votes: dict[str, list[_Vote]] = defaultdict(list)
    for worker, at, claimed, option, order, excluded, item in rows.order_by():
        seconds = (at - claimed).total_seconds() if at and claimed else 0.0
        chance = 0.0 if item in fixed else 1 / len(order)
        vote = _Vote(seconds, order[0] == option, chance, excluded is not None)
        votes[worker].append(vote)
    lean = leaning([[(one.first, one.chance) for one in mine] for mine in votes.values()])
    voters = [_voter(*of, leans) for of, leans in zip(votes.items(), lean, strict=True)]
    return sorted(voters, key=lambda one: (one.seconds, one.worker))


class _Vote(NamedTuple):
    """A vote; ``chance`` is that of the option shown first, 0 if the order is not random."""

    seconds: float
    first: bool
    chance: float
    excluded: bool


def _of_fixed_order(panel: Panel) -> set[int]:
    """Return the items whose options are always shown in the same order."""
    form = KeyTextTransform("form", LINE)
    fixed = panel.items.annotate(form=form).filter(form__in=FIXED_OPTIONS).order_by()
    return set(fixed.values_list("pk", flat=True))


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


def reported_in(panel: Panel) -> "QuerySet[PanelSeat]":
    """Return the votes with a report of their item, newest first, with the item and the person."""
    mine = PanelSeat.objects.filter(panel=panel).reported()
    return mine.select_related("item", "worker").order_by("-answered_at", "-pk")


def votes_of(panel: Panel, worker: User) -> "QuerySet[PanelSeat]":
    """Return the votes of a worker, excluded ones included, with their item."""
    mine = PanelSeat.objects.filter(panel=panel, worker=worker)
    return mine.filter(answered_at__isnull=False).select_related("item")


def voters_people(panel: Panel) -> People:
    """Return who cast the votes that count; before any, nobody.

    The campaign whose validators answer states who they are, where their accounts do not tell it.
    """
    used = panel.seats.filter(USED).order_by().values("worker")
    voters = accounts_of(User.objects.filter(pk__in=used))
    return people_of(others=voters, chosen=panel.campaign.people_chosen)
