"""Record a worker's exercise: its training, attempts and result."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from workers.models import Attempt, Qualification, User


def locked_qualification(*, worker: User, scope: uuid.UUID, skill: str) -> Qualification | None:
    """Lock a worker's attempts until the transaction ends; return the qualification, if any."""
    # The worker's row: before the first attempt there is no row that two tabs could lock.
    User.objects.select_for_update(no_key=True).values_list("pk").get(pk=worker.pk)
    return Qualification.objects.filter(worker=worker, scope=scope, skill=skill).first()


def begin_qualification(
    *, worker: User, scope: uuid.UUID, skill: str, now: datetime
) -> Qualification:
    return Qualification.objects.create(worker=worker, scope=scope, skill=skill, created_at=now)


def note_training(qualification: Qualification, *, now: datetime) -> None:
    qualification.trained_at = now
    qualification.save(update_fields=["trained_at"])


def store_attempt(
    qualification: Qualification,
    *,
    number: int,
    answers: Sequence[dict[str, Any]],
    n_right: int,
    now: datetime,
) -> Attempt:
    return Attempt.objects.create(
        qualification=qualification,
        number=number,
        answers=list(answers),
        n_right=n_right,
        n_items=len(answers),
        created_at=now,
    )


def decide_qualification(qualification: Qualification, *, status: str, now: datetime) -> None:
    """Pass or fail a qualification."""
    qualification.status, qualification.decided_at = status, now
    qualification.save(update_fields=["status", "decided_at"])


def note_reward(qualification: Qualification, *, reward: Decimal) -> None:
    """Record what the exercise pays, as promised when it was submitted."""
    qualification.reward = reward
    qualification.save(update_fields=["reward"])
