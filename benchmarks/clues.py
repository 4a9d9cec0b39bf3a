"""Clues planted in twins: which of them the leak report and the search for artifacts find.

A cell is a kind of clue (`clue_plants.KINDS`), the share of pairs that follow it, and a number of
pairs; ``--sets`` sets are drawn for each. Then ``--clean`` sets without a clue, of pairs, unpaired
questions and both. Then the printed power: a clue of the size that a report states as detectable,
in ``--power`` sets for each kind; it should be found in about 80 %.

Each cell is printed as a line of JSON. ``--part 2/3`` makes only every third cell, from the second
on; ``--merge`` reads the lines of all parts from files and prints tables and the result. Needs
NumPy, SciPy and scikit-learn alone.

    python -m benchmarks.clues --processes 16 > lines
    python -m benchmarks.clues --merge lines
"""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from scipy.stats import beta

from benchmarks.clue_plants import HELD_OUT, KINDS, planted
from benchmarks.clue_texts import Row, file_of, items_of
from benchmarks.report import parse_args, result, table
from corpora.core.leaks.report import leak_report
from evaluation.core.artifacts.detection import detect_artifacts, families, searches

STRENGTHS, PAIRS = (1.0, 0.6), (50, 150, 500)
FULL = (1.0, 150)  # where every kind has to be found
SHAPES = ((50, 0), (150, 0), (500, 0), (0, 200), (60, 60))  # pairs and unpaired questions
CHUNK = 5  # clean sets in a cell
DETECTORS = 12  # tests of the six detectors at most
# Of each kind of clues that reports name, a clue of it that says something of every pair.
OF_KIND = {
    "lengths": "more words",
    "numbers": "place of the blank",
    "remainders": "odd number of characters",
    "characters": "exclamation mark",
    "words": "articles",
    "options": "order of mentions",
    "beside": "quotes around the option",
    "two together": "comma or exclamation mark",
}
POWER_PAIRS = 150
REPORTS = ("artifacts", "leaks")
START = 0.4  # strength at which the detectable size is read

Cell = dict[str, Any]
Groups = list[tuple[Row, ...]]


def main() -> None:
    args = parse_args(
        "Clues planted in twins.",
        sets=20,
        clean=200,
        power=100,
        processes=1,
        part="1/1",
        merge="",
    )
    if args.merge:
        texts = [Path(name).read_text() for name in args.merge.split(",")]
        _summary([json.loads(line) for text in texts for line in text.splitlines()])
        return
    part, parts = map(int, args.part.split("/"))
    cells = [*_cells(args.sets, args.clean, args.power, quick=args.quick)][part - 1 :: parts]
    lines = []
    for line in _measured(cells, args.processes):
        print(json.dumps(line), flush=True)
        lines.append(line)
    if parts == 1:
        _summary(lines)


def _cells(sets: int, clean: int, power: int, *, quick: bool) -> Iterator[Cell]:
    """Yield the cells, those that take longest first."""
    if quick:
        sets, clean, power = 1, 5, 5
    for start in range(0, clean, CHUNK):
        yield {"clean": start, "sets": min(CHUNK, clean - start)}
    for n, strength, kind in product(PAIRS[:1] if quick else PAIRS[::-1], STRENGTHS, KINDS):
        yield {"kind": kind, "strength": strength, "pairs": n, "sets": sets}
    for kind, plant in OF_KIND.items():
        yield {"power": kind, "plant": plant, "sets": power}


def _measured(cells: Sequence[Cell], processes: int) -> Iterator[Cell]:
    if processes == 1:
        yield from map(_cell, cells)
        return
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_cell, cells)


def _cell(cell: Cell) -> Cell:
    start = time.process_time()
    if "clean" in cell:
        found = _clean(cell)
    elif "power" in cell:
        found = _power(cell)
    else:
        found = _planted(cell)
    return cell | found | {"seconds": round(time.process_time() - start, 1)}


def _planted(cell: Cell) -> Cell:
    artifacts = leaks = 0
    for seed in range(cell["sets"]):
        groups: Groups = [
            *planted(cell["kind"], cell["pairs"], strength=cell["strength"], seed=seed)
        ]
        artifacts += _has_clue(groups) or _is_flagged(groups, seed)
        leaks += _is_reported(groups, seed)
    return {"artifacts": artifacts, "leaks": leaks}


def _clean(cell: Cell) -> Cell:
    artifacts = leaks = 0
    for seed in range(cell["clean"], cell["clean"] + cell["sets"]):
        pairs, unpaired = SHAPES[seed % len(SHAPES)]
        drawn = planted("", pairs + unpaired, strength=0, seed=seed)
        groups: Groups = [*drawn[:pairs], *(pair[:1] for pair in drawn[pairs:])]
        artifacts += _is_flagged(groups, seed)
        leaks += _is_reported(groups, seed)
    return {"artifacts": artifacts, "leaks": leaks}


def _power(cell: Cell) -> Cell:
    """Plant a clue of the size that both reports state, and see whether its kind finds it."""
    found: Cell = {}
    for name, of_set in (("artifacts", _artifact_families), ("leaks", _leak_families)):
        at_start = planted(cell["plant"], POWER_PAIRS, strength=START, seed=-1)
        stated = of_set([*at_start], 0)[cell["power"]].detectable[0]
        sets = (
            planted(cell["plant"], POWER_PAIRS, strength=2 * stated - 1, seed=seed)
            for seed in range(cell["sets"])
        )
        hits = [bool(of_set([*pairs], 0)[cell["power"]].found) for pairs in sets]
        found |= {name: sum(hits), f"{name}_stated": round(stated, 4)}
    return found


def _artifact_families(groups: Groups, _: int) -> dict[str, Any]:
    found = searches(items_of(groups))
    n_tests = sum(one.n_kinds for one in found) + DETECTORS
    return {one.name: one for one in families(found, n_tests=n_tests)}


def _leak_families(groups: Groups, seed: int) -> dict[str, Any]:
    report = leak_report([file_of(groups, Random(seed))], name="set")
    return {one.name: one for one in report.sections[0].text}


def _has_clue(groups: Groups) -> bool:
    """Whether single clues are found already at the level that they have beside all detectors.

    If they are, the whole search finds them as well: it has no more than `DETECTORS` other tests.
    """
    return any(one.found for one in _artifact_families(groups, 0).values())


def _is_flagged(groups: Groups, seed: int) -> bool:
    return detect_artifacts(items_of(groups), seed=seed).is_leaking


def _is_reported(groups: Groups, seed: int) -> bool:
    report = leak_report([file_of(groups, Random(seed))], name="set")
    return report.leaks or report.clues


def _summary(lines: Iterable[Cell]) -> None:
    by_type: dict[str, list[Cell]] = defaultdict(list)
    for line in lines:
        by_type[next(name for name in ("clean", "power", "kind") if name in line)].append(line)
    shares = _table_of_kinds(by_type["kind"])
    full = [share for (_, at), both in shares.items() if at == FULL for share in both]
    powers = [one[name] / one["sets"] for one in by_type["power"] for name in REPORTS]
    print()
    table(
        ("kind", "plant", "stated: artifacts", "found", "stated: leaks", "found", "of"),
        [
            [one["power"], one["plant"], one["artifacts_stated"], one["artifacts"],
             one["leaks_stated"], one["leaks"], one["sets"]]
            for one in by_type["power"]
        ],
    )  # fmt: skip
    n = sum(one["sets"] for one in by_type["clean"])
    flagged = {name: sum(one[name] for one in by_type["clean"]) for name in REPORTS}
    for name, k in flagged.items():
        low, high = _exact(k, n)
        print(f"clean sets, {name}: {k} of {n} (95 % interval {low:.1%} – {high:.1%})")
    minutes = sum(one["seconds"] for of in by_type.values() for one in of) / 60
    result(
        found_full_min=min(full, default=float("nan")),
        clean_artifacts=flagged["artifacts"] / max(1, n),
        clean_leaks=flagged["leaks"] / max(1, n),
        power_min=min(powers, default=float("nan")),
        power_max=max(powers, default=float("nan")),
        core_minutes=minutes,
    )


def _table_of_kinds(cells: Sequence[Cell]) -> dict[tuple[str, tuple[float, int]], list[float]]:
    """Print the share found by artifacts / leaks, and return both."""
    shares = {
        (one["kind"], (one["strength"], one["pairs"])): [
            one[name] / one["sets"] for name in REPORTS
        ]
        for one in cells
    }
    places = sorted({at for _, at in shares}, key=lambda at: (-at[0], at[1]))
    rows = [
        [("* " if kind in HELD_OUT else "") + kind]
        + [" / ".join(f"{share:.2f}" for share in shares.get((kind, at), ())) for at in places]
        for kind in KINDS
    ]
    table(["kind (*: in no list)", *(f"{at[0]:g} of {at[1]}" for at in places)], rows)
    return shares


def _exact(k: int, n: int) -> tuple[float, float]:
    """Return Clopper and Pearson's 95 % interval."""
    low = 0.0 if k == 0 else float(beta.ppf(0.025, k, n - k + 1))
    high = 1.0 if k == n else float(beta.ppf(0.975, k + 1, n - k))
    return low, high


if __name__ == "__main__":
    main()
