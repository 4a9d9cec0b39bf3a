"""Reads of the votes' quality."""

from validation.selectors.quality.advice import Advice, advice, advice_of
from validation.selectors.quality.columns import DOMAINS, votes_by, votes_of, votes_on
from validation.selectors.quality.human import (
    Kind,
    human_performance,
    unknown_questions,
)
from validation.selectors.quality.people import Month, months_of
from validation.selectors.quality.stored import SORTS, stored_report, validator_lines
