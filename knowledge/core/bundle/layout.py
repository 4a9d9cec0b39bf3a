"""The names of a knowledge release's files, in their order."""

from corpora.core.bundle import layout
from corpora.core.bundle.layout import jsonl
from knowledge.core.released import VARIANTS

STATISTICS = "statistics.json"
PROBLEMS = "data/problems.parquet"
QUESTIONS = "questions.jsonl"
PAIRS = "pairs.jsonl"
FORMULAS = "formulas.jsonl"
WORDS = "words.jsonl"
FORMALISATIONS = "formalisations.jsonl"
PROOFS = "proofs.jsonl"
VOTES = "votes.jsonl"

RECORDS = (QUESTIONS, PAIRS, FORMULAS, WORDS, FORMALISATIONS, PROOFS, VOTES)
"""Files that nothing else in a release tells; every other one follows from these."""


def valid(name: str) -> str:
    """Return the name of the file with the valid pairs alone."""
    return f"valid/{name}"


def nli(variant: str) -> str:
    """Return the name of a variant as premises and hypotheses."""
    return f"nli/{variant}.csv"


def winowhy(variant: str) -> str:
    """Return the name of a variant in the layout of WinoWhy's training data."""
    return f"winowhy/{variant}.csv"


ORDER = (
    *(layout.README, layout.MANIFEST, layout.CROISSANT, layout.SUMS, STATISTICS),
    *map(jsonl, VARIANTS),
    *map(valid, map(jsonl, VARIANTS)),
    *RECORDS,
)
"""Of the archive's files: documents, problems, records; then the other forms of the problems."""
