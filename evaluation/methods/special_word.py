"""Zero-shot choice between the special words of twins, at chance without knowledge of the world.

An item is dropped if a special word is not one token of the model.
"""

from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes
from evaluation.methods.protocol import (
    Answer,
    Block,
    Method,
    Progress,
    by_model,
    register,
)
from modeling.loaded import LoadedModel

TRANSFORMATION = "zero_shot"


def _answers(model: LoadedModel, variant: str, block: Block, progress: Progress) -> list[Answer]:
    from modeling.scoring import special_word_scores

    word_scores = special_word_scores(
        model, clozes(block.items), partial=variant == "partial", progress=progress
    )
    return [
        Answer(scores=scores, dropped=f"special words: {reason}" if reason else "")
        for scores, reason in zip(word_scores.scores, word_scores.reasons, strict=True)
    ]


register(
    Method(
        name="special_word",
        title=_("special word, masked language model"),
        begin=by_model(_answers),
        use="masked",
        transformation=TRANSFORMATION,
        log_probabilities=("",),
    )
)
register(
    Method(
        name="special_word_causal",
        title=_("special word, causal language model"),
        begin=by_model(_answers),
        use="causal",
        variants={"full": _("whole sentence"), "partial": _("text after the word")},
        transformation=TRANSFORMATION,
        log_probabilities=("full", "partial"),
    )
)
