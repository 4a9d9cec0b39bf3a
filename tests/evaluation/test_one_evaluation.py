"""Evaluations of statements, once a table of their own, are in the one table after an upgrade."""

from typing import Any

import pytest

from tests.old_databases import OldDatabase, latest, migrate

BEFORE = [("evaluation", "0002_drop_trials"), ("knowledge", "0002_people")]


def stored(models: Any) -> tuple[Any, Any]:
    """Store two finished evaluations of reasons with their steps, and their majority."""
    artifact = models.get_model("winoplatform", "Artifact").objects.create(sha256="0" * 64, size=1)
    table = models.get_model("evaluation", "KnowledgeEvaluation")
    shared = {"reasons": "winowhy", "status": "done", "answers": artifact, "figures": {"format": 1}}
    runs = [table.objects.create(method="causal", model=f"pkg:m/{n}", **shared) for n in range(2)]
    for run in runs:
        run.steps.create(number=1, attempt=1, seconds=0.5, margins=[0.25, -1.0])
    whole = table.objects.create(method="majority", **shared)
    whole.members.set(runs)
    return runs[0], whole


@pytest.mark.long
def test_they_keep_their_ids_steps_figures_and_members(old_database: OldDatabase) -> None:
    with old_database(BEFORE) as models:
        first, whole = stored(models)
        table = migrate(latest("evaluation")).get_model("evaluation", "Evaluation")
        one = table.objects.get(public_id=first.public_id)
        assert (one.reasons, one.split, one.method) == ("winowhy", "all", "causal")
        assert (one.predictions_id, one.figures) == (first.answers_id, {"format": 1})
        assert [(step.number, step.scores) for step in one.steps.all()] == [(1, [0.25, -1.0])]
        both = table.objects.get(public_id=whole.public_id)
        assert (both.method, both.variant, both.members.count()) == ("ensemble", "vote", 2)
