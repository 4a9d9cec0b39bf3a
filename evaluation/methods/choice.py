"""Multiple-choice heads: one number for the text with each option."""

from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes
from corpora.core.items import Item
from evaluation.methods.protocol import (
    Block,
    Floats,
    Method,
    Progress,
    by_model,
    register,
)
from modeling.loaded import LoadedModel


def _scores(model: LoadedModel, variant: str, block: Block, progress: Progress) -> list[Floats]:
    from modeling.scoring import choice_scores

    texts = _pairs if variant == "pair" else _sentences
    return choice_scores(model, [texts(item) for item in block.items], progress=progress)


def _pairs(item: Item) -> list[tuple[str, str]]:
    """Return the text before the gap, and the rest with each option, as WinoGrande's program."""
    [cloze] = clozes([item])
    return [(cloze.before.strip(), option + cloze.after) for option in cloze.options]


def _sentences(item: Item) -> list[str]:
    [cloze] = clozes([item])
    return cloze.filled


register(
    Method(
        name="choice",
        title=_("multiple-choice head"),
        begin=by_model(_scores),
        use="choice",
        variants={
            "pair": _("text before the option, and the rest"),
            "sentence": _("whole sentence"),
        },
        log_probabilities=("pair", "sentence"),
    )
)
