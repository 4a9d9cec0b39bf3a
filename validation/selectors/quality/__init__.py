"""Reads of the votes' quality."""

from validation.selectors.quality.advice import Advice, advice, advice_of
from validation.selectors.quality.columns import DOMAINS, votes_by, votes_of, votes_on
from validation.selectors.quality.human import (
    Kind,
    human_performance,
    unknown_questions,
)
from validation.selectors.quality.people import Month, months_of
from validation.selectors.quality.stored import SORTS, judge_lines, stored_report
from validation.selectors.quality.what_if import what_if

__all__ = [
    "DOMAINS",
    "SORTS",
    "Advice",
    "Kind",
    "Month",
    "advice",
    "advice_of",
    "human_performance",
    "judge_lines",
    "months_of",
    "stored_report",
    "unknown_questions",
    "votes_by",
    "votes_of",
    "votes_on",
    "what_if",
]
