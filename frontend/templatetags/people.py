"""Who is behind a page's figures: ``{% load people %}{% people_mark %}{% people_sentence %}``."""

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from collection.core.people import People, marks, sentences
from corpora.models import Release
from frontend.people import finder_of, people_behind
from knowledge.models import KnowledgeRelease

register = template.Library()
SUBJECTS = (
    *("panel", "evaluation", "set", "release", "preview", "snapshot", "reference_set"),
    *("grid", "run", "data", "campaign"),
)
"""Names of what a page is about, the most specific first."""


@register.simple_tag(takes_context=True)
def people_mark(context: template.Context) -> SafeString:
    """Say beside a page's title who the people are behind its figures.

    To curators; of a release to everybody who may see it.
    """
    about = _subject(context)
    user = getattr(context.get("request"), "user", None)
    if not isinstance(about, Release | KnowledgeRelease) and not getattr(user, "is_curator", False):
        return SafeString("")
    found = _people(context, about)
    pairs = [] if found is None else zip(found.origins, marks(found, _), strict=True)
    return format_html_join("", '<p class="people-mark people-{}">{}</p>', pairs)


@register.simple_tag(takes_context=True)
def people_sentence(context: template.Context, about: Any = None) -> SafeString:
    """Say in full who the people are behind the figures of a page, or of a part of it."""
    found = _people(context, about or _subject(context))
    said = " ".join(sentences(found, _)) if found else ""
    return format_html('<p class="quiet people-said">{}</p>', said) if said else SafeString("")


@register.filter
def people_marks(about: Any) -> str:
    """Return the marks of an object as text, for a cell of a table."""
    found = people_behind(about)
    return ", ".join(marks(found, _)) if found else ""


def _subject(context: template.Context) -> Any:
    there = (context.get(name) for name in SUBJECTS)
    return next((about for about in there if about and finder_of(about) is not None), None)


def _people(context: template.Context, about: Any) -> People | None:
    """Read who is behind *about*, once per request."""
    request = context.get("request")
    # With the object itself, whose id no other one can have then.
    known: dict[int, tuple[Any, People | None]] = getattr(request, "people_behind", {})
    if id(about) not in known:
        known[id(about)] = (about, people_behind(about))
        if request is not None:
            request.people_behind = known
    return known[id(about)][1]
