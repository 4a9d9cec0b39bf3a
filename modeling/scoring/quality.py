"""Whether a language-model head knows plain text from shuffled words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from modeling.loaded import LoadedModel
from modeling.scoring.causal import causal_scores
from modeling.scoring.clozes import Cloze, Floats, put_first, require, start_text
from modeling.scoring.masked import masked_scores

PLAIN = (
    "The children were tired after the long walk, so they went to bed early.",
    "She opened the window because the room was too warm.",
    "My brother lost his keys and had to wait outside until I came home.",
    "The doctor told him to drink more water and to sleep at least seven hours.",
    "We took the train to the city and had lunch in a small restaurant near the river.",
    "It rained all day, but in the evening the sun came out again.",
    "The teacher asked the students to read the first page of the book.",
    "He put the milk back in the fridge and closed the door.",
)
SHUFFLES = 2
# Shuffled text is at least ten times as perplexing for a language model that was trained; a random
# head is within a few percent.
LEAST_RATIO = 2.0


@dataclass(frozen=True, slots=True)
class HeadQuality:
    """The result of `head_quality`.

    Parameters
    ----------
    perplexity, shuffled_perplexity : float, at least 1
        Of the texts, and of their words in random order: the exponential of the mean negative
        log-probability of a token. For a masked model, of tokens masked one at a time.
    n_tokens : int
        Size of the vocabulary: the perplexity of a head that knows nothing.
    start : str
        The tokens that a causal model read before each text; empty for a masked model.
    start_is_own : bool
        Whether the model's tokenizer puts them there by itself.
    """

    perplexity: float
    shuffled_perplexity: float
    n_tokens: int
    start: str = ""
    start_is_own: bool = True

    @property
    def ratio(self) -> float:
        """How many times more perplexing shuffled words are."""
        return self.shuffled_perplexity / self.perplexity

    @property
    def at_chance(self) -> bool:
        """Whether scores of this head mean nothing."""
        return self.ratio < LEAST_RATIO or self.perplexity >= self.n_tokens

    @property
    def verdict(self) -> str:
        """One sentence for people."""
        if self.at_chance:
            return (
                "The language-model head is at chance level on plain English text (perplexity "
                f"{self.perplexity:,.0f}, with shuffled words {self.shuffled_perplexity:,.0f}); "
                "its scores mean nothing. Use a model whose head was trained."
            )
        return (
            f"Perplexity {self.perplexity:,.1f} on plain English text, "
            f"{self.shuffled_perplexity:,.0f} with shuffled words."
        )


def head_quality(model: LoadedModel, texts: Sequence[str] = PLAIN, *, seed: int = 0) -> HeadQuality:
    """Compare the perplexity of plain sentences with that of their shuffled words.

    Parameters
    ----------
    model : LoadedModel
        For causal or masked use.
    texts : sequence of str
        At least one, with two distinct words or more each. Default: eight English sentences.
    seed : int
        Of the two shuffles of each text.

    Returns
    -------
    HeadQuality

    Raises
    ------
    ValueError
        As in `causal_scores`, and when there is no text that can be shuffled.
    """
    require(model, "causal", "masked")
    if not texts or any(len(set(text.split())) < 2 for text in texts):
        raise ValueError(f"texts must have two distinct words or more each, got {texts!r}")
    rng = np.random.default_rng(seed)
    shuffled = [" ".join(rng.permutation(text.split())) for text in texts for _ in range(SHUFFLES)]
    return HeadQuality(
        perplexity=_perplexity(model, texts),
        shuffled_perplexity=_perplexity(model, shuffled),
        n_tokens=int(model.model.config.vocab_size),
        start=start_text(model.tokenizer) if model.use == "causal" else "",
        start_is_own=model.use != "causal" or bool(put_first(model.tokenizer)),
    )


def _perplexity(model: LoadedModel, texts: Sequence[str]) -> float:
    """Return the perplexity per token, over texts of equal weight."""
    clozes = [Cloze("", (text,), "") for text in texts]
    scores: list[Floats] = (
        causal_scores(model, clozes, mean=True)
        if model.use == "causal"
        else masked_scores(model, clozes, mean=True)
    )
    return float(np.exp(-np.mean(np.concatenate(scores))))
