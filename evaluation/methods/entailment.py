"""Entailment: does the sentence with an option follow from the sentence with its pronoun?"""

from functools import partial

import numpy as np
from django.utils.translation import gettext_lazy as _

from corpora.core.forms import clozes
from corpora.core.items import Item
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

# A probability of 1 is one in single precision only; that of the opposite is not 0.
SMALLEST = 1e-9


def _begin(job: Job) -> Scorer:
    from modeling.scoring import entailment_label

    assert job.model is not None
    entailment_label(job.model.model.config)  # refuses a model of other labels at once
    return partial(_scores, job.model)


def _scores(model: LoadedModel, block: Block, progress: Progress) -> list[Floats]:
    from modeling.scoring import entailment_scores

    pairs = [_pairs(item) for item in block.items]
    values = entailment_scores(model, pairs, progress=progress)
    return [
        _of_truth(scores) if item.form == "truth" else scores
        for item, scores in zip(block.items, values, strict=True)
    ]


def _pairs(item: Item) -> list[tuple[str, str]]:
    """Return the sentence as shown, with its pronoun or its blank, and with each option.

    A true/false item, which is that of WNLI, has one pair: with its candidate.
    """
    [cloze] = clozes([item], readings=True)
    texts = cloze.filled[:1] if item.form == "truth" else cloze.filled
    return [(item.sentence, filled) for filled in texts]


def _of_truth(scores: Floats) -> Floats:
    """Return the log-probabilities that the hypothesis follows, and that it does not: (2,)."""
    follows = np.minimum(scores[0], -SMALLEST)
    return np.array([follows, np.log(-np.expm1(follows))])


register(
    Method(
        name="entailment",
        title=_("entailment"),
        begin=_begin,
        use="entailment",
        log_probabilities=("",),
        about=(ITEMS, STATEMENTS),
    )
)
