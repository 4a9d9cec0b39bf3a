"""What an audit of keys is computed from: answers of systems, twins, and votes of people."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Prefetch, QuerySet, TextField
from django.db.models.functions import Cast
from numpy.typing import NDArray

from collection.models import Question
from corpora.core.items import Item
from corpora.core.metrics import credits
from corpora.selectors import labelled
from evaluation.core.key_audit import NO_TWIN
from evaluation.core.key_model import MISSING
from evaluation.models import AuditedKey, Evaluation, KeyAudit
from evaluation.selectors.answers import scored_items, scores_of
from evaluation.selectors.comparisons import SYSTEM, newest_of_seeds, with_systems
from evaluation.selectors.visibility import evaluations_visible_to
from panels.models import Panel, PanelSeat
from stats.tables import codes
from validation.core.posteriors import Model, fit
from validation.models import QualityReport
from validation.selectors.quality import advice
from winoplatform.runs.models import RunStatus
from workers.models import User


@dataclass(frozen=True, slots=True)
class KeyVotes:
    """The votes on one question, and the probability that its key is right by them alone."""

    n: int
    n_for_key: int
    posterior: float


def auditable(run: KeyAudit, user: User | None) -> list[Evaluation]:
    """Return the evaluations that an audit of the set of *run* would use.

    Of a system and seed the newest, on the questions of the newest evaluation, as they are. They
    are those that *user* may see; for a command, whose audits every curator may see, those of no
    fine-tuned models.
    """
    newest = list(with_systems(_finished(run, user)))
    return newest_of_seeds([one for one in newest if one.data_sha256 == newest[0].data_sha256])


def n_auditable(run: KeyAudit, user: User) -> int:
    """Return how many evaluations `auditable` returns; only fine-tuned models need whole rows."""
    rows = _finished(run, user)
    newest = rows.order_by("-pk").values_list("data_sha256", flat=True).first()
    same = with_systems(rows.filter(data_sha256=newest))
    others = same.filter(fine_tuning=None).order_by()
    n_others: int = others.values(*SYSTEM, "seed").distinct().count()
    n_tuned = len(newest_of_seeds(list(same.exclude(fine_tuning=None))))
    return n_others + n_tuned


def _finished(run: KeyAudit, user: User | None) -> "QuerySet[Evaluation, Any]":
    rows = Evaluation.objects.of_items() if user is None else evaluations_visible_to(user)
    if user is None:
        rows = rows.filter(fine_tuning=None)
    return rows.filter(
        status=RunStatus.DONE, transformation="", split=run.split, release=run.release,
        reference_set=run.reference_set, snapshot=run.snapshot,
    )  # fmt: skip


def right_answers(run: Evaluation, items: Sequence[Item]) -> NDArray[np.int8]:
    """Return 1 for the key, 0 for another option, and -1 for no answer or a tie (n,)."""
    right = np.full(len(items), MISSING, dtype=np.int8)
    for row, (item, scores) in enumerate(zip(items, scores_of(run, items), strict=True)):
        if scores is not None and len(scores):
            credit = credits([scores], np.array([item.answer], dtype=np.int64))[0]
            right[row] = credit if credit in (0, 1) else MISSING
    return right


def twins_of(items: Sequence[Item]) -> NDArray[np.int64]:
    """Return the row of each question's twin (n,), with the same two options; -1 without one."""
    groups: dict[str, list[int]] = defaultdict(list)
    for row, item in enumerate(items):
        groups[item.group].append(row)
    twins = np.full(len(items), NO_TWIN)
    for rows in groups.values():
        if len(rows) == 2 and _are_twins(*(items[row] for row in rows)):
            twins[rows] = rows[::-1]
    return twins


def _are_twins(one: Item, other: Item) -> bool:
    keys = [item.options[(item.answer or 1) - 1] for item in (one, other)]
    same = sorted(one.options) == sorted(other.options)
    return len(one.options) == 2 and same and keys[0] != keys[1]


def votes_on(run: KeyAudit, items: Sequence[Item]) -> dict[str, KeyVotes]:
    """Return by id the votes on the questions of a set: of its validation and of its panels.

    Panels of a reference set are those of campaigns that whoever requested the audit may see. Each
    kind of votes has a model of its own; who validated a question is never asked in a panel.
    """
    found = _validated(run, items)
    for id, votes in _of_panels(run, items).items():
        before = found.get(id)
        found[id] = votes if before is None else _together(before, votes)
    return found


def _together(one: KeyVotes, other: KeyVotes) -> KeyVotes:
    right = one.posterior * other.posterior
    wrong = (1 - one.posterior) * (1 - other.posterior)
    return KeyVotes(one.n + other.n, one.n_for_key + other.n_for_key, right / (right + wrong))


def _validated(run: KeyAudit, items: Sequence[Item]) -> dict[str, KeyVotes]:
    snapshot = run.snapshot if run.release is None else run.release.snapshot
    if snapshot is None:
        return {}
    report = QualityReport.objects.filter(campaign=snapshot.campaign_id).first()
    origins = labelled(run).origins
    ids = {origins[item.id].id if item.id in origins else item.id: item.id for item in items}
    rows = Question.objects.filter(public_id__in=ids).only("pk", "public_id", "answer")
    names = {row.pk: ids[str(row.public_id)] for row in rows}
    odds = _class_odds(report)
    return {
        names[pk]: KeyVotes(one.n_votes, one.n_right, _even(one.posterior, odds))
        for pk, one in advice(rows, report=report).items()
    }


def _class_odds(report: QualityReport | None) -> float:
    """Return the prior odds of a right author in the posteriors of a report."""
    figures = report.figures if report else {}
    wrong, right = figures.get("class_shares") or (0.5, 0.5)
    return float(right / wrong) if figures.get("model") == Model.DAWID_SKENE else 1.0


def _even(posterior: float, odds: float) -> float:
    """Return a posterior as it would be with even odds before the votes."""
    right = posterior / odds
    return right / (right + 1 - posterior)


def _of_panels(run: KeyAudit, items: Sequence[Item]) -> dict[str, KeyVotes]:
    panels = Panel.objects.filter(
        purpose="", release=run.release, reference_set=run.reference_set, snapshot=run.snapshot,
        split=run.split,
    )  # fmt: skip
    if run.reference_set is not None:
        panels = panels.visible_to(run.created_by)
    answers = {item.id: item.answer for item in items}
    rows = PanelSeat.objects.counting().filter(panel__in=panels).order_by("pk")
    votes = [
        (id, worker, int(option == answers[id]))
        for id, worker, option in rows.values_list("item__source_id", "worker", "option")
        if id in answers
    ]
    if not votes:
        return {}
    asked, workers, agrees = (list(column) for column in zip(*votes, strict=True))
    numbers, ids = codes(asked)
    fitted = fit(numbers, codes(workers)[0], agrees, Model.ONE_COIN)
    n, n_right = Counter(asked), Counter(id for id, _, agree in votes if agree)
    return {
        id: KeyVotes(n[id], n_right[id], float(chance))
        for id, chance in zip(ids, fitted.posteriors[:, 1], strict=True)
    }


def suspects_of(run: KeyAudit) -> list[AuditedKey]:
    """Return the suspected keys, the most probable first; as `SUSPECTS` has loaded them."""
    loaded = getattr(run, "suspects", None)
    return list(run.keys.suspected().defer("answers")) if loaded is None else loaded


def seen_systems(run: KeyAudit, seen: Collection[str]) -> list[dict[str, Any]]:
    """Return the systems of an audit's result, without name and id if their evaluation is not seen.

    An audit of a campaign's questions has evaluations that its author may see, of fine-tuned models
    also, and other members may not.

    Parameters
    ----------
    seen
        Ids of evaluations, as from `seen_evaluations`.
    """
    assert run.result is not None
    return [
        system if system["evaluation"] in seen else system | {"evaluation": None, "name": ""}
        for system in run.result["systems"]
    ]


def seen_evaluations(user: User, runs: Iterable[KeyAudit]) -> dict[int, list[str]]:
    """Return by the key of some audits the ids of their evaluations that *user* may see."""
    seen: dict[int, list[str]] = {run.pk: [] for run in runs}
    rows = evaluations_visible_to(user).filter(key_audits__in=[*seen])
    for audit, id in rows.values_list("key_audits", Cast("public_id", TextField())):
        seen[audit].append(id)
    return seen


SUSPECTS = Prefetch("keys", AuditedKey.objects.suspected().defer("answers"), to_attr="suspects")


def audited_items(run: KeyAudit) -> tuple[Item, ...]:
    """Return the questions of an audit, read once per process."""
    return scored_items(run).items
