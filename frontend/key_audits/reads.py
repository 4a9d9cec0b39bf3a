"""Audits of keys as the pages show them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import F, QuerySet
from django.db.models.functions import JSONObject
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from scipy.special import expit

from corpora.core.items import Item
from evaluation.core.key_verdicts import independent, needed, verdict
from evaluation.models import AuditedKey, KeyAudit
from evaluation.selectors.key_audits import audited_items, seen_evaluations, seen_systems
from frontend.findings import p_value
from frontend.items import pieces_of
from frontend.marks import Piece
from frontend.pictures import Picture, Series
from stats.intervals import wilson
from workers.models import User

Finding = AuditedKey.Finding
FARTHEST = 4.0
"""Difficulties beyond it are drawn at the edge."""
BINS = 6
MOST_SYSTEMS = 100
"""Of the tables of systems, the ablest first."""
LEAST_SAID = 0.001
CURVE = np.linspace(-3.0, 3.0, 61)
VERDICTS: dict[Finding, Any] = {
    Finding.KEY: later("This key is suspected; people must decide."),
    Finding.PEOPLE: later("This key is not suspected. People are split."),
    Finding.MODELS: later("This key is not suspected. The abler half of the systems is split."),
    Finding.BOTH: later("This key is not suspected. People and systems are split."),
    Finding.NOTHING: later("This key is not suspected."),
}
SPLIT = (Finding.PEOPLE, Finding.MODELS, Finding.BOTH)


def audits(user: User) -> "QuerySet[KeyAudit]":
    """Return the audits that *user* sees, with what their pages need."""
    return KeyAudit.objects.visible_to(user).select_related(
        "release__snapshot__campaign", "reference_set", "snapshot__campaign"
    )


def listed_audits(user: User) -> "QuerySet[KeyAudit]":
    """Return the same with what a list says of a result alone, which has each of its systems."""
    brief = JSONObject(can_tell=F("result__can_tell"), n_suspected=F("result__n_suspected"))
    return audits(user).defer("result").annotate(brief=brief)


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system of an audit; without a name and a page if the user may not see its evaluation."""

    evaluation: str | None
    name: str
    accuracy: float
    ability: float
    weight: float

    @property
    def href(self) -> str:
        return reverse("evaluation", args=[self.evaluation]) if self.evaluation else ""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A question's key and what the audit says of it."""

    audit: UUID
    key: AuditedKey
    item: Item

    @property
    def href(self) -> str:
        return reverse("audited-key", args=[self.audit, self.key.number])

    @property
    def pieces(self) -> list[Piece]:
        return pieces_of(self.item)

    @property
    def answer(self) -> str:
        return self.item.options[(self.item.answer or 1) - 1]

    @property
    def difficulty(self) -> float | None:
        """The difficulty, if it is in the range of the map."""
        value = self.key.difficulty
        return value if value is not None and abs(value) <= FARTHEST else None


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A finished audit: its verdict, keys and systems, and the pictures."""

    verdict: str
    suspects: list[KeyRow]
    split: list[KeyRow]
    counts: Mapping[str, int]
    systems: list[SystemRow]
    n_independent: float
    needed: str
    information: Picture

    @property
    def shown_systems(self) -> list[SystemRow]:
        return sorted(self.systems, key=lambda system: -system.ability)[:MOST_SYSTEMS]


def audit_page(run: KeyAudit, user: User) -> AuditPage | None:
    """Return what the page of an audit shows; None if it has no result."""
    if run.result is None:
        return None
    rows = _rows(run, run.keys.exclude(finding=Finding.NOTHING))
    suspects = [row for row in rows if row.key.is_suspected]
    suspects.sort(key=lambda row: (-row.key.probability, -row.key.evidence, row.key.number))
    return AuditPage(
        verdict=verdict(run.result),
        suspects=suspects,
        split=[row for row in rows if row.key.finding in SPLIT],
        counts=Counter(row.key.finding for row in rows),
        systems=systems_of(run, user),
        n_independent=independent(run.result),
        needed=needed(run.result),
        information=_information(run),
    )


def systems_of(run: KeyAudit, user: User) -> list[SystemRow]:
    """Return the systems of an audit, in the order of `AuditedKey.answers`."""
    seen = {*seen_evaluations(user, [run])[run.pk]}
    return [SystemRow(**system) for system in seen_systems(run, seen)]


def _rows(run: KeyAudit, keys: "QuerySet[AuditedKey]") -> list[KeyRow]:
    items = {item.id: item for item in audited_items(run)}
    return [
        KeyRow(run.public_id, key, items[key.source_id])
        for key in keys.defer("answers")
        if key.source_id in items
    ]


def map_of(run: KeyAudit) -> Picture:
    """Return all questions by difficulty and discrimination, the suspects before the others."""
    rows = _rows(run, run.keys.all())
    kinds = (
        (_("Key suspected"), (Finding.KEY,), "warn", "cross"),
        (_("People or models split"), SPLIT, "accent", "hollow"),
        (_("Others"), (Finding.NOTHING,), "accent", "dot"),
    )
    number = "987654321"
    href = reverse("audited-key", args=[run.public_id, int(number)])
    return Picture(
        "points",
        tuple(
            _series([row for row in rows if row.key.finding in findings], name, colour, look)
            for name, findings, colour, look in kinds
            if any(row.key.finding in findings for row in rows)
        ),
        x_title=_("Difficulty: the ability that is right in half of the cases"),
        y_title=_("Discrimination"),
        x_format=".1f",
        y_format=".1f",
        href=href.replace(number, "{id}"),
    )


def _series(rows: Sequence[KeyRow], name: str, colour: str, look: str) -> Series:
    chance = _("probability of a wrong key %s")
    return Series(
        name,
        x=[_within_map(row.key.difficulty) for row in rows],
        y=[row.key.discrimination for row in rows],
        text=[
            f"{row.item.sentence} ({row.answer}) · {chance % f'{row.key.probability:.1%}'}"
            for row in rows
        ],
        ids=[str(row.key.number) for row in rows],
        colour=colour,
        look=look,
        is_faint=look == "dot",
    )


def _within_map(difficulty: float | None) -> float:
    return 0.0 if difficulty is None else float(np.clip(difficulty, -FARTHEST, FARTHEST))


def _information(run: KeyAudit) -> Picture:
    assert run.result is not None
    found = run.result["information"]
    return Picture(
        "line",
        (Series("", found["ability"], found["information"], look="line"),),
        x_title=_("Ability"),
        y_title=_("information"),
        x_format=".1f",
        y_format=".1f",
    )


@dataclass(frozen=True, slots=True)
class KeyPage:
    """One question of an audit: its key, the twin's row, what each system chose, the curve."""

    can_tell: bool
    row: KeyRow
    twin: KeyRow | None
    answers: list[tuple[SystemRow, int]]
    curve: Picture
    before: int | None
    after: int | None

    @property
    def verdict(self) -> str:
        """What the audit says of the key, in a sentence."""
        key = self.row.key
        if not self.can_tell:
            return _("These systems are not enough to tell whether this key is wrong.")
        chance = _("The key is wrong with a probability of %s, by all evidence together.")
        probability = f"{key.probability:.1%}" if key.probability >= LEAST_SAID else _("below 0.1%")
        return f"{VERDICTS[Finding(key.finding)]} {chance % probability}"

    @property
    def misfit(self) -> str:
        return p_value(self.row.key.misfit_p)

    @property
    def shown_answers(self) -> list[tuple[SystemRow, int]]:
        return self.answers[:MOST_SYSTEMS]

    @property
    def options(self) -> list[tuple[str, bool]]:
        item = self.row.item
        return [(text, n == item.answer) for n, text in enumerate(item.options, 1)]


def key_page(run: KeyAudit, key: AuditedKey, user: User) -> KeyPage:
    """Return what the page of one question of an audit shows."""
    items = {item.id: item for item in audited_items(run)}
    others = run.keys.filter(group=key.group).exclude(pk=key.pk).defer("answers")
    twin = others.first() if key.twin_evidence is not None else None
    answers = list(zip(systems_of(run, user), key.answers, strict=True))
    answers.sort(key=lambda pair: -pair[0].ability)
    return KeyPage(
        can_tell=(run.result or {})["can_tell"],
        row=KeyRow(run.public_id, key, items[key.source_id]),
        twin=KeyRow(run.public_id, twin, items[twin.source_id]) if twin else None,
        answers=answers,
        curve=_curve(key, answers),
        before=key.number - 1 or None,
        after=key.number + 1 if key.number < run.done else None,
    )


def _curve(key: AuditedKey, answers: Sequence[tuple[SystemRow, int]]) -> Picture:
    fitted = expit(key.discrimination * CURVE + key.intercept)
    given = [(system, hit) for system, hit in answers if hit >= 0]
    unseen, said = _("a system that you may not see"), (_("another option"), _("the key"))
    bins = list(_bins(given))
    return Picture(
        "line",
        (
            Series(_("Fitted curve"), CURVE.round(2).tolist(), fitted.round(4).tolist(),
                   look="line"),
            Series(
                _("Groups of systems"),
                x=[ability for ability, _share in bins],
                y=[share.value for _ability, share in bins],
                low=[share.low for _ability, share in bins],
                high=[share.high for _ability, share in bins],
                colour="warn",
                look="hollow",
            ),
            Series(
                _("Systems"),
                x=[system.ability for system, _hit in given],
                y=[hit for _system, hit in given],
                text=[f"{system.name or unseen}: {said[hit]}" for system, hit in given],
                look="hollow",
            ),
        ),
        x_title=_("Ability"),
        y_title=_("choose the key"),
        x_format=".1f",
        y_format=".0%",
    )  # fmt: skip


def _bins(given: Sequence[tuple[SystemRow, int]]) -> Iterator[tuple[float, Any]]:
    """Yield the mean ability of groups of systems of near ability, and their share of hits."""
    rows = sorted(given, key=lambda pair: pair[0].ability)
    if len(rows) < 2 * BINS:
        return
    for part in np.array_split(np.arange(len(rows)), BINS):
        group = [rows[at] for at in part]
        hits = sum(hit for _system, hit in group)
        yield float(np.mean([system.ability for system, _hit in group])), wilson(hits, len(group))
