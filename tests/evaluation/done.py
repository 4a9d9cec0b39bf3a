"""Finished evaluations of small reference sets."""

from typing import Any

from corpora.models import ReferenceSet
from evaluation import services
from evaluation.models import AuditedKey, Evaluation
from evaluation.selectors import scored_items
from tests.factories import AuditedKeyFactory, KeyAuditFactory
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


def audited_key(run: Evaluation, **fields: Any) -> AuditedKey:
    """Return the first key of a finished audit of an evaluation's questions; all are suspected."""
    of_set = {name: getattr(run, name) for name in ("release", "reference_set", "snapshot")}
    audit = KeyAuditFactory(**of_set, split=run.split, finished=True, **fields)
    audit.evaluations.set([run])
    keys = [
        AuditedKeyFactory(run=audit, number=n, source_id=item.id, group=item.group)
        for n, item in enumerate(scored_items(run).items, 1)
    ]
    first: AuditedKey = keys[0]
    return first
