"""Sort more records than fit into memory: sorted runs on disk, merged."""

import heapq
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

RUN_LENGTH = 20_000


def sorted_lines(
    lines: Iterable[bytes],
    *,
    key: Callable[[bytes], Any] | None = None,
    run_length: int = RUN_LENGTH,
) -> Iterator[bytes]:
    """Yield lines in order; memory holds *run_length* of them, and one of each run.

    Parameters
    ----------
    lines : iterable of bytes
        Each with its newline, and none inside.
    key : callable, optional
        What to sort by; the whole line by default. Equal keys keep no order.
    run_length : int

    Yields
    ------
    bytes

    Examples
    --------
    >>> list(sorted_lines([b"b\\n", b"c\\n", b"a\\n"], run_length=2))
    [b'a\\n', b'b\\n', b'c\\n']
    """
    remaining = iter(lines)
    by: Callable[[bytes], Any] = key or (lambda line: line)
    with ExitStack() as stack:
        runs: list[Iterable[bytes]] = []
        while len(batch := list(islice(remaining, run_length))) == run_length:
            run = stack.enter_context(tempfile.TemporaryFile())
            batch.sort(key=by)
            run.writelines(batch)
            run.seek(0)
            runs.append(run)
        yield from heapq.merge(*runs, sorted(batch, key=by), key=by)
