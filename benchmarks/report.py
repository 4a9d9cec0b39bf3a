"""Shared by all benchmarks: arguments, timing, memory, tables and the ``RESULT`` line."""

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any


def parse_args(description: str, **flags: Any) -> argparse.Namespace:
    """Read ``--quick`` and the benchmark's own flags (name → default; False: a switch)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="small input, for a smoke test")
    for name, default in flags.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true")
        else:
            parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def timed(function: Callable[[], Any], *, repeats: int) -> list[float]:
    """Return the wall seconds of each of *repeats* calls."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return seconds


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], q: float) -> float:
    """Return the *q*-quantile (0 to 1) by the nearest-rank rule."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def peak_mb() -> float:
    """Return this process's peak resident memory in MB (2**20 bytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows under headers, columns aligned."""
    cells = [[str(cell) for cell in row] for row in (headers, *rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    for number, row in enumerate(cells):
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
        if number == 0:
            print("  ".join("-" * width for width in widths))


def result(**values: Any) -> None:
    """Print the machine-readable result line; floats with four significant digits."""
    shown = {
        key: f"{value:.4g}" if isinstance(value, float) else value for key, value in values.items()
    }
    print("RESULT " + " ".join(f"{key}={value}" for key, value in shown.items()))
