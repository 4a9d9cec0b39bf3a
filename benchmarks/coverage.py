"""How often each interval holds the truth, and how often a page of equal people gets a note.

    python -m benchmarks.coverage                          # every row
    python -m benchmarks.coverage --figures forecast       # rows whose figure begins so
    python -m benchmarks.coverage --sets 2000 --processes 32

Each row simulates sets with a known truth. "Before" is the formula that the platform had until it
got this one; a dash where it gave none. It needs NumPy, SciPy and scikit-learn only. A new figure
is a generator of rows in `SOURCES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from multiprocessing import Pool

import numpy as np

from benchmarks import coverage_forecast, coverage_notes, coverage_people, coverage_systems
from benchmarks.coverage_rows import Interval, Note, Pair, Row
from benchmarks.report import parse_args, result, table

SOURCES = (
    coverage_people.rows,
    coverage_forecast.rows,
    coverage_notes.rows,
    coverage_systems.rows,
)


def all_rows(figures: str = "") -> list[Row]:
    return [row for rows in SOURCES for row in rows() if row.figure.startswith(figures)]


def simulated(place: int, *, sets: int) -> list[Pair]:
    """Draw the sets of one row; the seed is the row's place among all rows."""
    draw = all_rows()[place].draw
    return [draw(np.random.default_rng([place, number])) for number in range(sets)]


def share(found: Iterable[bool | None]) -> float | None:
    known = [one for one in found if one is not None]
    return sum(known) / len(known) if known else None


def _task(asked: tuple[int, int]) -> list[Pair]:
    return simulated(asked[0], sets=asked[1])


def _line(row: Row, drawn: Sequence[Pair]) -> tuple[str, ...]:
    before, after = (share(column) for column in zip(*drawn, strict=True))
    given = sum(one is not None for _, one in drawn) / len(drawn)
    shown = ("–" if one is None else f"{one:.3f}" for one in (before, after))
    return row.figure, row.setting, *shown, f"{given:.2f}"


def main() -> None:
    args = parse_args(__doc__ or "", sets=400, processes=1, figures="")
    sets = 20 if args.quick else args.sets
    every = all_rows()
    places = [k for k, row in enumerate(every) if row.figure.startswith(args.figures)]
    with Pool(args.processes) as pool:
        drawn = pool.map(_task, [(place, sets) for place in places], chunksize=1)
    found = list(zip((every[place] for place in places), drawn, strict=True))
    for kind, title in ((True, "holds the truth"), (False, "sets a note")):
        lines = [_line(row, pairs) for row, pairs in found if isinstance(row, Interval) == kind]
        if lines:
            table(("figure", "setting", "before", "after", "given"), lines)
            print(f"before, after: how often it {title}\n")
    result(**_ends(found), rows=len(found), sets=sets)


def _ends(found: Sequence[tuple[Row, Sequence[Pair]]]) -> dict[str, float]:
    """Return the lowest coverage and the highest rate of notes; rules have no level."""
    intervals, outside, notes = [], [], []
    for row, pairs in found:
        after = share(after for _, after in pairs)
        if after is not None and isinstance(row, Interval):
            (outside if row.is_outside else intervals).append(after)
        elif after is not None and isinstance(row, Note) and row.level is not None:
            notes.append(after)
    named = {
        "coverage_min": (min, intervals),
        "outside_min": (min, outside),
        "alarms_max": (max, notes),
    }
    return {name: end(shares) for name, (end, shares) in named.items() if shares}


if __name__ == "__main__":
    main()
