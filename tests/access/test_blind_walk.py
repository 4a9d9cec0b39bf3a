"""No address tells a validator a secret: all of them are asked, whatever is added.

``tests/api/test_blind.py`` and ``tests/frontend/test_blind.py`` follow a validator, with bodies
and in order. Here every address that the resolver knows is asked with every method, and with the
ids of the planted rows, as a validator who knows them would.
"""

import logging
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from tests import factories
from tests.access.routes import ADMIN, API, every_route
from tests.access.samples import NoSample, Samples, addresses, samples
from tests.api.calls import client_of
from tests.blind import World, build, hold, undone
from validation.models import Vote
from winoplatform.urls import urlpatterns

pytestmark = pytest.mark.usefixtures("noon")
# The key of a vote, null for its worker; words in addresses and of the pages of curators.
NOT_SAID = {"the word gold", "the words control question"}


def walk(world: World, known: Samples) -> list[str]:
    """Ask every address as Bob; return "METHOD path" of each answer, in the order of `told`."""
    api, browser = client_of(world.bob), Client(raise_request_exception=False)
    browser.force_login(world.bob)
    signed_in = browser.cookies.output()
    asked = []
    for route in every_route():
        if route.path.startswith(ADMIN):
            continue
        client = api if route.path.startswith(API) else browser
        for address, values in addresses(route, known):
            for method in route.methods:
                browser.cookies.load(signed_in.replace("Set-Cookie: ", ""))  # one address signs out
                with undone():
                    world.hear(getattr(client, method)(address))
                for value in values:  # a refusal may repeat what was asked for
                    world.told[-1] = world.told[-1].replace(value, "<asked>")
                asked.append(f"{method.upper()} {route.path}")
    return asked


@dataclass(frozen=True)
class Look:
    """What was told in a world, to what was asked, and the values that the questions named."""

    world: World
    asked: list[str]
    known: Samples

    def answers(self) -> list[tuple[str, str]]:
        return list(zip(self.asked, self.world.masked(), strict=True))


def factories_from_zero() -> None:
    for factory in vars(factories).values():
        if isinstance(factory, type) and issubclass(factory, factories.CampaignFactory.__mro__[1]):
            factory.reset_sequence(0, force=True)


def look(monkeypatch: pytest.MonkeyPatch, **secrets: Any) -> Look:
    """Walk in a world of its own, whose rows have the same names as every other's."""
    factories_from_zero()
    with undone():
        world = build(**secrets)
        hold(world, monkeypatch, gold=bool(secrets.get("gold")))
        known = samples(world)
        return Look(world, walk(world, known), known)


def test_no_address_tells_a_planted_secret(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        found = look(monkeypatch, gold=True)
    assert len(found.asked) > 400
    assert [what for what, text in found.answers() if text.startswith("5")] == []
    assert set(found.world.found()) <= NOT_SAID
    # The log names the addresses that were asked for.
    named = {value for values in found.known.values() for value in values}
    texts = {name: text for name, text in found.world.secrets.items() if text not in named}
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert {name for name, text in texts.items() if text in logged} <= NOT_SAID


@pytest.mark.long
def test_other_secrets_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    these = look(monkeypatch).answers()
    those = look(monkeypatch, answer=2, gold=True).answers()
    pairs = zip(these, those, strict=True)
    assert [what for (what, before), (_, after) in pairs if before != after] == []


def leak(request: HttpRequest, **more: object) -> HttpResponse:
    return HttpResponse(f"{Vote.objects.count()} comment-secret")


@pytest.mark.long
def test_a_new_address_is_asked_without_a_word_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    urlconf = ModuleType("urls_with_a_leak")
    urlconf.urlpatterns = [path("leak/", leak)]  # type: ignore[attr-defined]
    with override_settings(ROOT_URLCONF=urlconf):
        found = look(monkeypatch)
    assert found.asked == ["GET leak/", "POST leak/"]
    assert found.world.found() == ["comments"]


@pytest.mark.long
def test_a_new_parameter_without_a_value_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    urlconf = ModuleType("urls_with_a_parameter")
    new = path("leak/<uuid:id>/", leak)
    urlconf.urlpatterns = [new, *urlpatterns]  # type: ignore[attr-defined]
    with override_settings(ROOT_URLCONF=urlconf), pytest.raises(NoSample, match="leak"):
        look(monkeypatch)
