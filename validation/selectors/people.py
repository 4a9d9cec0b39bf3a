"""Workers with counts of their work, and who they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import JSONObject

from collection.core.people import Account, People, pasted_share, people_of
from collection.models import Campaign, Study, Twin, of_member
from collection.selectors.known_people import known_to
from validation.models import Appeal, Seat, Verdict, Vote
from workers.models import Pause, User


@dataclass(frozen=True, slots=True)
class WorkCounts:
    """Counts of a worker's work: how much of it is valid, and how it was typed."""

    twins: int = 0
    withdrawn: int = 0
    votes: int = 0
    validated: int = 0
    valid: int = 0
    typed: int = 0
    pasted: int = 0

    @property
    def valid_share(self) -> float | None:
        """The share of the worker's validated questions that are valid."""
        return self.valid / self.validated if self.validated else None

    @property
    def pasted_share(self) -> float | None:
        return pasted_share(self.typed, self.pasted)


def work_counts(workers: Sequence[User], reader: User) -> dict[int, WorkCounts]:
    """Return the counts of *workers* in the reader's campaigns, by key, in three queries."""
    counted: dict[int, dict[str, int]] = {worker.pk: {} for worker in workers}
    for names, rows in _groups(workers, reader):
        for pk, *numbers in rows:
            counted[pk] |= dict(zip(names, numbers, strict=True))
    return {pk: WorkCounts(**numbers) for pk, numbers in counted.items()}


def _groups(workers: Sequence[User], reader: User) -> tuple[tuple[tuple[str, ...], Any], ...]:
    """Return pairs of the names of counts, and rows with a worker's key and these counts."""
    stands = Q(withdrawn_at=None)
    twins = (
        Twin.objects.filter(of_member(reader), author__in=workers).order_by().values_list("author")
    )
    # A twin that was returned and revised counts only with its new text.
    eligibility = Verdict.objects.filter(question__twin__withdrawn_at=None)
    verdicts = eligibility.filter(
        of_member(reader, "question__twin__campaign"), question__twin__author__in=workers
    ).order_by()
    votes = (
        Vote.objects.filter(of_member(reader, "seat__campaign"), worker__in=workers)
        .order_by()
        .values_list("worker")
    )
    stand, gone = Count("pk", filter=stands), Count("pk", filter=~stands)
    validated = verdicts.values_list("question__twin__author")
    valid = Count("pk", filter=Q(valid=True))
    typed = Sum("provenance__typed_characters", default=0)
    pasted = Sum("provenance__pasted_characters", default=0)
    written = twins.annotate(stand=stand, gone=gone, typed=typed, pasted=pasted)
    return (
        (("twins", "withdrawn", "typed", "pasted"), written),
        (("validated", "valid"), validated.annotate(n=Count("pk"), good=valid)),
        (("votes",), votes.annotate(n=Count("pk"))),
    )


@dataclass(frozen=True, slots=True)
class Person:
    """A worker as shown to curators, with the current pause, if any, and counts."""

    user: User
    pause: Pause | None
    counts: WorkCounts


def people(workers: Sequence[User], reader: User) -> list[Person]:
    """Return *workers* with their pauses and `work_counts`, in four queries."""
    pauses = {pause.worker_id: pause for pause in Pause.objects.open().filter(worker__in=workers)}
    counts = work_counts(workers, reader)
    return [Person(user, pauses.get(user.pk), counts[user.pk]) for user in workers]


def person(worker: User, reader: User) -> tuple[Person, list[Pause]]:
    """As ``people`` for one worker, with the pauses that have ended, newest first."""
    pauses = list(worker.pauses.select_related("by"))
    now = next((pause for pause in pauses if pause.ended_at is None), None)
    page = Person(worker, now, work_counts([worker], reader)[worker.pk])
    return page, [pause for pause in pauses if pause.ended_at is not None]


def appeals_for(user: User, right: str | None = None) -> "QuerySet[Appeal]":
    """Return the user's appeals, and those of campaigns that give a right.

    By default, it is the right that the request needs.
    """
    appeals = Appeal.objects.all()
    if not user.is_curator:
        return appeals.filter(worker=user)
    people = User.objects.filter(known_to(user, right))
    of_pauses = Q(subject=Appeal.Subject.PAUSE, worker__in=people.values("pk"))
    return appeals.filter(Q(worker=user) | of_member(user, right=right) | of_pauses)


IMPORTED: Account = (User.Origin.IMPORTED.value, "")


def with_people(campaigns: "QuerySet[Campaign]", *, until: datetime | None = None) -> Any:
    """Annotate campaigns with what `campaign_people` reads, within the same query.

    Its time depends on the number of accounts, not of questions.
    """
    here = OuterRef("pk")
    wrote, voted = wrote_in(OuterRef(here), until), voted_in(OuterRef(here), until)
    accounts = User.objects.annotate(wrote=wrote, voted=voted).filter(Q(wrote=True) | Q(voted=True))
    row = JSONObject(origin="origin", platform="platform", wrote="wrote", voted="voted")
    studies = Study.objects.filter(campaign=here).order_by("provider")
    return campaigns.annotate(
        people_rows=ArraySubquery(accounts.order_by().values(row=row).distinct()),
        people_imported=Exists(written(here, until).filter(author=None)),
        people_studies=ArraySubquery(studies.values("provider").distinct()),
    )


def campaign_people(campaign: Campaign, *, until: datetime | None = None) -> People:
    """Return who has worked in a campaign *until* a time; before anybody, whom it is made for.

    Accounts tell it where they can, and the campaign's curators state the rest
    (``collection.core.people``). No query if the campaign was read `with_people`.
    """
    annotated: Any = campaign
    if until is not None or not hasattr(campaign, "people_rows"):
        annotated = with_people(Campaign.objects.filter(pk=campaign.pk), until=until).get()
    rows = [((row["origin"], row["platform"]), row) for row in annotated.people_rows]
    if not rows and not annotated.people_imported:
        return _expected(annotated)
    imported = [IMPORTED] if annotated.people_imported else []
    return people_of(
        writers=[account for account, row in rows if row["wrote"]] + imported,
        validators=[account for account, row in rows if row["voted"]],
        chosen=annotated.people_chosen,
    )


def _expected(campaign: Any) -> People:
    studies = [
        (User.Origin.CROWD.value, Study(provider=provider).platform)
        for provider in campaign.people_studies
    ]
    stated = [campaign.people_chosen] if campaign.people_origin else []
    return people_of(others=studies or stated, chosen=campaign.people_chosen)


def written(campaign: Any, until: datetime | None = None) -> "QuerySet[Twin]":
    """Return the twins of a campaign *until* a time, withdrawn ones too.

    The campaign is a row, or refers to one of an outer query, here and below.
    """
    twins = Twin.objects.filter(campaign=campaign)
    return twins if until is None else twins.filter(created_at__lte=until)


def wrote_in(campaign: Any, until: datetime | None = None) -> Exists:
    """Return the condition that an account has written in a campaign."""
    return Exists(written(campaign, until).filter(author=OuterRef("pk")))


def voted_in(campaign: Any, until: datetime | None = None) -> Exists:
    """Return the condition that an account has voted in a campaign."""
    seats = Seat.objects.filter(worker=OuterRef("pk"), campaign=campaign)
    answered = seats.filter(answered_at__isnull=False)
    return Exists(answered if until is None else answered.filter(answered_at__lte=until))
