"""People's performance for the manifest of a release."""

from dataclasses import asdict
from typing import Any

from django.db.models import Q

from corpora.core.metrics import rounded_fields
from corpora.models import Release, Snapshot
from panels.models import Panel
from panels.selectors import panel_answers, progress_of, scores_of, voters_people


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
                    "individual": rounded_fields(scores.individual, 2),
                    "majority": rounded_fields(scores.majority, 2),
                    "group": rounded_fields(scores.group, 2) if scores.group.n else None,
                    "who": asdict(voters_people(panel)),
                }
            ]
    return []
