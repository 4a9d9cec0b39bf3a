"""Reads that span tables: what is encoded, how far questions and their campaign have come."""

from filtering.selectors.questions import encoded_questions
from filtering.selectors.runs import (
    FilterResult,
    Funnel,
    chosen_run,
    filter_results,
    funnel,
    funnel_to,
)
from filtering.selectors.sizes import parts_of, parts_of_tuning, questions_in
