"""Reads of the votes' quality."""

from validation.selectors.quality.advice import Advice, advice, advice_of
from validation.selectors.quality.columns import DOMAINS, votes_by, votes_of, votes_on
from validation.selectors.quality.people import (
    SORTS,
    Kind,
    Month,
    human_performance,
    months_of,
    stored_report,
    unknown_questions,
    validator_lines,
)
