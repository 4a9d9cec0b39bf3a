"""Pages behind the proxy, with hashed names of files, in Chromium."""

import re
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, Response

from tests.factories import AssignmentFactory, CampaignFactory, TwinFactory, UserFactory
from tests.journeys.validating import until
from tests.served.proxy import Proxy

pytestmark = pytest.mark.django_db(transaction=True)
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")


def names_of(paths: set[str]) -> set[str]:
    return {re.sub(r"\.[0-9a-f]{12}", "", path).rpartition("/")[2] for path in paths}


@pytest.mark.long
def test_pages_load_their_files_by_hashed_names(site: Proxy, browser: Browser) -> None:
    """Style sheets with their font, modules with what they import, the admin's and the API's."""
    campaign = CampaignFactory()
    TwinFactory(campaign=campaign, seats=3)
    work = [f"/campaigns/{campaign.slug}/{name}/" for name in ("validate", "write")]
    files: set[str] = set()
    faults: list[str] = []

    def note(got: Response) -> None:
        if got.status >= 400:
            faults.append(f"{got.status} {got.url}")
        elif "/static/" in got.url:
            files.add(urlsplit(got.url).path)

    writer = UserFactory()
    AssignmentFactory(campaign=campaign, worker=writer)
    for who, paths, wanted in (
        (writer, work, {"style.css", "inter-latin.woff2", "validate.js", "outbox.js", "desk.js"}),
        (
            UserFactory(admin=True),
            ["/", "/admin/", "/api/docs/"],
            {"base.css", "swagger-ui-bundle.js"},
        ),
    ):
        client = Client()
        client.force_login(who)
        context = browser.new_context(base_url=site.address, ignore_https_errors=True)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("response", note)
        page = context.new_page()
        for path in paths:
            page.goto(path)
        until(lambda wanted=wanted: names_of(files) >= wanted, page)
        context.close()
    assert not faults
    assert [path for path in sorted(files) if not HASHED.search(path)] == []
