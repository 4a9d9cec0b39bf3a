"""The results of detectors as a JSON document, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from corpora.core.clues import Family, Tested
from evaluation.core.artifacts.results import Artifacts, Detected, Measure
from stats.intervals import Estimate

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
    detected = tuple(
        Detected(
            **{
                **one,
                "single": _measure(one["single"]),
                "group": one["group"] and _measure(one["group"]),
            }
        )
        for one in document["detected"]
    )
    clues = tuple(_family(one) for one in document.get("clues", ()))
    return Artifacts(detected, dict(document["not_run"]), clues)


def _family(one: Mapping[str, Any]) -> Family:
    tests = {name: tuple(Tested(**test) for test in one[name]) for name in ("found", "nearest")}
    return Family(**{**one, **tests, "detectable": tuple(one["detectable"])})


def _measure(one: Mapping[str, Any]) -> Measure:
    return Measure(**{**one, "estimate": Estimate(**one["estimate"])})
