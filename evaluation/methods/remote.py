"""A causal language model behind the server that the operator has set."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes, require_rest
from evaluation.methods.protocol import Block, Floats, Job, Method, Progress, Scorer, register
from modeling.specs import ModelUnavailable

if TYPE_CHECKING:
    from modeling.remote import RemoteModel

REMOTE = "remote"
KEPT_OF_MESSAGE = 500


def _begin(job: Job) -> Scorer:
    assert job.server is not None
    return partial(_scores, job.server, job.variant)


def _scores(server: RemoteModel, variant: str, block: Block, progress: Progress) -> list[Floats]:
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
        name=REMOTE,
        title=_("causal language model on a server"),
        begin=_begin,
        variants={
            "partial": _("text after the option"),
            "full": _("whole sentence"),
            "partial_mean": _("text after the option, mean per token"),
            "full_mean": _("whole sentence, mean per token"),
        },
        reads="server",
        log_probabilities=("partial", "full"),
        reads_rest=("partial", "partial_mean"),
    )
)
