"""Lines of published questions, good ones unless a test says otherwise."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SENTENCES = (
    "The trophy did not fit into the brown suitcase on the bed because the _ was far too large.",
    "The trophy did not fit into the brown suitcase on the bed because the _ was far too small.",
)


def question(base: str = "AAA", ending: int = 1, **changes: Any) -> dict[str, Any]:
    """Return the fields of a good question; a change to ``...`` takes the field away."""
    fields = {
        "qID": f"{base}-{ending}",
        "sentence": SENTENCES[ending - 1],
        "option1": "trophy",
        "option2": "suitcase",
        "answer": str(ending),
    }
    return {name: value for name, value in (fields | changes).items() if value is not ...}


def pair(base: str = "AAA", *, about: str = "bed") -> list[dict[str, Any]]:
    """Return good twins that no other *about* has."""
    return [
        question(base, ending, sentence=SENTENCES[ending - 1].replace("bed", about))
        for ending in (1, 2)
    ]


def pairs(count: int, *, prefix: str = "T") -> list[dict[str, Any]]:
    """Return that many twins, all different."""
    return [row for n in range(count) for row in pair(f"{prefix}{n}", about=f"shelf {n}")]


def line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write(path: Path, rows: Iterable[Any]) -> Path:
    """Write rows as JSON lines (text is written as it is), packed when the name ends in gz."""
    data = "".join(line(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
