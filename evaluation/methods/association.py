"""Association and retrieval: options by words and sentences, without reasoning."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes
from evaluation.methods.protocol import (
    Answer,
    Block,
    Floats,
    Job,
    Method,
    Progress,
    Scorer,
    by_model,
    register,
)
from modeling.encoders import Encoder
from modeling.scoring import Cloze

if TYPE_CHECKING:
    from evaluation.core.retrieval.antecedents import Evidence
    from evaluation.core.retrieval.hunting import Hunt, SentenceIndex


WORDS_BEFORE = {"whole": None, "local": 2}
VARIANTS = {
    "whole": _("whole context"),
    "local": _("from two words before the blank"),
}


def _cosines(encoder: Encoder, variant: str, block: Block, progress: Progress) -> list[Floats]:
    from evaluation.core.association import cosine_scores

    items = clozes(block.items)
    contexts = [_context(cloze, variant) for cloze in items]
    # Without any context the options are equal.
    known = [number for number, context in enumerate(contexts) if context]
    texts = [text for n in known for text in (contexts[n], *items[n].options)]
    vectors = iter(encoder.encode(texts, progress=progress))
    of_context, of_options = [], []
    for n in known:
        of_context.append(next(vectors))
        of_options.append([next(vectors) for _option in items[n].options])
    by_row = dict(zip(known, cosine_scores(of_options, of_context), strict=True)) if known else {}
    return [by_row.get(n, np.zeros(len(cloze.options))) for n, cloze in enumerate(items)]


def _begin_cooccurrence(job: Job) -> Scorer:
    from evaluation.core.association import pmi_scores

    cloze_items = clozes(job.items)
    # Of all items at once: the corpus is counted once per worker.
    scores = pmi_scores(
        job.corpus,
        [cloze.options for cloze in cloze_items],
        [_context(cloze, job.variant) for cloze in cloze_items],
    )
    by_id = {item.id: score for item, score in zip(job.items, scores, strict=True)}
    return lambda block, _progress: [by_id[item.id] for item in block.items]


def _context(cloze: Cloze, variant: str) -> str:
    from evaluation.core.association import context_of

    return context_of(cloze, words_before=WORDS_BEFORE[variant])


register(
    Method(
        name="association",
        title=_("cosine of option and context"),
        begin=by_model(_cosines),
        use="pooled",
        variants=VARIANTS,
    )
)
register(
    Method(
        name="cooccurrence",
        title=_("words of option and context that occur together in the corpus"),
        begin=_begin_cooccurrence,
        variants=VARIANTS,
        reads="corpus",
    )
)


SHOWN = 5  # sentences of evidence kept for an item


def _begin(job: Job) -> Scorer:
    from evaluation.core.retrieval.hunting import SentenceIndex

    return partial(_answers, SentenceIndex(job.corpus))


def _answers(index: SentenceIndex, block: Block, progress: Progress) -> list[Answer]:
    from evaluation.core.retrieval.hunting import hunt

    return [_answer(hit) for hit in hunt(index, clozes(block.items), progress=progress)]


def _answer(hunt_result: Hunt) -> Answer:
    if hunt_result.reason:
        return Answer(scores=hunt_result.scores, evidence=[{"reason": hunt_result.reason}])
    assert hunt_result.queries is not None
    strongest = sorted(hunt_result.evidence, key=lambda evidence: -evidence.strength)[:SHOWN]
    return Answer(
        scores=hunt_result.scores,
        evidence=[_evidence_body(evidence, hunt_result.queries.roles) for evidence in strongest],
    )


def _evidence_body(evidence: Evidence, roles: tuple[str | None, ...]) -> dict[str, object]:
    return {
        "sentence": evidence.sentence,
        "context": " ".join(evidence.context),
        "query": " ".join(evidence.query),
        "options": [number for number, role in enumerate(roles, 1) if role == evidence.role],
        "rule": evidence.rule,
        "strength": evidence.strength,
    }


register(
    Method(
        name="retrieval",
        title=_("evidence in a local corpus (no web search)"),
        begin=_begin,
        reads="corpus",
    )
)
