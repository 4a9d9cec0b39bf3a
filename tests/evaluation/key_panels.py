"""Audits with planted suspects, and people who answer about them."""

from collections.abc import Callable, Collection
from typing import Any

from corpora.core.items import Item
from corpora.models import Release
from corpora.selectors import labelled
from evaluation.models import AuditedKey, KeyAudit, KeyPanel
from evaluation.services.key_panels import start_key_panel
from panels.models import PanelSeat
from tests.factories import AuditedKeyFactory, KeyAuditFactory, UserFactory
from tests.panels.people import answer_all

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
