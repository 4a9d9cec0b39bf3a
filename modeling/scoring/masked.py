"""Scores by masked language models: the log-probability of masked tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from modeling.loaded import LoadedModel
from modeling.scoring.clozes import (
    Cloze,
    Encoded,
    Floats,
    Progress,
    by_question,
    encode,
    refuse_uncounted,
    require,
)
from modeling.scoring.logits import reader
from modeling.scoring.rows import Row


def masked_scores(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    *,
    method: Literal["pseudo", "span"] = "pseudo",
    mean: bool = False,
    progress: Progress | None = None,
) -> list[Floats]:
    """Score options by the log-probability of masked tokens.

    Parameters
    ----------
    model : LoadedModel
        For masked use.
    clozes, mean, progress
        As in `causal_scores`.
    method : {'pseudo', 'span'}
        ``pseudo``: the log-probability of every token of the filled text, masked one at a time
        (pseudo-log-likelihood). ``span``: that of the option's tokens, all masked together.

    Returns
    -------
    list of float64 (k,)

    Raises
    ------
    ValueError
        As in `causal_scores`.

    Source: Salazar et al., Masked language model scoring (ACL 2020); Kocijan et al., A surprisingly
    robust trick for the Winograd Schema Challenge (ACL 2019).
    """
    require(model, "masked")
    texts = [text for cloze in clozes for text in cloze.filled]
    if method == "span":
        lists = [[row] for row in span_rows(model, clozes)]
    else:
        spans = encode(model, texts, special=True)
        lists = [[hide(model, each.ids, [place]) for place in words(each)] for each in spans]
    counts = [sum(len(row.picks) for row in rows) for rows in lists]
    sums = masked_sums(model, lists, counts, texts, progress)
    scores = sums / np.array(counts) if mean else sums
    return by_question(scores, [len(cloze.options) for cloze in clozes])


def span_rows(model: LoadedModel, clozes: Sequence[Cloze]) -> list[Row]:
    """Return a row for each option that asks for its tokens, masked together.

    Raises
    ------
    ValueError
        When an option has no token, or a text more than the model's positions.
    """
    texts = [text for cloze in clozes for text in cloze.filled]
    spans = [
        [(len(cloze.before), len(cloze.before) + len(option))]
        for cloze in clozes
        for option in cloze.options
    ]
    return _hidden(model, texts, spans)


def spans_scores(
    model: LoadedModel,
    texts: Sequence[str],
    spans: Sequence[Sequence[tuple[int, int]]],
    *,
    progress: Progress | None = None,
) -> Floats:
    """Score texts by the log-probability of the tokens of some spans, all masked together.

    Parameters
    ----------
    model : LoadedModel
        For masked use.
    texts : sequence of str, length n
    spans : sequence of length n
        For each text at least one range of characters, start and end, with a token in it.
    progress : callable (done, total), optional
        As in `masked_scores`.

    Returns
    -------
    float64 (n,)
        In nats, at most 0.

    Raises
    ------
    ValueError
        As in `masked_scores`, and when no token of a text is in its spans.
    """
    require(model, "masked")
    rows = _hidden(model, texts, spans)
    sums = reader(model).run(rows, progress=progress)[:, 0].astype(np.float64)
    by_question(sums, [1] * len(sums))  # refuses a score that is not finite
    return sums


def _hidden(
    model: LoadedModel, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
) -> list[Row]:
    """Return a row for each text that asks for the tokens of its spans, masked together."""
    variants = []
    for encoded, of_text in zip(encode(model, texts, special=True), spans, strict=True):
        places = {place for span in of_text for place in overlapping(encoded, *span)}
        variants.append(hide(model, encoded.ids, sorted(places)))
    model.refuse_long(variants)
    refuse_uncounted([len(row.picks) for row in variants], texts)
    return variants


def masked_sums(
    model: LoadedModel,
    asked: Sequence[Sequence[Row]],
    counts: Sequence[int],
    texts: Sequence[str],
    progress: Progress | None,
) -> Floats:
    """Return the sum over the rows of each text: (n_texts,)."""
    rows = [row for of_text in asked for row in of_text]
    model.refuse_long(rows)
    refuse_uncounted(counts, texts)
    token_sums = reader(model).run(rows, progress=progress)[:, 0]
    of_text = np.repeat(np.arange(len(asked)), [len(rows) for rows in asked])
    sums = np.bincount(of_text, weights=token_sums, minlength=len(asked))
    return np.asarray(sums, dtype=np.float64)


def hide(model: LoadedModel, ids: Sequence[int], places: Sequence[int]) -> Row:
    """Return a row that asks for the tokens at *places*, masked together."""
    hidden = list(ids)
    for place in places:
        hidden[place] = model.tokenizer.mask_token_id
    picks = [(place, ids[place], 0) for place in places]
    return Row(hidden, np.array(picks, dtype=np.int64).reshape(-1, 3), 1)


def words(encoded: Encoded) -> list[int]:
    """Return the places of the tokens of the text itself, without special ones."""
    return [place for place, (a, b) in enumerate(encoded.spans) if a < b]


def overlapping(encoded: Encoded, begin: int, end: int) -> list[int]:
    """Return the places of the tokens that overlap a range of characters."""
    return [p for p in words(encoded) if encoded.spans[p][0] < end and encoded.spans[p][1] > begin]
