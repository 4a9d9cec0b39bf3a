"""What the tables of runs refuse, from any code."""

import pytest
from django.db import IntegrityError
from django.db.models import CheckConstraint

from corpora.models import Release, Snapshot
from evaluation.models import (
    ArtifactDetection,
    Evaluation,
    FineTuning,
    Grid,
    StarterLoad,
)
from filtering.models import Assessment, Encoding, FilterRun, Tuning
from knowledge.models import KnowledgeRelease, Sweep
from tests.factories import (
    AssessmentFactory,
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    FineTuningFactory,
    GridFactory,
    KnowledgeReleaseFactory,
    ReleaseFactory,
    SnapshotFactory,
    StarterLoadFactory,
    SweepFactory,
    TuningFactory,
)
from winoplatform.runs.models import Run

FACTORIES = {
    Snapshot: SnapshotFactory,
    Tuning: TuningFactory,
    Encoding: EncodingFactory,
    FilterRun: FilterRunFactory,
    Assessment: AssessmentFactory,
    Release: ReleaseFactory,
    Evaluation: EvaluationFactory,
    StarterLoad: StarterLoadFactory,
    ArtifactDetection: DetectionFactory,
    Sweep: SweepFactory,
    KnowledgeRelease: KnowledgeReleaseFactory,
    FineTuning: FineTuningFactory,
    Grid: GridFactory,
}
COLUMNS = [
    (model, field.name) for model in FACTORIES for field in model._meta.fields if field.choices
]
# With what a row with an odd value breaks no other rule.
OTHERWISE_RIGHT = {
    (FilterRun, "method"): {"size": 1},
    (FilterRun, "pmi_score"): {"method": "pmi", "size": 1},
}


def constraint_of(model: type[Run], field: str) -> CheckConstraint:
    app, name = model._meta.app_label, model._meta.model_name
    found = {constraint.name: constraint for constraint in model._meta.constraints}
    return found[f"{app}_{name}_{field}_is_known"]  # type: ignore[return-value]


@pytest.mark.parametrize(("model", "field"), COLUMNS)
def test_a_column_of_choices_lets_in_its_choices_only(
    model: type[Run], field: str, db: None
) -> None:
    constraint = constraint_of(model, field)
    column = model._meta.get_field(field)
    blank = [""] if column.blank else []
    choices = [*blank, *(value for value, _ in column.flatchoices)]
    assert constraint.condition.children == [(f"{field}__in", tuple(choices))]
    run = FACTORIES[model]()
    with pytest.raises(IntegrityError, match=constraint.name):
        model._default_manager.filter(pk=run.pk).update(
            **OTHERWISE_RIGHT.get((model, field), {}) | {field: "odd"}
        )


def test_every_column_of_choices_is_tried() -> None:
    assert len(COLUMNS) == 26
