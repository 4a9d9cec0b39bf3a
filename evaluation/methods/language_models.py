"""Language models: the probability of a text, or of its masked tokens, with each option."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

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
    by_model,
    register,
)
from modeling.loaded import LoadedModel
from modeling.scoring import causal_scores, masked_scores, pmi_scores
from modeling.specs import ModelUnavailable

if TYPE_CHECKING:
    from modeling.remote import RemoteModel

HARNESS, REMOTE = "harness", "remote"
KEPT_OF_MESSAGE = 500
VARIANTS = {
    "partial": _("text after the option"),
    "full": _("whole sentence"),
    "partial_mean": _("text after the option, mean per token"),
    "full_mean": _("whole sentence, mean per token"),
}


def _causal(model: LoadedModel, variant: str, block: Block, progress: Progress) -> list[Floats]:
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


def _pmi(model: LoadedModel, _variant: str, block: Block, progress: Progress) -> list[Floats]:
    return pmi_scores(model, clozes(block.items, readings=True), progress=progress)


def _masked(model: LoadedModel, variant: str, block: Block, progress: Progress) -> list[Floats]:
    return masked_scores(
        model,
        clozes(block.items, readings=True),
        method="span" if variant == "span" else "pseudo",
        mean=variant.endswith("mean"),
        progress=progress,
    )


def _begin_remote(job: Job) -> Scorer:
    assert job.server is not None
    return partial(_remote, job.server, job.variant)


def _remote(server: RemoteModel, variant: str, block: Block, progress: Progress) -> list[Floats]:
    asked, is_partial = clozes(block.items, readings=True), variant.startswith("partial")
    if is_partial:
        require_rest(block.items, asked)
    try:
        return server.causal_scores(
            asked,
            partial=is_partial,
            mean=variant.endswith("mean"),
            progress=progress,
        )
    except ModelUnavailable as error:
        # A message quotes what the server sent, which may repeat the key; so does the cause.
        said = str(error).replace(server.api_key, "…") if server.api_key else str(error)
        raise ModelUnavailable(said[:KEPT_OF_MESSAGE]) from None


register(
    Method(
        name="causal",
        title=_("causal language model"),
        begin=by_model(_causal),
        use="causal",
        variants=VARIANTS
        | {HARNESS: _("text after the option, as lm-evaluation-harness reads it")},
        log_probabilities=("partial", "full", HARNESS),
        reads_rest=("partial", "partial_mean", HARNESS),
        about=(ITEMS, STATEMENTS),
    )
)
register(
    Method(
        name="masked",
        title=_("masked language model"),
        begin=by_model(_masked),
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
register(
    Method(
        name="pmi",
        title=_("causal language model, pointwise mutual information"),
        begin=by_model(_pmi),
        use="causal",
    )
)
register(
    Method(
        name=REMOTE,
        title=_("causal language model on a server"),
        begin=_begin_remote,
        variants=VARIANTS,
        reads="server",
        log_probabilities=("partial", "full"),
        reads_rest=("partial", "partial_mean"),
    )
)
