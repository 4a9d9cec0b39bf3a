"""People's performance for the manifest of a release."""

from dataclasses import asdict
from typing import Any

from django.db.models import Q

from corpora.models import Release, Snapshot
from panels.models import Panel
from panels.selectors import panel_answers, progress_of, scores_of, voters_people
from stats.people import PeopleEstimate


def people_facts(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Return the newest finished evaluation by people of the snapshot or an earlier release.

    Empty if there is none. Their votes are fresh: none of them made a question valid. Shares have
    two decimals: exact ones of two releases could tell how people answered one blind question.
    """
    earlier = Release.objects.filter(snapshot__campaign=snapshot.campaign_id)
    found = Panel.objects.filter(Q(snapshot=snapshot) | Q(release__in=earlier))
    found = found.select_related("release")
    for panel in found.order_by("-pk"):
        progress = progress_of(panel)
        items = panel_answers(panel)
        if items and progress.n_complete == progress.n_items:
            scores = scores_of(items)
            return [
                {
                    "split": panel.split,
                    "release": panel.release.name if panel.release else "",
                    "questions": len(items),
                    "people": progress.n_people,
                    "votes": progress.n_votes,
                    "individual": _rounded(scores.individual),
                    "majority": _rounded(scores.majority),
                    "group": _rounded(scores.group) if scores.group.n else None,
                    "who": asdict(voters_people(panel)),
                }
            ]
    return []


def _rounded(estimate: PeopleEstimate) -> dict[str, float | int | None]:
    names = ("value", "low", "high", "people_low", "people_high")
    shares = {name: getattr(estimate, name) for name in names}
    return {
        **{name: None if one is None else round(one, 2) for name, one in shares.items()},
        "n": estimate.n,
        "n_people": estimate.n_people,
    }
