"""Search for clues in texts: whether characters, words, numbers or options tell the answer."""

from corpora.core.clues.questions import Question, Unit
from corpora.core.clues.results import POWERS, Family, Tested, found_in
from corpora.core.clues.search import ClueSearch
