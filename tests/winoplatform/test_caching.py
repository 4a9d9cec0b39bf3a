"""No answer to a request with credentials may be stored, at any address."""

import pytest
from django.test import Client

from tests.access.routes import ADMIN, API, every_route
from tests.access.samples import addresses, samples
from tests.api.calls import client_of
from tests.blind import build, undone
from tests.factories import UserFactory

pytestmark = pytest.mark.usefixtures("noon")
PRIVATE = "private, no-store"


@pytest.mark.long
def test_no_answer_to_a_signed_in_reader_is_stored() -> None:
    known, curator = samples(build()), UserFactory(curator=True)
    api, browser = client_of(curator), Client(raise_request_exception=False)
    api.raise_request_exception = False
    browser.force_login(curator)
    session = browser.cookies.output().replace("Set-Cookie: ", "")
    stored = []
    for route in every_route():
        client = api if route.path.startswith(API) else browser
        for address, _ in [] if route.path.startswith(ADMIN) else addresses(route, known):
            browser.cookies.load(session)  # one address signs out
            with undone():
                answer = client.get(address)
            if answer.get("Cache-Control") != PRIVATE:
                stored.append(route.path)
    assert stored == []


def test_signing_in_and_the_admin_site_are_not_stored() -> None:
    UserFactory(username="erin", password="long-enough-7")
    answer = Client().post("/sign-in/", {"login": "erin", "password": "long-enough-7"})
    assert answer["Cache-Control"] == PRIVATE
    client = Client()
    client.force_login(UserFactory(admin=True))
    assert client.get("/admin/")["Cache-Control"] == PRIVATE


def test_public_answers_may_be_stored() -> None:
    assert "no-store" not in Client().get("/api/schema/")["Cache-Control"]
