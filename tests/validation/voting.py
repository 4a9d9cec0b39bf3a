"""Seats and votes for the tests of validating."""

from collection.models import Question
from tests.factories import SeatFactory, TwinFactory, UserFactory
from validation import services
from validation.models import Seat, Vote


def held(**fields: object) -> Seat:
    return SeatFactory(**{"worker": UserFactory(), "opened": True, **fields})


def vote(seat: Seat, **changes: object) -> Vote:
    answers = {"shown_option": 1, "ambiguous": False, **changes}
    return services.cast_vote(worker=seat.worker, seat_id=seat.public_id, **answers)


def a_question(**campaign: object) -> Question:
    twin = TwinFactory(**{f"campaign__{name}": value for name, value in campaign.items()})
    return twin.questions.get(number=1)
