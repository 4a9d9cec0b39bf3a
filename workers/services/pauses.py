"""Pauses: periods in which a worker gets no new work, with a reason shown to the worker."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from winoplatform.errors import Conflict, DomainError
from workers.models import Pause, User


def refuse_while_paused(*, worker: User) -> None:
    """Refuse new work to a worker who is paused, with the reason.

    Raises
    ------
    DomainError
        ``worker_paused``.
    """
    pause = open_pause(worker)
    if pause is not None:
        raise paused(pause)


def open_pause(worker: User) -> Pause | None:
    """Return the pause that keeps *worker* from new work, or None."""
    return Pause.objects.open().filter(worker=worker).first()


def paused(pause: Pause) -> DomainError:
    """Return the refusal shown to a paused worker."""
    whose = "The curator's reason" if pause.by_id is not None else "The reason"
    return DomainError(
        "worker_paused",
        f"You are paused and get no new work. {whose}: {pause.reason}",
        status=403,
        details={"reason": pause.reason, "since": pause.created_at.isoformat()},
    )


@transaction.atomic
def pause_worker(*, worker: User, reason: str, by: User | None = None) -> Pause:
    """Give *worker* no new work from now on; the worker may finish work already assigned.

    Parameters
    ----------
    reason
        Shown to the worker.
    by
        The curator; None if the platform pauses the worker.

    Raises
    ------
    DomainError
        ``already_paused``: the first reason is kept until the worker is resumed.
    """
    pause = Pause(worker=worker, reason=reason.strip(), by=by)
    pause.clean_fields(exclude={"worker", "by"})
    try:
        with transaction.atomic():
            pause.save()
    except IntegrityError:
        # If two curators pause the same worker at once, only the constraint detects it.
        raise Conflict(
            "already_paused",
            "This worker is already paused. End the pause first to give another reason.",
        ) from None
    return pause


@transaction.atomic
def resume_worker(*, worker: User) -> Pause:
    """End a worker's pause; its row is kept.

    Raises
    ------
    DomainError
        ``not_paused``.
    """
    if not Pause.objects.open().filter(worker=worker).update(ended_at=timezone.now()):
        raise Conflict("not_paused", "This worker is not paused.")
    return Pause.objects.filter(worker=worker).latest("pk")
