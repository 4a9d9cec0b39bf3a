"""Interactive pictures: what a page's script draws with Plotly and saves as a file."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from django.core.serializers.json import DjangoJSONEncoder

from winoplatform.figures import fields_of

Kind = Literal["bars", "steps", "line", "dots", "points"]
TREND = 3  # points that a time series needs at least


@dataclass(frozen=True, slots=True)
class Series:
    """One set of points; lists that are not empty have the same length.

    Parameters
    ----------
    name : str
        Shown in the legend if the picture has several series.
    x, y : sequence of float or str
        For the kind "dots", x is the value and y the name of its row.
    low, high : sequence of float or None
        Ends of the interval of each value.
    text : sequence of str
        Shown when a point is pointed at.
    ids : sequence of str
        Replace ``{id}`` in the picture's ``href``.
    colour : str
        The name of a colour in the stylesheet.
    look : str
        Of a point: "dot", "cross" or "hollow"; of a line: "line" or "dash".
    is_faint : bool
        Whether the series is background for the others.
    """

    name: str
    x: Sequence[Any]
    y: Sequence[Any]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()
    text: Sequence[str] = ()
    ids: Sequence[str] = ()
    colour: str = "accent"
    look: str = "dot"
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across the picture at a value, with a label."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in numbers; ``*_format`` is a d3 format such as ``.1%``.

    ``upright`` is a line at a value of x, ``level`` one at a value of y. ``href`` is the page of a
    point.
    """

    kind: Kind
    series: tuple[Series, ...]
    x_title: str = ""
    y_title: str = ""
    x_format: str = ""
    y_format: str = ""
    upright: Mark | None = None
    level: Mark | None = None
    is_log: bool = False
    href: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the picture without what has its default value."""
        found = {key: value for key, value in _fields(self).items() if value}
        found |= {key: asdict(found[key]) for key in ("upright", "level") if key in found}
        found["series"] = [
            {key: value for key, value in _fields(series).items() if value or key in ("x", "y")}
            for series in self.series
        ]
        return found

    @property
    def json(self) -> str:
        return json.dumps(self.as_json(), cls=DjangoJSONEncoder)


def _fields(of: Picture | Series) -> dict[str, Any]:
    """Return fields as they are: ``asdict`` copies each of thousands of points."""
    return {field.name: getattr(of, field.name) for field in fields(of)}


def interval_series(
    rows: Sequence[tuple[str, Any]], *, name: str = "", colour: str = "accent"
) -> Series:
    """Return estimates as dots with intervals, one in a row; unknown ones are left out."""
    measured = [(row, found) for row, one in rows if (found := fields_of(one))["value"] is not None]
    return Series(
        name,
        x=[interval["value"] for _, interval in measured],
        y=[row for row, _ in measured],
        low=[interval["low"] for _, interval in measured],
        high=[interval["high"] for _, interval in measured],
        colour=colour,
    )
