"""The help: documents as pages, their links, and the way from each page to its part."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import resolve, reverse

from frontend.glossary import TERMS
from frontend.help.documents import SUBJECTS, document, names
from frontend.help.places import OF_CURATORS, OF_WORKERS
from frontend.urls import urlpatterns
from tests.data_dir import ROOT

EVERY = names(is_curator=True)
PLACES = [*OF_WORKERS.items(), *OF_CURATORS.items()]


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_every_link_of_a_page_leads_to_a_page_and_a_heading(name: str) -> None:
    for link in re.findall(r'href="([^"]*)"', document(name).html):
        path, _, anchor = unescape(link).partition("#")
        if link.startswith("https://"):
            continue
        match = resolve(path) if path else None
        if match and match.url_name == "glossary":
            assert anchor in {"", *TERMS}
            continue
        assert match is None or match.url_name == "help-document"
        target = document(match.kwargs["name"] if match else name)
        assert anchor in {"", *target.anchors}, link


@pytest.mark.parametrize("place", sorted({place for _, place in PLACES}), ids=str)
def test_every_page_leads_to_a_document_and_a_heading_that_exist(place: tuple[str, str]) -> None:
    name, anchor = place
    assert anchor in {"", *document(name).anchors}


def test_every_link_of_a_template_to_help_leads_to_a_heading() -> None:
    text = "".join(path.read_text() for path in (ROOT / "frontend/templates").rglob("*.html"))
    links = re.findall(r"{% url 'help-document' '([\w-]+)' %}#?([\w-]*)", text)
    assert links
    assert [link for link in links if link[1] not in {"", *document(link[0]).anchors}] == []


def test_pages_with_help_exist_and_workers_are_led_to_what_they_have() -> None:
    assert {name for name, _ in PLACES} <= {pattern.name for pattern in urlpatterns}
    assert {place.document for place in OF_WORKERS.values()} <= set(names(is_curator=False))


def test_html_in_a_document_is_shown_as_text_and_other_documents_are_not_linked() -> None:
    assert not re.search(r"<(script|img|iframe|style)|javascript:", "".join(
        document(name).html for name in EVERY
    ))  # fmt: skip
    assert "decisions/" not in "".join(re.findall(r'href="([^"]*)"', document("evaluation").html))


@pytest.mark.long
def test_a_curator_has_all_documents_and_a_worker_those_for_everybody(
    as_dana: Client, as_carol: Client
) -> None:
    every = [reverse("help-document", args=[name]) for names in SUBJECTS.values() for name in names]
    assert all(as_dana.get(path).status_code == 200 for path in every)
    got = {path for path in every if as_carol.get(path).status_code == 200}
    assert got == {reverse("help-document", args=[name]) for name in names(is_curator=False)}
    listed = as_carol.get(reverse("help")).content.decode()
    assert {path for path in every if f'"{path}"' in listed} == got


def test_a_name_that_is_no_document_of_the_help_is_not_found(as_dana: Client) -> None:
    for name in ("architecture", "settings", "nothing"):
        assert as_dana.get(reverse("help-document", args=[name])).status_code == 404


def test_the_glossary_has_each_word_with_its_definition(as_dana: Client) -> None:
    page = unescape(as_dana.get(reverse("glossary")).content.decode())
    assert all(f'id="{code}"' in page for code in TERMS)
    assert all(str(term.meaning) in page for term in TERMS.values())


def test_a_page_leads_to_the_part_that_explains_it(as_dana: Client) -> None:
    page = as_dana.get(reverse("evaluations")).content.decode()
    assert f'href="{reverse("help-document", args=["evaluation"])}"' in page
    assert "Help: How well do models do?" in page
