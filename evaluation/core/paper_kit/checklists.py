"""Checklists of venues and of the literature, answered by pointers into a release."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from corpora.core.bundle.layout import README
from corpora.core.bundle.reading import Bundle
from corpora.core.bundle.wording import code, count, markdown, one_line
from tabular.writing import latex

LONGEST = 90
_NOTHING = frozenset({"", "not stated", "unknown", "none"})
"""Texts of documents where a fact is missing."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the places that may answer it, and what an empty one means."""

    text: str
    places: tuple[str, ...]
    empty: str


@dataclass(frozen=True, slots=True)
class Checklist:
    name: str
    title: str
    source: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A pointer into the release and what is there; both are empty if nobody answered.

    Parameters
    ----------
    question : Question
    place : str
        A file, and after ``#`` a field or a section of it.
    there : str
        Shortened.
    """

    question: Question
    place: str = ""
    there: str = ""


@cache
def checklists() -> tuple[Checklist, ...]:
    """Return the checklists, as ``checklists.toml`` has them."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return tuple(
        Checklist(one["name"], one["title"], one["source"], tuple(_questions(one["questions"])))
        for one in tomllib.loads(text)["checklists"]
    )


def _questions(lines: str) -> Iterator[Question]:
    for line in lines.strip().splitlines():
        text, _, rest = line.partition("|")
        places, _, empty = rest.partition(" = ")
        yield Question(
            text.strip(), tuple(filter(None, map(str.strip, places.split(";")))), empty.strip()
        )


def answers(bundle: Bundle) -> dict[str, list[Answer]]:
    """Return the answers to every question, by the name of the checklist."""
    release = _Release(bundle)
    return {
        one.name: [_answer(question, release) for question in one.questions] for one in checklists()
    }


class _Release:
    """The files of a release, each read once."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle, self.names = bundle, set(bundle.names())
        self._documents: dict[str, Any] = {}

    def at(self, place: str) -> tuple[bool, Any]:
        """Return whether a place is in the release, and what is there."""
        file, _, within = place.partition("#")
        if file not in self.names:
            return False, None
        if not within:
            return True, "the file"
        if file == README:
            return _section(self._document(file), within)
        value = self._document(file)
        # A name of Croissant has no dot, so the path may be split at each.
        for key in within.split("."):
            if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
                value = value[int(key)]
            elif isinstance(value, Mapping) and key in value:
                value = value[key]
            else:
                return False, None
        return True, value

    def _document(self, file: str) -> Any:
        if file not in self._documents:
            content = self.bundle.content(file).decode()
            self._documents[file] = content if file == README else json.loads(content)
        return self._documents[file]


def _section(card: str, title: str) -> tuple[bool, str | None]:
    is_there = any(
        line.lstrip("#").strip() == title for line in card.splitlines() if line[:1] == "#"
    )
    return is_there, "the section" if is_there else None


def _answer(question: Question, release: _Release) -> Answer:
    for place in question.places:
        is_there, value = release.at(place)
        if is_there and not _is_empty(value):
            return Answer(question, place, _short(value))
        if is_there and question.empty:
            return Answer(question, place, question.empty)
    return Answer(question)


def _is_empty(value: Any) -> bool:
    """Return whether a value says nothing, as ``{"": 24}`` does: 24 of which nothing is known."""
    if isinstance(value, str):
        return value.strip().rstrip(".").casefold() in _NOTHING
    if isinstance(value, Mapping):
        return not any(value) or all(map(_is_empty, value.values()))
    return value is None or (isinstance(value, list) and all(map(_is_empty, value)))


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return count(len(value), "field")
    if isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            return _short("; ".join(value))
        return count(len(value), "value")
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = one_line(str(value))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def gaps(found: Mapping[str, Sequence[Answer]]) -> dict[str, list[str]]:
    """Return the questions that nothing in the release answers, by checklist."""
    return {name: [one.question.text for one in of if not one.place] for name, of in found.items()}


def to_markdown(found: Mapping[str, Sequence[Answer]], *, top: Sequence[str] = ()) -> str:
    """Return the checklists, each with its answers and then with what nobody answered."""
    blocks = ["# Checklists", *(f"**{markdown(line)}**" for line in top), *_ABOUT]
    for one in checklists():
        of = found[one.name]
        answered = [row for row in of if row.place]
        blocks += [
            f"## {one.title} [@{one.source}]",
            f"{count(len(answered), 'question')} of {len(of)} answered in the release:",
            "\n".join(
                f"- {markdown(row.question.text)} {code(row.place)}: {markdown(row.there)}"
                for row in answered
            ),
            "### Not answered",
            "\n".join(f"- {markdown(text)}" for text in gaps(found)[one.name]) or "Nothing.",
        ]
    return "\n\n".join(filter(None, blocks)) + "\n"


_ABOUT = (
    "The questions are in words of our own; read the source before you submit. An answer is a "
    "place in the release where it says something about the question, not a judgement that this "
    "is enough. What is listed as not answered is for the authors of a paper.",
)


def to_latex(found: Mapping[str, Sequence[Answer]], *, top: Sequence[str] = ()) -> str:
    """Return the checklists as subsections with lists."""
    lines = [latex(one_line(line)) for line in top]
    for one in checklists():
        answered = [row for row in found[one.name] if row.place]
        lines += [rf"\subsection*{{{latex(one.title)}}}", rf"Source: \cite{{{one.source}}}."]
        lines += _items(
            rf"{latex(row.question.text)} \texttt{{{_breakable(row.place)}}}: {latex(row.there)}"
            for row in answered
        )
        lines.append(r"\paragraph{Not answered in the release.}")
        lines += _items(latex(text) for text in gaps(found)[one.name])
    return "\n".join(lines) + "\n"


def _breakable(place: str) -> str:
    return latex(place).replace(".", r".\allowbreak{}").replace("\\#", r"\#\allowbreak{}")


def _items(texts: Iterable[str]) -> list[str]:
    items = [rf"\item {{}}{text}" for text in texts]
    return [r"\begin{itemize}", *items, r"\end{itemize}"] if items else ["None."]
