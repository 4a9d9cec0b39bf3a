"""The same rows as spreadsheets, programs and people write them."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence

Row = Mapping[str, str]
Write = Callable[[Sequence[Row]], bytes]


def separated(rows: Sequence[Row], delimiter: str = ",", end: str = "\n", **how: object) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, **how)  # type: ignore[arg-type]
    writer.writerow(rows[0])
    writer.writerows(row.values() for row in rows)
    return out.getvalue()


def _header(text: str, change: Callable[[str], str]) -> bytes:
    header, _, rest = text.partition("\n")
    return f"{change(header)}\n{rest}".encode()


def _capital(rows: Sequence[Row]) -> bytes:
    spelled = (" " + name.replace("_", " ").upper() for name in rows[0])
    return _header(separated(rows), lambda _: ",".join(spelled))


def _index(rows: Sequence[Row], name: str = "") -> bytes:
    return separated([{name: str(n), **row} for n, row in enumerate(rows)]).encode()


def _spaced(rows: Sequence[Row]) -> bytes:
    lines = [", ".join(rows[0])]
    for row in rows:
        cells = (cell.replace('"', '""') for cell in row.values())
        lines.append(", ".join(f'"{cell}"' for cell in cells))
    return "\n".join(lines).encode()


def _with_more(rows: Sequence[Row]) -> bytes:
    lines = separated(rows, quoting=csv.QUOTE_ALL).splitlines()
    return "".join(f"{line},,\n" for line in lines).encode()


def _archive(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, "x")
    return out.getvalue()


def _objects(rows: Sequence[Row]) -> list[str]:
    return [json.dumps(dict(row), ensure_ascii=False) for row in rows]


READ: dict[str, Write] = {
    "comma": lambda rows: separated(rows).encode(),
    "semicolon": lambda rows: separated(rows, ";").encode(),
    "tab": lambda rows: separated(rows, "\t").encode(),
    "vertical bar": lambda rows: separated(rows, "|").encode(),
    "UTF-8 with a byte order mark": lambda rows: separated(rows, ";").encode("utf-8-sig"),
    "UTF-16, tabs (Excel’s Unicode text)": lambda rows: separated(rows, "\t", "\r\n").encode(
        "utf-16"
    ),
    "UTF-16, big-endian": lambda rows: b"\xfe\xff" + separated(rows).encode("utf-16-be"),
    "a first line sep=;": lambda rows: b"sep=;\r\n" + separated(rows, ";", "\r\n").encode(),
    "line ends CR LF": lambda rows: separated(rows, end="\r\n").encode(),
    "line ends CR": lambda rows: separated(rows, end="\r").encode(),
    "names in capitals, with spaces": _capital,
    "everything quoted": lambda rows: separated(rows, quoting=csv.QUOTE_ALL).encode(),
    "a space after each comma": _spaced,
    "empty rows at the end": lambda rows: (
        separated(rows) + 3 * ("," * (len(rows[0]) - 1) + "\n")
    ).encode(),
    "empty columns at the end": _with_more,
    "a pandas index": _index,
    "a pandas index that was read and written again": lambda rows: _index(rows, "Unnamed: 0"),
    "JSON lines": lambda rows: "\n".join(_objects(rows)).encode(),
    "a JSON array": lambda rows: f"[{', '.join(_objects(rows))}]".encode(),
    "a JSON array over lines": lambda rows: json.dumps(list(map(dict, rows)), indent=1).encode(),
    "JSON with a byte order mark": lambda rows: "\n".join(_objects(rows)).encode("utf-8-sig"),
}
"""Dialects that are read."""

REFUSED: dict[str, tuple[Write, str]] = {
    "an Excel workbook": (
        lambda rows: _archive("[Content_Types].xml"),
        "The file is an Excel workbook (.xlsx), which is not read. Save the sheet as",
    ),
    "an old Excel workbook": (
        lambda rows: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500,
        "The file is an old Excel workbook (.xls), which is not read. Save the sheet as",
    ),
    "an OpenDocument sheet": (
        lambda rows: _archive("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
        "The file is an OpenDocument file (.ods), which is not read. Save the sheet as",
    ),
    "another archive": (lambda rows: _archive("a.csv"), "a ZIP archive, to be unpacked first"),
    "Parquet": (lambda rows: b"PAR1\x15\x04", "The file is a Parquet file, and no table."),
    "a web page": (lambda rows: b"<!DOCTYPE html>\n<html>", "The file is a web page or XML"),
    "UTF-16 without its mark": (
        lambda rows: separated(rows).encode("utf-16-le"),
        "UTF-16 without a byte order mark. Save it as UTF-8.",
    ),
    "a name that stands twice": (
        lambda rows: _header(separated(rows), lambda header: f"{header},{header.split(',')[0]}"),
        "stands twice, in “",
    ),
    "no line of names": (
        lambda rows: separated(rows).partition("\n")[2].encode(),
        "The first line must name the columns, such as ",
    ),
    "a JSON name that stands twice": (
        lambda rows: _objects(rows)[0].replace("{", '{"text": "", "text": "", ').encode(),
        "The name text stands twice",
    ),
}
"""Dialects that are refused, with the beginning or end of the sentence."""
