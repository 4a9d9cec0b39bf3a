"""How language models and classifiers answer whether a statement is true."""

from collections.abc import Sequence

import numpy as np
from django.utils.translation import gettext_lazy as _

from evaluation.methods.protocol import STATEMENTS, Floats, Job, Method, Progress, Scorer, register
from knowledge.core.problems import Problem
from modeling.loaded import LoadedModel


def margins(model: LoadedModel, problems: Sequence[Problem], progress: Progress) -> Floats:
    """Return how much more a model holds each problem for true than for false.

    Parameters
    ----------
    model : LoadedModel
        ``causal`` or ``masked``: the log-probability of the problem less that with its two
        mentions swapped. ``entailment``: by how much "the knowledge sentence entails the sentence
        with the answer in place" is likelier than the likeliest other label.
    problems : sequence of Problem, length n
    progress : callable (done, total)
        As in `modeling.scoring`.

    Returns
    -------
    float64 (n,)
        In nats; above 0 for "true", 0 for a tie.

    Raises
    ------
    ValueError
        When the model has another use, or as in `modeling.scoring`.

    Notes
    -----
    A causal model counts the tokens from the first one after the pronoun on. Those up to "refer
    to" are the same in both texts and cancel, so the decision does not depend on which of several
    equal pronouns is meant. A masked model counts the tokens of the two mentions in the answer,
    all masked together.
    """
    scorers = {"causal": _causal, "masked": _masked, "entailment": _entailment}
    if model.use not in scorers:
        raise ValueError(f"model must be loaded for one of {', '.join(scorers)}, got {model.use!r}")
    return scorers[model.use](model, problems, progress)


def _causal(model: LoadedModel, problems: Sequence[Problem], progress: Progress) -> Floats:
    from modeling.scoring import Cloze, continuation_scores

    clozes = []
    for row in problems:
        end = row.span[1]
        clozes.append(Cloze(row.text[:end], (row.text[end:], row.swapped.text[end:]), ""))
    scores = continuation_scores(model, clozes, progress=progress)
    return _difference(np.array(scores).reshape(-1, 2))


def _masked(model: LoadedModel, problems: Sequence[Problem], progress: Progress) -> Floats:
    from modeling.scoring import spans_scores

    both = [statement for problem in problems for statement in (problem, problem.swapped)]
    texts, spans = [text.text for text in both], [_mentions(text) for text in both]
    return _difference(spans_scores(model, texts, spans, progress=progress).reshape(-1, 2))


def _entailment(model: LoadedModel, problems: Sequence[Problem], progress: Progress) -> Floats:
    from modeling.scoring import entailment_margins

    pairs = [(problem.premise, problem.resolved) for problem in problems]
    return entailment_margins(model, pairs, progress=progress)


def _mentions(problem: Problem) -> list[tuple[int, int]]:
    """Return the places of the two noun phrases in the answer of a problem's text."""
    end = len(problem.sentence) + 1 + len(problem.claim)
    start = end - len(problem.wrong)
    middle = start - len(" than ")
    return [(middle - len(problem.right), middle), (start, end)]


def _difference(scores: Floats) -> Floats:
    gaps: Floats = scores[:, 0] - scores[:, 1]
    return gaps


CLASSIFIER = "classifier"


def _begin(job: Job) -> Scorer:
    raise ValueError("A classifier answers statements, not questions with options.")


register(
    Method(
        name=CLASSIFIER,
        title=_("classifier trained on reasons"),
        begin=_begin,
        use="pooled",
        about=(STATEMENTS,),
    )
)
