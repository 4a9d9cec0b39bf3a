"""The names of a knowledge release's files, in their order."""

from collections.abc import Iterable

from knowledge.core.released import VARIANTS

README = "README.md"
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
STATISTICS = "statistics.json"
PROBLEMS = "data/problems.parquet"
QUESTIONS = "questions.jsonl"
PAIRS = "pairs.jsonl"
FORMULAS = "formulas.jsonl"
WORDS = "words.jsonl"
FORMALISATIONS = "formalisations.jsonl"
PROOFS = "proofs.jsonl"
VOTES = "votes.jsonl"
INDEX = "index.jsonl"

RECORDS = (QUESTIONS, PAIRS, FORMULAS, WORDS, FORMALISATIONS, PROOFS, VOTES)
"""Files that nothing else in a release tells; every other one follows from these."""


def jsonl(variant: str) -> str:
    """Return the name of a variant's problems."""
    return f"{variant}.jsonl"


def valid(name: str) -> str:
    """Return the name of the file with the valid pairs alone."""
    return f"valid/{name}"


def nli(variant: str) -> str:
    """Return the name of a variant as premises and hypotheses."""
    return f"nli/{variant}.csv"


def winowhy(variant: str) -> str:
    """Return the name of a variant in the layout of WinoWhy's training data."""
    return f"winowhy/{variant}.csv"


def in_order(names: Iterable[str]) -> list[str]:
    """Return file names in the order of the archive: documents, problems, records, layouts.

    >>> in_order(["nli/natural.csv", "votes.jsonl", "natural.jsonl", "README.md"])
    ['README.md', 'natural.jsonl', 'votes.jsonl', 'nli/natural.csv']
    """
    files = [jsonl(variant) for variant in VARIANTS]
    known = [README, MANIFEST, SUMS, STATISTICS, *files, *map(valid, files), *RECORDS]
    place = {name: at for at, name in enumerate(known)}
    return sorted(names, key=lambda name: (place.get(name, len(place)), name))
