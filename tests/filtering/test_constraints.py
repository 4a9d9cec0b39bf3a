"""What runs refuse: wrong settings, encoders that the operator does not permit, broken rows."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.db import IntegrityError
from django.db.models import CheckConstraint

from corpora.loading import EncoderRefused, permitted
from corpora.models import Release, ReleasePreview, Snapshot
from evaluation.models import (
    ArtifactDetection,
    Evaluation,
    FineTuning,
    Grid,
    KeyAudit,
    StarterLoad,
)
from filtering import services
from filtering.models import Assessment, Encoding, FilterRun, SentenceEncoding, Tuning
from knowledge.models import KnowledgeRelease, Sweep
from modeling.specs import ModelSpec
from publishing.models import Publication
from tests.factories import (
    AssessmentFactory,
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    FineTuningFactory,
    GridFactory,
    KeyAuditFactory,
    KnowledgeReleaseFactory,
    PublicationFactory,
    ReleaseFactory,
    ReleasePreviewFactory,
    SentenceEncodingFactory,
    SnapshotFactory,
    StarterLoadFactory,
    SweepFactory,
    TuningFactory,
)
from tests.filtering.stages import TINY, assert_done, frozen, snapshot_of
from winoplatform.errors import DomainError
from winoplatform.runs.dispatch import run_models
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus

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
    KeyAudit: KeyAuditFactory,
    Sweep: SweepFactory,
    KnowledgeRelease: KnowledgeReleaseFactory,
    FineTuning: FineTuningFactory,
    Grid: GridFactory,
    Publication: PublicationFactory,
    ReleasePreview: ReleasePreviewFactory,
    SentenceEncoding: SentenceEncodingFactory,
}
COLUMNS = [
    (model, field.name) for model in FACTORIES for field in model._meta.fields if field.choices
]
# With what a row with an odd value breaks no other rule.
OTHERWISE_RIGHT = {
    (FilterRun, "method"): {"size": 1},
    (FilterRun, "pmi_score"): {"method": "pmi", "size": 1},
    (Publication, "target"): {"repository": ""},
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


def test_every_kind_of_run_is_tried() -> None:
    assert FACTORIES.keys() == {
        model for model in run_models() if model._meta.app_label != "toyruns"
    }


def found(settings: Any, encoder: str) -> list[str]:
    settings.ENCODER = encoder
    return [message.msg for message in run_checks() if message.id == "filtering.E001"]


@pytest.mark.parametrize("encoder", ["", "pkg:../../x", "two words", "pkg:module"])
def test_an_encoder_that_nobody_can_load_is_named_at_start(settings: Any, encoder: str) -> None:
    (sentence,) = found(settings, encoder)
    assert "ENCODER cannot be used: model must be 'pkg:<module>/<folder>'" in sentence
    assert repr(encoder) in sentence


@pytest.mark.parametrize("encoder", [TINY, "roberta-large", "/not/mounted/yet"])
def test_a_name_that_can_be_loaded_somewhere_passes(settings: Any, encoder: str) -> None:
    assert found(settings, encoder) == []


@pytest.mark.parametrize(("folders", "count"), [(["/srv/encoders"], 0), ([], 0), (["a", "/b"], 1)])
def test_a_folder_for_encoders_that_hangs_on_where_one_stands_is_named_at_start(
    settings: Any, folders: list[str], count: int
) -> None:
    settings.ENCODER_FOLDERS = folders
    said = [message.msg for message in run_checks() if message.id == "filtering.E002"]
    assert said == ["ENCODER_FOLDERS must hold absolute paths; got 'a'."] * count


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(frozen(pairs=1))


def encode(snapshot: Snapshot, encoder: Path) -> Encoding:
    return services.encode(snapshot=snapshot, by=None, encoder=str(encoder))


@pytest.mark.parametrize(
    ("encoder", "setting"),
    [("./elsewhere", "ENCODER_FOLDERS"), ("acme/large", "ENCODER_HUB_IDS")],
)
def test_an_encoder_that_the_operator_does_not_permit_is_refused(
    settings: Any, encoder: str, setting: str
) -> None:
    settings.ENCODER_HUB_IDS = ["acme/small"]
    for ask in (services.encode, services.tune):
        with pytest.raises(DomainError, match=setting) as caught:
            ask(snapshot=SnapshotFactory(), by=None, encoder=encoder)  # type: ignore[operator]
        assert caught.value.code == "encoder_refused"
        assert repr(encoder) in caught.value.message
        assert str(Path.cwd()) not in caught.value.message


def test_a_link_out_of_the_permitted_folders_is_refused_where_the_worker_finds_it(
    snapshot: Snapshot, tmp_path: Path, settings: Any
) -> None:
    settings.ENCODER_FOLDERS = [str(tmp_path / "permitted")]
    named = tmp_path / "permitted" / "encoder"
    encoding = encode(snapshot, named)
    shutil.copytree(ModelSpec.parse(TINY).folder(), tmp_path / "outside")
    named.parent.mkdir()
    named.symlink_to(tmp_path / "outside")
    execute_here(encoding)
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.FAILED
    assert "ENCODER_FOLDERS" in encoding.failure
    assert "outside" not in encoding.failure


def test_a_relative_folder_permits_nothing(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "permitted" / "encoder"
    monkeypatch.chdir(tmp_path)
    settings.ENCODER_FOLDERS = ["permitted", ""]
    with pytest.raises(EncoderRefused, match="ENCODER_FOLDERS"):
        permitted(str(named))
    settings.ENCODER_FOLDERS = [str(tmp_path / "permitted")]
    assert permitted(str(named)).text == str(named)


def test_the_installations_own_encoder_is_always_permitted(
    snapshot: Snapshot, tmp_path: Path, settings: Any
) -> None:
    own = shutil.copytree(ModelSpec.parse(TINY).folder(), tmp_path / "own")
    settings.ENCODER = str(own)
    encoding = encode(snapshot, own)
    execute_here(encoding)
    assert_done(encoding)
