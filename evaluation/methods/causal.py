"""Causal language models: the probability of the sentence with each option."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes, require_rest
from evaluation.methods.protocol import (
    ITEMS,
    STATEMENTS,
    Block,
    Floats,
    Job,
    Method,
    Progress,
    Scorer,
    register,
)
from modeling.loaded import LoadedModel
from modeling.scoring import causal_scores

HARNESS = "harness"


def _begin(job: Job) -> Scorer:
    assert job.model is not None
    return partial(_scores, job.model, job.variant)


def _scores(model: LoadedModel, variant: str, block: Block, progress: Progress) -> list[Floats]:
    asked, is_partial = clozes(block.items, readings=True), not variant.startswith("full")
    if is_partial:
        require_rest(block.items, asked)
    return causal_scores(
        model,
        asked,
        partial=is_partial,
        mean=variant.endswith("mean"),
        start=variant != HARNESS,
        progress=progress,
    )


register(
    Method(
        name="causal",
        title=_("causal language model"),
        begin=_begin,
        use="causal",
        variants={
            "partial": _("text after the option"),
            "full": _("whole sentence"),
            "partial_mean": _("text after the option, mean per token"),
            "full_mean": _("whole sentence, mean per token"),
            HARNESS: _("text after the option, as lm-evaluation-harness reads it"),
        },
        log_probabilities=("partial", "full", HARNESS),
        reads_rest=("partial", "partial_mean", HARNESS),
        about=(ITEMS, STATEMENTS),
    )
)
