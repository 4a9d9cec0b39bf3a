"""Reader of the real WinoGrande files, for tests and benchmarks.

A published qID ends in the answer, so it becomes no id here: only its base names the twin.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from corpora.core.items import TwinItem
from tests.data_dir import data_dir


def winogrande_path(name: str) -> Path:
    """Return the file of a labelled part: 'train_xs' … 'train_l' or 'dev'."""
    folder = data_dir() / "winogrande"
    packed = folder / f"{name}.jsonl.gz"
    return packed if packed.is_file() else folder / f"{name}.jsonl"


def winogrande_questions(name: str, *, limit: int | None = None) -> list[TwinItem]:
    """Read the first *limit* questions (twins are adjacent, so an even limit keeps them whole)."""
    return list(islice(_questions(winogrande_path(name)), limit))


def _questions(path: Path) -> Iterator[TwinItem]:
    open_text = gzip.open if path.suffix == ".gz" else open
    with open_text(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield _question(json.loads(line))


def _question(row: dict[str, str]) -> TwinItem:
    twin = row["qID"].rsplit("-", 1)[0]
    return TwinItem(
        id=f"{twin}-{hashlib.sha256(row['sentence'].encode()).hexdigest()[:12]}",
        group=twin,
        sentence=row["sentence"],
        options=(row["option1"], row["option2"]),
        answer=int(row["answer"]),
    )
