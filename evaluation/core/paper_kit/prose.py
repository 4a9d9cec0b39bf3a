"""Sentences of a paper, written once, as LaTeX and as Markdown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from corpora.core.bundle import wording
from tabular.writing import latex

Format = Literal["tex", "md"]
_PLAIN = re.compile(r"[A-Z]{1,3}|[a-z_]+|-?\d+(\.\d+)?", re.ASCII)
_PROSE = str.maketrans({"%": r"\%", "−": "$-$", "–": "--", "&": r"\&", "_": r"\_"})


@dataclass(frozen=True, slots=True)
class Quote:
    """A text from the release, which may hold anything; it is quoted and escaped."""

    text: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A sentence that other code made from the release; it is escaped, and not quoted."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a file, of the release, or of a setting."""

    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """A work in ``references.bib``, by its key."""

    key: str


Part = str | Quote | Plain | Name | Cited
"""A ``str`` is the kit's own text: it holds no mark-up but the signs ``%``, ``&`` and ``_``."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the key by which `verify --text` knows it; no other one has the key."""

    key: str
    parts: tuple[Part, ...]


def sentence(key: str, *parts: Part) -> Sentence:
    return Sentence(key, parts)


def quote(text: str) -> Part:
    """Return a text from the release: plain words and figures as they are, others quoted.

    >>> quote("USD"), quote("0.75"), quote("50 %")
    (Plain(text='USD'), Plain(text='0.75'), Quote(text='50 %'))
    """
    return Plain(text) if _PLAIN.fullmatch(text) else Quote(text)


def commas(names: Iterable[Sequence[Part]]) -> tuple[Part, ...]:
    """Return parts with commas between them.

    >>> commas([("a",), ("b ", Name("c"))])
    ('a', ', ', 'b ', Name(text='c'))
    """
    parts: list[Part] = []
    for name in names:
        parts += [", ", *name] if parts else name
    return tuple(parts)


def render(part: Part, form: Format) -> str:
    r"""Return one part in a format.

    >>> render(Quote("R&D_1"), "tex"), render("5 %", "tex"), render(Quote("a*b"), "md")
    ("``R\\&D\\_1''", '5 \\%', '“a\\*b”')
    """
    if form == "tex":
        return _tex(part)
    return _md(part)


def _tex(part: Part) -> str:
    match part:
        case Quote(text):
            return f"``{latex(wording.one_line(text))}''"
        case Plain(text):
            return latex(wording.one_line(text))
        case Name(text):
            return rf"\texttt{{{latex(wording.one_line(text))}}}"
        case Cited(key):
            return rf"\cite{{{key}}}"
    return part.translate(_PROSE)


def _md(part: Part) -> str:
    match part:
        case Quote(text):
            return f"“{wording.markdown(text)}”"
        case Plain(text):
            return wording.markdown(text)
        case Name(text):
            return wording.code(text)
        case Cited(key):
            return f"[@{key}]"
    return part


MARKS: Mapping[Format, str] = {"tex": "%@ {key}\n{text}", "md": "<!-- @{key} -->\n{text}"}
"""Before each sentence its key, as a comment."""
_HEADINGS: Mapping[Format, str] = {"tex": r"\subsection*{{{title}}}", "md": "## {title}"}
_COMMENTS: Mapping[Format, str] = {"tex": "% {text}", "md": "<!-- {text} -->"}


def document(
    sections: Mapping[str, Sequence[Sentence]], form: Format, *, about: Sequence[str] = ()
) -> str:
    """Return sections of sentences as a text, after comments; sections without any are left out."""
    comments = [_COMMENTS[form].format(text=_safe(line)) for line in about]
    blocks = ["\n".join(comments)] if comments else []
    for title, sentences in sections.items():
        if sentences:
            blocks.append(_HEADINGS[form].format(title=title))
            blocks.append("\n".join(_marked(one, form) for one in sentences))
    return "\n\n".join(blocks) + "\n"


def _safe(comment: str) -> str:
    """Return a line that cannot end a comment of either format."""
    return wording.one_line(comment).replace("--", "–")


def _marked(one: Sentence, form: Format) -> str:
    text = "".join(render(part, form) for part in one.parts)
    return MARKS[form].format(key=one.key, text=text)
