"""Zero-shot choice between the special words of twins, one token each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from modeling.loaded import LoadedModel
from modeling.scoring.causal import causal_scores
from modeling.scoring.clozes import Cloze, Encoded, Floats, Progress, by_question, encode, require
from modeling.scoring.logits import reader
from modeling.scoring.masked import overlapping
from modeling.scoring.rows import Row

Reason = Literal[
    "no word", "several words", "several tokens", "unknown word", "same token", "nothing after"
]


@dataclass(frozen=True, slots=True)
class SpecialWordScores:
    """The result of `special_word_scores`.

    Parameters
    ----------
    scores : list of float64 (2,), or None
        For each item the log-probability of each word; None for an item that was dropped.
    reasons : list of str, or None
        For each item why it was dropped, or None.
    """

    scores: list[Floats | None]
    reasons: list[Reason | None]

    @property
    def dropped(self) -> Counter[Reason]:
        """Number of items dropped for each reason."""
        return Counter(reason for reason in self.reasons if reason is not None)


def special_word_scores(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    *,
    partial: bool = True,
    progress: Progress | None = None,
) -> SpecialWordScores:
    """Score the two special words of twins in the text of one of them.

    The pronoun of the text is replaced by the right option, and the gap is at the special word,
    which differs between the twins.

    Parameters
    ----------
    model : LoadedModel
        For masked use: the word is masked, and the two words are compared at the mask. For causal
        use: each word is inserted, and the resulting texts are compared.
    clozes : sequence of Cloze
        Each with two options, the special words.
    partial : bool
        For causal use, score only the text after the word, given the text before it and the word;
        often the full stop is all that is left. False: score the whole text, so the word counts
        too, as at a mask. Not used for masked use.
    progress : callable (done, total), optional
        As in `causal_scores`.

    Returns
    -------
    SpecialWordScores
        An item is dropped when a word is empty (``no word``), holds white space (``several
        words``), is not a token of its own (``several tokens``) or is not in the vocabulary
        (``unknown word``), when both words are the same token (``same token``), or when a partial
        score has nothing to score (``nothing after``).

    Raises
    ------
    ValueError
        When a cloze has not two options, or as in `causal_scores`.

    Notes
    -----
    Source: Elazar et al., Back to Square One (EMNLP 2021), §6.1, for masked models.
    """
    require(model, "masked", "causal")
    for cloze in clozes:
        if len(cloze.options) != 2:
            raise ValueError(f"clozes must have two options each, got {cloze.options!r}")
    texts = [text for cloze in clozes for text in cloze.filled]
    both = encode(model, texts, special=model.use == "masked")
    partial = partial and model.use == "causal"
    reasons = [_reason(model, c, both[2 * i : 2 * i + 2], partial) for i, c in enumerate(clozes)]
    usable = [i for i, reason in enumerate(reasons) if reason is None]
    if model.use == "causal":
        sums_of_texts = causal_scores(
            model, [clozes[i] for i in usable], partial=partial, progress=progress
        )
    else:
        rows = [_masked(model, clozes[i], both[2 * i : 2 * i + 2]) for i in usable]
        model.refuse_long(rows)
        sums = reader(model).run(rows, progress=progress)  # (n_kept, 2)
        sums_of_texts = by_question(sums.ravel().astype(np.float64), [2] * len(usable))
    scores: list[Floats | None] = [None] * len(clozes)
    for i, of_item in zip(usable, sums_of_texts, strict=True):
        scores[i] = of_item
    return SpecialWordScores(scores, reasons)


def _reason(
    model: LoadedModel, cloze: Cloze, both: Sequence[Encoded], partial: bool
) -> Reason | None:
    if not all(word.strip() for word in cloze.options):
        return "no word"
    if any(len(word.split()) > 1 for word in cloze.options):
        return "several words"
    places = [_places(cloze, *pair) for pair in zip(cloze.options, both, strict=True)]
    if places[0] != places[1] or len(places[0]) != 1:
        return "several tokens"
    place = places[0][0]
    # A word that changes the tokens around it is not one token in this text.
    rest = [[*e.ids[:place], *e.ids[place + 1 :]] for e in both]
    if rest[0] != rest[1] or not all(map(_apart, [cloze] * 2, cloze.options, both)):
        return "several tokens"
    if model.tokenizer.unk_token_id in [e.ids[place] for e in both] and _has_unknown(model):
        return "unknown word"
    if both[0].ids[place] == both[1].ids[place]:
        return "same token"
    return "nothing after" if partial and place == len(both[0].ids) - 1 else None


def _places(cloze: Cloze, word: str, encoded: Encoded) -> list[int]:
    begin = len(cloze.before)
    return overlapping(encoded, begin, begin + len(word))


def _apart(cloze: Cloze, word: str, encoded: Encoded) -> bool:
    """Return whether the word's token holds nothing of the text around it but spaces."""
    begin, end = encoded.spans[_places(cloze, word, encoded)[0]]
    text = cloze.before + word + cloze.after
    return text[begin:end].strip() == word.strip()


def _has_unknown(model: LoadedModel) -> bool:
    """Return whether the tokenizer marks unknown words (byte-level ones have none)."""
    return getattr(model.tokenizer.backend_tokenizer.model, "unk_token", None) is not None


def _masked(model: LoadedModel, cloze: Cloze, both: Sequence[Encoded]) -> Row:
    place = _places(cloze, cloze.options[0], both[0])[0]
    ids = list(both[0].ids)
    ids[place] = model.tokenizer.mask_token_id
    picks = [(place, encoded.ids[place], number) for number, encoded in enumerate(both)]
    return Row(ids, np.array(picks, dtype=np.int64), 2)
