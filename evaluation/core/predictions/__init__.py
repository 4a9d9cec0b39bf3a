"""Predictions made elsewhere: read files, and parse free-text answers."""

from evaluation.core.predictions.answers import REASONS, RULES, Parsed, parse_answer
from evaluation.core.predictions.files import read_answers, read_winogrande_columns
from evaluation.core.predictions.formats import FORMAT_OF, FORMATS, format_of, read_predictions
from evaluation.core.predictions.read import (
    UNPARSED_RULE,
    Flags,
    Read,
    Report,
    is_correct,
    is_understood,
)
from evaluation.core.predictions.table import read_table

__all__ = [
    "FORMATS",
    "FORMAT_OF",
    "REASONS",
    "RULES",
    "UNPARSED_RULE",
    "Flags",
    "Parsed",
    "Read",
    "Report",
    "format_of",
    "is_correct",
    "is_understood",
    "parse_answer",
    "read_answers",
    "read_predictions",
    "read_table",
    "read_winogrande_columns",
]
