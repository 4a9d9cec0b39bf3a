"""The facts of a release's manifest."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict
from functools import cache
from importlib import metadata
from typing import Any

from collection.core.people import PASTED_FROM
from corpora import selectors
from corpora.building.files import Drafts
from corpora.core.bundle.card import few_pairs, limits
from corpora.core.bundle.facts import STATEMENTS
from corpora.core.bundle.layout import BLIND, DEV, FULL, jsonl
from corpora.core.bundle.manifest import FORMAT
from corpora.core.changes import Difference
from corpora.core.repeats import release_repeats
from corpora.core.tally import Tally
from corpora.models import DrawTable, Release, ReleasePlan
from winoplatform.runs.code import code_sha256

LIBRARIES = ("django", "numpy", "psycopg", "scipy")

CODE = ("collection/core", "corpora", "stats", "validation/core")
UNTOLD = "Its members are told why."
"""In place of a reason that was given to members alone."""


def plan_facts(
    plan: ReleasePlan, drafts: Drafts, *, draw_tables: Collection[int]
) -> dict[str, Any]:
    """Return what a preview and a release have in common."""
    campaign, selection, tallies = plan.snapshot.campaign, plan.selection, drafts.tallies
    splits = {name: tally.figures(is_blind=name == BLIND) for name, tally in tallies.items()}
    near_duplicate = float(plan.near_duplicate)
    about = selection.about if selection else None
    return {
        "campaign": campaign.name,
        "splits": splits,
        "min_pairs": plan.min_pairs,
        "near_duplicate": near_duplicate,
        "snapshot": {
            "questions_sha256": plan.snapshot.questions_id,
            "questions": plan.snapshot.n_questions,
            "pairs": plan.snapshot.n_pairs,
        },
        "selection": about,
        "warnings": [
            *((selection.warnings or []) if selection else []),
            *few_pairs(splits, min_pairs=plan.min_pairs),
        ],
        "collection": drafts.collection(
            currency=campaign.currency,
            erased=selectors.count_erased(drafts.people.persons(), at=plan.created_at),
        ),
        "agreement": drafts.provenance.agreement(),
        "origin": _origin(tallies),
        "human": plan.human,
        "draws": _draws(draw_tables),
        "limits": limits(splits, near_duplicate=near_duplicate, selection=about),
    }


def release_facts(release: Release) -> dict[str, Any]:
    """Return how a release is called and cited, and what came before it."""
    assert release.started_at is not None
    return {
        "format": FORMAT,
        "name": release.name,
        "version": release.version,
        "title": release.title or release.snapshot.campaign.name,
        "authors": release.authors,
        "licence": release.licence,
        "statements": {name: getattr(release, name) for name in STATEMENTS},
        "background": release.background or None,
        "language": "en",
        "built_at": release.started_at.isoformat(timespec="seconds"),
        "earlier": earlier_releases(release.previous),
        "software": software(),
    }


def change_facts(
    previous: Release | None, found: Mapping[str, Difference]
) -> dict[str, Any] | None:
    """Return the number of questions that changed since the earlier release, by split."""
    if previous is None:
        return None
    return {
        "since": previous.version,
        "splits": {name: asdict(change) for name, change in found.items()},
    }


def repeat_facts(drafts: Drafts) -> dict[str, int]:
    """Return how many questions of the files repeat another one."""
    splits = {name: drafts.files[jsonl(name)].lines() for name in (FULL, DEV, BLIND)}
    return asdict(release_repeats({name: map(json.loads, rows) for name, rows in splits.items()}))


def earlier_releases(newest: Release | None) -> list[dict[str, Any]]:
    """Return the campaign's releases up to *newest*, newest first, with their changes.

    Of one that is for members alone, the name and why it was retracted are left out: the newest
    may be public.
    """
    earlier = []
    while newest is not None:
        about = selectors.read_manifest(newest)
        earlier.append(
            {
                "name": newest.public_name,
                **{key: about[key] for key in ("version", "built_at", "changes")},
                "retracted": _reason(newest),
            }
        )
        newest = newest.previous
    return earlier


def _reason(release: Release) -> str | None:
    if release.is_public or not release.retraction_reason:
        return release.retraction_reason or None
    return UNTOLD


@cache
def software() -> dict[str, str]:
    """Return the hash of the code that decides what a release holds, and libraries' versions."""
    return {
        "code_sha256": code_sha256(*CODE),
        **{name: metadata.version(name) for name in LIBRARIES},
    }


def _origin(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    """Return the number of questions by origin flag, and the threshold of ``pasted``."""
    counts: Counter[str] = Counter()
    for name in (FULL, "dev", "test"):
        counts.update(tallies[name].origins)
    return {
        "questions": dict(sorted(counts.items())),
        "pasted_from_share": round(PASTED_FROM, 4),
    }


def _draws(tables: Collection[int]) -> list[dict[str, Any]]:
    return [
        {
            "sha256": table.sha256,
            "created_at": table.created_at.isoformat(timespec="seconds"),
            "twins": table.n_twins,
        }
        for table in DrawTable.objects.filter(pk__in=tables).order_by("pk")
    ]
