"""Threads that share a phase's work, each with single-threaded linear algebra."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Protocol, TypeVar, cast

import joblib
import torch
from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")


class ThreadPool(Protocol):
    """Map work over items in threads; results are in the order of the items."""

    def __call__(
        self, work: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Result]: ...


@contextmanager
def thread_pool(*, at_most: int | None = None) -> Iterator[ThreadPool]:
    """Open a thread per core, with every library limited to one thread of its own.

    ``at_most`` limits the number of threads, for work that needs much memory per thread.

    NumPy and torch release the interpreter lock where most time is spent, and a Celery worker's
    process may not start processes. What a library computes in a single thread does not depend on
    the number of threads here; its own threads would split sums differently, and those of OpenMP
    and OpenBLAS would compete for the cores.
    """
    libraries = _libraries()
    with (
        libraries.limit(limits=1),
        ThreadPoolExecutor(
            min(joblib.cpu_count(), at_most or joblib.cpu_count()),
            initializer=_stay_single,
            initargs=(libraries,),
        ) as pool,
    ):
        try:
            yield cast(ThreadPool, pool.map)
        except BaseException:
            # Pending work is dropped, so that cancelling a run does not wait for a phase's end.
            pool.shutdown(cancel_futures=True)
            raise


@cache
def _libraries() -> ThreadpoolController:
    # Finding the libraries takes a tenth of the time of a phase.
    return ThreadpoolController()


def _stay_single(libraries: ThreadpoolController) -> None:
    # OpenMP's limit is per thread, and torch sets its default at its first use in a thread.
    torch.get_num_threads()
    libraries.limit(limits=1, user_api="openmp")
