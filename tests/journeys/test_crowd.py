"""Coming from a crowd platform in a real browser; axe finds nothing on the way."""

import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

from collection.crowd.generic import signed_link
from collection.models import Assignment, Campaign, CrowdSession, Study
from collection.services.crowd.studies import facts, setup_of
from tests.factories import (
    ArticleFactory,
    CampaignFactory,
    CrowdSessionFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
)
from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.journeys.validating import open_sentence, vote
from tests.sandbox import Sandbox
from tests.sandbox.http import served
from tests.writing import submit
from validation.models import Seat

ENDS = ("active", "completed", "screened_out", "failed", "returned", "timed_out")


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", min_approvals=None)
    return ArticleFactory(campaign=campaign).campaign


def link(study: Study, session: str = "s-1", participant: str = "p-1") -> str:
    fields = {
        "participant": participant,
        "session": session,
        "expires": str(int(time.time()) + 600),
    }
    return path_of(signed_link(facts(study), origin="", fields=fields))


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


@pytest.mark.long
@VIEWS
def test_pages_of_participants(
    view: dict[str, Any],
    campaign: Campaign,
    new_context: Callable[..., BrowserContext],
    sign_in: Callable[..., Page],
) -> None:
    study = StudyFactory(campaign=campaign, return_url="https://panel.example/?cc={code}", places=1)
    page = new_context(**view).new_page()
    for address in (link(study), path_of(setup_of(study).preview), link(study)[:-4]):
        page.goto(address)
        assert_clean(page)
    page.goto(link(study))
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Session: 0 of 2 twins").wait_for()
    assert_clean(page)
    for address, heading in (
        (link(study, "s-2"), "You have already taken part"),
        (link(study, "s-3", participant="p-2"), "This study is full"),
    ):
        page.goto(address)
        page.get_by_role("heading", name=heading).wait_for()
        assert_clean(page)
    for status in ENDS:
        session = CrowdSessionFactory(study=study, status=status)
        page = sign_in(session.participant.worker, **view)
        page.goto(reverse("crowd-session", args=[session.public_id]))
        assert_clean(page)


@pytest.mark.long
@VIEWS
def test_pages_of_curators(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True), **view)
    page.goto(reverse("studies", args=["kitchen"]))
    assert_clean(page)
    page.get_by_label("Name").fill("First")
    page.get_by_label("any platform, by signed link").check()
    page.get_by_label("Places").fill("2")
    page.get_by_text("Codes, addresses and secrets").click()
    page.get_by_label("Link secret").fill("short")
    page.get_by_role("button", name="Create study").click()
    page.get_by_text("at least 32 characters").wait_for()
    assert_clean(page)
    Campaign.objects.update(min_approvals=100, min_approval_rate="0.95")
    for provider in Study.Provider:
        study = StudyFactory(campaign=campaign, provider=provider, places=2)
        for status in ENDS:
            CrowdSessionFactory(study=study, status=status)
        for name in ("study", "change-study"):
            page.goto(reverse(name, args=[study.public_id]))
            assert_clean(page)
    page.goto(reverse("study", args=[study.public_id]))
    page.get_by_label("Participants").fill("p-1")
    page.get_by_role("button", name="Sign links").click()
    page.get_by_text("Each link is valid for 24 hours").wait_for()
    assert_clean(page)


@pytest.fixture
def mturk(campaign: Campaign, live_server: Any, settings: Any) -> Iterator[Sandbox]:
    """The fake platform; to a browser it is another site than ours."""
    sandbox = Sandbox({}, ours=str(live_server))
    with served(sandbox):
        settings.CROWD_SANDBOX_URL = sandbox.origin
        study = StudyFactory(campaign=campaign, provider="mturk", units=1)
        sandbox.studies["mturk"] = facts(study)
        yield sandbox


@pytest.mark.long
@VIEWS
def test_a_turkers_way_from_the_frame_to_the_desk_and_back(
    view: dict[str, Any], mturk: Sandbox, new_context: Callable[..., BrowserContext]
) -> None:
    visit = mturk.visit("mturk")
    context = new_context(**view)
    page = context.new_page()
    page.goto(f"{mturk.origin}/frame?session={visit.session}")
    frame = page.frame_locator("iframe")
    with context.expect_page() as opened:
        frame.get_by_role("link", name="Open the task").click()
    desk = opened.value
    desk.get_by_role("button", name="Start").click()
    desk.get_by_role("button", name="Get an article").click()
    desk.get_by_label("Sentence 1").first.wait_for()
    frame.get_by_text("0 of 1 done").wait_for()
    assignment = Assignment.objects.get()
    submit(assignment, client_key=assignment.public_id)
    frame.get_by_role("button", name="Submit to Mechanical Turk").click()
    frame.get_by_text("The platform has your work.").wait_for()
    session = CrowdSession.objects.get()
    assert session.status == "completed"
    assert visit.received == [{"code": session.study.completion_code, "by": "externalSubmit"}]


@pytest.mark.long
@VIEWS
def test_the_frame_itself_is_clean(
    view: dict[str, Any], mturk: Sandbox, new_context: Callable[..., BrowserContext]
) -> None:
    visit = mturk.visit("mturk")
    page = new_context(**view).new_page()
    page.goto(path_of(visit.link))
    page.get_by_role("link", name="Open the task").wait_for()
    assert_clean(page)
    page.goto(path_of(mturk.preview()))
    assert_clean(page)


@pytest.mark.long
def test_no_other_site_may_frame_the_way_in(
    mturk: Sandbox, settings: Any, new_context: Callable[..., BrowserContext]
) -> None:
    visit = mturk.visit("mturk")
    settings.CROWD_SANDBOX_URL = "http://127.0.0.1:1"
    page = new_context().new_page()
    page.goto(f"{mturk.origin}/frame?session={visit.session}")
    page.wait_for_timeout(1000)
    assert "Kitchen" not in (page.frames[1].content() if len(page.frames) > 1 else "")


@pytest.mark.long
def test_the_code_is_the_page_after_the_last_vote(
    campaign: Campaign, new_context: Callable[..., BrowserContext]
) -> None:
    """Each vote moves the counter at once, and no question comes after the last one."""
    study = StudyFactory(campaign=campaign, skill="validate", return_url="https://panel.example/")
    for _ in range(4):
        TwinFactory(campaign=campaign, seats=1)
    page = new_context(quick=False).new_page()
    page.goto(link(study))
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Get a question").click()
    for done in range(2):
        page.get_by_text("Step 1 of 2").wait_for()
        page.get_by_text(f"Session: {done} of 2 questions").wait_for()
        open_sentence(page)
        vote(page)
    page.get_by_role("heading", name="Your session is complete").wait_for()
    page.get_by_text(study.completion_code).wait_for()
    assert page.get_by_role("link", name="Go back to the platform").count() == 1
    assert Seat.objects.filter(worker__isnull=False, answered_at=None).count() == 0
