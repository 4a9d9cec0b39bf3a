"""Queries across tables: which questions are valid, in which snapshot, split and release."""

from corpora.selectors.questions import (
    VALID,
    VALIDATED,
    kept_ids,
    load_items,
    load_questions,
    origins,
    questions_to_publish,
    snapshot_items,
    valid_questions,
)
from corpora.selectors.releases import release_files, releases_visible_to
from corpora.selectors.splits import answered_outside, owed, showing_each_other, twins_told_by
