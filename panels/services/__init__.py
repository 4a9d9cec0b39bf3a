"""Panels: starting them, claims and votes, enrolments, exclusions and appeals."""

from panels.services.amendments import amend_vote, amendable
from panels.services.appeals import answer_appeal, appeal, matter_of
from panels.services.enrolments import end_enrolment, enrol, refuse_unless_asking
from panels.services.exclusions import exclude_vote, exclude_votes_of, restore_vote
from panels.services.planning import items_and_questions, planned
from panels.services.seats import beat_seat, cast_vote, claim_seat, return_seat, shown_vote
from panels.services.starting import (
    AskedItem,
    change_panel_status,
    start_human_evaluation,
    start_panel,
)
