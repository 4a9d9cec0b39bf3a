"""What people accept, tell about themselves and withdraw, in a browser."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection import services
from collection.models import Assignment, BackgroundAnswer, Campaign, Consent, Twin
from tests.factories import (
    SENTENCES,
    ArticleFactory,
    CampaignFactory,
    ConsentFactory,
    UserFactory,
)
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit
from tests.journeys.test_accessibility import VIEWS, assert_clean


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    ArticleFactory.create_batch(2, campaign=campaign)
    services.publish_guideline(campaign=campaign, text="Write *well*.", contact="Dana, dana@x.org")
    services.set_background(campaign=campaign, codes=["age", "first_languages"])
    return campaign


@pytest.mark.long
@VIEWS
def test_a_person_accepts_tells_about_themselves_and_deletes_it(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(), **view)
    page.goto(reverse("join", args=["kitchen"]))
    page.get_by_text("never with your name").wait_for()
    page.get_by_role("button", name="I have read them and accept").click()
    page.get_by_role("heading", name="About you").wait_for()
    assert_clean(page)
    expect(page.get_by_label("I prefer not to say")).to_be_checked()
    page.get_by_label("25 to 34").check()
    page.get_by_label("Swahili").check()
    page.get_by_role("button", name="Save and continue").click()
    page.get_by_role("button", name="Start writing").wait_for()
    page.goto(reverse("my-work"))
    page.get_by_role("link", name="What I have accepted").click()
    page.get_by_role("heading", name="Kitchen").wait_for()
    assert_clean(page)
    page.get_by_role("link", name="My answers about myself").click()
    expect(page.get_by_label("25 to 34")).to_be_checked()
    page.get_by_role("button", name="Delete all my answers").click()
    page.get_by_text("Your answers are deleted.").wait_for()
    assert not BackgroundAnswer.objects.exists()


@pytest.mark.long
def test_a_new_version_asks_again_and_no_text_is_lost(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    worker = UserFactory()
    ConsentFactory(worker=worker, guideline=campaign.guideline)
    held = services.request_assignment(worker=worker, campaign=campaign)
    page = sign_in(worker)
    open_desk(page, held)
    fill_twin(page)
    is_saved(page)
    services.publish_guideline(campaign=campaign, text="Write *very well*.")
    page.reload()
    expect(page.get_by_label("Sentence 1")).to_have_value(SENTENCES[0])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    submit(page)
    page.get_by_role("heading", name="submitted").wait_for()
    assert Twin.objects.filter(author=worker).count() == 1
    page.goto(reverse("author", args=["kitchen"]))
    page.get_by_text("have changed since you accepted version 1").wait_for()
    page.get_by_text("very well").wait_for()
    page.get_by_role("button", name="I have read them and accept").click()
    page.get_by_role("button", name="Start writing").click()
    page.get_by_label("Sentence 1").wait_for()
    page.goto(reverse("my-consents"))
    page.get_by_role("link", name="Version 1, write").click()
    page.get_by_text("Write well.").wait_for()


@pytest.mark.long
@VIEWS
def test_a_person_withdraws_and_takes_part_again(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    worker = UserFactory()
    ConsentFactory(worker=worker, guideline=campaign.guideline)
    held = services.request_assignment(worker=worker, campaign=campaign)
    page = sign_in(worker, **view)
    page.goto(reverse("my-consents"))
    page.get_by_role("link", name="Withdraw consent").click()
    page.get_by_text("is returned. Its text is not submitted").wait_for()
    page.get_by_text("dana@x.org").wait_for()
    assert_clean(page)
    page.get_by_role("button", name="Withdraw consent").click()
    page.get_by_text("Your consent is withdrawn.").wait_for()
    held.refresh_from_db()
    assert held.status == Assignment.Status.RETURNED
    page.goto("/")
    expect(page.get_by_text("Kitchen")).to_have_count(0)
    page.goto(reverse("my-consents"))
    page.get_by_role("link", name="Take part again").click()
    page.get_by_text("You withdrew your consent").wait_for()
    assert_clean(page)
    page.get_by_role("button", name="I have read them and accept").click()
    page.get_by_role("button", name="Start writing").wait_for()
    assert [row.withdrawn_at is None for row in Consent.objects.order_by("pk")] == [False, True]
