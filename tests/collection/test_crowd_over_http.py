"""The whole way from a platform and back, over HTTP: our server and the fake platform's.

The browser here is a cookie jar: it follows redirects and posts the forms that it finds.
"""

import json
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from collection.crowd import PROVIDERS
from collection.models import Assignment, Campaign, CrowdSession, Participant, Study
from collection.services.crowd.studies import create_study, facts
from tests.factories import ArticleFactory, CampaignFactory
from tests.frontend.pages import typed
from tests.sandbox import Sandbox, Visit, post_event
from tests.sandbox.http import served
from workers.models import User

pytestmark = pytest.mark.django_db(transaction=True)
COMPLETE = "/submissions/complete?cc={code}&session={session}"


class Browser:
    """One person's browser, without JavaScript."""

    def __init__(self) -> None:
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self.url = self.text = ""
        self.status = 0
        self.headers: dict[str, str] = {}

    def get(self, url: str) -> "Browser":
        return self._open(Request(urljoin(self.url, unescape(url))))

    def submit(self, action: str = "", **fields: str) -> "Browser":
        """Post the page's form whose action ends so, with its hidden fields and *fields*."""
        ending = f'{action}"' if action else ""
        form = next(
            form
            for form in re.findall(r"<form.*?</form>", " ".join(self.text.split()))
            if 'method="post"' in form and ending in form and "sign-out" not in form
        )
        found = re.search(r'action="([^"]*)"', form)
        hidden = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form)
        values = {name: unescape(value) for name, value in hidden} | fields
        address = urljoin(self.url, unescape(found.group(1)) if found else self.url)
        return self._open(
            Request(address, data=urlencode(values).encode(), headers={"Referer": self.url})
        )

    def _open(self, request: Request) -> "Browser":
        try:
            response = self.opener.open(request, timeout=30)
        except HTTPError as error:
            response = error
        self.status, self.url = response.status, response.url
        self.headers = dict(response.headers)
        self.text = response.read().decode()
        return self

    def link(self, words: str) -> str:
        found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>\s*{words}', self.text)
        assert found, f"no link “{words}” on {self.url}"
        return unescape(found.group(1))


@pytest.fixture
def campaign() -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", guidelines="# Write well")
    ArticleFactory.create_batch(3, campaign=campaign)
    return campaign


@pytest.fixture
def platform(campaign: Campaign, live_server: object, settings: object) -> Iterator[Sandbox]:
    """The fake platform, with a study of one twin for each provider."""
    sandbox = Sandbox({}, ours=str(live_server).replace("localhost", "127.0.0.1"))
    with served(sandbox):
        settings.CROWD_SANDBOX_URL = sandbox.origin
        settings.PUBLIC_URL = sandbox.ours
        for name in PROVIDERS:
            study = create_study(
                campaign=campaign,
                provider=name,
                name=name,
                units=1,
                places=10,
                event_secret="the platform's own",
                return_url=sandbox.origin + COMPLETE,
            )
            sandbox.studies[name] = facts(study)
        yield sandbox


def new_visit(platform: Sandbox, provider: str, **more: str) -> Visit:
    """Ask the platform for a participant, over HTTP."""
    data = urlencode({"provider": provider, **more}).encode()
    request = Request(f"{platform.origin}/visits", data, {"Accept": "application/json"})
    with urlopen(request) as response:
        return platform.visits[json.load(response)["session"]]


def send(platform: Sandbox, visit: Visit, event: str) -> dict[str, object]:
    """Let the platform send an event, over HTTP both ways."""
    data = urlencode({"session": visit.session, "event": event}).encode()
    request = Request(f"{platform.origin}/events", data, {"Accept": "application/json"})
    with urlopen(request) as response:
        return json.load(response)


def begin(visit: Visit, *, window: bool = False) -> Browser:
    """Arrive and begin, and consent to the guidelines."""
    browser = Browser().get(visit.link + ("&window=1" if window else ""))
    assert browser.status == 200, browser.text
    browser.submit()
    assert browser.url.endswith("/campaigns/kitchen/join/")
    browser.submit("/join/accept/")
    return browser.get("/campaigns/kitchen/write/")


def write(browser: Browser) -> Browser:
    """Ask for an article and hand in one twin."""
    browser.get("/campaigns/kitchen/write/").submit()
    assignment = Assignment.objects.get(status="open").public_id
    return browser.submit(f"/write/{assignment}/", **typed(client_key=str(uuid.uuid4())))


def session_of(visit: Visit) -> CrowdSession:
    return CrowdSession.objects.get(external_id=visit.session)


@pytest.mark.parametrize("provider", ["prolific", "generic"])
def test_from_the_link_over_a_twin_to_the_code(provider: str, platform: Sandbox) -> None:
    visit = new_visit(platform, provider)
    browser = write(begin(visit))
    assert "Your session is complete" in browser.text, browser.text
    browser.get(browser.link("Go back to"))
    assert browser.url.startswith(platform.origin)
    code = Study.objects.get(provider=provider).completion_code
    assert visit.received == [{"code": code, "by": "redirect"}]


@pytest.mark.long
def test_mturk_over_its_frame_and_a_window_to_the_form(platform: Sandbox) -> None:
    visit = new_visit(platform, "mturk")
    frame = Browser().get(visit.link)
    assert f" {platform.origin}" in frame.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame.headers
    desk = Browser().get(frame.url).get(frame.link("Open the task"))
    assert desk.headers["X-Frame-Options"] == "DENY"
    write(begin(visit, window=True))
    frame.get(frame.url)
    assert "Submit to Mechanical Turk" in frame.text
    frame.submit("externalSubmit")
    code = Study.objects.get(provider="mturk").completion_code
    assert visit.received == [{"code": code, "by": "externalSubmit"}]


def test_a_preview_shows_the_task_and_makes_no_account(platform: Sandbox) -> None:
    before = User.objects.count()
    preview = Browser().get(platform.preview())
    assert "Write well" in preview.text
    assert "$0.40" in preview.text
    assert "<form" not in preview.text
    assert User.objects.count() == before
    assert not CrowdSession.objects.exists()


def test_looking_at_a_link_stores_nothing(platform: Sandbox) -> None:
    for provider in ("prolific", "generic"):
        Browser().get(new_visit(platform, provider).link)
    assert not Participant.objects.exists()


@pytest.mark.long
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("event", ["returned", "timed_out"])
def test_who_leaves_on_the_platform_lets_the_article_go(
    provider: str, event: str, platform: Sandbox
) -> None:
    visit = new_visit(platform, provider)
    begin(visit, window=provider == "mturk").submit()
    assert Assignment.objects.get().status == Assignment.Status.OPEN
    for _ in range(2):
        assert send(platform, visit, event) == {"status": 200, "body": {"session_status": event}}
    assert Assignment.objects.get().status == Assignment.Status.RETURNED
    assert session_of(visit).status == event


@pytest.mark.long
def test_a_forged_event_is_refused_and_ends_nothing(platform: Sandbox) -> None:
    visit = new_visit(platform, "prolific")
    begin(visit)
    forger = replace(platform.studies["prolific"], event_secret="a guess")
    answer = post_event(
        forger,
        "prolific",
        ours=platform.ours,
        session=visit.session,
        participant=visit.participant,
        event="returned",
    )
    assert answer["status"] == 403
    assert session_of(visit).status == "active"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda link: link.replace("signature=", "signature=0"), "does not match"),
        (lambda link: re.sub("participant=[^&]+", "participant=victim", link), "does not match"),
        (lambda link: re.sub("return_to=[^&]+", "return_to=https://evil.example", link), "match"),
        (lambda link: link + "&participant=victim", "contains a parameter twice"),
    ],
    ids=["signature", "participant", "return", "twice"],
)
def test_a_forged_link_signs_nobody_in(
    change: Callable[[str], str], words: str, platform: Sandbox
) -> None:
    browser = Browser().get(change(new_visit(platform, "generic").link))
    assert browser.status in (400, 403)
    assert words in browser.text
    assert not Participant.objects.exists()


def test_an_expired_link_signs_nobody_in(platform: Sandbox) -> None:
    browser = Browser().get(new_visit(platform, "generic", expires="1000").link)
    assert browser.status == 410
    assert "time of this link is over" in browser.text


def test_work_is_not_handed_to_another_host(platform: Sandbox) -> None:
    link = re.sub("turkSubmitTo=[^&]+", "turkSubmitTo=https://evil.example",
                  new_visit(platform, "mturk").link)  # fmt: skip
    browser = Browser().get(link)
    assert browser.status == 403
    assert "evil.example" not in browser.text.split("</head>")[1]


@pytest.mark.long
def test_a_short_history_ends_with_the_screen_out_code(
    platform: Sandbox, campaign: Campaign
) -> None:
    Campaign.objects.update(min_approvals=100)
    visit = new_visit(platform, "generic", approvals="3")
    browser = Browser().get(visit.link).submit()
    assert "You cannot take part" in browser.text
    browser.get(browser.link("Go back to"))
    assert visit.received[0]["code"] == Study.objects.get(provider="generic").screen_out_code


@pytest.mark.long
def test_who_stops_gets_the_code_for_it(platform: Sandbox) -> None:
    visit = new_visit(platform, "prolific")
    browser = begin(visit)
    browser.get(f"/sessions/{session_of(visit).public_id}/").submit("/stop/")
    assert "ended before it was complete" in browser.text
    assert Study.objects.get(provider="prolific").failure_code in browser.text


def test_the_sandbox_shows_curators_what_it_received(platform: Sandbox) -> None:
    visit = new_visit(platform, "prolific", participant="<b>5f")
    page = Browser().get(platform.origin)
    assert "&lt;b&gt;5f" in page.text
    assert visit.session in page.text
    assert Browser().get(f"{platform.origin}/frame").text.count("<iframe") == 1
    assert Browser().get(f"{platform.origin}{COMPLETE}").status == 404
