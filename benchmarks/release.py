"""Time and memory of building a release, by the real job, of synthetic questions.

Each campaign has a process of its own for its questions, its snapshot and its release, so that the
peak is that of the release alone. ``--sizes`` are numbers of questions.
"""

import multiprocessing
import time
from collections.abc import Callable
from typing import Any

from benchmarks.crowd_rows import with_index, without_indexes_of_writing
from benchmarks.database import close_connections, scratch_database
from benchmarks.report import parse_args, peak_mb, result, table
from benchmarks.synthetic_questions import valid_questions

KEY_INDEX = "collection_question_key"  # which builds read


def main() -> None:
    args = parse_args("Build of a release.", sizes="50000,1000000")
    sizes = [2_000, 6_000] if args.quick else [int(size) for size in args.sizes.split(",")]
    rows, figures = [], dict[str, float]()
    with scratch_database():
        without_indexes_of_writing()
        with_index(KEY_INDEX)
        for size in sizes:
            in_a_process(_fill, size)
            snapshot_s, snapshot_mb = in_a_process(_snapshot, size)
            build_s, build_mb = in_a_process(_release, size)
            rows.append(
                [f"{size:,}", *(f"{x:.0f}" for x in (snapshot_s, snapshot_mb, build_s, build_mb))]
            )
            figures |= {f"build_{named(size)}_s": build_s, f"peak_{named(size)}_mb": build_mb}
            table(["questions", "snapshot s", "MB", "release s", "MB"], rows)
    result(**figures)


def named(size: int) -> str:
    return f"{size // 1_000_000}m" if size >= 1_000_000 else f"{size // 1_000}k"


def in_a_process(work: Callable[[int], None], size: int) -> tuple[float, float]:
    """Return the seconds and the peak memory of a process that does the work."""
    close_connections()
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_measured, args=(work, size, writer))
    process.start()
    writer.close()
    seconds, peak = reader.recv()
    process.join()
    return seconds, peak


def _measured(work: Callable[[int], None], size: int, writer: Any) -> None:
    start = time.perf_counter()
    work(size)
    writer.send((time.perf_counter() - start, peak_mb()))


def _fill(size: int) -> None:
    valid_questions(f"q{size}", size, seed=size)


def _snapshot(size: int) -> None:
    from collection.models import Campaign
    from corpora.services import take_snapshot

    _execute(take_snapshot(campaign=Campaign.objects.get(slug=f"q{size}"), by=None))


def _release(size: int) -> None:
    from corpora.models import Snapshot
    from corpora.services import build_release

    snapshot = Snapshot.objects.get(campaign__slug=f"q{size}")
    _execute(build_release(snapshot=snapshot, name=f"q{size}", by=None))


def _execute(run: Any) -> None:
    from winoplatform.runs.kinds import execute_here

    execute_here(run)
    run.refresh_from_db()
    assert run.status == "done", run.failure


if __name__ == "__main__":
    main()
