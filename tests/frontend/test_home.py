"""The start page, by role, and what a worker finds under "My work"."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Provenance, Question
from collection.services import publish_guideline
from filtering.services import choose_run
from frontend.home.campaigns import next_step
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    FilterRunFactory,
    LedgerEntryFactory,
    PauseFactory,
    PhaseFactory,
    ReleaseFactory,
    ReleasePreviewFactory,
    SeatFactory,
    SnapshotFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.frontend.pages import HTMX, source, words
from tests.validation.deciding import voted_question
from validation.services.review.exclusions import exclude
from validation.services.review.returns import return_for_revision
from validation.services.verdicts.questions import revision_of
from winoplatform.artifacts import store
from workers.models import User

Browse = Callable[[User], Client]


def test_a_worker_sees_open_campaigns_with_their_pay(
    bob: User, as_bob: Client, campaign: Campaign
) -> None:
    CampaignFactory(name="Hidden", status=Campaign.Status.DRAFT)
    TwinFactory(campaign=campaign, seats=3)
    TwinFactory(campaign=campaign, author=bob, seats=3)
    text = words(as_bob.get("/"))
    assert "There are questions for you" in text
    assert "$0.40 a twin" in text
    assert "$0.03 a question" in text
    assert "Hidden" not in text


def test_what_one_has_begun_is_offered_to_continue(
    bob: User, as_bob: Client, campaign: Campaign
) -> None:
    AssignmentFactory(worker=bob, campaign=campaign)
    SeatFactory(worker=bob, question=TwinFactory(campaign=campaign).questions.first())
    text = words(as_bob.get("/"))
    assert "Continue writing" in text
    assert "Continue validating" in text


def test_no_open_campaign_is_said(as_bob: Client) -> None:
    assert "No campaign is open" in words(as_bob.get("/"))


def test_a_curator_sees_campaigns_and_what_runs(as_dana: Client, campaign: Campaign) -> None:
    twin = TwinFactory(campaign=campaign)
    VerdictFactory(question=twin.questions.get(number=1))
    run = FilterRunFactory()
    text = words(as_dana.get("/"))
    assert "Kitchen open 2 1 1 100.0% 0" in text
    assert "Filter run" in text
    assert run.encoding.snapshot.campaign.name in text


def test_the_list_of_runs_is_asked_again_only_while_there_are_some(as_dana: Client) -> None:
    run = FilterRunFactory()
    assert "hx-trigger" in source(as_dana.get("/", headers=HTMX))
    type(run).objects.update(status="cancelled")
    assert "hx-trigger" not in source(as_dana.get("/", headers=HTMX))


def test_a_curator_without_campaigns_is_told_where_to_make_one(as_dana: Client) -> None:
    assert "No campaigns yet." in words(as_dana.get("/"))


def test_who_is_paused_reads_why_and_gets_only_what_they_hold(
    bob: User, as_bob: Client, campaign: Campaign
) -> None:
    PauseFactory(worker=bob, reason="Please read the guidelines.")
    AssignmentFactory(worker=bob, campaign=campaign)
    page = source(as_bob.get("/"))
    assert "Please read the guidelines." in page
    assert "Continue writing" in page
    assert "/validate/" not in page


def test_work_begun_in_a_campaign_that_was_paused_can_still_be_found(
    bob: User, as_bob: Client, as_carol: Client, campaign: Campaign
) -> None:
    AssignmentFactory(worker=bob, campaign=campaign)
    Campaign.objects.update(status=Campaign.Status.PAUSED)
    page = words(as_bob.get("/"))
    assert "Continue writing" in page
    assert "This campaign is paused" in page
    assert campaign.name not in words(as_carol.get("/"))


def test_workers_read_what_curators_did_about_their_work_until_they_say_so(
    bob: User, as_bob: Client, dana: User, campaign: Campaign
) -> None:
    vote = VoteFactory(worker=bob, question=TwinFactory(campaign=campaign).questions.first())
    exclude(vote_id=vote.public_id, reason="Two seconds.", by=dana)
    assert "A vote of yours was excluded" in words(as_bob.get("/"))
    assert "Two seconds." in words(as_bob.get("/"))
    as_bob.post(reverse("see-news"))
    assert "Two seconds." not in words(as_bob.get("/"))


def test_a_twin_that_was_returned_is_news_for_its_writer_alone(
    alice: User, as_alice: Client, as_bob: Client, dana: User, campaign: Campaign
) -> None:
    question = voted_question(campaign, alice, True, True, False)
    return_for_revision(
        question_id=question.public_id, note="Mend it.", revision=revision_of(question), by=dana
    )
    text = words(as_alice.get("/"))
    assert "returned a twin for revision" in text
    assert "Mend it." in text
    assert "Mend it." not in words(as_bob.get("/"))


def test_a_curator_reads_the_next_step_of_each_campaign(dana: User, browse: Browse) -> None:
    campaign = CampaignFactory(status="draft")

    def home() -> str:
        return words(browse(dana).get("/"))

    assert "Import articles" in home()
    ArticleFactory(campaign=campaign)
    assert "Open it for writers" in home()
    Campaign.objects.update(status="open")
    assert "Start a release" not in home()
    invite = f'<a href="{reverse("invitations")}">Invite people</a>'
    assert invite in source(browse(dana).get("/"))
    VerdictFactory(question=TwinFactory(campaign=campaign).questions.get(number=1))
    assert "Invite 6 validators" in home()
    UserFactory.create_batch(5)  # besides the twin's writer
    assert "Invite 1 validator" in home()
    UserFactory()
    assert "Start a release" in home()
    assert "Invite" not in home().partition("Campaign State")[2].partition("Runs in progress")[0]
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    assert "Wait for votes" in home()
    preview = ReleasePreviewFactory(snapshot=snapshot, finished=True)
    read = reverse("release-preview", args=[preview.public_id])
    assert f'<a href="{read}">Read the preview of a release</a>' in source(browse(dana).get("/"))
    type(preview).objects.update(archived_at=preview.created_at)
    assert "Read the preview" not in home()
    ReleaseFactory(snapshot=snapshot, name="one", finished=True)
    Campaign.objects.update(status="closed")
    assert "Evaluate models on the release" in home()


@pytest.mark.parametrize("status", Campaign.Status)
@pytest.mark.parametrize("counts", [[0, 0, 0], [2, 0, 0], [2, 2, 0], [2, 2, 2]])
def test_a_campaign_with_a_snapshot_always_has_a_next_step(status: str, counts: list[int]) -> None:
    campaign: Any = Campaign(status=status, slug="kitchen")
    campaign.has_articles = campaign.has_snapshot = True
    campaign.preview = campaign.release = None
    assert all(next_step(campaign, counts, 0, 0))


def test_guidelines_are_read_before_writing(as_bob: Client, campaign: Campaign) -> None:
    publish_guideline(campaign=campaign, text="Read me.")
    home = words(as_bob.get("/"))
    assert "fills a blank. First read the guidelines." in home


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
