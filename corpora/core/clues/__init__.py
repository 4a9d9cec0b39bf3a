"""Search for clues in texts: whether characters, words, numbers or options tell the answer."""

from corpora.core.clues.questions import Question, Unit
from corpora.core.clues.results import (
    PAIRS,
    POWERS,
    UNPAIRED,
    Family,
    Tested,
    found_in,
    rounded_up,
)
from corpora.core.clues.search import ClueSearch
