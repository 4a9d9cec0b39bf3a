"""What every method has in common, and the registry.

Web processes import the methods for their names, so a method imports torch, scikit-learn or
another large library only when it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from corpora.core.items import Item
from modeling.loaded import LoadedModel, Use

if TYPE_CHECKING:
    from evaluation.core.predictions import Predictions
    from modeling.remote import RemoteModel

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
Features = Callable[[Sequence[Item]], NDArray[np.float32]]
ItemScores = Callable[[Sequence[Item], Progress], list[Floats]]
ITEMS, STATEMENTS = "items", "statements"
# The folders of this app's and of knowledge's code that scores depend on, for `code_version`.
CODE = ("evaluation/core", "evaluation/methods", "knowledge/core")
Reads = Literal["corpus", "fine_tuning", "members", "predictions", "server"]
# Kinds of models in words, in the order in which methods are offered: what a method needs, by its
# use or by what it reads, and a kind that none takes.
NEEDS: dict[str, Any] = {
    "causal": _("a causal language model"),
    "masked": _("a masked language model"),
    "choice": _("a model with a multiple-choice head"),
    "entailment": _("an entailment model"),
    "pooled": _("an encoder"),
    "seq2seq": _("a sequence-to-sequence model, which no method takes"),
    "server": _("a model on the operator’s server"),
}


def kinds_in_words(kinds: Iterable[str]) -> str:
    """Return the kinds of a model in words; that it is an encoder, too, only if it is no other."""
    named = [NEEDS[kind] for kind in NEEDS if kind in set(kinds) - {"pooled"}]
    return f" {_('and')} ".join(map(str, named)) or str(NEEDS["pooled"])


@dataclass(frozen=True, slots=True)
class Block:
    """Some items to score together.

    Parameters
    ----------
    number : int, at least 1
        With the job's seed it determines every random choice.
    items : sequence of Item
        Without answers.
    """

    number: int
    items: Sequence[Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a method needs before it can score a block.

    Parameters
    ----------
    items : sequence of Item
        All items that will be scored, without answers, in published order.
    variant : str
        One of the method's variants; empty if it has none.
    seed : int, at least 0
    model : LoadedModel, optional
        The model under test, loaded for the method's use.
    learned_from : sequence of Item
        For a supervised method: items with answers, at least one.
    features : callable, optional
        Returns the features (n, d) of items from an encoding, if the evaluation has one.
    corpus : sequence of str
        For a method that reads a corpus: its sentences.
    members : sequence of mapping of str to float64 (k,)
        For an ensemble: the scores of each member by the item's id.
    predictions : Read, optional
        For predictions made elsewhere: what their file says.
    server : RemoteModel, optional
        For a model behind a server.
    fine_tuned : callable, optional
        For a model fine-tuned here: returns the scores of items.
    """

    items: Sequence[Item]
    variant: str = ""
    seed: int = 0
    model: LoadedModel | None = None
    learned_from: Sequence[Item] = ()
    features: Features | None = None
    corpus: Sequence[str] = ()
    members: Sequence[Mapping[str, Floats]] = ()
    predictions: Predictions | None = None
    server: RemoteModel | None = None
    fine_tuned: ItemScores | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a method says about an item.

    Parameters
    ----------
    scores : float64 (k,), optional
        One finite number per option. None only if the item is dropped or has no answer.
    dropped : str
        Why the method cannot ask about the item. Its whole group is then left out.
    unanswered : str
        Why there is no answer to the item, which counts as wrong.
    evidence : sequence of mapping of str to JSON value
        What the scores follow from, to be shown beside them.
    """

    scores: Floats | None = None
    dropped: str = ""
    unanswered: str = ""
    evidence: Sequence[Mapping[str, Any]] = ()


# Returns one float64 (k,) per item of the block, one number per option, all finite; or an `Answer`.
# Must depend only on the job and the block. ValueError fails the evaluation with its message.
Scorer = Callable[[Block, Progress], Sequence[Floats | Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A way to answer questions.

    Parameters
    ----------
    name : str
        A short name, as stored.
    title : str
        The name for people; may be lazy.
    begin : callable
        Prepares a job; called once by each worker that scores blocks of it.
    variants : mapping of str to str
        The names of variants and their titles, the default first; empty if there are none.
    use : {'masked', 'causal', 'choice', 'pooled', 'entailment'}, optional
        What the model under test is loaded for; None if no model is loaded.
    is_supervised : bool
        Whether it learns from the answers of a training split.
    reads : {'corpus', 'fine_tuning', 'members', 'predictions', 'server'}, optional
        The part of a job that only some methods have.
    transformation : str
        The transformation that makes the items that it asks about; empty if it takes any items.
    log_probabilities : sequence of str
        The variants (an empty name if it has none) whose scores are log-probabilities or logits.
    reads_rest : sequence of str
        The variants that score the text after the option, so that there must be one.
    about : sequence of {'items', 'statements'}
        What it answers. A statement has no options: it is called true or false, and variants of
        scores of options do not apply.
    """

    name: str
    title: Any
    begin: Callable[[Job], Scorer]
    variants: Mapping[str, Any] = field(default_factory=dict)
    use: Use | None = None
    is_supervised: bool = False
    reads: Reads | None = None
    transformation: str = ""
    log_probabilities: Sequence[str] = ()
    reads_rest: Sequence[str] = ()
    about: Sequence[str] = (ITEMS,)

    @property
    def has_model(self) -> bool:
        """Whether an evaluation names a model."""
        return self.use is not None or self.reads in ("server", "fine_tuning")

    @property
    def kind(self) -> str:
        """The kind of model that it needs, one of `NEEDS`; empty without a model."""
        return self.use or ("server" if self.reads == "server" else "")

    @property
    def is_requested_by_name(self) -> bool:
        """Whether the method with its variant, model and items is a whole request."""
        incomplete = ("fine_tuning", "members", "predictions")
        return ITEMS in self.about and self.reads not in incomplete

    @property
    def detects(self) -> bool:
        """Whether it can look for artifacts: it scores any items, and learns from no answers."""
        scores = self.has_model or self.reads == "corpus"
        learns = self.is_supervised or self.reads == "fine_tuning"
        return ITEMS in self.about and scores and not learns and not self.transformation


METHODS: dict[str, Method] = {}
ModelScorer = Callable[[Any, str, Block, Progress], Sequence[Floats | Answer]]


def by_model(scores: ModelScorer) -> Callable[[Job], Scorer]:
    """Return what begins a job whose *scores* need the model and the variant only."""

    def begin(job: Job) -> Scorer:
        assert job.model is not None
        return partial(scores, job.model, job.variant)

    return begin


def register(method: Method) -> None:
    """Register a method under its name."""
    METHODS[method.name] = method
