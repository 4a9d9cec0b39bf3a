"""Reads of validation."""

from validation.selectors.free_seats import (
    EmptyQueue,
    first_free,
    furthest_validated,
    twins_with_open_seats,
    why_empty,
)
from validation.selectors.people import (
    Person,
    WorkCounts,
    campaign_people,
    people,
    person,
    with_people,
    work_counts,
)
from validation.selectors.review_queue import QuestionState, question_state
