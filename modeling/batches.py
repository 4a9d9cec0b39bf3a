"""From tokens to a model's input: rows, batches of like length, padding; and pooling."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    import torch

Pooling = Literal["mean", "cls", "last"]
POOLINGS: tuple[Pooling, ...] = ("mean", "cls", "last")
Text = str | tuple[str, str]
T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as its tokens.

    Parameters
    ----------
    ids : list of int
    segments : list of int, as long, or None
        0 for tokens of a pair's first text and 1 for its second one's; None for a text alone, and
        for a model that tells none apart.
    """

    ids: list[int]
    segments: list[int] | None = None

    def __len__(self) -> int:
        return len(self.ids)


def cut(lengths: Sequence[int], *, budget: int) -> list[slice]:
    """Cut rows in ascending order of length into batches of at most *budget* padded tokens.

    Parameters
    ----------
    lengths : sequence of int, ascending
        Tokens of each row; a batch is padded to its last.
    budget : int
        At least 1. A single row that is longer makes a batch of its own.

    Returns
    -------
    list of slice
        Consecutive, together all rows.

    Raises
    ------
    ValueError
        When ``budget`` is below 1.

    Examples
    --------
    >>> cut([3, 3, 4, 9], budget=8)
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    if budget < 1:
        raise ValueError(f"budget must be at least 1, got {budget}")
    starts = [0]
    for row, length in enumerate(lengths):
        if row > starts[-1] and (row + 1 - starts[-1]) * length > budget:
            starts.append(row)
    ends = [*starts[1:], len(lengths)]
    return [slice(a, b) for a, b in zip(starts, ends, strict=True) if a < b]


def padded(rows: Sequence[Tokens], *, pad: int) -> dict[str, torch.Tensor]:
    """Lay rows of tokens side by side, padded on the right.

    Returns
    -------
    dict of int64 (n_rows, n_longest)
        By the names that transformers gives them: ``input_ids``; ``attention_mask``, 1 where a
        token stands and 0 where ``pad`` does; and ``token_type_ids`` where rows have segments.
    """
    import torch

    def laid(lists: Iterable[list[int]], fill: int) -> torch.Tensor:
        tensors = [torch.tensor(one, dtype=torch.int64) for one in lists]
        return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=fill)

    found = {
        "input_ids": laid((row.ids for row in rows), pad),
        "attention_mask": laid(([1] * len(row) for row in rows), 0),
    }
    if rows[0].segments is not None:
        found["token_type_ids"] = laid((row.segments or [] for row in rows), 0)
    return found


def pool(hidden: torch.Tensor, mask: torch.Tensor, pooling: Pooling) -> torch.Tensor:
    """Reduce each row's hidden states to one vector, in float32.

    Parameters
    ----------
    hidden : (n_rows, n_tokens, d)
    mask : int64 (n_rows, n_tokens)
        1 for tokens, 0 for padding, which stands on the right.
    pooling : {'mean', 'cls', 'last'}
        The mean over tokens, the first token, or the last one (of models that read leftwards
        only, whose first token has seen nothing).

    Returns
    -------
    float32 (n_rows, d)
    """
    import torch

    hidden = hidden.float()
    if pooling == "cls":
        return hidden[:, 0]
    lengths = mask.sum(dim=1)  # (n_rows,)
    if pooling == "last":
        return hidden[torch.arange(len(hidden), device=hidden.device), lengths - 1]
    return (hidden * mask.unsqueeze(-1)).sum(dim=1) / lengths.unsqueeze(-1)


def one_by_one(function: Callable[[T], U], items: Iterable[T]) -> Generator[U]:
    """Map in order, each with all that torch has."""
    for item in items:
        yield function(item)


def on_single_threads(function: Callable[[T], U], items: Iterable[T]) -> Generator[U]:
    """Map in order, over as many threads as torch would use for one call, one item on each.

    Two batches side by side beat one batch over two threads, which wait for each other at every
    layer. And a batch's bits do not depend on how many threads there are. Closed before its end, it
    waits for the items under way and leaves the others.
    """
    import torch

    threads = torch.get_num_threads()
    try:
        with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield from pool.map(function, items)
    finally:
        # The number is this thread's own, but threads that torch has not met yet take the last.
        torch.set_num_threads(threads)
