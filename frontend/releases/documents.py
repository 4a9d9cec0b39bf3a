"""What a release's own files say of it, as pages show it; files never change, so each is read once.

A card has texts of the campaign, and a release may be public: nothing in it runs, and no picture
is fetched.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from corpora.core.bundle import front_matter
from corpora.core.bundle.layout import CHANGELOG, CITATION, MANIFEST, README
from corpora.models import ReleaseFile
from corpora.selectors import text_of

KEPT = 32
"""Pages of documents that a process keeps: those of the releases that are read now."""
LOWER = 2
"""By how many levels headings of a document are below those of the page."""
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def documents_of(files: Iterable[ReleaseFile]) -> dict[str, Any]:
    """Return card, changes, citation and manifest of the release with some files.

    Those that are not among them are left out.
    """
    hashes = {file.name: file.artifact_id for file in files}
    readers: Mapping[str, tuple[str, Callable[[str], Any]]] = {
        "card": (README, _page),
        "changes": (CHANGELOG, _page),
        "citation": (CITATION, text_of),
        "facts": (MANIFEST, _facts),
    }
    return {key: read(hashes[name]) for key, (name, read) in readers.items() if hashes.get(name)}


@lru_cache(KEPT)
def _page(sha256: str) -> SafeString:
    return as_html(text_of(sha256))


def _facts(sha256: str) -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(text_of(sha256))
    return content


def as_html(text: str) -> SafeString:
    """Return a Markdown document as HTML below a page's own headings, without its front matter.

    Raw HTML is shown as text, and a picture as a link; links to other files are words.
    """
    _, body = front_matter.split(text)
    tokens = _MARKDOWN.parse(body)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + LOWER)}"
        if token.type in ("fence", "code_block", "table_open"):
            token.attrSet("tabindex", "0")  # wide on a phone: to be scrolled by keyboard
        token.children = token.children and [*_outward(token.children)]
    return mark_safe(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _outward(tokens: list[Token]) -> Iterable[Token]:
    """Yield inline tokens; of a link that leads to no page of the web, only its words."""
    is_kept = True
    for token in tokens:
        if token.type == "link_open":
            is_kept = str(token.attrGet("href")).startswith(("https://", "http://"))
            token.attrSet("rel", "nofollow noopener")
        if is_kept or token.type not in ("link_open", "link_close"):
            yield token
