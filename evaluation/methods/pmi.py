"""Causal language models: how much more likely an option makes the text after it."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes
from evaluation.methods.protocol import Block, Floats, Job, Method, Progress, Scorer, register
from modeling.loaded import LoadedModel


def _begin(job: Job) -> Scorer:
    assert job.model is not None
    return partial(_scores, job.model)


def _scores(model: LoadedModel, block: Block, progress: Progress) -> list[Floats]:
    from modeling.scoring import pmi_scores

    return pmi_scores(model, clozes(block.items, readings=True), progress=progress)


register(
    Method(
        name="pmi",
        title=_("causal language model, pointwise mutual information"),
        begin=_begin,
        use="causal",
    )
)
