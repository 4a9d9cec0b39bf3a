"""AFLite with features that do not fit into memory: a mapped file, a few phases."""

import gc
import itertools
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.aflite_data import PUBLISHED, Synthetic
from benchmarks.report import table
from filtering.core.aflite import AFLite


def own_mb() -> float:
    """Return this process's memory in MB, without pages of mapped files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024


def large(sizes: list[int], d: int, settings: dict[str, int], *, phases: int) -> None:
    """Run some phases at every size, from a file in a temporary folder, and print a table."""
    rows = []
    for n_rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.npy"
            made = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(n_rows, d))
            y = Synthetic(d, decay=0.5, gain=2.0).fill(made)
            del made
            rows.append(_measured(np.load(path, mmap_mode="r"), y, settings, phases))
    table(["mapped rows", "GB", "check, s", "s per phase", "accuracy", "memory added, MB"], rows)
    print()


def _measured(X: np.ndarray, y: np.ndarray, settings: dict[str, int], phases: int) -> list[object]:  # noqa: N803
    gc.collect()
    before, peak, seconds = own_mb(), [0.0], []
    start = time.perf_counter()
    steps = AFLite(**PUBLISHED | settings).steps(
        X, y, progress=lambda done, n: peak.append(max(peak.pop(), own_mb()))
    )
    checked, start = time.perf_counter() - start, time.perf_counter()
    accuracy = 0.0
    for phase in itertools.islice(steps, phases):
        accuracy = phase.accuracy
        seconds.append(time.perf_counter() - start)
        start = time.perf_counter()
    took = ", ".join(f"{s:.2f}" for s in seconds)
    gigabytes = f"{X.nbytes / 1e9:.1f}"
    added = f"{peak[0] - before:.0f}"
    return [len(X), gigabytes, f"{checked:.1f}", took, f"{accuracy:.4f}", added]
