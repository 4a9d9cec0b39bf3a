"""Predictions made elsewhere: read files, and parse free-text answers."""

from evaluation.core.predictions.answers import REASONS, RULES, Parsed, parse_answer
from evaluation.core.predictions.files import read_answers, read_winogrande_columns
from evaluation.core.predictions.formats import FORMAT_OF, FORMATS, format_of, read_predictions
from evaluation.core.predictions.read import (
    UNPARSED_RULE,
    Flags,
    Predictions,
    Report,
    is_correct,
    is_understood,
)
from evaluation.core.predictions.table import read_table
