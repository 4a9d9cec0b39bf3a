"""From an empty platform to the first vote, without a shell and without the administration."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Request, expect

from collection.models import Campaign, ExerciseItem
from evaluation.models import StarterLoad
from tests.factories import (
    OPTIONS,
    SENTENCES,
    CampaignFactory,
    ConsentFactory,
    StarterLoadFactory,
    UserFactory,
)
from tests.journeys.test_accessibility import NARROW, WIDE, assert_clean
from tests.journeys.timers import wait
from tests.journeys.validating import settled
from validation.models import Vote
from winoplatform.runs.models import RunStatus
from workers.models import User
from workers.services import create_user

PASSWORD = "quiet-otter-7"
TEXT = "Lay every shirt flat, roll the trousers tightly and put the heavy suitcase near the door."
ROWS = [{"title": "How to pack a suitcase", "text": TEXT}, {"title": "Nothing"}]
VIEWS = pytest.mark.parametrize(
    "view",
    [
        pytest.param(WIDE, id="wide"),
        pytest.param(NARROW, id="phone", marks=pytest.mark.long),
    ],
)


def start(page: Page) -> None:
    """Create the campaign, upload its articles, look at it as a worker, and open it."""
    page.goto("/new-campaign/")
    assert_clean(page)
    page.get_by_label("Name", exact=True).fill("Kitchen")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_text("No articles yet.")).to_be_visible()
    content = "\n".join(map(json.dumps, ROWS)).encode()
    file = {"name": "articles.jsonl", "mimeType": "application/json", "buffer": content}
    page.get_by_label("Files").set_input_files([file])  # type: ignore[list-item]
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("The field text is missing or empty.")).to_be_visible()
    assert_clean(page)
    page.get_by_role("button", name="Import 1 article").click()
    page.get_by_role("link", name="Continue to the checklist").click()
    assert_clean(page)
    page.get_by_role("link", name="Preview as a worker").click()
    expect(page.get_by_role("heading", name="How to pack a suitcase")).to_be_visible()
    assert_clean(page)
    page.go_back()
    page.get_by_role("button", name="Open the campaign").click()
    expect(page.get_by_text("The campaign is now open.")).to_be_visible()


def invited(page: Page) -> str:
    """Make an invitation for a worker and return its link."""
    page.goto("/invitations/")
    form = page.locator("form").filter(has=page.get_by_role("button", name="Make a link"))
    form.get_by_label("Campaign").select_option(index=1)
    form.get_by_role("button").click()
    link = page.locator("#link-1").text_content()
    assert link
    assert_clean(page)
    return link


def join(page: Page, link: str, name: str) -> None:
    """Open the link and make an account."""
    page.goto(link)
    expect(page.get_by_role("button", name="Create account")).to_be_visible()
    assert "#" not in page.url
    assert_clean(page)
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("link", name=f"Your account: {name}")).to_be_visible()


def pass_test(page: Page, answers: dict[str, str]) -> None:
    """Accept the guidelines and answer each item of the test or training."""
    page.get_by_role("button", name="I have read them and accept").click()
    for prompt, choice in answers.items():
        item = page.locator(".exercise-item").filter(has_text=prompt)
        item.get_by_text(choice, exact=True).click()
    page.get_by_role("button", name="Submit test").click()
    page.get_by_role("button", name="Start writing").click()


WRITERS = {
    "Lena put": "The words after the blank give it away.",
    "Carmen told": "Both names fit both.",
    "The soup": "was left open",
}


def write(page: Page) -> None:
    page.goto("/campaigns/kitchen/join/")
    pass_test(page, WRITERS)
    page.get_by_label("Your anchor").fill("suitcase")
    page.get_by_label("Things").check()
    page.get_by_label("Option 1", exact=True).first.fill(OPTIONS[0])
    page.get_by_label("Option 2", exact=True).first.fill(OPTIONS[1])
    page.get_by_label("Sentence 1").fill(SENTENCES[0])
    page.locator("#id_answer1").check()
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    page.get_by_role("button", name="Submit twin").click()
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()


def validate(page: Page) -> None:
    page.goto("/campaigns/kitchen/join/validate/")
    page.get_by_role("button", name="I have read them and accept").click()
    items = list(ExerciseItem.objects.filter(skill="validate", part="training"))
    for done in range(1, 4):
        settled(page)
        shown = page.locator(".exercise-item").inner_text()
        item = next(each for each in items if all(choice in shown for choice in each.choices))
        answer = page.locator(".training-choices .option").filter(
            has_text=item.choices[item.answer - 1]
        )
        answer.click()
        expect(page.get_by_text(f"{done} of 3")).to_be_visible()
    page.get_by_role("button", name="Start validating").click()
    settled(page)
    page.get_by_role("button", name="Cannot tell").click()
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    settled(page)
    page.locator("input[name=option]").first.check()
    page.get_by_role("button", name="No, clearly one").click()
    expect(page.get_by_text("Your vote is recorded.").first).to_be_visible()


@VIEWS
@pytest.mark.long
def test_from_a_name_to_the_first_vote(
    view: dict[str, Any],
    sign_in: Callable[..., Page],
    new_context: Callable[..., BrowserContext],
) -> None:
    curator = sign_in(UserFactory(username="dana", curator=True), **view)
    start(curator)
    assert Campaign.objects.get().status == "open"
    writer, validator = (new_context(**view).new_page() for _ in range(2))
    join(writer, invited(curator), "erin")
    write(writer)
    join(validator, invited(curator), "finn")
    validate(validator)
    assert Vote.objects.get().worker == User.objects.get(username="finn")


DROP = """(form, [name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  for (const type of ["dragover", "drop"])
    form.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.mark.long
def test_articles_can_be_dropped(sign_in: Callable[..., Page]) -> None:
    CampaignFactory(slug="kitchen", name="Kitchen")
    page = sign_in(UserFactory(curator=True), **WIDE)
    page.goto("/campaigns/kitchen/articles/")
    page.locator("#drop-articles").evaluate(DROP, ["suitcase.txt", f"A suitcase\n\n{TEXT}\n"])
    expect(page.get_by_role("button", name="Import 1 article")).to_be_visible()


@pytest.mark.long
def test_the_links_of_a_list_can_be_downloaded_once(sign_in: Callable[..., Page]) -> None:
    page = sign_in(UserFactory(curator=True), **WIDE)
    CampaignFactory(slug="otters")
    page.goto("/invitations/")
    rows = b"username,email,role\nerin,,worker\nfinn,,curator\n"
    file = {"name": "people.csv", "mimeType": "text/csv", "buffer": rows}
    form = page.locator("form").filter(has=page.get_by_role("button", name="Check the list"))
    form.get_by_label("Campaign").select_option("otters")
    page.get_by_label("CSV file").set_input_files([file])  # type: ignore[list-item]
    page.get_by_role("button", name="Check the list").click()
    page.get_by_role("button", name="Invite 2 people").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="Download as CSV").click()
    assert started.value.path().read_text().count("/invitation/#") == 2
    page.goto("/invitations/")
    expect(page.get_by_role("heading", name="All invitations")).to_be_visible()
    expect(page.get_by_role("link", name="Download as CSV")).to_have_count(0)


@pytest.mark.long
def test_a_forgotten_password_is_replaced_with_a_link(
    sign_in: Callable[..., Page], new_context: Callable[..., BrowserContext]
) -> None:
    erin = create_user(username="erin", password=PASSWORD)
    ConsentFactory(worker=erin, guideline__shows_user_names=True)
    curator = sign_in(UserFactory(curator=True), **WIDE)
    curator.goto(f"/people/{erin.public_id}/")
    curator.get_by_role("button", name="Make a link to set a new password").click()
    link = curator.locator("#link-text").text_content()
    assert link
    assert_clean(curator)
    page = new_context(**NARROW).new_page()
    page.goto(link)
    expect(page.get_by_role("button", name="Set password")).to_be_visible()
    assert "#" not in page.url
    assert_clean(page)
    page.get_by_label("New password", exact=True).fill("loud-heron-8")
    page.get_by_label("New password (again)").fill("loud-heron-8")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your password was changed.")).to_be_visible()
    page.get_by_role("link", name="Your account: erin").click()
    expect(page.get_by_role("link", name="Change password")).to_be_visible()
    assert_clean(page)


@pytest.mark.long
def test_a_password_is_changed_on_the_account_page(
    transactional_db: None, new_context: Callable[..., BrowserContext]
) -> None:
    create_user(username="erin", password=PASSWORD)
    page = new_context(**WIDE).new_page()
    page.goto("/sign-in/")
    page.get_by_label("User name").fill("erin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Your account: erin").click()
    page.get_by_role("link", name="Change password").click()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("loud-heron-8")
    page.get_by_label("New password (again)").fill("loud-heron-8")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password was changed.")).to_be_visible()


WIDTHS = (390, pytest.param(1440, marks=pytest.mark.long))
DONE = {"status": RunStatus.DONE, "ended_at": timezone.now(), "done": 1392, "leased_until": None}


@pytest.fixture
def load(transactional_db: None) -> StarterLoad:
    return StarterLoadFactory(
        status=RunStatus.RUNNING,
        started_at=timezone.now(),
        done=57,
        total=1392,
        activity="57 of 204 twins written",
    )


def watched(page: Page) -> list[str]:
    """Note each time that the page asks how far it is."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/starter/"):
            asked.append(request.url)

    page.on("request", note)
    return asked


@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_watched_from_the_sign_in_page_on_while_one_types_and_then_the_asking_ends(
    width: int, load: StarterLoad, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(viewport={"width": width, "height": 800}).new_page()
    asked = watched(page)
    page.goto("/")
    expect(page.get_by_text("57 of 204 twins written")).to_be_visible()
    page.get_by_label("User name").fill("curator")
    StarterLoad.objects.update(done=700, activity="496 of 1,188 votes given")
    expect(page.get_by_text("496 of 1,188 votes given")).to_be_visible()
    bar = page.get_by_role("progressbar", name="The starter campaign is being loaded")
    expect(bar).to_have_js_property("value", 0.5029)
    assert Axe().run(page).violations_count == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    StarterLoad.objects.update(campaign=CampaignFactory(slug="starter"), **DONE)
    expect(page.get_by_text("The starter campaign is loaded.")).to_be_visible()
    expect(page.get_by_label("User name")).to_have_value("curator")
    wait(page, 2_000)  # one more may have been on its way
    already = len(asked)
    wait(page, 5_000)
    assert len(asked) == already >= 2


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("curator", [False, True])
def test_after_signing_in_it_leads_to_what_was_loaded(
    width: int, curator: bool, load: StarterLoad, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=curator), viewport={"width": width, "height": 800})
    page.goto("/")
    notice = page.locator("#starter")
    expect(notice.get_by_text("57 of 204 twins written")).to_be_visible()
    assert Axe().run(page).violations_count == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    campaign = CampaignFactory(slug="starter", name="Everyday things")
    StarterLoad.objects.update(campaign=campaign, **DONE)
    notice.get_by_role("link", name="Show campaign").click()
    expect(page.get_by_text("Everyday things").first).to_be_visible()
    expect(notice).to_have_count(0)


@pytest.mark.long
def test_without_javascript_a_reload_shows_how_far_it_is(
    load: StarterLoad, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto("/sign-in/")
    expect(page.get_by_text("57 of 204 twins written")).to_be_visible()
    StarterLoad.objects.update(activity="58 of 204 twins written")
    page.reload()
    expect(page.get_by_text("58 of 204 twins written")).to_be_visible()
