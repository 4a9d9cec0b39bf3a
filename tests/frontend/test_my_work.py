"""What a worker finds under "My work"."""

from decimal import Decimal

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Provenance, Question
from filtering.services import choose_run
from tests.factories import (
    FilterRunFactory,
    LedgerEntryFactory,
    PhaseFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.frontend.pages import words
from winoplatform.artifacts import store
from workers.models import User


def page(client: Client, query: str = "") -> str:
    return words(client.get(reverse("my-work") + query))


def test_nothing_done_yet_says_what_to_do(as_alice: Client) -> None:
    text = page(as_alice)
    assert "No pay yet" in text
    assert "You have not written a twin yet." in text
    assert "You have not validated a question yet." in text


def test_pay_is_listed_and_summed_by_currency(
    as_alice: Client, alice: User, campaign: Campaign
) -> None:
    LedgerEntryFactory(worker=alice, kind="twin", amount=Decimal("0.40"), budget=campaign.public_id)
    LedgerEntryFactory(worker=alice)
    LedgerEntryFactory(worker=alice, amount=Decimal("1.00"), currency="EUR")
    LedgerEntryFactory(worker=UserFactory(), amount=Decimal("9.99"))
    text = page(as_alice)
    assert "Earned €1.00 $0.43" in text
    assert "twin written Kitchen $0.40" in text
    assert "9.99" not in text


def test_a_question_shows_its_votes_and_why_it_failed(as_alice: Client, alice: User) -> None:
    first, second = TwinFactory(author=alice).questions.order_by("number")
    for wrong in (True, True, False):
        VoteFactory(question=first, wrong=wrong)
    VerdictFactory(question=first, reasons=["wrong_answer"])
    VoteFactory(question=second)
    text = page(as_alice)
    assert "not valid 1 of 3 chose the correct answer" in text
    assert "The validators did not choose the author's answer." in text
    assert "1 of 3 votes" in text


def test_single_votes_stay_covered_until_the_verdict(as_alice: Client, alice: User) -> None:
    VoteFactory(question=TwinFactory(author=alice).questions.first(), wrong=True)
    assert "chose the correct answer" not in page(as_alice)


def test_given_votes_show_the_answer_one_gave(as_alice: Client, alice: User) -> None:
    question = TwinFactory().questions.get(number=1)
    VoteFactory(question=question, worker=alice, ambiguous=True)
    assert "because the trophy was far too large. ambiguous" in page(as_alice)


def test_older_pay_is_on_further_pages_and_none_is_lost(as_alice: Client, alice: User) -> None:
    entries = [LedgerEntryFactory(worker=alice, unit=f"unit-{n}") for n in range(45)]
    counts, query = [], ""
    while True:
        response = as_alice.get(reverse("my-work") + query)
        found = response.context["entries"]
        counts.append(len(found.rows))
        if found.older is None:
            break
        query = f"?pay={found.older}"
    assert counts == [20, 20, 5]
    assert sum(counts) == len(entries)


@pytest.mark.parametrize("key", ["x", "-1", "9" * 40, "²", "1; DROP TABLE", "%00"])
def test_a_malformed_page_key_is_the_first_page(key: str, as_alice: Client, alice: User) -> None:
    LedgerEntryFactory(worker=alice)
    assert "$0.03" in page(as_alice, f"?pay={key}")


def test_an_hour_of_writing_is_paid_by_the_time_the_desk_counted(
    as_alice: Client, alice: User
) -> None:
    for number in range(10):
        assert "Hourly rate (writing)" not in page(as_alice)
        seconds = (120, 240)[number % 2]
        twin = TwinFactory(author=alice)
        Provenance.objects.create(twin=twin, active_seconds=seconds)
        LedgerEntryFactory(
            worker=alice, kind="twin", unit=str(twin.public_id), amount=Decimal("0.40")
        )
    uncounted = TwinFactory(author=alice)
    LedgerEntryFactory(worker=alice, kind="twin", unit=str(uncounted.public_id))

    assert "Hourly rate (writing) $8.00 over 10 twins" in page(as_alice)


def test_a_question_says_which_filter_run_kept_or_removed_it(as_alice: Client, alice: User) -> None:
    kept, removed = TwinFactory(author=alice).questions.order_by("number")
    Question.objects.filter(pk=kept.pk).update(public_id="aaaa")
    Question.objects.filter(pk=removed.pk).update(public_id="bbbb")
    run = FilterRunFactory(encoding__snapshot__campaign=kept.twin.campaign, finished=True)
    rows = np.array([[1], [0], [0], [1]], dtype=np.int32)
    PhaseFactory(run=run, number=1, arrays=store.put_array(rows))
    assert "filter run" not in page(as_alice)
    choose_run(run=run, by=UserFactory())

    text = page(as_alice)

    assert f"Kept by filter run {str(run.public_id)[:8]}." in text
    assert f"Removed by filter run {str(run.public_id)[:8]} in phase 1" in text


def test_the_page_does_without_a_filter_runs_files(
    as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = TwinFactory(author=alice)
    Question.objects.filter(pk=twin.questions.first().pk).update(public_id="aaaa")
    run = FilterRunFactory(encoding__snapshot__campaign=twin.campaign, finished=True)
    choose_run(run=run, by=UserFactory())
    with monkeypatch.context() as patch:
        patch.setattr(store, "open_artifact", lambda artifact: open("/no/such/file"))  # noqa: SIM115
        text = page(as_alice)
    assert "Twins written 1" in text
    assert "filter run" not in text
    assert "Kept by filter run" in page(as_alice)


def test_a_withdrawn_twin_stays_in_the_list_and_says_so(as_alice: Client, alice: User) -> None:
    TwinFactory(author=alice, withdrawn_at=timezone.now())

    text = page(as_alice)

    assert "withdrawn" in text
    assert "Twins written" not in text  # no figures while there is nothing to count
