"""Executes audits of answer keys."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.provenance import code_version
from evaluation.core.key_audit import KeyFigures, audit
from evaluation.core.key_model import FEWEST_SYSTEMS
from evaluation.methods.protocol import CODE
from evaluation.models import AuditedKey, Evaluation, KeyAudit
from evaluation.selectors.key_audits import (
    KeyVotes,
    audited_items,
    right_answers,
    twins_of,
    votes_on,
)
from stats.item_response import ItemResponse, fit
from winoplatform.runs.attempts import Attempt

ABILITIES = np.linspace(-3.0, 3.0, 61)
MOST_ROWS = 500
NO_VOTES = KeyVotes(0, 0, 0.5)


def key_audit(attempt: Attempt[KeyAudit]) -> None:
    run = attempt.run
    attempt.report(0, activity="reading the answers")
    items = audited_items(run)
    evaluations = list(run.evaluations.order_by("pk"))
    if len(evaluations) < FEWEST_SYSTEMS:
        raise ValueError("Evaluations that this audit needs were deleted; start a new one.")
    attempt.note(data_sha256=evaluations[0].data_sha256, code_version=code_version(*CODE))
    right = np.array([right_answers(one, items) for one in evaluations])
    votes = votes_on(run, items)
    attempt.report(0, total=len(items), activity="comparing both hypotheses about each key")
    figures = audit(
        right,
        n_options=[len(item.options) for item in items],
        twins=twins_of(items),
        people=[votes[item.id].posterior if item.id in votes else np.nan for item in items],
        seed=run.seed,
    )
    fitted = fit(right)
    rows = _rows(run, items, right, figures, fitted, votes)
    with transaction.atomic():
        attempt.finish(result=_result(evaluations, right, figures, fitted), done=len(items))
        AuditedKey.objects.bulk_create(rows, batch_size=MOST_ROWS)


def _rows(
    run: KeyAudit,
    items: Sequence[Item],
    right: NDArray[np.int8],
    figures: KeyFigures,
    fitted: ItemResponse,
    votes: dict[str, KeyVotes],
) -> Iterator[AuditedKey]:
    for row, item in enumerate(items):
        on_item = votes.get(item.id, NO_VOTES)
        twin = float(figures.twin_evidence[row])
        yield AuditedKey(
            run=run,
            number=row + 1,
            source_id=item.id,
            group=item.group,
            probability=float(figures.probability[row]),
            evidence=float(figures.evidence[row]),
            twin_evidence=None if np.isnan(twin) else twin,
            people_posterior=on_item.posterior if item.id in votes else None,
            n_votes=on_item.n,
            n_votes_for_key=on_item.n_for_key,
            discrimination=float(fitted.slope[row]),
            intercept=float(fitted.intercept[row]),
            discrimination_se=float(fitted.slope_se[row]),
            intercept_se=float(fitted.intercept_se[row]),
            misfit_p=float(fitted.misfit_p[row]),
            answers=right[:, row].tolist(),
            only_best_miss=bool(figures.only_best_miss[row]),
            finding=figures.findings[row].value,
        )


def _result(
    evaluations: Sequence[Evaluation],
    right: NDArray[np.int8],
    figures: KeyFigures,
    fitted: ItemResponse,
) -> dict[str, Any]:
    answered = np.maximum((right >= 0).sum(axis=1), 1)
    columns = zip(
        evaluations, fitted.ability, figures.weight, (right == 1).sum(axis=1) / answered,
        strict=True,
    )  # fmt: skip
    return {
        "n_questions": right.shape[1],
        "n_suspected": int(figures.is_suspected.sum()),
        "share": figures.share,
        "power": figures.power,
        "can_tell": figures.can_tell,
        "needed": [asdict(one) for one in figures.needed],
        "systems": [
            {
                "evaluation": str(one.public_id),
                "name": one.system,
                "ability": round(float(ability), 4),
                "weight": round(float(weight), 4),
                "accuracy": round(float(accuracy), 4),
            }
            for one, ability, weight, accuracy in columns
        ],
        "information": {
            "ability": ABILITIES.round(2).tolist(),
            "information": fitted.information(ABILITIES).round(4).tolist(),
        },
    }
