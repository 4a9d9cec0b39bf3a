"""Reads that span tables: which questions are valid, how far they and their campaign have come."""

from filtering.selectors.questions import (
    JUDGED,
    VALID,
    encoded_questions,
    frozen_questions,
    load_questions,
    origins,
    valid_questions,
)
from filtering.selectors.runs import (
    Fate,
    Funnel,
    fates,
    funnel,
    funnel_to,
    release_files,
    releases_visible_to,
    telling_run,
)
from filtering.selectors.sizes import parts_of, parts_of_tuning, questions_in
from filtering.selectors.splits import owed, showing_each_other

__all__ = [
    "JUDGED",
    "VALID",
    "Fate",
    "Funnel",
    "encoded_questions",
    "fates",
    "frozen_questions",
    "funnel",
    "funnel_to",
    "load_questions",
    "origins",
    "owed",
    "parts_of",
    "parts_of_tuning",
    "questions_in",
    "release_files",
    "releases_visible_to",
    "showing_each_other",
    "telling_run",
    "valid_questions",
]
