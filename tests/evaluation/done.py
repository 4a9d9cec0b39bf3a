"""Finished evaluations of small reference sets."""

from typing import Any

from corpora.models import ReferenceSet
from evaluation import services
from evaluation.models import Evaluation
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus


def evaluated(data: ReferenceSet | None, method: str = "majority", **fields: Any) -> Evaluation:
    """Evaluate a method on the test split, here and now."""
    asked = {"reference_set": data, "split": "test", "by": None} | fields
    run = services.evaluate(method=method, **asked)
    execute_here(run)
    run.refresh_from_db()
    assert run.status == RunStatus.DONE, run.failure
    return run
