"""What is scored: texts with a gap and options, and their tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modeling.loaded import LoadedModel, Use

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Cloze:
    """A text with a gap and the options that may fill it.

    Parameters
    ----------
    before, after : str
        The text around the gap, spaces included.
    options : tuple of str
        The options, as inserted into the gap.

    Examples
    --------
    >>> Cloze("It is ", ("big", "small"), ".").filled
    ['It is big.', 'It is small.']
    """

    before: str
    options: tuple[str, ...]
    after: str

    @property
    def filled(self) -> list[str]:
        return [self.before + option + self.after for option in self.options]


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of a text, and the range of characters of each."""

    ids: list[int]
    spans: list[tuple[int, int]]


def require(model: LoadedModel, *uses: Use) -> None:
    """Raise ValueError if the model was loaded for another use."""
    if model.use not in uses:
        wanted = " or ".join(map(repr, uses))
        raise ValueError(f"model must be loaded for use {wanted}, got {model.use!r}")


DOCUMENTS = "<|endoftext|>"
"""Separates the documents of GPT-2's pretraining and of many after it."""


def start_token(tokenizer: Any) -> list[int]:
    """Return the tokens put before a text, or an empty list.

    Those that the model's own tokenizer puts there; else, the token that separates documents. A
    model tuned to chat defines other tokens for the start and end of a turn, so a special token
    ``<|endoftext|>``, which it saw in pretraining, goes before the tokenizer's start token; as an
    ordinary entry of the vocabulary it comes after it.
    """
    if own := put_first(tokenizer):
        return own
    documents = tokenizer.get_vocab().get(DOCUMENTS)
    is_special = documents is not None and documents in tokenizer.all_special_ids
    ids = (
        documents if is_special else None,
        tokenizer.bos_token_id,
        documents,
        tokenizer.eos_token_id,
    )
    return [id for id in ids if id is not None][:1]


def start_text(tokenizer: Any) -> str:
    """Return the tokens put before a text as they are written, joined by spaces."""
    return " ".join(tokenizer.convert_ids_to_tokens(start_token(tokenizer)))


def put_first(tokenizer: Any) -> list[int]:
    """Return the special tokens that the tokenizer puts before a text."""
    ids, plain = (tokenizer("a", add_special_tokens=on)["input_ids"] for on in (True, False))
    extra = len(ids) - len(plain)
    before = next((n for n in range(extra + 1) if ids[n : n + len(plain)] == plain), 0)
    return list(ids[:before])


def encode(model: LoadedModel, texts: Sequence[str], *, special: bool = False) -> list[Encoded]:
    """Return the tokens of texts, with the model's special tokens or without."""
    if not texts:
        return []
    encoding = model.tokenizer(
        list(texts), add_special_tokens=special, return_offsets_mapping=True, truncation=False
    )
    pairs = zip(encoding["input_ids"], encoding["offset_mapping"], strict=True)
    return [Encoded(ids, spans) for ids, spans in pairs]


def refuse_uncounted(counts: Sequence[int], texts: Sequence[str]) -> None:
    """Raise ValueError if no token of a text counts."""
    for count, text in zip(counts, texts, strict=True):
        if count == 0:
            raise ValueError(f"no token of {text!r} is left to score")


def by_question(scores: Floats, counts: Sequence[int]) -> list[Floats]:
    """Split the scores of all options by question; ValueError if one is not finite."""
    if not np.isfinite(scores).all():
        raise ValueError("a score is not finite; the weights or the dtype cannot be right")
    return list(np.split(scores, np.cumsum(counts)[:-1])) if len(counts) else []
