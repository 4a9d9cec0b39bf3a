"""Audits with planted suspects, and people who answer about them."""

import io
import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from scipy.special import expit

from collection.models import Campaign
from corpora.core.items import Item
from corpora.models import Draw, Release
from corpora.selectors import labelled
from evaluation.models import AuditedKey, KeyAudit, KeyPanel
from evaluation.services.key_audits import audit_keys
from evaluation.services.key_panels import start_key_panel
from evaluation.services.systems import store_predictions
from panels.models import PanelSeat
from tests.evaluation.sets import small_set
from tests.factories import (
    AuditedKeyFactory,
    CampaignFactory,
    KeyAuditFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.panels.people import answer_all
from winoplatform.runs.kinds import execute_here
from workers.models import User

Finding = AuditedKey.Finding


def audit_of(suspected: Collection[str], **of: Any) -> KeyAudit:
    """A finished audit of a set that suspects some of its items."""
    made: KeyAudit = KeyAuditFactory(finished=True, **{"release": None, "split": "test"} | of)
    for number, item in enumerate(labelled(made).items, 1):
        is_suspected = item.id in suspected
        AuditedKeyFactory(
            run=made,
            number=number,
            source_id=item.id,
            group=item.group,
            probability=0.9 if is_suspected else 0.01,
            finding=Finding.KEY if is_suspected else Finding.NOTHING,
        )
    return made


def drawn_campaign(splits: Sequence[str], **fields: Any) -> Campaign:
    """A campaign of valid twins that are in these splits."""
    made: Campaign = CampaignFactory(near_duplicate=1, **fields)
    for number, split in enumerate(splits):
        sentences = [f"The cup {number} _ was {end} in June." for end in ("full", "empty")]
        twin = TwinFactory(campaign=made, sentences=sentences)
        for question in twin.questions.all():
            VerdictFactory(question=question)
        Draw.objects.create(twin=twin, split=split, origin="linked", is_pair=True)
    return made


def first_group(release: Release, split: str) -> list[Item]:
    """The questions of the first complete group of a split."""
    items = labelled(KeyAudit(release=release, split=split)).items
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item)
    return max(groups.values(), key=len)


def answered_panel(audit: KeyAudit, choose: Callable[[PanelSeat], int], **asked: Any) -> KeyPanel:
    """A panel about an audit's suspects that people have answered."""
    row = start_key_panel(audit=audit, by=None, **asked)
    people = UserFactory.create_batch(2 * row.panel.votes_per_item)
    answer_all(row.panel, people, choose)
    return row


def against(ids: Collection[str]) -> Callable[[PanelSeat], int]:
    """Choose the other option of some items, and the key of the rest."""

    def choose(seat: PanelSeat) -> int:
        answer = seat.item.item.answer or 1
        return 3 - answer if seat.item.source_id in ids else answer

    return choose


def audited_set(by: User, n: int = 60, n_systems: int = 12) -> tuple[KeyAudit, set[str]]:
    """A set with three wrong keys that systems of spread ability have answered, and its audit.

    Every key is the first option.
    """
    rng = np.random.default_rng(0)
    ability, difficulty = np.linspace(-1.5, 3, n_systems), rng.normal(0, 1, n)
    knows = rng.random((n_systems, n)) < expit(2 * (ability[:, None] - difficulty))
    planted = rng.choice(n, 3, replace=False)
    right = np.where(knows, True, rng.random(knows.shape) < 0.5)
    right[:, planted] = ~right[:, planted]
    data = small_set([numbered(place) for place in range(n)], is_public=True, by=by)
    for number, row in enumerate(right):
        lines = (
            json.dumps({"qID": f"q{place}", "prediction": 1 if hit else 2})
            for place, hit in enumerate(row)
        )
        run = store_predictions(
            file=io.BytesIO("\n".join(lines).encode()),
            system_name=f"system {number}",
            reference_set=data,
            split="test",
            format="jsonl",
            by=by,
        )
        execute_here(run)
    audit = audit_keys(reference_set=data, by=by)
    execute_here(audit)
    audit.refresh_from_db()
    return audit, {f"q{place}" for place in planted}


def numbered(place: int) -> Item:
    return Item(
        id=f"q{place}",
        group=f"g{place}",
        sentence=f"_ is large {place} .",
        options=("ann", "joan"),
        answer=1,
    )
