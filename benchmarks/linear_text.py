"""Whether time grows with the length of a text, for parsers, rules, readers and searches."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import permutations
from time import process_time

from benchmarks.report import parse_args, result, table
from collection.core import anchors, guidelines, matching, quotes, repeats, words
from collection.core.advice import published, texts
from collection.core.advice.polarity import polarity
from collection.core.rules import Domain, TwinDraft, check_twin
from corpora.core.bundle import wording
from corpora.core.bundle import wording as bundle_text
from corpora.core.items import Item
from corpora.core.possessives import is_possessive, possessive
from corpora.core.readers import flags, winobias
from corpora.core.readers.table import read_table as read_items
from corpora.core.transformations.mentions import ends_sentence
from evaluation.core import corpus
from evaluation.core.predictions.answers import parse_answer
from evaluation.core.predictions.formats import read_predictions
from evaluation.core.retrieval import english
from knowledge.core import problems, reasons, slots, statistics
from tabular import read_records

BOUND = 2.5
REPEATS = 3
UNITS = (
    "a", "A", "1", ".", ",", "'", "’", '"', " ", "\n", "\t", "\r", "[", "]", "(", ")", "{", "}",
    "<", ">", "_", "-", "!", "?", ":", "*", "#", "|", "\\", "\u0301", "\u200b", "\u2028", "😀", "é",
    "中",
)  # fmt: skip
OPTIONS = ("the cup", "the jar")
SETTINGS = {"min_words": 15, "max_words": 30, "near_duplicate": "0.9", "votes": 3, "name": "Cups"}


def _any_refusal(read: Callable[[], object]) -> None:
    with suppress(ValueError):  # a refusal is an answer too
        read()


def _twin(text: str) -> None:
    sentences, domain = (f"a _ {text}", f"{text} _ b"), Domain.PHYSICAL
    check_twin(
        TwinDraft(
            sentences=sentences, options=OPTIONS, answers=(1, 2), anchor=text[:120], domain=domain
        )
    )


def _records(text: str) -> None:
    for before in ("", "qID,prediction\n", "qID,prediction\na,", '{"qID": "', "["):
        content = io.BytesIO(f"{before}{text}".encode())
        list(read_records(content, known=("qID", "prediction"), required=("qID",)))


def _predictions(text: str) -> None:
    item = Item(id="a", group="a", sentence="It was _.", options=OPTIONS, answer=1)
    for format in ("csv", "lines"):
        content = io.BytesIO(f"{'qID,prediction' * (format == 'csv')}\n{text}".encode())
        _any_refusal(lambda: read_predictions(content, [item], format=format))  # noqa: B023


def _full_stops(text: str) -> None:
    for place, mark in enumerate(text):
        if mark == ".":
            ends_sentence(text, place)


READERS: dict[str, Callable[[str], object]] = {
    "anchors": anchors.find_anchors,
    "bare words": words.bare,
    "one blank": words.one_blank,
    "overlap": lambda text: words.overlap(text, f"{text} a"),
    "advice on texts": lambda text: list(texts.text_findings((text, text), OPTIONS)),
    "published": lambda text: published.is_published(text, (text[:60], "the jar")),
    "guidelines": lambda text: guidelines.part_for(f"# {text}\n{text}", "write"),
    "settings in guidelines": lambda text: quotes.quoted(text, SETTINGS),
    "phrases": lambda text: matching.best_place("a cup", matching.fold(text)),
    "twin rules": _twin,
    "polarity": lambda text: polarity(f"_ {text}", OPTIONS),
    "repeats": repeats.typed_alike,
    "tokens of a release": bundle_text.tokens,
    "markdown": wording.markdown,
    "possessives": lambda text: (possessive(f"a{text}"), is_possessive(text, "her", text)),
    "records": _records,
    "table of questions": lambda text: _any_refusal(
        lambda: list(read_items([f"sentence,option1,option2,answer\n{text}"]))
    ),
    "labels in brackets": flags._without_pronoun,
    "marked occupations": winobias._unmarked,
    "sentences": corpus.sentences,
    "full stops": _full_stops,
    "English tokens": english.tokens,
    "answers": lambda text: parse_answer(f"The answer is {text}", OPTIONS),
    "predictions": _predictions,
    "problems": lambda text: _any_refusal(lambda: problems.read_problem(f"a The {text} is {text}")),
    "templates": lambda text: _any_refusal(lambda: slots.read(f"{{A:{text}")),
    "reasons": reasons.content_words,
    "knowledge tokens": statistics.tokens,
}


def main() -> None:
    args = parse_args(__doc__ or "", length=20_000)
    length = 2_000 if args.quick else args.length
    rows = [_worst(name, read, length, args.quick) for name, read in READERS.items()]
    rows.sort(key=lambda row: -row[2])
    table(
        ["reader", "worst text", "time for twice the length", "seconds"],
        [
            [name, repr(unit), f"{ratio:.2f}", f"{seconds:.3f}"]
            for name, unit, ratio, seconds in rows
        ],
    )
    slow = [name for name, _, ratio, _ in rows if ratio > BOUND]
    result(
        worst_ratio=max(row[2] for row in rows),
        worst_seconds=max(row[3] for row in rows),
        bound=BOUND,
        over=len(slow),
    )


def _worst(
    name: str, read: Callable[[str], object], length: int, is_quick: bool
) -> tuple[str, str, float, float]:
    """Return the text for which a reader takes longest, and how its time grows with the length."""
    timed = ((_seconds(read, unit, length // 20), unit) for unit in _units(is_quick))
    worst = sorted(timed, reverse=True)[:REPEATS]
    found = (
        (unit, _ratio(read, unit, length), _seconds(read, unit, 2 * length)) for _, unit in worst
    )
    unit, ratio, seconds = max(found, key=lambda one: one[1])
    return name, unit, ratio, seconds


def _units(is_quick: bool) -> Iterator[str]:
    yield from UNITS
    if not is_quick:
        yield from map("".join, permutations(UNITS, 2))


def _ratio(read: Callable[[str], object], unit: str, length: int) -> float:
    """Return the time for twice the length over that for the length, each the least of several."""
    once, twice = (
        min(_seconds(read, unit, size) for _ in range(REPEATS)) for size in (length, 2 * length)
    )
    return twice / max(once, 1e-4)  # less than 0.1 ms tells nothing


def _seconds(read: Callable[[str], object], unit: str, length: int) -> float:
    text = unit * (length // len(unit)) + "\0"
    started = process_time()
    read(text)
    return process_time() - started


if __name__ == "__main__":
    main()
