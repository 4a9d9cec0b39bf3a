"""Reads of validation."""

from validation.selectors.free_seats import (
    EmptyQueue,
    first_free,
    furthest_validated,
    twins_with_open_seats,
    why_empty,
)
from validation.selectors.people import Person, WorkCounts, people, person, work_counts
from validation.selectors.people_origins import campaign_people, with_people
from validation.selectors.states import QuestionState, question_state
