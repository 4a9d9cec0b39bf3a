"""A picture of what was made from what: runs as boxes by stage, drawn on the server."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.runs import words
from frontend.runs.reads import RunRow, made_from
from winoplatform.runs.models import Run

BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN = 190, 54, 44, 14, 6
MOST_LETTERS = 25


@dataclass(frozen=True, slots=True)
class Box:
    """A run at a place in the picture; ``lines`` fit into the box."""

    row: RunRow
    x: int
    y: int
    lines: tuple[str, ...]

    @property
    def middle(self) -> int:
        return self.y + BOX_HEIGHT // 2

    @property
    def end(self) -> int:
        return self.x + BOX_WIDTH


@dataclass(frozen=True, slots=True)
class Lineage:
    """Boxes, and lines from each run to those that were made from it, as paths."""

    boxes: tuple[Box, ...]
    paths: tuple[str, ...]
    width: int
    height: int


def lineage(rows: Sequence[RunRow]) -> Lineage | None:
    """Return the picture of a campaign's newest runs; None for fewer than two.

    A run is in the column after what it was made from, and a line leads to it. *rows* are by stage.
    """
    if len(rows) < 2:
        return None
    columns: dict[Run, int] = {}
    boxes = []
    for row in rows:  # what a run was made from is of an earlier stage
        before = [columns[source] for source in made_from(row.run) if source in columns]
        columns[row.run] = max(before, default=-1) + 1
        place = list(columns.values()).count(columns[row.run]) - 1
        boxes.append(_box(row, columns[row.run], place))
    by_run = {box.row.run: box for box in boxes}
    paths = [
        _path(by_run[source], box)
        for box in boxes
        for source in made_from(box.row.run)
        if source in by_run
    ]
    return Lineage(
        tuple(boxes),
        tuple(paths),
        max(box.end for box in boxes) + MARGIN,
        max(box.y for box in boxes) + BOX_HEIGHT + MARGIN,
    )


def _box(row: RunRow, column: int, place: int) -> Box:
    short = words.words_of(type(row.run)).short(row.run)
    second = short if row.run.has_ended and short else str(row.run.get_status_display())  # type: ignore[attr-defined]
    return Box(
        row,
        MARGIN + column * (BOX_WIDTH + GAP_X),
        MARGIN + place * (BOX_HEIGHT + GAP_Y),
        tuple(_cut(line) for line in (words.label(row.run), second)),
    )


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def _path(source: Box, box: Box) -> str:
    half = (source.end + box.x) // 2
    ends = (source.end, source.middle, half, source.middle, half, box.middle, box.x, box.middle)
    return "M{} {}C{} {} {} {} {} {}".format(*ends)
