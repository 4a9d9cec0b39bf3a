"""Masked language models: the probability of masked tokens with each option."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes
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
from modeling.scoring import masked_scores


def _begin(job: Job) -> Scorer:
    assert job.model is not None
    return partial(_scores, job.model, job.variant)


def _scores(model: LoadedModel, variant: str, block: Block, progress: Progress) -> list[Floats]:
    return masked_scores(
        model,
        clozes(block.items, readings=True),
        method="span" if variant == "span" else "pseudo",
        mean=variant.endswith("mean"),
        progress=progress,
    )


register(
    Method(
        name="masked",
        title=_("masked language model"),
        begin=_begin,
        use="masked",
        variants={
            "pseudo": _("each token masked in turn"),
            "span": _("the option masked"),
            "pseudo_mean": _("each token masked in turn, mean per token"),
        },
        log_probabilities=("pseudo", "span"),
        about=(ITEMS, STATEMENTS),
    )
)
