"""Which campaigns a worker is offered, and what blocks them from one kind of work."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from collection.models import (
    Campaign,
    Consent,
    CrowdSession,
    ExerciseItem,
    Guideline,
    Participant,
)
from collection.models.campaigns import CampaignQuerySet
from collection.selectors.consents import is_withdrawn
from workers.models import Pause, Qualification, User
from workers.models.promised_pay import is_held


def offered_to(campaigns: CampaignQuerySet, worker: User, *, now: datetime) -> CampaignQuerySet:
    """Leave out campaigns that the worker cannot see or has withdrawn from.

    And simulated ones while another is open, unless the worker holds work in them.
    """
    campaigns = campaigns.visible_to(worker).exclude(is_withdrawn(worker, OuterRef("pk")))
    offered = Campaign.objects.without_simulated().order_by()
    return campaigns.filter(Q(pk__in=offered.values("pk")) | is_held(worker, OuterRef("pk"), now))


STATUS = Qualification.Status
PART = ExerciseItem.Part


def blockers(worker: Any, skill: str) -> Mapping[str, Q]:
    """Return the possible blockers of *worker* for one skill: conditions on campaigns, by name.

    In the order in which ``services.access`` explains them: those that the worker cannot resolve
    come first.
    """
    mine = Qualification.objects.filter(worker=worker, scope=OuterRef("public_id"), skill=skill)
    items = ExerciseItem.objects.filter(campaign=OuterRef("pk"), skill=skill, retired_at=None)
    decided = Exists(mine.exclude(status=STATUS.STARTED))
    trained = Exists(mine.filter(Q(trained_at__isnull=False) | ~Q(status=STATUS.STARTED)))
    return {
        "pause": Q(Exists(Pause.objects.open().filter(worker=worker))),
        "failed": Q(Exists(mine.filter(status=STATUS.FAILED))),
        "session": _no_session(worker, skill),
        "guidelines": Q(Exists(_unaccepted(worker, skill))),
        "training": Q(Exists(items.filter(part=PART.TRAINING))) & ~Q(trained),
        "exercise": Q(Exists(items.filter(part=PART.TEST))) & ~Q(decided),
    }


def _unaccepted(worker: Any, skill: str) -> "QuerySet[Guideline]":
    newer = Guideline.objects.filter(campaign=OuterRef("campaign"), version__gt=OuterRef("version"))
    accepted = Consent.objects.active().filter(worker=worker, guideline=OuterRef("pk"), skill=skill)
    return Guideline.objects.filter(~Exists(newer), ~Exists(accepted), campaign=OuterRef("pk"))


def _no_session(worker: Any, skill: str) -> Q:
    going_on = CrowdSession.objects.active().filter(
        study__campaign=OuterRef("pk"), study__skill=skill, participant__worker=worker
    )
    return Q(Exists(Participant.objects.filter(worker=worker))) & ~Q(Exists(going_on))


def unblocked(worker: Any, skill: str, campaigns: "QuerySet[Campaign]") -> "QuerySet[Campaign]":
    """Return those of *campaigns* in which nothing blocks *worker* from work of one skill."""
    return campaigns.exclude(_any(blockers(worker, skill)))


def _any(conditions: Mapping[str, Q]) -> Q:
    together = Q()
    for condition in conditions.values():
        together |= condition
    return together


def blockers_of(
    *, worker: User, campaigns: "QuerySet[Campaign]", skill: str
) -> dict[int, tuple[str, ...]]:
    """Return the names of the blockers in each of *campaigns*, in the order of ``blockers``."""
    named = {
        f"bar_{name}": ExpressionWrapper(condition, output_field=BooleanField())
        for name, condition in blockers(worker, skill).items()
    }
    rows = campaigns.annotate(**named).values("pk", *named)
    return {
        row["pk"]: tuple(name.removeprefix("bar_") for name in named if row[name]) for row in rows
    }
