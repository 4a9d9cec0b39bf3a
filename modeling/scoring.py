"""Score options with a causal or masked language model, or a multiple-choice head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Text, Tokens
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
    """

    before: str
    options: tuple[str, ...]
    after: str

    @property
    def filled(self) -> list[str]:
        return [self.before + option + self.after for option in self.options]


@dataclass(frozen=True, slots=True)
class _Query:
    """Tokens of a row to score: the log-probability of ``wanted`` at ``places``."""

    ids: list[int]
    places: list[int]
    wanted: list[int]

    def __len__(self) -> int:
        return len(self.ids)


def causal_scores(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    *,
    partial: bool = False,
    mean: bool = False,
    progress: Progress | None = None,
) -> list[Floats]:
    """Score options by the log-probability of the resulting text.

    Parameters
    ----------
    model : LoadedModel
        For causal use.
    clozes : sequence of Cloze
    partial : bool
        Score only the text after the gap, given the text before it and the option. A token counts
        if it begins after the gap.
    mean : bool
        Use the mean over tokens instead of the sum.
    progress : callable (done, total), optional
        Called after each batch with the number of filled texts done; may raise to stop.

    Returns
    -------
    list of float64 (k,)
        For each cloze the log-probability, in nats, of each option.

    Raises
    ------
    ValueError
        When the model was loaded for another use, a text has more tokens than the model's
        positions, there is no token to score, or a score is not finite.

    Notes
    -----
    The token that separates documents comes first, so the first word has a probability too;
    without such a token the first word is not counted.

    Source: Trinh and Le, A simple method for commonsense reasoning (2018), full and partial scores.
    """
    _require(model, "causal")
    start = _start(model.tokenizer)

    def queries(cloze: Cloze, option: str) -> list[_Query]:
        gap_end = len(cloze.before) + len(option)
        ids, spans = _spans(model, cloze.before + option + cloze.after)
        ids, first = [*start, *ids], len(start)
        counted = [
            place
            for place, (begin, _) in enumerate(spans, first)
            if place > 0 and (begin >= gap_end or not partial)
        ]
        return [_Query(ids, [p - 1 for p in counted], [ids[p] for p in counted])]

    return _scored(model, clozes, queries, mean=mean, progress=progress)


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
    _require(model, "masked")
    mask = model.tokenizer.mask_token_id

    def queries(cloze: Cloze, option: str) -> list[_Query]:
        begin = len(cloze.before)
        ids, spans = _spans(model, cloze.before + option + cloze.after, special=True)
        words = [place for place, (a, b) in enumerate(spans) if a < b]
        if method == "pseudo":
            together = [[place] for place in words]
        else:
            inside = range(begin, begin + len(option))
            together = [[p for p in words if spans[p][0] < inside.stop and spans[p][1] > begin]]
        return [
            _Query(
                [mask if place in hidden else id for place, id in enumerate(ids)],
                hidden,
                [ids[place] for place in hidden],
            )
            for hidden in together
        ]

    return _scored(model, clozes, queries, mean=mean, progress=progress)


def choice_scores(
    model: LoadedModel,
    questions: Sequence[Sequence[Text]],
    *,
    progress: Progress | None = None,
) -> list[Floats]:
    """Score each question's options with a multiple-choice head.

    Parameters
    ----------
    model : LoadedModel
        For multiple choice.
    questions : sequence of sequence of str, or of pairs of str
        For each question, k options in the form that the head reads.
    progress : callable (done, total), optional
        Called after each batch with the number of options done.

    Returns
    -------
    list of float64 (k,)
        The head's logits.

    Raises
    ------
    ValueError
        When the model was loaded for another use, a text has more tokens than the model's
        positions, or a score is not finite.
    """
    _require(model, "choice")
    texts = [text for options in questions for text in options]
    rows = model.tokens(texts, cut=False)

    def logits(batch: list[Tokens]) -> NDArray[np.float32]:
        # Each option is a separate question, so questions may have different numbers of options.
        inputs = {name: tensor.unsqueeze(1) for name, tensor in model.inputs(batch).items()}
        found: NDArray[np.float32] = model.model(**inputs).logits.squeeze(1).float().cpu().numpy()
        return found

    scores = np.empty(len(rows), dtype=np.float32)
    model.run(logits, rows, into=scores, ties=texts, progress=progress)
    return _by_question(scores.astype(np.float64), [len(options) for options in questions])


def _require(model: LoadedModel, use: Use) -> None:
    if model.use != use:
        raise ValueError(f"model must be loaded for use {use!r}, got {model.use!r}")


def _start(tokenizer: Any) -> list[int]:
    """Return the token that separates documents, or an empty list.

    A model tuned to chat defines other tokens for the start and end of a turn; the one that it
    saw at the start of documents is that of its pretraining.
    """
    pretrained = tokenizer.get_vocab().get("<|endoftext|>")
    known = (pretrained, tokenizer.bos_token_id, tokenizer.eos_token_id)
    return [id for id in known if id is not None][:1]


def _spans(
    model: LoadedModel, text: str, *, special: bool = False
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return a text's tokens, and the character range of each."""
    encoded = model.tokenizer(text, add_special_tokens=special, return_offsets_mapping=True)
    return encoded["input_ids"], encoded["offset_mapping"]


def _scored(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    queries: Callable[[Cloze, str], list[_Query]],
    *,
    mean: bool,
    progress: Progress | None,
) -> list[Floats]:
    asked = [queries(cloze, option) for cloze in clozes for option in cloze.options]
    rows = [query for one in asked for query in one]
    counts = np.array([sum(len(query.places) for query in one) for one in asked], dtype=np.int64)
    model.refuse_long(rows)
    if (counts == 0).any():
        filled = [text for cloze in clozes for text in cloze.filled]
        raise ValueError(f"no token of {filled[int(counts.argmin())]!r} is left to score")
    found = np.empty(len(rows), dtype=np.float32)
    ties = [(query.ids, query.places) for query in rows]
    function = partial(_log_probabilities, model)
    model.run(function, rows, into=found, ties=ties, progress=progress)
    of_option = np.repeat(np.arange(len(asked)), [len(one) for one in asked])
    sums = np.bincount(of_option, weights=found, minlength=len(asked))
    scores = np.asarray(sums / counts if mean else sums, dtype=np.float64)
    return _by_question(scores, [len(cloze.options) for cloze in clozes])


def _log_probabilities(model: LoadedModel, batch: list[_Query]) -> NDArray[np.float32]:
    """Return the summed log-probabilities of the wanted tokens of each row: (n_batch,)."""
    import torch

    logits = model.model(**model.inputs([Tokens(query.ids) for query in batch])).logits
    sums = []
    for row, query in zip(logits, batch, strict=True):
        of_places = torch.log_softmax(row[query.places].float(), dim=-1)  # (n_places, n_tokens)
        wanted = torch.tensor(query.wanted, device=row.device)
        sums.append(of_places.gather(1, wanted.unsqueeze(1)).double().sum())
    found: NDArray[np.float32] = torch.stack(sums).float().cpu().numpy()
    return found


def _by_question(scores: Floats, counts: Sequence[int]) -> list[Floats]:
    if not np.isfinite(scores).all():
        raise ValueError("a score is not finite; the weights or the dtype cannot be right")
    return list(np.split(scores, np.cumsum(counts)[:-1])) if len(counts) else []
