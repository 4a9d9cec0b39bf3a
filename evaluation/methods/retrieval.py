"""Knowledge hunting: options by sentences of a local corpus with the same predicates.

It is no web search: a small corpus has evidence for few items. An item without evidence is a tie.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from corpora.core.clozes import clozes
from evaluation.methods.protocol import Answer, Block, Job, Method, Progress, Scorer, register

if TYPE_CHECKING:
    from evaluation.core.retrieval import Evidence, Hunt, SentenceIndex

SHOWN = 5  # sentences of evidence kept for an item


def _begin(job: Job) -> Scorer:
    from evaluation.core.retrieval import SentenceIndex

    return partial(_answers, SentenceIndex(job.corpus))


def _answers(index: SentenceIndex, block: Block, progress: Progress) -> list[Answer]:
    from evaluation.core.retrieval import hunt

    return [_answer(found) for found in hunt(index, clozes(block.items), progress=progress)]


def _answer(found: Hunt) -> Answer:
    if found.reason:
        return Answer(scores=found.scores, evidence=[{"reason": found.reason}])
    assert found.queries is not None
    strongest = sorted(found.evidence, key=lambda one: -one.strength)[:SHOWN]
    return Answer(
        scores=found.scores, evidence=[_shown(one, found.queries.roles) for one in strongest]
    )


def _shown(one: Evidence, roles: tuple[str | None, ...]) -> dict[str, object]:
    return {
        "sentence": one.sentence,
        "context": " ".join(one.context),
        "query": " ".join(one.query),
        "options": [number for number, role in enumerate(roles, 1) if role == one.role],
        "rule": one.rule,
        "strength": one.strength,
    }


register(
    Method(
        name="retrieval",
        title=_("evidence in a local corpus (no web search)"),
        begin=_begin,
        reads="corpus",
    )
)
