"""Scores of a text's options: by a causal or a masked language model, or a multiple-choice head."""

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
    """A text with a gap and what may fill it.

    Parameters
    ----------
    before, after : str
        The text around the gap, spaces included.
    options : tuple of str
        As they are to stand in the gap.
    """

    before: str
    options: tuple[str, ...]
    after: str

    @property
    def filled(self) -> list[str]:
        return [self.before + option + self.after for option in self.options]


@dataclass(frozen=True, slots=True)
class _Query:
    """What a model is to say of some tokens of a row: how likely ``wanted`` is at ``places``."""

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
    """Score options by the log-probability of the text that each makes.

    Parameters
    ----------
    model : LoadedModel
        For causal use.
    clozes : sequence of Cloze
    partial : bool
        Of what follows the gap alone, given what stands before it and in it. A token counts when
        it begins behind the gap.
    mean : bool
        A token's mean instead of the sum.
    progress : callable (done, total), optional
        Told after each batch how many filled texts are done; what it raises ends the work.

    Returns
    -------
    list of float64 (k,)
        For each cloze a log-probability, in nats, of each option.

    Raises
    ------
    ValueError
        When the model is for another use, a text has more tokens than the model takes, nothing is
        left to count, or a score is not finite.

    Notes
    -----
    The token that parts documents stands first, so the first word has a probability as well;
    without such a token it does not count.

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
    """Score options by what a masked language model says of their tokens.

    Parameters
    ----------
    model : LoadedModel
        For masked use.
    clozes, mean, progress
        As `causal_scores` takes them.
    method : {'pseudo', 'span'}
        ``pseudo``: the log-probability of every token of the filled text, masked alone (its
        pseudo-log-likelihood). ``span``: that of the option's tokens, all masked at once.

    Returns
    -------
    list of float64 (k,)

    Raises
    ------
    ValueError
        As `causal_scores`.

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
        For each question its k options as the head reads them.
    progress : callable (done, total), optional
        Told after each batch how many options are done.

    Returns
    -------
    list of float64 (k,)
        The head's logits.

    Raises
    ------
    ValueError
        When the model is for another use, a text has more tokens than the model takes, or a score
        is not finite.
    """
    _require(model, "choice")
    texts = [text for options in questions for text in options]
    rows = model.tokens(texts, cut=False)

    def logits(batch: list[Tokens]) -> NDArray[np.float32]:
        # Each option as a question of its own: then questions may have different numbers of them.
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
    """Return the token that parts documents, or none.

    A model tuned to chat names other tokens for where a turn starts and ends; what it has read
    before all others is the one it was pretrained with.
    """
    pretrained = tokenizer.get_vocab().get("<|endoftext|>")
    known = (pretrained, tokenizer.bos_token_id, tokenizer.eos_token_id)
    return [id for id in known if id is not None][:1]


def _spans(
    model: LoadedModel, text: str, *, special: bool = False
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return a text's tokens and which of its characters each stands for."""
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
    """Sum, for each row of a batch, the log-probabilities of the tokens asked about: (n_batch,)."""
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
