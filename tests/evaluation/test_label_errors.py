"""Questions that were hard to learn, offered to the review queue of their campaign."""

import pytest

from corpora import services as corpora
from corpora.models import Release
from corpora.selectors import read_index
from evaluation.models import FineTuning
from evaluation.selectors.training_items import training_items, training_map
from evaluation.services.label_errors import MOST_OFFERED, offer_label_errors
from tests.corpora.test_release_provenance import validated
from tests.evaluation.grids import cell, finish, ids_of
from tests.evaluation.training import planted_set
from tests.filtering.stages import carried
from tests.refusals import refused
from validation.models import Case, VerdictEvent
from winoplatform.runs.models import RunStatus
from workers.models import User


@pytest.fixture
def trained(db: None) -> FineTuning:
    """A model trained on a release, for which two questions were hard."""
    campaign = validated(8, dev_share="0.25", test_share="0.25")
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    release: Release = carried(corpora.build_release(snapshot=snapshot, name="hard-1", by=None))
    run = cell(None, None, release=release, dev_release=release, reference_set=None)
    ids = [item.id for item in training_items(run)]
    return finish(run, 0.7, ids, wrong=ids[:2])


def hardest(run: FineTuning, n: int) -> list[str]:
    return [one.item.id for one in training_map(run).items[:n]]


@pytest.mark.long
def test_hard_questions_wait_in_the_review_queue_with_a_reason(
    trained: FineTuning, dana: User
) -> None:
    ids = hardest(trained, 2)
    made = offer_label_errors(fine_tuning=trained, ids=ids, by=dana)
    assert (made.n, made.refused) == (2, {})
    assert trained.release is not None
    rows = {row["qID"]: row["question"] for row in read_index(trained.release)}
    offered = Case.objects.filter(suspected=True)
    assert {case.question.public_id for case in offered} == {rows[id] for id in ids}
    event = VerdictEvent.objects.filter(action="suspected").latest("pk")
    assert "the mean probability of the label was 0.1" in event.reason
    assert "number 2 of 4 from the lowest" in event.reason
    assert str(trained.public_id) in event.reason


@pytest.mark.long
def test_one_that_waits_already_does_not_stop_the_others(trained: FineTuning, dana: User) -> None:
    first, second = hardest(trained, 2)
    offer_label_errors(fine_tuning=trained, ids=[first], by=dana)
    made = offer_label_errors(fine_tuning=trained, ids=[first, second], by=dana)
    assert made.n == 1
    assert list(made.refused) == [first]


@pytest.mark.long
def test_questions_that_were_not_trained_on_cannot_be_offered(
    trained: FineTuning, dana: User
) -> None:
    assert trained.release is not None
    blind = next(row["qID"] for row in read_index(trained.release) if row["split"] == "test")
    with refused("not_trained_on"):
        offer_label_errors(fine_tuning=trained, ids=[blind], by=dana)
    assert not Case.objects.filter(suspected=True).exists()


@pytest.mark.long
def test_what_cannot_be_offered_is_refused(trained: FineTuning, dana: User) -> None:
    data = planted_set()
    imported = finish(cell(None, data), 0.6, ids_of(data))
    waiting = cell(None, data)
    many = [f"q{n}" for n in range(MOST_OFFERED + 1)]
    for run, ids, code in (
        (trained, [], "nothing_chosen"),
        (trained, many, "too_many"),
        (imported, ids_of(data)[:1], "no_campaign"),
        (waiting, ids_of(data)[:1], "not_done"),
    ):
        with refused(code):
            offer_label_errors(fine_tuning=run, ids=ids, by=dana)
    assert waiting.status != RunStatus.DONE
