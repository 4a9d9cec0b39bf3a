"""The start page, by role."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign
from collection.services import publish_guideline
from frontend.home.campaigns import next_step
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    FilterRunFactory,
    PauseFactory,
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
from tests.frontend.test_adjudication import a_question
from validation.services.review.exclusions import exclude
from validation.services.review.returns import return_for_revision
from validation.services.verdicts.questions import revision_of
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
    question = a_question(campaign, alice, True, True, False)
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
