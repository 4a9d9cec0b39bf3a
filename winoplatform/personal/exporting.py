"""All that is about one person, as one CSV file a table and as JSON, in a zip."""

import json
import tempfile
from collections.abc import Iterator
from io import TextIOWrapper
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder

from tabular.writing import csv_lines
from winoplatform.personal.declarations import Holding, Identity, holdings

ROWS_AT_ONCE = 2_000
IN_MEMORY = 1_000_000
README = """What this platform holds about you.

data.json has everything, by table; each .csv file has one table. A text that a spreadsheet would
run as a formula begins with an apostrophe in the .csv files.

{tables}
"""
Row = dict[str, Any]


def write_archive(person: Identity) -> IO[bytes]:
    """Return an open file with the archive, at its beginning."""
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  (closed by the caller)
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        exports = [(holding, name) for holding in exported() for name in [file_name(holding)]]
        about = [f"{name}: {holding.what}; {holding.why}." for holding, name in exports]
        archive.writestr("README.txt", README.format(tables="\n".join(about)))
        for holding, name in exports:
            with archive.open(f"{name}.csv", "w") as entry, TextIOWrapper(entry, "utf-8") as text:
                text.writelines(_csv(holding, person))
        with archive.open("data.json", "w") as entry, TextIOWrapper(entry, "utf-8") as text:
            text.writelines(_json(exports, person))
    file.seek(0)
    return file


def exported() -> list[Holding]:
    """Return the tables of the export."""
    return [
        holding
        for holding in holdings()
        if (holding.about or any(holding.wrote.values())) and not holding.withheld
    ]


def file_name(holding: Holding) -> str:
    return holding.table.lower().replace(".", "_")


def _csv(holding: Holding, person: Identity) -> Iterator[str]:
    columns = columns_of(holding)
    rows = ([_cell(row.get(name)) for name in columns] for row in rows_of(holding, person))
    return csv_lines(columns, rows)


def columns_of(holding: Holding) -> list[str]:
    """Return the columns of a table's file."""
    return [*_columns(holding, None), *holding.beside]


def _cell(value: Any) -> Any:
    return json.dumps(value, cls=DjangoJSONEncoder) if isinstance(value, dict | list) else value


def _json(exports: list[tuple[Holding, str]], person: Identity) -> Iterator[str]:
    encoder = DjangoJSONEncoder(ensure_ascii=False)
    for number, (holding, name) in enumerate(exports):
        yield f"{',' if number else '{'}\n{json.dumps(name)}: ["
        for n, row in enumerate(rows_of(holding, person)):
            yield f"{',' if n else ''}\n{encoder.encode(row)}"
        yield "]"
    yield "\n}\n"


def rows_of(holding: Holding, person: Identity) -> Iterator[Row]:
    """Yield the rows of a table that a person gets, oldest first, with the columns they get."""
    if holding.about:
        for path, columns in holding.about.items():
            yield from _person_rows(holding, path, columns, person)
    for path, columns in holding.wrote.items():
        if columns:
            yield from _person_rows(holding, path, columns, person)


def _person_rows(
    holding: Holding, path: str, chosen: tuple[str, ...], person: Identity
) -> Iterator[Row]:
    names = _columns(holding, chosen)
    beside = holding.beside if not chosen else {}
    rows = holding.rows([path], person).order_by("pk").values_list(*names, *beside.values())
    shown = holding.shown_as
    for values in rows.iterator(chunk_size=ROWS_AT_ONCE):
        row = dict(zip((*names, *beside), values, strict=True))
        yield {name: shown[name](v) if name in shown else v for name, v in row.items()}


def _columns(holding: Holding, chosen: tuple[str, ...] | None) -> list[str]:
    """Return the columns of an export; references to people are in none, as they are of others."""
    if chosen:
        return [*chosen]
    full = chosen == () or any(not columns for columns in holding.about.values())
    if not full:
        return list(dict.fromkeys(name for part in _listed_columns(holding) for name in part))
    read = map(_readable, holding.model._meta.concrete_fields)
    names = [name for name in read if name and name.partition("__")[0] not in holding.hidden]
    return list(
        dict.fromkeys([*names, *(name for part in _listed_columns(holding) for name in part)])
    )


def _readable(column: Any) -> str:
    """Return how a column is read; empty for numbers of rows, which tell how many others have."""
    if not column.is_relation:
        return "" if column.primary_key else str(column.name)
    has_public_id = hasattr(column.related_model, "public_id")
    is_person = str(column.related_model._meta) == "workers.user"
    return f"{column.name}__public_id" if has_public_id and not is_person else ""


def _listed_columns(holding: Holding) -> list[tuple[str, ...]]:
    return [*holding.about.values(), *holding.wrote.values()]
