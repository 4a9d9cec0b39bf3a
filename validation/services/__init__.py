"""Services of validation: submit a twin with its seats, claim a seat, answer in two steps."""

from validation.services.validating.amendments import amend_vote, amendable
from validation.services.validating.claims import beat, claim_seat, return_seat
from validation.services.validating.leaving import free_seats_of
from validation.services.validating.seats import (
    View,
    as_shown,
    block,
    open_extra_seat,
    open_seats,
    remove_open_seats,
    view,
    withdraw_seats,
)
from validation.services.validating.statements import campaign_named
from validation.services.validating.votes import answer_local, cast_vote
from validation.services.writing.twins import advise_writer, revise_twin, submit_twin, withdraw_twin
