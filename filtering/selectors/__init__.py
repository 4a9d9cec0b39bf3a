"""Reads that span tables: encoded questions, filter results, the funnel of a campaign."""

from filtering.selectors.questions import (
    encoded_questions,
    parts_of,
    parts_of_tuning,
    questions_in,
    used_by_tuning,
)
from filtering.selectors.runs import (
    FilterResult,
    Funnel,
    chosen_run,
    filter_results,
    funnel,
    funnel_to,
)
