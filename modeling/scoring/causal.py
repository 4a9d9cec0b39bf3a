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
    refuse_uncounted,
    require,
    start_token,
)
from modeling.scoring.logits import reader
from modeling.scoring.rows import Scored, chain, tree

# Tokens of the texts of a tree, shared ones counted each time. Attention within a tree grows with
# the square of its tokens.
TREE_TOKENS = 256


def causal_scores(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    *,
    partial: bool = False,
    mean: bool = False,
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
    The token that separates documents comes first, so the first word has a probability too;
    without such a token the first word is not counted.

    Source: Trinh and Le, A simple method for commonsense reasoning (2018), full and partial scores.
    """
    gap_ends = [len(c.before) + len(option) for c in clozes for option in c.options]
    begins = gap_ends if partial else [0] * len(gap_ends)
    return _filled(model, clozes, begins, mean=mean, progress=progress)


def continuation_scores(
    model: LoadedModel, clozes: Sequence[Cloze], *, progress: Progress | None = None
) -> list[Floats]:
    """Score options by the log-probability of the option and what follows, given what precedes.

    Parameters, errors and what several texts share are those of `causal_scores`; a token counts if
    it begins in the gap or after it.

    Returns
    -------
    list of float64 (k,)
        In nats, at most 0.
    """
    begins = [len(cloze.before) for cloze in clozes for _ in cloze.options]
    return _filled(model, clozes, begins, mean=False, progress=progress)


def _filled(
    model: LoadedModel,
    clozes: Sequence[Cloze],
    begins: Sequence[int],
    *,
    mean: bool,
    progress: Progress | None,
) -> list[Floats]:
    """Score each option's filled text from a character on, one for each option."""
    require(model, "causal")
    scored = _texts(model, [text for cloze in clozes for text in cloze.filled], begins)
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
    the text before it.

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
        As in `causal_scores`; also when the continuation has other tokens after the neutral prompt
        than after the text.

    Notes
    -----
    Source: Holtzman et al., Surface form competition (EMNLP 2021), PMI_DC. Its domain premise is
    ``neutral``; a premise with the option in it is an extension for texts with a gap.
    """
    require(model, "causal")
    pairs = [(c, option) for c in clozes for option in c.options]
    given = [c.before + option if c.after else c.before for c, option in pairs]
    asked = [c.after or option for c, option in pairs]
    prompts = [neutral.replace("_", o if c.after else "") for c, o in pairs]
    starts = [*given, *prompts]
    texts = [x + y for x, y in zip(starts, [*asked, *asked], strict=True)]
    scored = _texts(model, texts, [len(x) for x in starts])
    n = len(pairs)
    for one, other, y in zip(scored[:n], scored[n:], asked, strict=True):
        if one.ids[one.first :] != other.ids[other.first :]:
            raise ValueError(f"neutral must not change the tokens of {y!r}, got {neutral!r}")
    groups = [*(c.before for c, _ in pairs), *prompts]
    sums = _sums(model, scored, groups, progress)
    return by_question(sums[:n] - sums[n:], [len(c.options) for c in clozes])


def _texts(model: LoadedModel, texts: Sequence[str], begins: Sequence[int]) -> list[Scored]:
    """Return the tokens of texts; those count that begin at or after a text's *begin*."""
    start = start_token(model.tokenizer)
    found = []
    for encoded, begin in zip(encode(model, texts), begins, strict=True):
        before = sum(a < begin for a, _ in encoded.spans)
        ids = (*start, *encoded.ids)
        found.append(Scored(ids, min(max(1, len(start) + before), len(ids))))
    model.refuse_long([text.ids for text in found])
    refuse_uncounted([len(text.ids) - text.first for text in found], texts)
    return found


def _sums(
    model: LoadedModel, texts: Sequence[Scored], groups: Sequence[str], progress: Progress | None
) -> Floats:
    """Return the log-probability of each text; those of a group may share a tree."""
    source = reader(model)
    group_of: dict[Scored, str] = {}
    for text, group in zip(texts, groups, strict=True):
        group_of[text] = min(group, group_of.get(text, group))  # whatever the order of texts
    by_group: dict[str, list[Scored]] = {}
    for text in sorted(group_of):
        by_group.setdefault(group_of[text], []).append(text)
    largest = min(TREE_TOKENS, _window(model)) if source.split else 0
    parts = [part for of_group in by_group.values() for part in _parts(of_group, largest)]
    rows = [tree(part) if source.split else chain(part[0]) for part in parts]
    found = source.run(rows, progress=progress)  # (n_rows, n_most)
    by_part = zip(parts, found, strict=True)
    known = {text: sums[i] for part, sums in by_part for i, text in enumerate(part)}
    return np.array([known[text] for text in texts], dtype=np.float64)


def _parts(texts: Sequence[Scored], largest: int) -> Iterator[list[Scored]]:
    """Cut texts into parts of at most *largest* tokens, or of one text."""
    ends = np.cumsum([len(text.ids) for text in texts])
    start = 0
    for end in range(1, len(texts) + 1):
        before = ends[start - 1] if start else 0
        if end == len(texts) or ends[end] - before > largest:
            yield list(texts[start:end])
            start = end


def _window(model: LoadedModel) -> int:
    """Return how far back every layer attends: a tree's mask knows no windows."""
    config = model.model.config
    known = (getattr(config, name, None) for name in ("sliding_window", "window_size"))
    return min((int(found) for found in known if found), default=model.max_length)
