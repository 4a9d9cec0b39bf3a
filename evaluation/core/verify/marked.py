"""The sentences of a paper kit's text, which a researcher may have edited."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TEX_MARK = re.compile(r"^[ \t]*%@ (\S+)[ \t]*$|^[ \t]*\\(?:sub)*section\b", re.MULTILINE)
_MD_MARK = re.compile(r"<!-- @(\S+) -->|^#{1,6}(?= )", re.MULTILINE)
_TEX_COMMENT = re.compile(r"(\\.)|%.*")
_MD_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TEX_COMMAND = re.compile(r"\\([a-zA-Z]+)\*?(?:\[[^\[\]]*\]){0,9}\{[^{}]*\}")
_AWAY = frozenset(
    ("label", "input", "include", "includegraphics", "bibliography", "hspace", "vspace",
     "multicolumn", "cline")
)  # fmt: skip
TABLE = "table."
"""With which the key of a table begins."""
_TEX_ROW = re.compile(r"(?<!\\)(?:\\\\)*&")
_TEX_BEGIN = re.compile(r"\\begin\{.*")
_MD_ROW = re.compile(r"[ \t]*\|.*[^-|: \t]")
_MD_AWAY = re.compile(r"\[@[^\]]*\]")
_TEX_SIGNS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    "$-$": "−",
    "{,}": ",",
    r"\,": "",
    r"\;": "",
    r"\ ": " ",
    "~": " ",
    "``": "“",
    "''": "”",
}
_TEX = re.compile(
    "|".join(map(re.escape, _TEX_SIGNS))
    + r"|\\(?P<sign>[&%$#_{}])|\\[a-zA-Z]+\*?[ \t]*|(?P<minus>\$-)|[{}$]|\\\\"
)
_MD_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Marked:
    """A part of a text: what follows a sentence's mark until the next mark or heading.

    Parameters
    ----------
    key : str
        Empty for what follows none.
    text : str
        Without mark-up.
    """

    key: str
    text: str


def marked_sentences(document: str, *, is_latex: bool) -> Iterator[Marked]:
    """Yield the parts of a text but its tables, as LaTeX or as Markdown, in their order."""
    plain = _plain_tex if is_latex else _plain_md
    for part in _parts(document, is_latex=is_latex):
        if not part.key.startswith(TABLE):
            yield Marked(part.key, plain(part.text))


def marked_rows(document: str, *, is_latex: bool) -> Iterator[Marked]:
    """Yield the rows of the tables of a text, each with the key of its table.

    What else follows a table's key until the next key or heading is not read.
    """
    plain = _plain_tex if is_latex else _plain_md
    for part in _parts(document, is_latex=is_latex):
        if part.key.startswith(TABLE):
            rows = _tex_rows(part.text) if is_latex else _md_rows(part.text)
            yield from (Marked(part.key, plain(row)) for row in rows)


def _parts(document: str, *, is_latex: bool) -> Iterator[Marked]:
    """Yield the parts of a text with their mark-up."""
    key, begin = "", 0
    for mark in (_TEX_MARK if is_latex else _MD_MARK).finditer(document):
        yield Marked(key, document[begin : mark.start()])
        key, begin = mark[1] or "", mark.end()
    yield Marked(key, document[begin:])


def _tex_rows(text: str) -> list[str]:
    # Widths of columns, which are no numbers, stand after the beginning.
    text = _TEX_BEGIN.sub("", _TEX_COMMENT.sub(lambda found: found[1] or "", text))
    lines = text.split(r"\\")
    return [line for line in lines if _TEX_ROW.search(line)]


def _md_rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if _MD_ROW.match(line)]


def _plain_tex(text: str) -> str:
    text = _TEX_COMMENT.sub(lambda found: found[1] or "", text)
    return " ".join(_TEX.sub(_tex_sign, _TEX_COMMAND.sub(_visible, text)).split())


def _visible(command: re.Match[str]) -> str:
    """Return a command as it is, or nothing if its argument is no text of the document."""
    name = command[1]
    is_away = name in _AWAY or "cite" in name or name.endswith("ref")
    return "" if is_away else command[0]


def _tex_sign(found: re.Match[str]) -> str:
    if found["minus"]:
        return "−"
    return found["sign"] or _TEX_SIGNS.get(found[0], "")


def _plain_md(text: str) -> str:
    text = html.unescape(_MD_AWAY.sub("", _MD_COMMENT.sub("", text)))
    return " ".join(_MD_ESCAPE.sub(r"\1", text).split())
