"""The published tables, read from the TOML files beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluation.core.paper_tables.layout import Column, PaperTable, Published, Row


def tables_of(paper: str) -> dict[str, PaperTable]:
    """Return the tables of a paper by name."""
    text = Path(__file__).with_name(f"{paper}.toml").read_text(encoding="utf-8")
    return {one["name"]: _table(one) for one in tomllib.loads(text)["tables"]}


def _table(one: Mapping[str, Any]) -> PaperTable:
    """Return a table; a column is ``key | title``, or only published or only measured."""
    columns = [line.split(" | ") for line in one["columns"].splitlines()]
    return PaperTable(
        one["name"],
        one["title"],
        one["source"],
        tuple(
            Column(key, title, "measured" not in only, "published" not in only)
            for key, title, *only in columns
        ),
        rows_of(one.get("rows", "")),
        tuple(one.get("notes", ())),
    )


def rows_of(text: str) -> tuple[Row, ...]:
    """Return the rows written in *text*.

    A line ``# key | Title`` begins a section; ``key | label | figure | …`` is a row, whose key has
    the section's before it. A figure is ``-`` for none, or a number, its deviation in parentheses
    and its mark.

    Examples
    --------
    >>> rows_of("# wsc | WSC\\nours | RoBERTa | 90.1 (0.5)† | -")[0].cells
    (Published(text='90.1', sd='0.5', mark='†'), None)
    """
    rows, prefix, section = [], "", ""
    for line in text.strip().splitlines():
        parts = [part.strip() for part in line.removeprefix("#").split("|")]
        if line.startswith("#"):
            prefix, section = f"{parts[0]}/", parts[1]
        else:
            cells = tuple(_published(part) for part in parts[2:])
            rows.append(Row(prefix + parts[0], section, parts[1], cells))
    return tuple(rows)


def _published(text: str) -> Published | None:
    if text == "-":
        return None
    mark = text[-1] if text[-1] in "†‡" else ""
    number, _, sd = text.removesuffix(mark).removesuffix(")").partition("(")
    return Published(number.strip(), sd, mark)


TABLES = tables_of("winogrande") | tables_of("square_one")
KNOWLEDGE_TABLES = tables_of("winologic")
"""Those of WinoLogic, what they lack, and the table of reasons."""
