"""Repeat the filter run of a release from its questions and features."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.core.bundle.layout import MANIFEST as PLACE
from corpora.core.items import TwinItem
from evaluation.core.verify.findings import Finding, equal, unchecked
from filtering.core.aflite import AFLite

SETTINGS = AFLite().get_params().keys() - {"device"}


def check_filter(manifest: dict[str, Any], *, questions: Path, features: Path) -> Iterator[Finding]:
    """Repeat the filter run, and compare what it keeps.

    Parameters
    ----------
    manifest : dict
    questions : Path
        The snapshot's items, one JSON line each.
    features : Path
        The encoding's array (n, d), as NumPy stores it.
    """
    said = manifest["selection"]
    lines = questions.read_bytes()
    snapshot = manifest["snapshot"]["questions_sha256"]
    yield equal(questions.name, "hash of the snapshot", said=snapshot, found=_sha256(lines))
    if said is None:
        yield unchecked(PLACE, "the release is not filtered")
        return
    matrix = said["encoding"]["matrix_sha256"]
    digest = _sha256(features.read_bytes())
    yield equal(features.name, "hash of the features", said=matrix, found=digest)
    if said["filter"].get("method") != "aflite":
        yield unchecked(PLACE, "the selection is that of a control, which is not repeated")
        return
    ids = _selected_ids(lines, np.load(features, mmap_mode="r", allow_pickle=False), said["filter"])
    hashed = _sha256("".join(f"{item_id}\n" for item_id in ids).encode())
    what = f"hash of the {len(ids):,} questions that AFLite keeps"
    yield equal(PLACE, what, said=said["filter"]["kept_sha256"], found=hashed)


def _selected_ids(
    lines: bytes, features: NDArray[np.float32], settings: dict[str, Any]
) -> list[str]:
    items = [TwinItem.from_line(line.decode()) for line in lines.splitlines()]
    if len(items) != len(features):
        raise ValueError(
            f"the features have {len(features):,} rows for {len(items):,} questions: those "
            "that the encoder was tuned with have none"
        )
    filtering = AFLite(**{name: settings[name] for name in SETTINGS if name in settings})
    filtering.fit(
        features,
        np.array([item.answer for item in items]),
        groups=[item.group for item in items],
        ids=[item.id for item in items],
    )
    return [item.id for item, keep in zip(items, filtering.support_, strict=True) if keep]


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
