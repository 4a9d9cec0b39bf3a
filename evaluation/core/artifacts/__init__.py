"""Artifact detectors: cheap models that see too little of an item to answer it honestly.

`detection` is not imported here: pages read results without loading scikit-learn.
"""

from evaluation.core.artifacts.results import (
    EXCERPTS,
    LEVEL,
    SEPARATOR,
    Artifacts,
    Detected,
    Measure,
    document,
    results,
)
