"""Keys that an audit suspects, from a panel of people to the next version, and to the erratum."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection.models import Campaign
from corpora.models import Release
from evaluation.models import KeyPanel
from tests.evaluation.done import evaluated
from tests.evaluation.key_panels import (
    against,
    audit_of,
    audited_set,
    drawn_campaign,
    first_group,
)
from tests.evaluation.test_key_panels import release_of
from tests.factories import UserFactory
from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.panels.people import answer_all

pytestmark = pytest.mark.long


@VIEWS
def test_suspects_are_asked_about_and_the_set_is_revised(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    dana = UserFactory(curator=True)
    audit, planted = audited_set(dana)
    page = sign_in(dana, **view)
    page.goto(reverse("key-audit", args=[audit.public_id]))
    page.get_by_role("link", name="Ask people").click()
    page.get_by_label("Campaign").select_option("kitchen")
    page.get_by_role("button", name="Show the cost").click()
    expect(page.get_by_text("6 questions, 30 votes at $0.03")).to_be_visible()
    expect(page.get_by_text("Each wrong key found is expected to cost")).to_be_visible()
    assert_clean(page)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("votes missing")).to_have_count(3)
    row = KeyPanel.objects.get()
    answer_all(row.panel, UserFactory.create_batch(10), against(planted))
    page.reload()
    expect(page.get_by_text("key confirmed wrong")).to_have_count(3)
    assert_clean(page)
    page.get_by_label("Name of the next version").fill("small-2")
    page.get_by_label("Found by").fill("Ada")
    page.get_by_label("They agree to be named").check()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Revise the keys").click()
    expect(page.get_by_text("corrected in the next version")).to_have_count(3)
    page.get_by_role("link", name="version 2").click()
    expect(page.get_by_text("Found by Ada.")).to_be_visible()
    assert_clean(page)
    page.go_back()
    page.get_by_role("link", name="Scores on both versions").click()
    expect(page.get_by_text("Of 60 questions, 3 have another key")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(13)
    assert_clean(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= view["viewport"]["width"]


@pytest.fixture
def release(transactional_db: None) -> Release:
    """A public release whose dev set two systems have answered."""
    campaign = drawn_campaign(["train"] * 3 + ["dev"] * 3 + ["test"], name="Tea", slug="tea")
    made = release_of(campaign, "tea-1", is_public=True)
    for method in ("majority", "random"):
        evaluated(None, method, reference_set=None, release=made, split="dev")
    return made


@VIEWS
def test_suspects_of_a_release_are_revised_and_its_readers_told(
    view: dict[str, Any], release: Release, sign_in: Callable[..., Page]
) -> None:
    ids = {item.id for item in first_group(release, "dev")}
    audit = audit_of(ids, release=release, split="dev")
    page = sign_in(UserFactory(curator=True), **view)
    page.goto(reverse("key-audit", args=[audit.public_id]))
    assert_clean(page)
    page.get_by_role("link", name="Ask people").click()
    page.get_by_role("button", name="Show the cost").click()
    expect(page.get_by_text("The budget of Tea pays.")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("votes missing")).to_have_count(2)
    answer_all(KeyPanel.objects.get().panel, UserFactory.create_batch(10), against(ids))
    page.reload()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Revise the keys").click()
    expect(page.get_by_text("corrected in the next version")).to_have_count(2)
    expect(page.get_by_text("build the next release and make it public")).to_be_visible()
    assert_clean(page)
    release_of(release.campaign, "tea-2", is_public=True)
    page.reload()
    page.get_by_label("Found by").fill("Ada")
    page.get_by_label("They agree to be named").check()
    assert_clean(page)
    page.get_by_role("button", name="Add the erratum").click()
    expect(page.get_by_text("The erratum was added.")).to_be_visible()
    page.get_by_role("link", name="Scores on both versions").click()
    expect(page.get_by_text("Of 6 questions, 2 have another key")).to_be_visible()
    assert_clean(page)
    page.goto(reverse("release", args=["tea-1"]))
    expect(page.get_by_text("(tea-2) has other keys for 2 of dev")).to_be_visible()
    expect(page.get_by_text("Found by Ada.")).to_be_visible()
    assert_clean(page)
