"""Who may write in a campaign, and what stands in the way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign, Consent, CrowdSession, ExerciseItem, Guideline, Twin
from collection.services.crowd.sessions import session_over
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import Pause, Qualification, User

DAY = timedelta(hours=24)
WRITE = Qualification.Skill.WRITE


class StepState(StrEnum):
    DONE = "done"
    TODO = "todo"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a campaign asks of a worker before they write: its code says which."""

    code: str
    state: StepState


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a worker stands in a campaign: what is done, what is to do, what is refused."""

    campaign: Campaign
    guideline: Guideline | None
    accepted_at: datetime | None
    n_items: int
    qualification: Qualification | None
    n_attempts: int
    refusals: tuple[DomainError, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """What the campaign asks for, in order; none where it asks for nothing."""
        steps = []
        if self.guideline is not None:
            done = self.accepted_at is not None
            steps.append(Step("guidelines", StepState.DONE if done else StepState.TODO))
        if self.n_items or self.qualification is not None:
            steps.append(Step("exercise", self._exercise_state()))
        return tuple(steps)

    def _exercise_state(self) -> StepState:
        status = self.qualification.status if self.qualification else ""
        if status == Qualification.Status.FAILED:
            return StepState.FAILED
        is_done = status == Qualification.Status.PASSED or not self.n_items
        return StepState.DONE if is_done else StepState.TODO

    @property
    def next_step(self) -> str:
        """The code of the step to do now; empty where none is left or none can be done."""
        if any(refusal.code not in STEPS for refusal in self.refusals):
            return ""
        return next((step.code for step in self.steps if step.state == StepState.TODO), "")

    @property
    def attempts_left(self) -> int:
        return max(0, self.campaign.exercise_attempts - self.n_attempts)

    @property
    def refusal(self) -> DomainError | None:
        """What stands in the way of writing first."""
        return self.refusals[0] if self.refusals else None

    @property
    def may_write(self) -> bool:
        return not self.refusals


STEPS = {"guideline_not_accepted": "guidelines", "exercise_not_passed": "exercise"}
"""The refusals that a worker can mend at once, with the step that mends them."""


def standing(worker: User, campaign: Campaign) -> Standing:
    """Say where *worker* stands in *campaign*, in six queries or fewer."""
    guideline = _guideline(worker, campaign)
    qualification = _qualification(worker, campaign)
    found = Standing(
        campaign=campaign,
        guideline=guideline,
        accepted_at=guideline.accepted_at if guideline else None,
        n_items=ExerciseItem.objects.current(campaign, Qualification.Skill.WRITE).count(),
        qualification=qualification,
        n_attempts=qualification.n_attempts if qualification else 0,
        refusals=(),
    )
    return replace(found, refusals=tuple(_refusals(worker, found)))


def refuse_unless_may_write(*, worker: User, campaign: Campaign) -> None:
    """Refuse an assignment to whoever may not write in *campaign* now.

    Raises
    ------
    DomainError
        ``worker_paused`` with the curator's reason, ``guideline_not_accepted``,
        ``exercise_not_passed``, ``exercise_failed``, ``approvals_too_few``, ``session_over``,
        ``worker_limit``, or ``daily_limit``, whose details say ``again_at``.
    """
    refusal = standing(worker, campaign).refusal
    if refusal is not None:
        raise refusal


def _guideline(worker: User, campaign: Campaign) -> Any:
    """Return the newest version, with when the worker accepted it, and which one they had before.

    As ``accepted_at`` and ``accepted_before``: None where there is none.
    """
    consents = Consent.objects.filter(worker=worker, guideline=OuterRef("pk"))
    versions = Guideline.objects.filter(campaign=campaign).order_by("-version")
    older = Consent.objects.filter(
        worker=worker, guideline__campaign=campaign, guideline__version__lt=OuterRef("version")
    ).order_by("-guideline__version")
    return versions.annotate(
        accepted_at=Subquery(consents.values("created_at")),
        accepted_before=Subquery(older.values("guideline__version")[:1]),
    ).first()


def _qualification(worker: User, campaign: Campaign) -> Any:
    """Return what the worker has, with how often they tried as ``n_attempts``."""
    mine = Qualification.objects.filter(
        worker=worker, scope=campaign.public_id, skill=Qualification.Skill.WRITE
    )
    return mine.annotate(n_attempts=Count("attempts")).first()


def _refusals(worker: User, found: Standing) -> Iterator[DomainError]:
    """Yield what stands in the way; first what the worker cannot mend by a step."""
    pause = Pause.objects.open().filter(worker=worker).first()
    if pause is not None:
        yield workers.paused(pause)
    left = [step for step in found.steps if step.state != StepState.DONE]
    yield from (_step_refusal(step, found) for step in left if step.state == StepState.FAILED)
    yield from _approvals(worker, found.campaign)
    yield from (_step_refusal(step, found) for step in left if step.state == StepState.TODO)
    yield from _limits(worker, found.campaign)


def _step_refusal(step: Step, found: Standing) -> DomainError:
    if step.code == "guidelines":
        assert found.guideline is not None
        return DomainError(
            "guideline_not_accepted",
            _("Read the guidelines of this campaign and accept them first."),
            status=409,
            details={"version": found.guideline.version},
        )
    if step.state == StepState.FAILED:
        return DomainError(
            "exercise_failed",
            _("The exercise of this campaign was not passed, so you cannot write in it."),
            status=403,
        )
    return DomainError(
        "exercise_not_passed",
        _("Do the short exercise of this campaign first."),
        status=409,
        details={"attempts_left": found.attempts_left},
    )


def _approvals(worker: User, campaign: Campaign) -> Iterator[DomainError]:
    """Arrival decides who has too few approvals; without a session going on, nobody would pay."""
    sessions = CrowdSession.objects.filter(participant__worker=worker).order_by("-pk")
    rows = list(sessions.values_list("status", "study__campaign", "study__skill"))
    here = [status for status, pk, skill in rows if pk == campaign.pk and skill == WRITE]
    if not rows or CrowdSession.Status.ACTIVE in here:
        return
    if here and here[0] == CrowdSession.Status.SCREENED_OUT:
        yield DomainError(
            "approvals_too_few",
            _("This campaign asks for more approved work on the platform that you come from."),
            status=403,
        )
    else:
        yield session_over()


def _limits(worker: User, campaign: Campaign) -> Iterator[DomainError]:
    mine = Twin.objects.standing().filter(author=worker, campaign=campaign)
    most = campaign.twins_per_worker_max
    if most is not None and mine.count() >= most:
        yield DomainError(
            "worker_limit",
            _("You have written as many twins as one person may in this campaign: %d.") % most,
            status=409,
            details={"limit": most},
        )
    most = campaign.twins_per_day_max
    if most is not None:
        since = timezone.now() - DAY
        times = mine.filter(created_at__gt=since).order_by("-created_at")
        newest = list(times.values_list("created_at", flat=True)[:most])
        if len(newest) == most:
            yield _daily_limit(most, newest[-1] + DAY if newest else None)


def _daily_limit(most: int, again_at: datetime | None) -> DomainError:
    return DomainError(
        "daily_limit",
        _("You have written as many twins as one person may in 24 hours: %d. Come back later.")
        % most,
        status=409,
        details={"limit": most, "again_at": again_at and again_at.isoformat()},
    )
