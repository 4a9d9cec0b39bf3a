"""A database of before some migrations keeps its runs when it is brought up to date."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db.migrations.exceptions import IrreversibleError
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.old_databases import latest, migrate, old_database

BEFORE_CONTROLS = "0002_guess"
BEFORE_RANGES = "0004_tuned_encodings"
BEFORE_STATES_WENT = "0005_ranges_devices_fallbacks"
BEFORE_DTYPES = "0006_encoder_config_states"


@pytest.fixture
def before(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Any]:
    with old_database(django_db_blocker, [("filtering", request.param)]) as apps:
        yield apps


def a_snapshot(apps: Any) -> Any:
    campaign = apps.get_model("collection", "Campaign").objects.create(slug="kitchen", name="K")
    return apps.get_model("filtering", "Snapshot").objects.create(campaign=campaign)


@pytest.mark.parametrize("before", [BEFORE_CONTROLS], indirect=True)
def test_runs_come_along_and_what_was_encoded_says_in_which_numbers(before: Any) -> None:
    snapshot = a_snapshot(before)
    encodings = before.get_model("filtering", "Encoding").objects
    begun = encodings.create(snapshot=snapshot, encoder="a", weights_sha256="f" * 64)
    encodings.create(snapshot=snapshot, encoder="b")
    run = before.get_model("filtering", "FilterRun").objects.create(encoding_id=begun.pk, tau=0.6)

    now = migrate(latest("filtering"))

    rows = now.get_model("filtering", "Encoding").objects.values_list("encoder", "dtype")
    assert dict(rows) == {"a": "float32", "b": "float32"}
    [there] = now.get_model("filtering", "FilterRun").objects.all()
    assert (there.public_id, there.tau, there.method) == (run.public_id, 0.6, "aflite")


@pytest.mark.parametrize("before", [BEFORE_DTYPES], indirect=True)
def test_encodings_keep_the_numbers_that_they_were_computed_in(before: Any) -> None:
    snapshot = a_snapshot(before)
    encodings = before.get_model("filtering", "Encoding").objects
    used = [("a", "bfloat16", "f"), ("b", "float32", "f"), ("c", "", "")]
    for encoder, dtype, weights in used:
        encodings.create(
            snapshot=snapshot, encoder=encoder, dtype_used=dtype, weights_sha256=64 * weights
        )

    now = migrate(latest("filtering"))
    rows = now.get_model("filtering", "Encoding").objects.values_list("encoder", "dtype")
    assert dict(rows) == {"a": "bfloat16", "b": "float32", "c": "float32"}

    back = migrate([("filtering", BEFORE_DTYPES)]).get_model("filtering", "Encoding").objects
    assert list(back.order_by("encoder").values_list("encoder", "dtype_used")) == [
        row[:2] for row in used
    ]


@pytest.mark.parametrize("before", [BEFORE_RANGES], indirect=True)
def test_open_runs_that_are_too_large_for_any_worker_end_and_say_why(before: Any) -> None:
    snapshot = a_snapshot(before)
    encoding = before.get_model("filtering", "Encoding").objects.create(snapshot=snapshot)
    runs = before.get_model("filtering", "FilterRun").objects
    tunings = before.get_model("filtering", "Tuning").objects
    for n, status in ((4096, "queued"), (4097, "queued"), (9000, "running"), (9000, "failed")):
        runs.create(encoding_id=encoding.pk, n=n, status=status, leased_until=timezone.now())
    for size, status in ((1024, "running"), (1025, "running"), (2048, "cancelled")):
        tunings.create(snapshot_id=snapshot.pk, batch_size=size, status=status)

    now = migrate(latest("filtering"))

    rows = now.get_model("filtering", "FilterRun").objects.order_by("pk")
    said = "n may be 4096 at most; start a new run."
    assert list(rows.values_list("status", "failure")) == [
        ("queued", ""), ("failed", said), ("failed", said), ("failed", ""),
    ]  # fmt: skip
    ended = rows.filter(failure=said)
    assert {(run.ended_at is None, run.leased_until) for run in ended} == {(False, None)}
    rows = now.get_model("filtering", "Tuning").objects.order_by("pk")
    said = "batch_size may be 1024 at most; start a new run."
    assert list(rows.values_list("status", "failure")) == [
        ("running", ""), ("failed", said), ("cancelled", ""),
    ]  # fmt: skip
    assert rows.filter(pk=rows[0].pk).update(activity="still carried") == 1


@pytest.mark.parametrize("before", [BEFORE_STATES_WENT], indirect=True)
def test_a_tuning_that_is_done_lets_its_states_go_and_any_other_keeps_them(before: Any) -> None:
    snapshot, artifact = a_snapshot(before), {"sha256": "a" * 64, "size": 1}
    state = before.get_model("winoplatform", "Artifact").objects.create(**artifact)
    results = {"used": state, "weights": state, "n_used": 1, "accuracy": 1.0}
    tunings = before.get_model("filtering", "Tuning").objects
    for status, has in (("done", results), ("failed", {}), ("running", {})):
        tuning = tunings.create(snapshot_id=snapshot.pk, status=status, **has)
        tuning.steps.create(number=1, attempt=1, seconds=1, loss=1, accuracy=1, state=state)

    now = migrate([*latest("filtering"), *latest("winoplatform")])

    epochs = now.get_model("filtering", "TuningEpoch").objects.filter(state=None)
    assert list(epochs.values_list("run__status", flat=True)) == ["done"]
    [there] = now.get_model("winoplatform", "Artifact").objects.all()
    assert there.put_at > there.created_at

    with pytest.raises(IrreversibleError):
        migrate([("filtering", BEFORE_STATES_WENT)])
    assert epochs.count() == 1
