"""The results of detectors as a JSON document, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from corpora.core.bundle.codec import value_of
from evaluation.core.artifacts.results import Artifacts

FORMAT = 2
BEFORE_CLUES = 1  # a document of this format has no single clues


def document(found: Artifacts, examples: Mapping[str, Any]) -> dict[str, Any]:
    """Return results as a JSON document.

    Parameters
    ----------
    found : Artifacts
    examples : mapping
        An item as each detector sees it; see `examples_of`.

    Returns
    -------
    dict
        ``format``; ``detected``, the fields of each `Detected`; ``clues``, those of each `Family`;
        ``not_run``; ``examples``.
    """
    return {
        "format": FORMAT,
        "detected": [asdict(one) for one in found.detected],
        "clues": [asdict(one) for one in found.clues],
        "not_run": dict(found.not_run),
        "examples": dict(examples),
    }


def results(document: Mapping[str, Any]) -> Artifacts:
    """Return the results in a document.

    Raises
    ------
    ValueError
        When the document has another format.
    """
    if document.get("format") not in (BEFORE_CLUES, FORMAT):
        raise ValueError(f"format must be {FORMAT}, got {document.get('format')!r}")
    known = {name: document[name] for name in ("detected", "not_run", "clues") if name in document}
    return value_of(Artifacts, known)
