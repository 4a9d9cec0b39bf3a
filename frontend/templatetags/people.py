"""Who is behind a page's figures: ``{% load people %}{% people_mark %}{% people_sentence %}``."""

from collections.abc import Callable
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from collection.core.people import People, marks, people_from, people_of, sentences
from collection.models import Campaign
from corpora.models import ReferenceSet, Release, ReleasePreview, Snapshot
from corpora.selectors import release_people, snapshot_people
from evaluation.selectors import Comparable
from filtering.models import FilterRun
from frontend.lookups import people_names
from knowledge.models import KnowledgeRelease, KnowledgeSet
from knowledge.selectors import knowledge_people, knowledge_release_people
from panels.models import Panel
from panels.selectors import voters_people
from validation.selectors import campaign_people
from workers.models import User

register = template.Library()
SETS = ("release", "snapshot", "reference_set")
"""What runs of models are of: one of them is set."""
Finder = Callable[[Any], People | None]


def people_behind(about: Any) -> People | None:
    """Return who is behind a campaign, a set, a person, or a run of a set; None if it has nobody.

    Of a run of a model, and of a comparison of models, the people who worked on the questions.
    """
    find = finder_of(about)
    return None if find is None else find(about)


def finder_of(about: Any) -> Finder | None:
    """Return what reads who is behind *about*; None where nobody is."""
    for kind, find in _KINDS.items():
        if isinstance(about, kind):
            return find
    return _of_its_set if any(getattr(about, name, None) for name in SETS) else None


def _of_its_set(run: Any) -> People | None:
    return people_behind(next(owner for name in SETS if (owner := getattr(run, name, None))))


def _compared(data: Comparable) -> People | None:
    if data.kind == "release":
        return people_behind(Release.objects.named(data.name))
    if data.kind == "snapshot":
        return people_behind(Snapshot.objects.get(public_id=data.name))
    return people_behind(ReferenceSet.objects.get(name=data.name))


def _preview(preview: ReleasePreview) -> People:
    facts = preview.facts or {}
    return people_from(facts["people"]) if "people" in facts else snapshot_people(preview.snapshot)


def _reference_set(of: ReferenceSet) -> People | None:
    """Only simulated people are said: figures about the others are not shown here."""
    is_simulated = of.people_origin == User.Origin.SIMULATED
    return people_of(others=[(of.people_origin, "")]) if is_simulated else None


_KINDS: dict[type, Finder] = {
    Campaign: campaign_people,
    Release: release_people,
    Snapshot: snapshot_people,
    ReleasePreview: _preview,
    Panel: voters_people,
    FilterRun: lambda run: snapshot_people(run.encoding.snapshot),
    Comparable: _compared,
    ReferenceSet: _reference_set,
    KnowledgeSet: knowledge_people,
    KnowledgeRelease: knowledge_release_people,
    User: lambda user: people_of(others=[(user.origin, user.platform)]),
}


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
    people = _people(context, about)
    pairs = [] if people is None else zip(people.origins, marks(people, _), strict=True)
    return format_html_join("", '<p class="people-mark people-{}">{}</p>', pairs)


@register.simple_tag(takes_context=True)
def people_sentence(context: template.Context, about: Any = None) -> SafeString:
    """Say in full who the people are behind the figures of a page, or of a part of it."""
    people = _people(context, about or _subject(context))
    text = " ".join(sentences(people, _)) if people else ""
    return format_html('<p class="quiet people-said">{}</p>', text) if text else SafeString("")


@register.filter
def people_marks(about: Any) -> str:
    """Return the marks of an object as text, for a cell of a table."""
    people = people_behind(about)
    return ", ".join(marks(people, _)) if people else ""


def _subject(context: template.Context) -> Any:
    there = (context.get(name) for name in SUBJECTS)
    return next((about for about in there if about and finder_of(about) is not None), None)


def _people(context: template.Context, about: Any) -> People | None:
    """Read who is behind *about*, once per request."""
    request = context.get("request")
    # With the object itself, whose id no other one can have then.
    by_subject: dict[int, tuple[Any, People | None]] = getattr(request, "people_behind", {})
    if id(about) not in by_subject:
        by_subject[id(about)] = (about, people_behind(about))
        if request is not None:
            request.people_behind = by_subject
    return by_subject[id(about)][1]


@register.simple_tag(takes_context=True)
def person(context: template.Context, worker: Any, campaign: Campaign | None = None) -> SafeString:
    """Name a worker with a link to the page of the person, or of their pay in a campaign.

    *worker* is an account or its pseudonym.
    """
    name = getattr(worker, "public_id", worker)
    place, args = ("worker-pay", [campaign.slug, name]) if campaign else ("person", [name])
    address = reverse(place, args=args)
    return format_html('<a href="{}">{}</a>{}', address, name, known_as(context, worker))


@register.simple_tag(takes_context=True)
def known_as(context: template.Context, worker: Any) -> SafeString:
    """Say beside a pseudonym the reader's own label and the user name, where they are known."""
    request: Any = context.get("request")
    if not getattr(getattr(request, "user", None), "is_curator", False):
        return SafeString("")
    names = people_names(request)
    name = getattr(worker, "public_id", worker)
    words = " · ".join(of[name] for of in (names.labels, names.user_names) if name in of)
    return format_html(' <span class="known-as">{}</span>', words) if words else SafeString("")
