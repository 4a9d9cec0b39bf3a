"""Every kind of button of the templates can be read: in both themes, at rest and pointed at."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Page

from tests.journeys.test_accessibility import CONTRASTS

FRONTEND = Path(settings.BASE_DIR) / "frontend"
SHEETS = sorted(path.name for path in (FRONTEND / "static/frontend").glob("*.css"))
OPENING = re.compile(
    r"<(?:a|button|summary)\b(?:[^>%]|%[^>]*?%)*?\bclass=([\"'])(.*?)\1", re.DOTALL
)
TAG = re.compile(r"{[{%].*?[%}]}", re.DOTALL)
LEAST = 4.5
SHOW = """(kinds) => {
  const place = document.querySelector("main");
  place.replaceChildren(...kinds.map((kind) => Object.assign(
    document.createElement("button"), { className: kind, textContent: kind, type: "button" })));
}"""


def kinds() -> list[str]:
    """Return the classes of the buttons in the templates, as they stand together there."""
    found = set()
    for path in (FRONTEND / "templates").rglob("*.html"):
        for _, classes in OPENING.findall(path.read_text()):
            found.add(" ".join(TAG.sub(" ", classes).split()))
    return sorted(kind for kind in found if {"button", "link", "option"} & set(kind.split()))


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    page = new_context(bypass_csp=True).new_page()
    page.goto("/sign-in/")
    for sheet in SHEETS:
        page.add_style_tag(path=FRONTEND / "static/frontend" / sheet)
    page.add_style_tag(content="* { transition: none !important }")
    page.evaluate(SHOW, kinds())
    return page


def faint(page: Page) -> list[tuple[str, float]]:
    return [(name, ratio) for name, ratio in page.evaluate(CONTRASTS) if ratio < LEAST]


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_of_button_can_be_read(theme: str, page: Page) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # a literal
    assert len(kinds()) >= 10
    assert faint(page) == []
    for button in page.locator("main button:visible").all():
        button.hover()
        assert faint(page) == [], button


def test_a_white_button_on_white_would_be_noticed(page: Page) -> None:
    page.add_style_tag(content=".button.small { background: white; color: white; }")
    assert "button small" in dict(faint(page))
