"""What a process with a wrong clock does to leases; it imports models once Django is set up."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock

AHEAD, BEHIND = 60, -60  # seconds


def by_clock(offset: float, call: Callable[..., Any], *arguments: Any) -> Any:
    """Call within this process, whose clock is *offset* seconds ahead."""
    from django.utils import timezone

    true = time.time
    wrong = timedelta(seconds=offset)
    with (
        mock.patch.object(timezone, "now", side_effect=lambda: datetime.now(UTC) + wrong),
        mock.patch.object(time, "time", side_effect=lambda: true() + offset),
    ):
        return call(*arguments)


def take_run(pk: int) -> bool:
    from filtering.models import Encoding
    from winoplatform.runs import attempts

    return attempts.claim(Encoding, pk) is not None


def help_with(pk: int) -> bool:
    """Tell whether there was something to help with."""
    from filtering.models import Encoding
    from winoplatform.runs import helping

    helped: list[object] = []
    helping.help_with(Encoding, pk, helped.append)
    return bool(helped)


def _refusal(call: Callable[[], object]) -> str:
    from winoplatform.errors import DomainError

    try:
        call()
    except DomainError as error:
        return error.code
    return "done"


def take_seat(worker: int, campaign: int) -> str:
    from collection.models import Campaign
    from validation import services
    from workers.models import User

    who, where = User.objects.get(pk=worker), Campaign.objects.get(pk=campaign)
    return _refusal(lambda: services.claim_seat(worker=who, campaign=where))


def vote(worker: int, seat: int) -> str:
    from validation import services
    from validation.models import Seat
    from workers.models import User

    who, held = User.objects.get(pk=worker), Seat.objects.get(pk=seat)
    answers = {"worker": who, "seat_id": held.public_id, "shown_option": 1}
    local = _refusal(lambda: services.answer_local(**answers))
    return f"{local}, {_refusal(lambda: services.cast_vote(**answers, ambiguous=False))}"


def take_article(worker: int, campaign: int) -> str:
    from collection import services
    from collection.models import Campaign
    from workers.models import User

    who, where = User.objects.get(pk=worker), Campaign.objects.get(pk=campaign)
    return _refusal(lambda: services.request_assignment(worker=who, campaign=where))
