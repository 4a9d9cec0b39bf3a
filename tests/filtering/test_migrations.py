"""A database of before some migrations keeps its runs when it is brought up to date."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db.migrations.exceptions import IrreversibleError
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.old_databases import latest, migrate, old_database
from winoplatform.artifacts import store
from winoplatform.models import Artifact

BEFORE_CONTROLS = "0002_guess"
BEFORE_RANGES = "0004_tuned_encodings"
BEFORE_STATES_WENT = "0005_ranges_devices_fallbacks"
BEFORE_DRAWS = "0006_encoder_config_states"
BEFORE_DTYPES = "0007_draws"
BEFORE_STOPS = "0008_encoding_dtype"


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


def some_twins(apps: Any, snapshot: Any, count: int) -> list[tuple[Any, list[str]]]:
    made = []
    for number in range(count):
        twin = apps.get_model("collection", "Twin").objects.create(
            campaign_id=snapshot.campaign_id, origin="published", option1="a", option2="b"
        )
        ids = [f"q{number}{n}" for n in (1, 2)]
        for n, public_id in enumerate(ids, 1):
            apps.get_model("collection", "Question").objects.create(
                twin=twin, number=n, answer=n, sentence=f"{number} {n} _.", public_id=public_id
            )
        made.append((twin, ids))
    return made


def a_release(apps: Any, snapshot: Any, shown: dict[str, str], **fields: Any) -> Any:
    encoding = apps.get_model("filtering", "Encoding").objects.create(
        snapshot=snapshot, encoder=fields["name"]
    )
    run = apps.get_model("filtering", "FilterRun").objects.create(encoding_id=encoding.pk)
    release = apps.get_model("filtering", "Release").objects.create(
        filter_run_id=run.pk, content_hash="0" * 64, ended_at=timezone.now(), **fields
    )
    lines = [json.dumps({"question": id, "split": split}) for id, split in shown.items()]
    artifact = store.put_bytes("\n".join(lines).encode())
    release.files.create(name="index.jsonl", rows=len(lines), artifact_id=artifact.pk)
    return release


def a_tuning(apps: Any, snapshot: Any, **fields: Any) -> None:
    tunings = apps.get_model("filtering", "Tuning").objects
    tuning = tunings.create(snapshot_id=snapshot.pk, encoder=fields["status"], **fields)
    tuning.steps.create(number=1, attempt=1, seconds=1, loss=1, accuracy=1)


@pytest.mark.parametrize("before", [BEFORE_STOPS], indirect=True)
def test_runs_so_far_stopped_as_published_and_guesses_go_with_their_files(before: Any) -> None:
    snapshot = a_snapshot(before)
    encoding = before.get_model("filtering", "Encoding").objects.create(snapshot=snapshot)
    artifact = before.get_model("winoplatform", "Artifact").objects.create(sha256="a" * 64, size=1)
    runs, phases = (before.get_model("filtering", name).objects for name in ("FilterRun", "Phase"))
    counts = dict.fromkeys(("n_before", "n_removed", "never_held_out", "eligible"), 9)
    counts |= dict.fromkeys(("tied_at_cutoff", "unconverged", "attempt", "number"), 1)
    for seed, status in enumerate(("queued", "running", "failed")):
        run = runs.create(encoding=encoding, seed=seed, status=status)
        phases.create(run=run, arrays=artifact, seconds=1, histogram=[], **counts)
    run = runs.create(encoding=encoding, method="random", size=4, status="failed")
    alice = before.get_model("workers", "User").objects.create(username="alice")
    made = {"filter_run": run, "fingerprint": "a" * 64, "text": {}, "asked_by": alice}
    before.get_model("filtering", "Guess").objects.create(**made)
    before.get_model("filtering", "Guesser").objects.create(filter_run=run, weights=artifact)

    now = migrate([*latest("filtering"), *latest("evaluation")])

    found = now.get_model("filtering", "FilterRun").objects.values_list("method", "stop")
    assert set(found) == {("aflite", "published"), ("random", "neutral")}
    assert not now.get_model("filtering", "Phase").objects.exists()
    assert artifact.sha256 in Artifact.objects.unreferenced().values_list("pk", flat=True)


@pytest.mark.parametrize("before", [BEFORE_DRAWS], indirect=True)
def test_what_releases_have_shown_is_stored_and_no_tuning_goes_on_with_blind_labels(
    before: Any,
) -> None:
    snapshot = a_snapshot(before)
    twins = some_twins(before, snapshot, 5)
    (a1, a2), (b1, _), (c1, c2), (d1, d2), _ = [ids for _, ids in twins]
    first = {a1: "train", a2: "train", b1: "dev", c1: "test", c2: "test"}
    second = {a1: "dev", b1: "test", c1: "train", c2: "train", d1: "dev", d2: "dev"}
    index = a_release(before, snapshot, first, name="first", status="done").files.get()
    a_release(before, snapshot, second, name="second", status="done")
    used = before.get_model("winoplatform", "Artifact").objects.get(pk=index.artifact_id)
    results = {"used": used, "weights": used, "n_used": 1, "accuracy": 1.0}
    for status, has in (("done", results), ("failed", {}), ("running", {})):
        a_tuning(before, snapshot, status=status, **has)

    lies = store.local_path(index.artifact_id)
    away = lies.rename(lies.with_suffix(".away"))
    with pytest.raises(RuntimeError, match=r"“first” cannot be read.*Put the folder .* back"):
        migrate(latest("filtering"))
    away.rename(lies)
    now = migrate([*latest("filtering"), *latest("collection")])

    rows = now.get_model("filtering", "Draw").objects.order_by("twin")
    assert list(rows.values_list("twin", "split", "is_pair", "origin")) == [
        (twins[0][0].pk, "train", True, "adopted"),
        (twins[1][0].pk, "test", False, "adopted"),  # blind in the second
        (twins[2][0].pk, "test", True, "adopted"),  # blind in the first
        (twins[3][0].pk, "dev", True, "adopted"),
    ]
    runs = now.get_model("filtering", "Tuning").objects.order_by("pk")
    assert [run.steps.count() for run in runs] == [1, 0, 0]
