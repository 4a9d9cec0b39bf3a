"""What races of validators share: seats that are opened, and the vote of one."""

from collection.models import Question
from tests.factories import SeatFactory, UserFactory
from validation import services
from validation.models import Seat, Vote


def opened_seats(question: Question, count: int) -> list[Seat]:
    return [
        SeatFactory(question=question, worker=UserFactory(), opened=True, number=number)
        for number in range(1, count + 1)
    ]


def vote(seat: Seat) -> Vote:
    return services.cast_vote(
        worker=seat.worker, seat_id=seat.public_id, shown_option=1, ambiguous=False
    )
