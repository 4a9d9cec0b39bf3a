"""The documents of ``docs/`` that pages show, and how their Markdown becomes HTML."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

FOLDER: Path = settings.BASE_DIR / "docs"
EVERYBODY = ("work", "api")
SUBJECTS: dict[Any, tuple[str, ...]] = {
    _("Work"): ("work", "rules"),
    _("Campaigns and people"): ("campaigns", "people", "crowd", "data", "quality", "pay"),
    _("From questions to a release"): (
        "filtering",
        "releases",
        "releases-format",
        "paper-kit",
        "publishing",
        "leaks",
        "artifacts",
    ),
    _("Models and people under test"): (
        "evaluation",
        "fine-tuning",
        "human-evaluation",
        "reference-sets",
    ),
    _("Knowledge"): ("knowledge", "knowledge-sentences", "knowledge-release"),
    _("Files and programs"): ("imports", "export", "api", "benchmarks"),
}
"""The names of the documents by subject, in the order in which they are listed."""

# Raw HTML is shown as text, as in guidelines.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Document:
    """A document as HTML, with the anchors of its headings."""

    name: str
    title: str
    html: SafeString
    sections: tuple[tuple[str, str], ...]
    """Anchor and words of the headings of the second level."""
    anchors: frozenset[str]


def names(*, is_curator: bool) -> list[str]:
    """Return the names of the documents that a person has."""
    every = [name for names in SUBJECTS.values() for name in names]
    return every if is_curator else [name for name in every if name in EVERYBODY]


@cache
def title_of(name: str) -> str:
    """Return the title of a document, which is its first line."""
    with (FOLDER / f"{name}.md").open() as lines:
        return next(lines).removeprefix("# ").strip()


@cache
def document(name: str) -> Document:
    """Read and render a document of ``SUBJECTS``; files do not change while a process runs."""
    tokens = _MARKDOWN.parse((FOLDER / f"{name}.md").read_text())
    headings = [pair for pair in pairwise(tokens) if pair[0].type == "heading_open"]
    for heading, words in headings:
        heading.attrSet("id", anchor_of(words.content))
    _adapt(tokens)
    parts = [(str(heading.attrGet("id")), _plain(words)) for heading, words in headings]
    return Document(
        name=name,
        title=title_of(name),
        html=mark_safe(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})),
        sections=tuple(
            part
            for part, (heading, _words) in zip(parts, headings, strict=True)
            if heading.tag == "h2"
        ),
        anchors=frozenset(anchor for anchor, _words in parts),
    )


def anchor_of(words: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def _plain(words: Token) -> str:
    return "".join(child.content for child in words.children or ())


def _adapt(tokens: Sequence[Token]) -> None:
    """Lead links to pages, let wide parts be scrolled by keyboard, make empty headers cells."""
    for token in tokens:
        if token.type in ("fence", "table_open"):
            token.attrSet("tabindex", "0")
        if token.children:
            token.children = _with_links(token.children)
    for start, words, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if start.type == "th_open" and not words.content:
            start.tag = end.tag = "td"  # a header without words is announced as one


def _with_links(tokens: list[Token]) -> list[Token]:
    """Return inline tokens whose links lead to pages; of other documents the words stay."""
    kept, is_dropped = [], False
    for token in tokens:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")))
            is_dropped = address is None
            token.attrSet("href", address or "")
        if not (is_dropped and token.type in ("link_open", "link_close")):
            kept.append(token)
    return kept


def _address(link: str) -> str | None:
    """Return where a link of a document leads here; None if that is no page."""
    if link.startswith(("https://", "#")):
        return link
    file, hash_, anchor = link.partition("#")
    name = file.removesuffix(".md")
    if name == "glossary":
        return reverse("glossary") + hash_ + anchor
    is_page = any(name in names for names in SUBJECTS.values())
    return reverse("help-document", args=[name]) + hash_ + anchor if is_page else None
