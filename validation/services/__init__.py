"""What judges can do: take a seat, answer in two steps, give the seat back."""

from validation.services.claims import claim_seat, return_seat
from validation.services.seats import (
    View,
    as_shown,
    free_seats_of,
    is_swapped,
    keep_barred,
    open_seats,
    view,
    withdraw_seats,
)
from validation.services.votes import answer_local, cast_vote

__all__ = [
    "View",
    "answer_local",
    "as_shown",
    "cast_vote",
    "claim_seat",
    "free_seats_of",
    "is_swapped",
    "keep_barred",
    "open_seats",
    "return_seat",
    "view",
    "withdraw_seats",
]
