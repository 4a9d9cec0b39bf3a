"""Every response has a policy, and no template needs an exception from it."""

import re

import pytest
from django.test import Client

from tests.data_dir import ROOT
from tests.factories import CampaignFactory, UserFactory

HEADER = "Content-Security-Policy"
TEMPLATES = sorted(ROOT.glob("*/templates/**/*.html"))
HANDLER = r"\son(?:click|load|error|submit|change|input|key|focus)\w*="
WITHOUT_NONCE = r"<script(?![^>]*\snonce=\"{{ csp_nonce }}\")"
INLINE = re.compile(rf"<style|\sstyle=|javascript:|{HANDLER}|{WITHOUT_NONCE}")


def directives(policy: str) -> dict[str, str]:
    return dict(part.strip().partition(" ")[::2] for part in policy.split(";"))


def test_no_template_has_an_inline_style_or_handler_or_a_script_without_nonce() -> None:
    found = {path.name: INLINE.findall(path.read_text()) for path in TEMPLATES}
    assert len(found) > 100
    assert not {name: inline for name, inline in found.items() if inline}


@pytest.mark.parametrize(
    "address",
    ["/sign-in/", "/none/", "/admin/login/", "/api/docs/", "/api/v1/me/", "/api/schema/",
     "/health/", "/static/frontend/app.js", "/favicon.ico"],
)  # fmt: skip
def test_every_kind_of_response_has_a_strict_policy(address: str) -> None:
    found = directives(Client().get(address)[HEADER])
    assert found["default-src"] == found["base-uri"] == found["frame-ancestors"] == "'none'"
    assert "unsafe" not in str(found)
    if address.startswith(("/api/v1/", "/api/schema/", "/health/")):
        assert "script-src" not in found  # so default-src forbids all, and nothing is random
        return
    expected = r"'self'" if address.startswith("/admin/") else r"'nonce-[\w-]{20,}'"
    assert re.fullmatch(expected, found["script-src"])


@pytest.mark.parametrize("address", ["/sign-in/", "/api/docs/"])
def test_each_page_has_a_nonce_of_its_own_on_all_its_scripts(address: str) -> None:
    seen = set()
    for _ in range(2):
        response = Client().get(address)
        text = response.content.decode()
        [nonce] = set(re.findall(r"<script[^>]* nonce=\"([^\"]*)\"", text))
        assert text.count("<script") == text.count(f'nonce="{nonce}"') > 0
        assert directives(response[HEADER])["script-src"] == f"'nonce-{nonce}'"
        seen.add(nonce)
    assert len(seen) == 2


def test_only_a_page_with_pictures_allows_what_plotly_needs() -> None:
    client, campaign = Client(), CampaignFactory()
    client.force_login(UserFactory(curator=True))
    plain = directives(client.get(f"/campaigns/{campaign.slug}/")[HEADER])
    pictures = directives(client.get(f"/campaigns/{campaign.slug}/progress/")[HEADER])
    assert "unsafe" not in str(plain)
    assert pictures["style-src"] == "'self' 'unsafe-inline'"
    assert re.fullmatch(r"'nonce-[\w-]+' 'unsafe-eval'", pictures["script-src"])
