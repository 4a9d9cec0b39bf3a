"""Who may work in a campaign."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign, Consent, ExerciseItem, Guideline, Twin
from collection.selectors.crowd import Place, crowd_place
from collection.selectors.joining import blockers_of
from collection.services.campaigns import budget
from collection.services.crowd.sessions import session_over
from collection.services.joining.eligibility import (
    DECIDED,
    FAILED,
    GUIDELINES,
    STEPS,
    TRAINING,
    Eligibility,
    Step,
    StepState,
)
from winoplatform.errors import Conflict, DomainError
from workers import services as workers
from workers.models import Qualification, User

__all__ = [
    "STEPS",
    "Eligibility",
    "Step",
    "StepState",
    "eligibility",
    "refuse_unless_may_validate",
    "refuse_unless_may_write",
]

DAY = timedelta(hours=24)
WRITE, VALIDATE = Qualification.Skill.WRITE, Qualification.Skill.VALIDATE
PART = ExerciseItem.Part


def eligibility(worker: User, campaign: Campaign, *, skill: str = WRITE) -> Eligibility:
    """Return the eligibility of *worker* for one kind of work, in at most seven queries."""
    # First, so that every blocker that is explained was also found.
    here = Campaign.objects.filter(pk=campaign.pk)
    blockers = blockers_of(worker=worker, campaigns=here, skill=skill)[campaign.pk]
    guideline = _guideline(worker, campaign, skill)
    qualification = _qualification(worker, campaign, skill)
    items = _counted_items(campaign, skill)
    state = Eligibility(
        campaign=campaign,
        skill=skill,
        guideline=guideline,
        accepted_at=guideline.accepted_at if guideline else None,
        n_training=items.get(PART.TRAINING, 0),
        n_items=items.get(PART.TEST, 0),
        qualification=qualification,
        n_attempts=qualification.n_attempts if qualification else 0,
        blockers=blockers,
        refusals=(),
    )
    return replace(state, refusals=tuple(_refusals(worker, state)))


def refuse_unless_may_write(*, worker: User, campaign: Campaign) -> None:
    """Refuse an assignment to a worker who may not write in *campaign* now.

    Raises
    ------
    DomainError
        ``worker_paused`` with the curator's reason, ``guideline_not_accepted``,
        ``training_not_done``, ``exercise_not_passed``, ``exercise_failed``,
        ``approvals_too_few``, ``session_over``, ``worker_limit``, or ``daily_limit`` with
        ``again_at`` in its details.
    """
    refusal = eligibility(worker, campaign).refusal
    if refusal is not None:
        raise refusal


def refuse_unless_may_validate(*, worker: User, campaign: Campaign) -> None:
    """Refuse a question to a worker who may not validate in *campaign* now.

    Raises
    ------
    DomainError
        As ``refuse_unless_may_write``, without the limits: validators have limits on votes.
    """
    refusal = eligibility(worker, campaign, skill=VALIDATE).refusal
    if refusal is not None:
        raise refusal


def _guideline(worker: User, campaign: Campaign, skill: str) -> Any:
    """Return the newest version, annotated with the worker's consent.

    ``accepted_at`` is the time of consent, ``accepted_before`` the last version accepted before,
    ``withdrawn_at`` the time of a withdrawal after which nothing was accepted; None if there is
    none.
    """
    consents = Consent.objects.active().filter(worker=worker, guideline=OuterRef("pk"), skill=skill)
    versions = Guideline.objects.filter(campaign=campaign).order_by("-version")
    older = Consent.objects.filter(
        worker=worker,
        skill=skill,
        guideline__campaign=campaign,
        guideline__version__lt=OuterRef("version"),
    ).order_by("-guideline__version")
    theirs = Consent.objects.filter(worker=worker, guideline__campaign=campaign)
    gone = theirs.filter(~Exists(theirs.active())).order_by("-withdrawn_at")
    return versions.annotate(
        withdrawn_at=Subquery(gone.values("withdrawn_at")[:1]),
        accepted_at=Subquery(consents.values("created_at")),
        accepted_before=Subquery(older.values("guideline__version")[:1]),
    ).first()


def _qualification(worker: User, campaign: Campaign, skill: str) -> Any:
    """Return the worker's qualification, with ``n_attempts`` and ``is_paid``."""
    mine = Qualification.objects.filter(worker=worker, scope=campaign.public_id, skill=skill)
    return mine.with_pay().annotate(n_attempts=Count("attempts")).first()


def _counted_items(campaign: Campaign, skill: str) -> dict[str, int]:
    items = ExerciseItem.objects.filter(campaign=campaign, skill=skill, retired_at=None)
    return dict(items.order_by().values_list("part").annotate(Count("pk")))


def _refusals(worker: User, state: Eligibility) -> Iterator[DomainError]:
    """Yield the refusals; those that the worker cannot resolve come first."""
    yield from filter(None, (_worded(blocker, worker, state) for blocker in state.blockers))
    if state.skill == WRITE:
        yield from _limits(worker, state.campaign)
    refused = budget.refusal(campaign=state.campaign, amount=_cost(state))
    if refused is not None:
        yield refused


def _cost(state: Eligibility) -> Decimal:
    """Return the cost of the worker's next unit: an exercise or a twin."""
    campaign = state.campaign
    is_unpaid = state.qualification is None or not state.qualification.is_paid
    is_to_do = state.n_items and state.status not in DECIDED and is_unpaid
    exercise = campaign.reward_exercise if is_to_do else Decimal(0)
    # A question's votes were reserved when its article was handed out.
    return exercise + (budget.cost_of_twin(campaign) if state.skill == WRITE else 0)


def _worded(blocker: str, worker: User, state: Eligibility) -> DomainError | None:
    """Return the error for a blocker of ``selectors.joining``; None for a pause just ended."""
    if blocker == "pause":
        pause = workers.open_pause(worker)
        return workers.paused(pause) if pause is not None else None
    if blocker == FAILED:
        return DomainError("exercise_failed", _failed(state.skill), status=403)
    if blocker == "session":
        return _without_session(worker, state)
    if blocker == GUIDELINES:
        return _unaccepted(state.guideline)
    if blocker == TRAINING:
        return Conflict("training_not_done", _("Do the short training of this campaign first."))
    return Conflict(
        "exercise_not_passed", _to_pass(state.skill), details={"attempts_left": state.attempts_left}
    )


def _unaccepted(guideline: Any) -> DomainError:
    return Conflict(
        "guideline_not_accepted",
        _("Read and accept the guidelines of this campaign first."),
        details={"version": guideline.version},
    )


def _failed(skill: str) -> str:
    if skill == VALIDATE:
        return _("You did not pass the test of this campaign, so you cannot validate in it.")
    if skill == Qualification.Skill.FORMALISE:
        return _("You did not pass the test of this campaign, so you cannot formalise in it.")
    return _("You did not pass the test of this campaign, so you cannot write in it.")


def _to_pass(skill: str) -> str:
    if skill == VALIDATE:
        return _("Take the short test of this campaign first.")
    return _("Take the short test of this campaign first.")


def _without_session(worker: User, state: Eligibility) -> DomainError:
    """Return the refusal of a participant without an active session, who would not be paid."""
    place = crowd_place(worker=worker, campaign=state.campaign, skill=state.skill)
    if place != Place.SCREENED_OUT:
        return session_over()
    return DomainError(
        "approvals_too_few",
        _("This campaign requires more approved work on the platform you came from."),
        status=403,
    )


def _limits(worker: User, campaign: Campaign) -> Iterator[DomainError]:
    mine = Twin.objects.active().filter(author=worker, campaign=campaign)
    most = campaign.twins_per_worker_max
    if most is not None and mine.count() >= most:
        yield Conflict(
            "worker_limit",
            _("You have reached this campaign's limit of %d twins per person.") % most,
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
    return Conflict(
        "daily_limit",
        _("You have reached the limit of %d twins in 24 hours. Please come back later.") % most,
        details={"limit": most, "again_at": again_at and again_at.isoformat()},
    )
