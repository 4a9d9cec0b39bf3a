"""Who is behind the figures of a page."""

from collections.abc import Callable
from typing import Any

from collection.core.people import People, people_from, people_of
from collection.models import Campaign
from corpora.models import ReferenceSet, Release, ReleasePreview, Snapshot
from corpora.selectors import release_people, snapshot_people
from evaluation.selectors import Comparable
from filtering.models import FilterRun
from knowledge.models import KnowledgeRelease, KnowledgeSet
from knowledge.selectors import knowledge_people, knowledge_release_people
from panels.models import Panel
from panels.selectors import voters_people
from validation.selectors import campaign_people
from workers.models import User

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
    return people_behind(next(found for name in SETS if (found := getattr(run, name, None))))


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
