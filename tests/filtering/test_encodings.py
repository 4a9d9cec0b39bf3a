"""Encoding in shards, killed at any of them."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from safetensors.numpy import load_file, save_file

from corpora.models import Snapshot
from filtering import loading, services
from filtering.loading import EncoderRequest
from filtering.models import Encoding
from filtering.runner import encodings
from modeling import encoders
from modeling.encoders import load_encoder
from modeling.loaded import DTYPES
from modeling.specs import ModelSpec
from tests.factories import EncodingFactory
from tests.filtering.stages import (
    TINY,
    Killed,
    assert_done,
    frozen,
    kill,
    kill_after,
    lease_ends,
    snapshot_of,
)
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

SHARDS = 3


@pytest.fixture
def snapshot() -> Snapshot:
    """Nine questions, to be encoded in three shards."""
    return snapshot_of(frozen(pairs=4, unpaired=1))


def encode(snapshot: Snapshot, encoder: str = TINY, **fields: str) -> Encoding:
    encoding = services.encode(snapshot=snapshot, by=None, encoder=encoder, **fields)
    Encoding.objects.filter(pk=encoding.pk).update(shard_size=3)
    return encoding


def killed_after(encoding: Encoding, records: int) -> Encoding:
    """An encoding whose worker died after some shards, and whose lease has ended."""
    with pytest.MonkeyPatch.context() as patch:
        kill_after(patch, records)
        with pytest.raises(Killed):
            execute_here(encoding)
    lease_ends(encoding)
    encoding.refresh_from_db()
    return encoding


def failure(encoding: Encoding) -> str:
    execute_here(encoding)
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.FAILED
    return encoding.failure


def carried(encoding: Encoding) -> Encoding:
    execute_here(encoding)
    assert_done(encoding)
    return encoding


def test_features_are_the_difference_of_the_two_option_vectors(snapshot: Snapshot) -> None:
    done = carried(encode(snapshot))
    matrix = store.load_array(done.matrix)
    question = frozen(pairs=4, unpaired=1)[5]
    first, second = load_encoder(TINY).encode(list(question.filled))
    np.testing.assert_allclose(matrix[5], first - second, atol=1e-5)
    assert matrix.shape == (9, done.n_features) == (9, 128)


def test_features_can_be_both_vectors_side_by_side(snapshot: Snapshot) -> None:
    done = carried(encode(snapshot, features="concatenation"))
    difference = store.load_array(carried(encode(snapshot)).matrix)
    matrix = store.load_array(done.matrix)
    assert matrix.shape == (9, 256)
    np.testing.assert_array_equal(matrix[:, :128] - matrix[:, 128:], difference)


def test_the_matrix_has_the_bytes_of_a_stored_array(snapshot: Snapshot) -> None:
    done = carried(encode(snapshot))
    assert store.put_array(np.array(store.load_array(done.matrix))) == done.matrix


def used(encoding: Encoding) -> tuple[str, ...]:
    return encoding.weights_sha256, encoding.config_sha256, encoding.pooling_used


def test_an_encoding_names_the_weights_the_tokenizer_and_the_pooling_it_used(
    snapshot: Snapshot,
) -> None:
    encoder = load_encoder(TINY)
    own = (encoder.weights_sha256, encoder.config_sha256, encoder.pooling)
    assert used(carried(encode(snapshot))) == own


def test_progress_counts_questions(snapshot: Snapshot) -> None:
    done = carried(encode(snapshot))
    assert (done.done, done.total, done.activity) == (9, 9, "")
    assert done.steps.count() == SHARDS


@pytest.mark.parametrize("records", range(SHARDS + 1))
def test_killed_anywhere_it_ends_with_the_same_bytes(
    snapshot: Snapshot, records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = carried(encode(snapshot))
    encoding = encode(snapshot)
    with monkeypatch.context() as patch:
        kill_after(patch, records)
        if records == SHARDS:
            patch.setattr(encodings, "_join", kill)
        with pytest.raises(Killed):
            execute_here(encoding)
    assert encoding.steps.count() == records
    lease_ends(encoding)
    assert carried(encoding).matrix == unbroken.matrix
    assert encoding.attempt == 2


def test_shards_that_are_recorded_are_not_encoded_again(snapshot: Snapshot) -> None:
    encoding = killed_after(encode(snapshot), 2)
    before = list(encoding.steps.values("pk", "created_at"))
    carried(encoding)
    assert list(encoding.steps.values("pk", "created_at"))[:2] == before


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """The tiny encoder in a folder of its own, where it can change."""
    settings.ENCODER_FOLDERS = [str(tmp_path)]
    return shutil.copytree(ModelSpec.parse(TINY).folder(), tmp_path / "encoder")


def change_weights(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    save_file({name: 2 * array for name, array in weights.items()}, folder / "model.safetensors")


def test_an_encoding_does_not_continue_with_other_weights(snapshot: Snapshot, folder: Path) -> None:
    encoding = killed_after(encode(snapshot, str(folder)), 1)
    change_weights(folder)
    assert f"expected {encoding.weights_sha256}" in failure(encoding)


def change_tokenizer(folder: Path) -> None:
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    changed = settings | {"do_lower_case": not settings.get("do_lower_case", True)}
    (folder / "tokenizer_config.json").write_text(json.dumps(changed))


def test_an_encoding_does_not_continue_with_another_tokenizer(
    snapshot: Snapshot, folder: Path
) -> None:
    encoding = killed_after(encode(snapshot, str(folder)), 1)
    change_tokenizer(folder)
    assert f"expected {encoding.config_sha256}" in failure(encoding)
    assert encoding.steps.count() == 1


def test_an_encoding_begun_before_the_tokenizer_was_known_continues_and_notes_it(
    snapshot: Snapshot,
) -> None:
    encoding = killed_after(encode(snapshot), 1)
    Encoding.objects.filter(pk=encoding.pk).update(config_sha256="")
    assert carried(encoding).config_sha256 == load_encoder(TINY).config_sha256


def test_the_encoder_is_written_down_before_the_first_shard(snapshot: Snapshot) -> None:
    encoder = load_encoder(TINY)
    own = (encoder.weights_sha256, encoder.config_sha256, encoder.pooling)
    assert used(killed_after(encode(snapshot), 0)) == own


@pytest.mark.long
def test_an_encoding_continues_with_the_pooling_it_began_with(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = carried(encode(snapshot))
    encoding = killed_after(encode(snapshot), 1)
    monkeypatch.setattr(encoders, "_default_pooling", lambda *_: "cls")
    assert carried(encoding).matrix == unbroken.matrix


def as_if_bfloat16_were(quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {"avx512_bf16": quick, "amx_bf16": quick}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: flags)


@pytest.mark.long
@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(("asked", "dtype"), [({}, "float32"), ({"dtype": "bfloat16"}, "bfloat16")])
def test_an_encoding_is_computed_in_the_numbers_asked_for_whatever_the_machine_is_quick_at(
    snapshot: Snapshot,
    monkeypatch: pytest.MonkeyPatch,
    asked: dict[str, str],
    dtype: str,
    quick: bool,
) -> None:
    as_if_bfloat16_were(quick, monkeypatch)
    done = carried(encode(snapshot, **asked))
    texts = [text for question in frozen(pairs=4, unpaired=1)[:3] for text in question.filled]
    rows = load_encoder(TINY, dtype=dtype).encode(texts)  # of the first shard
    first_shard = store.load_array(done.matrix)[:3]
    np.testing.assert_array_equal(first_shard, rows[::2] - rows[1::2])


def test_an_encoder_is_loaded_with_the_numbers_of_its_encoding() -> None:
    for dtype in DTYPES:
        assert EncoderRequest.by(EncodingFactory(dtype=dtype)).dtype == dtype


@pytest.mark.long
def test_encodings_of_two_kinds_of_numbers_stand_side_by_side(snapshot: Snapshot) -> None:
    exact, rounded = encode(snapshot), encode(snapshot, dtype="bfloat16")
    assert carried(exact).matrix != carried(rounded).matrix


def test_numbers_of_an_unknown_kind_are_refused(snapshot: Snapshot) -> None:
    with pytest.raises(ValidationError, match="dtype"):
        encode(snapshot, dtype="int8")
    with pytest.raises(IntegrityError, match="filtering_encoding_dtype_is_known"):
        EncodingFactory(snapshot=snapshot, dtype="int8")


def test_an_attempt_given_up_for_dead_writes_no_encoder(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding = encode(snapshot)

    def loading_too_long(*args: object, **options: object) -> object:
        Encoding.objects.update(attempt=2)
        return load_encoder(TINY)

    monkeypatch.setattr(loading, "load_encoder", loading_too_long)
    execute_here(encoding)
    encoding.refresh_from_db()
    assert (encoding.weights_sha256, encoding.steps.count()) == ("", 0)


@pytest.mark.long
def test_shards_that_do_not_match_the_questions_are_never_joined(snapshot: Snapshot) -> None:
    encoding = killed_after(encode(snapshot), 2)
    shard = encoding.steps.get(number=2)
    shard.vectors = store.put_array(store.load_array(shard.vectors)[:2])
    shard.save()
    assert "hold 8 rows, the snapshot has 9 questions" in failure(encoding)


def test_the_same_encoding_is_not_queued_twice_at_a_time(snapshot: Snapshot) -> None:
    first = encode(snapshot)
    with pytest.raises(ValidationError, match="under way already"):
        encode(snapshot)
    assert encode(snapshot, pooling="cls").pk != first.pk
    carried(first)
    assert encode(snapshot).pk != first.pk


def test_the_database_holds_one_open_encoding_per_setting(snapshot: Snapshot) -> None:
    encoding = encode(snapshot)
    with pytest.raises(IntegrityError, match="filtering_encoding_is_open_once_per_setting"):
        EncodingFactory(snapshot=snapshot, encoder=encoding.encoder)


def test_an_unknown_encoder_is_refused_at_once(snapshot: Snapshot) -> None:
    with pytest.raises(DomainError) as caught:
        services.encode(snapshot=snapshot, by=None, encoder="pkg:no such thing")
    assert caught.value.code == "encoder_unknown"


def test_an_encoder_that_is_not_there_fails_the_run_with_the_way_out(
    snapshot: Snapshot, settings: Any
) -> None:
    settings.ENCODER_FOLDERS = ["/no/such"]
    encoding = services.encode(snapshot=snapshot, by=None, encoder="/no/such/folder")
    assert "/no/such/folder" in failure(encoding)


def test_without_a_name_the_installations_own_encoder_is_used(snapshot: Snapshot, settings) -> None:  # type: ignore[no-untyped-def]
    settings.ENCODER = TINY
    assert services.encode(snapshot=snapshot, by=None).encoder == TINY
