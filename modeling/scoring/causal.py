"""Scores by causal language models: the log-probability of a text, or of a part of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from modeling.loaded import LoadedModel
from modeling.scoring.clozes import (
    Cloze,
    Floats,
    Progress,
    by_question,
    encode,
    put_first,
    refuse_uncounted,
    require,
    start_token,
)
from modeling.scoring.logits import reader
from modeling.scoring.rows import CausalText, chain, tree

# Tokens of the texts of a tree, shared ones counted each time. Attention within a tree grows with
# the square of its tokens.
TREE_TOKENS = 256


def causal_scores(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    *,
    partial: bool = False,
    mean: bool = False,
    start: bool = True,
    progress: Progress | None = None,
) -> list[Floats]:
    """Score options by the log-probability of the resulting text.

    What several texts share from their start on, such as the options of a question and twins with
    the same text before the gap, is computed once.

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
    start : bool
        Put a start token first where the tokenizer puts none, as `start_token` says.
    progress : callable (done, total), optional
        Called after each batch with the number of the model's input rows done; may raise to stop.

    Returns
    -------
    list of float64 (k,)
        For each cloze the log-probability, in nats, of each option. Equal texts of a call with
        the same gap have equal scores; other items of the call change a score only by rounding.

    Raises
    ------
    ValueError
        When the model was loaded for another use, a text has more tokens than the model's
        positions, there is no token to score, or a score is not finite.

    Notes
    -----
    The tokenizer's start token or the one that separates documents comes first (`start_token`), so
    the first word has a probability too; without such a token the first word is not counted.

    Source: Trinh and Le, A simple method for commonsense reasoning (2018), full and partial scores.
    """
    gap_ends = [len(c.before) + len(option) for c in clozes for option in c.options]
    begins = gap_ends if partial else [0] * len(gap_ends)
    return _filled(model, clozes, begins, mean=mean, start=start, progress=progress)


def continuation_scores(
    model: LoadedModel, clozes: Sequence[Cloze], *, progress: Progress | None = None
) -> list[Floats]:
    """Score options by the log-probability of the option and what follows, given what precedes.

    Parameters, errors and what several texts share are those of `causal_scores`; a token counts if
    it begins in the gap or after it, or with the space before the gap.

    Returns
    -------
    list of float64 (k,)
        In nats, at most 0.
    """
    begins = [_begin(cloze.before) for cloze in clozes for _ in cloze.options]
    return _filled(model, clozes, begins, mean=False, start=True, progress=progress)


def _filled(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    begins: Sequence[int],
    *,
    mean: bool,
    start: bool,
    progress: Progress | None,
) -> list[Floats]:
    """Score each option's filled text from a character on, one for each option."""
    require(model, "causal")
    texts = [text for cloze in clozes for text in cloze.filled]
    scored = _texts(model, texts, begins, start=start)
    sums = _sums(model, scored, [c.before for c in clozes for _ in c.options], progress)
    counts = np.array([len(text.ids) - text.first for text in scored], dtype=np.int64)
    return by_question(sums / counts if mean else sums, [len(c.options) for c in clozes])


def pmi_scores(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    *,
    neutral: str = "_",
    progress: Progress | None = None,
) -> list[Floats]:
    """Score options by how much more likely the context makes the continuation.

    The score is log p(y | x) − log p(y | neutral prompt): y is the text after the gap, and x the
    text before it with the option. In a cloze without text after the gap, y is the option and x
    the text before it. After both, y has the tokens that it has in the text.

    Parameters
    ----------
    model, clozes, progress
        As in `causal_scores`.
    neutral : str
        The neutral prompt. A ``_`` in it is replaced by the option, or by nothing where y is the
        option: the default is the option alone. Without a ``_`` it is the same for all options,
        so where y is the text after the gap, the choice is that of the partial score.

    Returns
    -------
    list of float64 (k,)
        In nats.

    Raises
    ------
    ValueError
        As in `causal_scores`.

    Notes
    -----
    Source: Holtzman et al., Surface form competition (EMNLP 2021), PMI_DC. Its domain premise is
    ``neutral``; a premise with the option in it is an extension for texts with a gap.
    """
    require(model, "causal")
    pairs = [(c, option) for c in clozes for option in c.options]
    has_rest = [bool(c.after.strip()) for c, _ in pairs]
    given = [c.before + (o if rest else "") for (c, o), rest in zip(pairs, has_rest, strict=True)]
    texts = [text for c in clozes for text in c.filled]
    scored = _texts(model, texts, list(map(_begin, given)))
    prompts = [
        neutral.replace("_", o if rest else "").rstrip()
        for (_, o), rest in zip(pairs, has_rest, strict=True)
    ]
    both = [
        _also_after(prompt, text)
        for prompt, text in zip(_prompts(model, prompts), scored, strict=True)
    ]
    model.refuse_long([alone.ids for _, alone in both])
    refuse_uncounted([len(text.ids) - text.first for text, _ in both], texts)
    groups = [*(c.before for c, _ in pairs), *prompts]
    every = [*(text for text, _ in both), *(alone for _, alone in both)]
    sums = _sums(model, every, groups, progress)
    n = len(pairs)
    return by_question(sums[:n] - sums[n:], [len(c.options) for c in clozes])


def _prompts(model: LoadedModel, prompts: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the tokens of prompts, after the start token."""
    start = start_token(model.tokenizer)
    return [(*start, *encoded.ids) for encoded in encode(model, prompts)]


def _also_after(prompt: tuple[int, ...], text: CausalText) -> tuple[CausalText, CausalText]:
    """Return a text, and what counts of it after a prompt.

    The first token of an input has no probability, so without a prompt and a start token the first
    one counts in neither.
    """
    lost = 0 if prompt else 1
    alone = (*prompt, *text.ids[text.first :])
    return CausalText(text.ids, text.first + lost), CausalText(alone, len(prompt) + lost)


def _begin(before: str) -> int:
    """Return where what follows a text begins: a space between belongs to the word after it."""
    return len(before) - before[-1:].isspace()


def _texts(
    model: LoadedModel, texts: Sequence[str], begins: Sequence[int], *, start: bool = True
) -> list[CausalText]:
    """Return the tokens of texts; those count that begin at or after a text's *begin*."""
    first = start_token(model.tokenizer) if start else put_first(model.tokenizer)
    rows = []
    for encoded, begin in zip(encode(model, texts), begins, strict=True):
        before = sum(a < begin for a, _ in encoded.spans)
        ids = (*first, *encoded.ids)
        rows.append(CausalText(ids, min(max(1, len(first) + before), len(ids))))
    model.refuse_long([text.ids for text in rows])
    refuse_uncounted([len(text.ids) - text.first for text in rows], texts)
    return rows


def _sums(
    model: LoadedModel,
    texts: Sequence[CausalText],
    groups: Sequence[str],
    progress: Progress | None,
) -> Floats:
    """Return the log-probability of each text; those of a group may share a tree."""
    source = reader(model)
    group_of: dict[CausalText, str] = {}
    for text, group in zip(texts, groups, strict=True):
        group_of[text] = min(group, group_of.get(text, group))  # whatever the order of texts
    by_group: dict[str, list[CausalText]] = {}
    alone = []
    for text in sorted(group_of):
        if len(text.ids) <= source.depth:
            by_group.setdefault(group_of[text], []).append(text)
        else:
            alone.append(text)
    parts = [part for of_group in by_group.values() for part in _parts(of_group)]
    done, total = 0, len(parts) + len(alone)

    def report(number: int, _: int) -> None:
        if progress is not None:
            progress(done + number, total)

    trees = source.run([tree(part) for part in parts], progress=report)  # (n_parts, n_most)
    done = len(parts)
    chains = source.run([chain(text) for text in alone], progress=report)  # (n_alone, 1)
    scores = {
        text: sums[i]
        for part, sums in zip(parts, trees, strict=True)
        for i, text in enumerate(part)
    }
    scores |= {text: sums[0] for text, sums in zip(alone, chains, strict=True)}
    return np.array([scores[text] for text in texts], dtype=np.float64)


def _parts(texts: Sequence[CausalText]) -> Iterator[list[CausalText]]:
    """Cut texts into parts of at most TREE_TOKENS tokens, or of one text."""
    ends = np.cumsum([len(text.ids) for text in texts])
    start = 0
    for end in range(1, len(texts) + 1):
        before = ends[start - 1] if start else 0
        if end == len(texts) or ends[end] - before > TREE_TOKENS:
            yield list(texts[start:end])
            start = end
