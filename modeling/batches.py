"""From tokens to a model's input: batches of similar length, padding; and pooling."""

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
    """The tokens of a text.

    Parameters
    ----------
    ids : list of int
    segments : list of int of the same length, or None
        0 for tokens of the first text of a pair and 1 for those of the second; None for a single
        text, and for a model without segments.
    """

    ids: list[int]
    segments: list[int] | None = None

    def __len__(self) -> int:
        return len(self.ids)


def cut(lengths: Sequence[int], *, budget: int, is_even: bool = False) -> list[slice]:
    """Cut rows in ascending order of length into batches of at most *budget* padded tokens.

    Parameters
    ----------
    lengths : sequence of int, ascending
        Tokens of each row; a batch is padded to its last row.
    budget : int
        At least 1. A single row that is longer becomes a batch.
    is_even : bool
        Whether a batch may only have rows of one length.

    Returns
    -------
    list of slice
        Consecutive; together they cover all rows.

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
        is_full = (row + 1 - starts[-1]) * length > budget
        if row > starts[-1] and (is_full or (is_even and length > lengths[row - 1])):
            starts.append(row)
    ends = [*starts[1:], len(lengths)]
    return [slice(a, b) for a, b in zip(starts, ends, strict=True) if a < b]


def padded(rows: Sequence[Tokens], *, pad: int) -> dict[str, torch.Tensor]:
    """Stack rows of tokens, padded on the right.

    Returns
    -------
    dict of int64 (n_rows, n_longest)
        With the names used by transformers: ``input_ids``; ``attention_mask``, 1 for a token and 0
        for padding; and ``token_type_ids`` if rows have segments.
    """
    import torch

    def laid(lists: Iterable[list[int]], fill: int) -> torch.Tensor:
        tensors = [torch.tensor(values, dtype=torch.int64) for values in lists]
        return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=fill)

    arrays = {
        "input_ids": laid((row.ids for row in rows), pad),
        "attention_mask": laid(([1] * len(row) for row in rows), 0),
    }
    if rows[0].segments is not None:
        arrays["token_type_ids"] = laid((row.segments or [] for row in rows), 0)
    return arrays


def pool(hidden: torch.Tensor, mask: torch.Tensor, pooling: Pooling) -> torch.Tensor:
    """Reduce each row's hidden states to one vector, in float32.

    Parameters
    ----------
    hidden : (n_rows, n_tokens, d)
    mask : int64 (n_rows, n_tokens)
        1 for tokens, 0 for padding, which is on the right.
    pooling : {'mean', 'cls', 'last'}
        The mean over tokens, the first token, or the last one (for causal models, whose first
        token attends only to itself).

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
    """Map in order; each call may use all threads of torch."""
    for item in items:
        yield function(item)


def on_single_threads(function: Callable[[T], U], items: Iterable[T]) -> Generator[U]:
    """Map in order, in as many threads as torch would use for one call, one item per thread.

    Two batches in parallel are faster than one batch in two threads, which synchronize at every
    layer. And the bits of a result do not depend on the number of threads. If closed early, it
    waits for the items in progress and skips the others.
    """
    import torch

    threads = torch.get_num_threads()
    try:
        with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield from pool.map(function, items)
    finally:
        # The number is per thread, but threads that torch has not seen yet use the latest one.
        torch.set_num_threads(threads)
