"""Reads that span tables: what is encoded, how far questions and their campaign have come."""

from filtering.selectors.questions import encoded_questions
from filtering.selectors.runs import (
    FilterResult,
    Funnel,
    filter_results,
    funnel,
    funnel_to,
    chosen_run,
)
from filtering.selectors.sizes import parts_of, parts_of_tuning, questions_in
