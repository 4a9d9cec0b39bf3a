"""The map of the pages: what spans campaigns is on top, what belongs to one is in its tabs."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from winoplatform.http.rights import Right


@dataclass(frozen=True, slots=True)
class Place:
    """A page, by the name of its address, and the pages below it."""

    name: str
    title: Any
    below: tuple[str, ...] = ()
    right: Right = Right.DATA
    """The right that a member needs to open it, in the tabs of a campaign."""


@dataclass(frozen=True, slots=True)
class Group:
    """Places under one title; the first is where the title leads."""

    title: Any
    places: tuple[Place, ...]


def _alone(name: str, title: Any, *below: str) -> Group:
    return Group(title, (Place(name, title, below),))


def places_in(groups: Iterable[Group]) -> list[Place]:
    """Return all places of some groups."""
    return [place for group in groups for place in group.places]


def _names(groups: Iterable[Group]) -> list[str]:
    return [name for place in places_in(groups) for name in (place.name, *place.below)]


CAMPAIGN = (
    Group(
        _("Overview"),
        (
            Place("campaign", _("Overview"), right=Right.SEE),
            Place("progress", _("Progress")),
        ),
    ),
    _alone("data", _("Data"), "data-question", "data-action"),
    Group(
        _("Review"),
        (
            Place("review-queue", _("Review queue"), ("review-question", "exclude-work")),
            Place("golds", _("Control questions")),
        ),
    ),
    Group(
        _("People and pay"),
        (
            Place("quality", _("Quality")),
            Place("campaign-pay", _("Pay"), ("worker-pay", "pay-check", "payout"), right=Right.PAY),
            Place("studies", _("Recruitment"), ("study", "change-study"), right=Right.MANAGE),
        ),
    ),
    _alone(
        "pipeline",
        _("Pipeline"),
        *("new-release", "release-preview", "release", "release-rows", "release-question"),
        *("publish-release", "leaderboard"),
        *("new-encoding", "new-tuning", "tuning", "encode-tuned"),
        *("new-filter-run", "clone-filter-run", "filter-run", "compare-runs", "evidence"),
        *("removed-questions", "detect-in-snapshot", "detect-in-release", "detection"),
    ),
    Group(
        _("Setup"),
        (
            Place(
                "campaign-setup",
                _("Checklist"),
                (
                    *("campaign-articles", "campaign-article", "import-articles"),
                    "campaign-guidelines",
                    "campaign-background",
                    *("campaign-exercise", "campaign-attributes", "campaign-preview"),
                ),
                right=Right.MANAGE,
            ),
            Place("campaign-settings", _("Settings"), right=Right.MANAGE),
            Place("campaign-members", _("Members"), right=Right.SEE),
        ),
    ),
)
"""The tabs of a campaign: all of them are below its address."""


WORK = (
    _alone(
        "home",
        _("Work"),
        *("join", "join-validate", "join-formalise", "submit-exercise", "train"),
        *("author", "submit-twin"),
        *("validate", "validate-undo", "answer-local", "cast-vote", "amend-vote"),
        *("answer-human", "knowledge-exercise", "knowledge-attempt"),
    ),
    _alone(
        "my-work",
        _("My work"),
        *("receipt", "revise-twin", "my-appeals", "make-appeal"),
        *("my-consents", "my-consent", "my-background", "withdraw-consent"),
    ),
    _alone("my-pay", _("My pay")),
)
"""The top of workers' pages."""

CURATION = (
    _alone("home", _("Campaigns"), "new-campaign", *_names(CAMPAIGN)),
    Group(
        _("Evaluations"),
        (
            Place(
                "evaluations",
                _("Evaluations"),
                (
                    *("evaluation", "new-evaluations", "new-predictions", "comparison"),
                    *("compared-items", "both-versions", "new-ensemble"),
                    *("fine-tunings", "fine-tuning", "grid", "new-grid"),
                    *("paper-tables", "paper-table"),
                    *("key-audits", "key-audit", "audited-key", "new-key-panel", "key-votes"),
                ),
            ),
            Place(
                "human-evaluations",
                _("Human evaluations"),
                ("human-evaluation", "new-human-evaluation", "human-evaluation-person"),
            ),
        ),
    ),
    _alone(
        "reference-sets",
        _("Reference sets"),
        *("reference-set", "new-reference-set", "detect-in-reference-set"),
    ),
    _alone(
        "knowledge-sets",
        _("Knowledge"),
        *("knowledge-set", "new-knowledge-set", "knowledge-question", "knowledge-formulas"),
        *("knowledge-sentences", "knowledge-sentence", "knowledge-validation", "knowledge-pay"),
        "knowledge-releases",
        *("knowledge-release", "reasons", "reason-figures"),
    ),
    Group(
        _("People"),
        (
            Place(
                "people",
                _("People"),
                (
                    "person",
                    "invitations",
                    "invite-list",
                    "password-links",
                    "audit-log",
                    "erase-person",
                ),
            ),
            Place("appeals", _("Appeals")),
        ),
    ),
    _alone("jobs", _("Runs")),
)
"""The top of curators' pages: what spans campaigns."""


@dataclass(frozen=True, slots=True)
class Link:
    """A place as it is drawn.

    ``code`` is the name of its address. ``current`` is ``page`` on the page itself, ``true`` on one
    below it or in its group, and empty elsewhere.
    """

    title: Any
    address: str
    code: str
    current: str


@dataclass(frozen=True, slots=True)
class Tabs:
    """The groups, and the places of the current group if it has several."""

    groups: list[Link]
    pages: list[Link]


def tabs_of(
    groups: Iterable[Group],
    here: str | None,
    *,
    campaign: Campaign | None = None,
    rights: Container[str] = frozenset(Right),
) -> Tabs:
    """Return the links of *groups* on the page *here*.

    *campaign* is whose tabs they are, and *rights* those of the member who looks at them.
    """
    titles, pages = [], []
    for group in groups:
        links = [_link(place, here, campaign) for place in group.places if place.right in rights]
        if not links:
            continue
        currents = [link.current for link in links if link.current]
        several = len(links) > 1
        current = ("true" if several else currents[0]) if currents else ""
        titles.append(Link(group.title, links[0].address, links[0].code, current))
        if currents and several:
            pages = links
    return Tabs(titles, pages)


def _link(place: Place, here: str | None, campaign: Campaign | None) -> Link:
    address = reverse(place.name, args=[campaign.slug] if campaign else [])
    current = "page" if here == place.name else "true" if here in place.below else ""
    return Link(place.title, address, place.name, current)
