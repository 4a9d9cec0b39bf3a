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
    """Map work over items in threads: results in the items' order, whoever did them."""

    def __call__(
        self, work: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Result]: ...


@contextmanager
def thread_pool(*, at_most: int | None = None) -> Iterator[ThreadPool]:
    """Open a thread per core, and keep every library to one thread of its own meanwhile.

    ``at_most`` so many threads, where each needs much memory.

    NumPy and torch let go of the interpreter lock where time is spent, and a Celery worker's
    process may not start processes of its own. What a library computes alone in a thread does not
    depend on how many threads there are; its own threads would cut sums differently, and those of
    OpenMP and OpenBLAS spin against each other.
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
            # Work that waits is dropped, so that whoever cancels a run waits for no phase's end.
            pool.shutdown(cancel_futures=True)
            raise


@cache
def _libraries() -> ThreadpoolController:
    # Finding them takes as long as a tenth of a phase.
    return ThreadpoolController()


def _stay_single(libraries: ThreadpoolController) -> None:
    # OpenMP's limit is each thread's own, and torch sets its default at its first use in a thread.
    torch.get_num_threads()
    libraries.limit(limits=1, user_api="openmp")
