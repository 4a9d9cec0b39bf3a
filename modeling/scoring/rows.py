"""Rows of tokens of which some log-probabilities are wanted; texts that share a start are a tree.

A tree holds the tokens that several texts share once. Each token attends to its ancestors only and
has the position that it has in its text, so a model computes for it what it computes in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Row:
    """Tokens, and whose log-probabilities at which places make up each of several sums.

    Parameters
    ----------
    ids : list of int
    picks : int64 (n_picks, 3)
        The place whose logits are read, the token read, and the sum to which it belongs.
    n_sums : int
    parents : list of int, or None
        In a tree, the index of the token before each one, or -1. None for an ordinary text.
    """

    ids: list[int]
    picks: NDArray[np.int64]
    n_sums: int
    parents: list[int] | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def tie(self) -> tuple[list[int], list[list[int]]]:
        """What distinguishes rows of equal length."""
        return self.ids, self.picks.tolist()

    @cached_property
    def visible(self) -> NDArray[np.bool_]:
        """Return which tokens each token of a tree attends to: (n, n)."""
        assert self.parents is not None
        visible = np.eye(len(self.ids), dtype=np.bool_)
        for place, parent in enumerate(self.parents):
            if parent >= 0:
                visible[place] |= visible[parent]
        return visible


@dataclass(frozen=True, slots=True, order=True)
class CausalText:
    """A text of a causal model: its tokens, and the first of them that counts."""

    ids: tuple[int, ...]
    first: int


def chain(text: CausalText) -> Row:
    """Return the row of a single text."""
    counted = range(text.first, len(text.ids))
    picks = [(place - 1, text.ids[place], 0) for place in counted]
    return Row(list(text.ids), np.array(picks, dtype=np.int64).reshape(-1, 3), 1)


def tree(texts: Sequence[CausalText]) -> Row:
    """Return the row of several texts, in which a start that some share is there once.

    >>> row = tree([CausalText((5, 6, 7), 1), CausalText((5, 6, 8, 9), 1)])
    >>> row.ids, row.parents
    ([5, 6, 7, 8, 9], [-1, 0, 1, 1, 3])
    >>> row.picks.tolist()
    [[0, 6, 0], [1, 7, 0], [0, 6, 1], [1, 8, 1], [3, 9, 1]]
    """
    ids: list[int] = []
    parents: list[int] = []
    nodes: dict[tuple[int, int], int] = {}
    picks: list[tuple[int, int, int]] = []
    for number, text in enumerate(texts):
        parent = -1
        for depth, token in enumerate(text.ids):
            place = nodes.setdefault((parent, token), len(ids))
            if place == len(ids):
                ids.append(token)
                parents.append(parent)
            if depth >= text.first:
                picks.append((parent, token, number))
            parent = place
    return Row(ids, np.array(picks, dtype=np.int64).reshape(-1, 3), len(texts), parents)
