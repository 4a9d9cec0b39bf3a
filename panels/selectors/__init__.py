"""Reads of panels: what a worker can answer, and what people answered."""

from panels.selectors.offers import (
    Earned,
    NothingLeft,
    earned_by,
    enrolment_of,
    held_seat,
    most_answers,
    offered_to,
    why_nothing_left,
)
from panels.selectors.results import (
    Answered,
    Progress,
    Voter,
    costs_of,
    panel_answers,
    progress_of,
    reported_in,
    scores_by_domain,
    scores_of,
    voters_of,
    voters_people,
    votes_of,
    with_counts,
)
