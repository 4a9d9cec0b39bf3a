"""Which encoders a curator may name is for the operator to say."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from corpora.loading import EncoderRefused, permitted
from corpora.models import Snapshot
from filtering import services
from filtering.models import Encoding
from modeling.specs import ModelSpec
from tests.factories import SnapshotFactory
from tests.filtering.stages import TINY, assert_done, frozen, snapshot_of
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus


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
