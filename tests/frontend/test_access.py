"""Who may open each page, decided in `roles.py`; the top, the tabs, and what every page has."""

import re
from collections.abc import Callable
from html import unescape
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign
from frontend.glossary import TERMS
from frontend.help.places import OF_CURATORS, OF_WORKERS
from frontend.help.places import Place as HelpPlace
from frontend.shell.places import CAMPAIGN, CURATION, WORK, Group, Place, places_in
from frontend.templatetags.pages import explain, short_id
from frontend.urls import urlpatterns
from tests.blind import undone
from tests.factories import TwinFactory, UserFactory
from tests.frontend.page_addresses import addresses_of
from tests.frontend.pages import source
from tests.frontend.roles import GETS, PAGES, POSTS, SIGN_IN
from workers.models import User


@pytest.fixture
def addresses(alice: User, campaign: Campaign) -> dict[str, list[Any]]:
    return addresses_of(alice, campaign)


def test_every_page_is_decided_once() -> None:
    assert sorted(PAGES) == sorted(str(pattern.name) for pattern in urlpatterns)


def verdict(response: Any) -> int | str:
    to_sign_in = response.status_code == 302 and "/sign-in/?next=" in response["Location"]
    return SIGN_IN if to_sign_in else response.status_code


PEOPLE = ["nobody", "alice", "carol", "dana"]
MOST_PAGES = {"alice", "dana"}


@pytest.mark.parametrize(
    "who", [pytest.param(p, marks=pytest.mark.long) if p in MOST_PAGES else p for p in PEOPLE]
)
def test_who_may_open_each_page(
    who: str,
    addresses: dict[str, list[Any]],
    alice: User,
    carol: User,
    dana: User,
    browse: Callable[[User], Client],
) -> None:
    people, place = {"alice": alice, "carol": carol, "dana": dana}, PEOPLE.index(who)
    client, found = browse(people[who]) if who in people else Client(), {}
    signed_in = {name: cookie.value for name, cookie in client.cookies.items()}
    for name in GETS:
        path = reverse(name, args=addresses.get(name, []))
        client.cookies = SimpleCookie(signed_in)  # as before the page, which may have ended it
        with undone():
            # Alice may end what she holds when the campaign pauses; others get no article then.
            if name == "author" and who in ("carol", "dana"):
                Campaign.objects.update(status=Campaign.Status.PAUSED)
            found[name] = (verdict(client.get(path)), verdict(client.post(path)))
    assert found == {name: (GETS[name][place], POSTS[name][place]) for name in GETS}


def test_a_draft_campaign_is_not_there_for_workers(as_carol: Client, campaign: Campaign) -> None:
    Campaign.objects.update(status=Campaign.Status.DRAFT)
    for page in ("author", "validate"):
        assert as_carol.get(reverse(page, args=["kitchen"])).status_code == 404


def test_another_writers_twin_shows_nothing_of_itself(as_carol: Client) -> None:
    twin = TwinFactory()
    response = as_carol.get(reverse("receipt", args=[twin.public_id]))
    assert response.status_code == 404
    assert "trophy" not in response.content.decode()


def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(campaign: Campaign) -> None:
    response = Client().post(
        reverse("validate", args=["kitchen"]), headers={"referer": "http://testserver/x/y/"}
    )
    assert response["Location"] == "/sign-in/?next=/x/y/"
    elsewhere = Client().post(
        reverse("validate", args=["kitchen"]), headers={"referer": "http://evil.example/x/"}
    )
    assert elsewhere["Location"] == "/sign-in/?next=/"


def test_a_part_asked_for_after_the_session_ended_leaves_the_page_and_what_is_typed(
    db: None,
) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/campaigns/x/validate/"}
    response = Client().get("/", headers=headers)
    assert response.status_code == 401
    assert response["HX-Reswap"] == "none"
    assert "signed-out" in response["HX-Trigger"]


def test_a_worker_made_curator_sees_at_once_what_curators_see(
    campaign: Campaign, browse: Callable[[User], Client]
) -> None:
    user = UserFactory()
    client = browse(user)
    assert client.get(reverse("campaign", args=["kitchen"])).status_code == 403
    User.objects.filter(pk=user.pk).update(role=User.Role.CURATOR)
    assert client.get(reverse("campaign", args=["kitchen"])).status_code == 404
    campaign.memberships.create(user=user, role="viewer")
    assert client.get(reverse("campaign", args=["kitchen"])).status_code == 200


def links(as_dana: Client, address: str) -> dict[str, str]:
    """Return the links of a page's navigation: their addresses with their titles."""
    shown = source(as_dana.get(address))
    labels = "Main|Campaign|Pages of this tab"
    navigation = "".join(re.findall(rf'<nav [^>]*"(?:{labels})">.*?</nav>', shown, re.DOTALL))
    found = re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)', navigation)
    return {address: unescape(title).strip() for address, title in found}


def address_of(place: Place) -> str:
    return reverse(place.name, args=["kitchen"] if place in places_in(CAMPAIGN) else [])


PLACES = places_in(CURATION) + places_in(CAMPAIGN)
MOST_PLACES = 20


def test_a_curator_has_at_most_twenty_places(as_dana: Client, campaign: Campaign) -> None:
    """Count them where navigation leads: from home, and from a campaign, page by page."""
    found, left = set(), ["/", address_of(PLACES[-1])]
    while left:
        address = left.pop()
        if address not in found:
            found.add(address)
            left += links(as_dana, address)
    assert found == {address_of(place) for place in PLACES}
    assert len(found) <= MOST_PLACES


def test_a_tab_of_a_campaign_stays_in_it(as_dana: Client, campaign: Campaign) -> None:
    for place in places_in(CAMPAIGN):
        assert address_of(place).startswith("/campaigns/kitchen/")
    for place in places_in(CURATION):
        assert "kitchen" not in address_of(place)


@pytest.mark.long
def test_a_place_has_one_name(as_dana: Client, campaign: Campaign) -> None:
    assert len({place.name for place in PLACES}) == len({str(place.title) for place in PLACES})
    for place in PLACES:
        shown = source(as_dana.get(address_of(place)))
        titles = re.findall(r"<h[12][^>]*>\s*([^<]*[^<\s])", shown)
        assert place.name == "campaign" or str(place.title) in titles, place.name


def test_the_current_tab_and_its_page_are_marked(as_dana: Client, campaign: Campaign) -> None:
    def marked_page(name: str) -> str:
        return re.sub(r">\s+", ">", source(as_dana.get(reverse(name, args=["kitchen"]))))

    for mark in ('"true">Campaigns', '"true">Review', '"page">Control questions'):
        assert f"aria-current={mark}" in marked_page("golds")
    assert 'aria-current="true">Checklist' in marked_page("campaign-guidelines")
    assert 'aria-current="page">Pipeline' in marked_page("pipeline")
    assert "Pages of this tab" not in marked_page("pipeline")


BESIDE_THE_MAP = {"account", "own-data", "public-releases"}


@pytest.mark.parametrize(("groups", "helped"), [(CURATION, OF_CURATORS), (WORK, OF_WORKERS)])
def test_a_page_marks_its_tab_and_has_help(
    groups: tuple[Group, ...], helped: dict[str, HelpPlace]
) -> None:
    names = {name for place in places_in(groups) for name in (place.name, *place.below)}
    assert helped.keys() - BESIDE_THE_MAP == names


def test_every_name_in_the_map_is_an_address() -> None:
    names = {name for place in PLACES for name in (place.name, *place.below)}
    assert names <= {pattern.name for pattern in urlpatterns}


def test_the_chosen_theme_is_in_the_first_frame(as_dana: Client, campaign: Campaign) -> None:
    assert "data-theme=" not in source(as_dana.get("/")).split("<head>")[0]
    as_dana.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in source(as_dana.get("/")).split("<head>")[0]
    as_dana.cookies["theme"] = 'x" onload="y'
    assert "onload" not in source(as_dana.get("/")).split("<head>")[0]


def test_a_long_id_is_short_and_copied_whole() -> None:
    shown = short_id("0123456789abcdef")
    assert '<code title="0123456789abcdef">0123456789abcdef</code>' in shown
    assert 'data-copy-text="0123456789abcdef"' in shown
    assert short_id("<b>") == "<code>&lt;b&gt;</code>"


def test_terms_are_explained_without_a_script() -> None:
    class Context:
        render_context: dict[str, int] = {}

    shown = [explain(Context(), code) for code in TERMS]  # type: ignore[arg-type]
    assert all(
        f'popovertarget="info-{code}' in text for code, text in zip(TERMS, shown, strict=True)
    )
    pages = zip(TERMS.values(), map(unescape, shown), strict=True)
    assert all(str(term.meaning)[:20] in text for term, text in pages)
