"""The six tabs of a campaign's pages, and what every page has around it."""

from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign
from frontend.glossary import TERMS
from frontend.templatetags.pages import explain, short_id
from frontend.templatetags.shell import GROUPS
from tests.frontend.pages import source
from workers.models import User


@pytest.fixture
def page(browse: Callable[[User], Client], dana: User) -> Client:
    return browse(dana)


def test_a_campaign_has_six_tabs(page: Client, campaign: Campaign) -> None:
    assert [str(title) for title, _ in GROUPS] == [
        "Overview",
        "Data",
        "Review",
        "People and pay",
        "Pipeline",
        "Setup",
    ]
    shown = source(page.get(reverse("golds", args=["kitchen"])))
    current = shown[shown.index('aria-current="true"') :]
    assert current.startswith('aria-current="true">Review')
    assert 'aria-current="page">Control questions' in shown


def test_the_pipeline_is_a_page_of_its_own(page: Client, campaign: Campaign) -> None:
    shown = source(page.get(reverse("pipeline", args=["kitchen"])))
    assert 'aria-current="true">Pipeline' in shown
    assert 'aria-current="page">Runs and releases' in shown


def test_the_chosen_theme_is_in_the_first_frame(page: Client, campaign: Campaign) -> None:
    assert "data-theme=" not in source(page.get("/")).split("<head>")[0]
    page.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in source(page.get("/")).split("<head>")[0]
    page.cookies["theme"] = 'x" onload="y'
    assert "onload" not in source(page.get("/")).split("<head>")[0]


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
