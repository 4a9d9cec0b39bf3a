"""The result of reading predictions: one option per item, and what was not understood."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import TRUTH, Item
from evaluation.core.predictions.answers import Parsed, parse_answer
from tabular import whole_number

Flags = NDArray[np.bool_]
UNPARSED_RULE = "An item whose answer is missing or not understood counts as wrong."
N_EXAMPLES = 3
EXAMPLE_LENGTH = 120
UNKNOWN = -1
"""What data sets have as the label of a question without an answer."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a file of predictions contained.

    Parameters
    ----------
    n_items : int
        Items of the set.
    n_rows : int
        Answers in the file, those to unknown ids included.
    n_understood : int
        Items with a prediction.
    rules : mapping of str to int
        Understood answers by the rule that applied.
    reasons : mapping of str to int
        Answers that were not understood, by reason.
    examples : mapping of str to sequence of (id, text)
        By reason, the first answers that were not understood, shortened.
    n_missing, n_unknown : int
        Items without an answer in the file, and answers whose id no item has.
    missing, unknown : tuple of str
        The first of these ids.
    summary : mapping of str to str
        The cells of a summary row after the last answer, by column, if there is one.
    """

    n_items: int
    n_rows: int
    n_understood: int
    rules: Mapping[str, int]
    reasons: Mapping[str, int]
    examples: Mapping[str, Sequence[tuple[str, str]]]
    n_missing: int
    missing: tuple[str, ...]
    n_unknown: int
    unknown: tuple[str, ...]
    summary: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions read from a file.

    Parameters
    ----------
    predictions : dict of str to int or None
        For each item, in the items' order, the option from 1; None if the answer is missing or not
        understood.
    scores : dict of str to tuple of float
        The score of each option, for the items for which the file has them.
    report : Report
    """

    predictions: dict[str, int | None]
    scores: dict[str, tuple[float, ...]]
    report: Report


@dataclass(frozen=True, slots=True)
class Row:
    """One answer of a file: an item's id, and what the file says.

    Parameters
    ----------
    line : int
        Where it is in the file, from 1.
    id : str
    answer : str or int or None
    options : tuple of str
        The options in the file's order, if the file has them.
    scores : tuple of float
        The score of each option, if the file has them.
    scored : tuple of str
        The options in the order of the scores, if the file names them there.
    label : str or int or None
        An answer as data sets have it: an option's number from 0; true or 1, false or 0 where the
        question is whether something is true.
    """

    line: int
    id: str
    answer: str | int | None
    options: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    label: str | int | None = None
    scored: tuple[str, ...] = ()


def is_correct(read: Predictions, items: Sequence[Item]) -> Flags:
    """Return for each item whether its prediction is its answer: bool (n,).

    Raises
    ------
    ValueError
        When the answer of an item is unknown.
    """
    for item in items:
        if item.answer is None:
            raise ValueError(f"items must have an answer, and {item.id!r} has none")
    return np.array([read.predictions[item.id] == item.answer for item in items], dtype=bool)


def is_understood(read: Predictions, items: Sequence[Item]) -> Flags:
    """Return for each item whether it has a prediction: bool (n,)."""
    return np.array([read.predictions[item.id] is not None for item in items], dtype=bool)


def collect(
    rows: Iterable[Row], items: Sequence[Item], *, summary: Mapping[str, str] | None = None
) -> Predictions:
    """Parse the answers of a file's rows against the items.

    Raises
    ------
    ValueError
        When an id is in the file twice, no id is that of an item, an answer is the number 0, or a
        row's options or scores are not those of its item.
    """
    by_id = {item.id: item for item in items}
    seen = _by_id(rows)
    _refuse_strangers(seen, by_id)
    seen = {
        id: _in_option_order(row, by_id[id]) if id in by_id else row for id, row in seen.items()
    }
    parsed = {id: _parsed(row, by_id[id]) for id, row in seen.items() if id in by_id}
    predictions = {id: parsed[id].option if id in parsed else None for id in by_id}
    scores = {id: _in_order(seen[id], by_id[id]) for id in by_id if id in seen and seen[id].scores}
    missing = [id for id in by_id if id not in seen]
    unknown = [id for id in seen if id not in by_id]
    report = Report(
        n_items=len(by_id),
        n_rows=len(seen),
        n_understood=sum(option is not None for option in predictions.values()),
        rules=Counter(row.how for row in parsed.values() if row.option is not None),
        reasons=Counter(row.how for row in parsed.values() if row.option is None),
        examples=_examples(parsed, seen),
        n_missing=len(missing),
        missing=tuple(missing[:N_EXAMPLES]),
        n_unknown=len(unknown),
        unknown=tuple(unknown[:N_EXAMPLES]),
        summary=dict(summary or {}),
    )
    return Predictions(predictions, scores, report)


def _by_id(rows: Iterable[Row]) -> dict[str, Row]:
    seen: dict[str, Row] = {}
    for row in rows:
        if row.id in seen:
            raise ValueError(
                f"ids must differ, and {row.id!r} is in lines {seen[row.id].line} and {row.line}"
            )
        seen[row.id] = row
    return seen


def _refuse_strangers(seen: Mapping[str, Row], by_id: Mapping[str, Item]) -> None:
    """Refuse a file for another set, which would be scored as all wrong."""
    if seen and not any(id in by_id for id in seen):
        found, known = (", ".join(f"{id:.40}" for id in islice(ids, 3)) for ids in (seen, by_id))
        raise ValueError(
            f"no id of the file is one of the questions': it has {found}, and the questions have "
            f"{known}; choose the set and split that the predictions are for"
        )


def _in_option_order(row: Row, item: Item) -> Row:
    """Return a row with its scores in the order of its options."""
    if not row.scored:
        return row
    _refuse_other_options(row, row.scored, item)
    options = row.options or item.options
    _refuse_other_options(row, options, item)
    return replace(row, scores=tuple(row.scores[row.scored.index(option)] for option in options))


def _refuse_other_options(row: Row, options: Sequence[str], item: Item) -> None:
    if sorted(options) != sorted(item.options):
        raise ValueError(
            f"line {row.line}: options must be those of {item.id!r}, {item.options!r}, "
            f"got {options!r}"
        )


def _parsed(row: Row, item: Item) -> Parsed:
    options = row.options or item.options
    _refuse_other_options(row, options, item)
    if row.scores and len(row.scores) != len(options):
        raise ValueError(
            f"line {row.line}: scores must have one number per option of {item.id!r}, "
            f"{len(options)}, got {len(row.scores)}"
        )
    found = _of_scores(row) if row.answer is None and row.scores else _of_answer(row, item, options)
    if found.option is None:
        return found
    if row.scores and row.scores[found.option - 1] < max(row.scores):
        raise ValueError(
            f"line {row.line}: the prediction {row.answer!r} of {item.id!r} is not the option with "
            f"the highest of the scores {row.scores!r}"
        )
    return Parsed(item.options.index(options[found.option - 1]) + 1, found.how)


def _of_scores(row: Row) -> Parsed:
    highest = max(row.scores)
    if row.scores.count(highest) > 1:
        return Parsed(None, "tied")
    return Parsed(row.scores.index(highest) + 1, "scores")


def _of_answer(row: Row, item: Item, options: Sequence[str]) -> Parsed:
    if isinstance(row.answer, bool) and tuple(options) != TRUTH:
        raise ValueError(f"line {row.line}: prediction must be a number or text, got {row.answer}")
    text = "" if row.answer is None else str(row.answer)
    if row.label is not None:
        text = _of_label(row, options)
    elif text.strip() not in options and (number := whole_number(row.answer)) is not None:
        text = "" if number == UNKNOWN else str(number)
    if text.strip() in ("0", "0.0") and "0" not in options:
        raise ValueError(
            f"line {row.line}: options are numbered from 1, got {text.strip()}; add 1 if the file "
            "numbers them from 0"
        )
    filled = item.filled if item.form in ("blank", "pronoun") else ()
    in_order = [filled[item.options.index(option)] for option in options] if filled else []
    return parse_answer(text, options, filled=in_order)


def _of_label(row: Row, options: Sequence[str]) -> str:
    """Return a label as the number of its option, from 1; empty if it is unknown."""
    number, k = whole_number(row.label), len(options)
    if tuple(options) == TRUTH:
        label = str(row.label if number is None else number).strip().casefold()
        return {"1": TRUTH[0], "0": TRUTH[1], "-1": ""}.get(label, str(row.label))
    if number is None or number == UNKNOWN:
        return "" if number == UNKNOWN else str(row.label)
    if not 0 <= number < k:
        raise ValueError(f"line {row.line}: label must be from 0 to {k - 1}, got {row.label!r:.80}")
    return str(number + 1)


def _in_order(row: Row, item: Item) -> tuple[float, ...]:
    """Return a row's scores in the order of the item's options."""
    if not row.options:
        return row.scores
    return tuple(row.scores[row.options.index(option)] for option in item.options)


def _examples(
    parsed: Mapping[str, Parsed], seen: Mapping[str, Row]
) -> dict[str, list[tuple[str, str]]]:
    result: dict[str, list[tuple[str, str]]] = {}
    for id, row in parsed.items():
        of_reason = result.setdefault(row.how, []) if row.option is None else []
        if row.option is None and len(of_reason) < N_EXAMPLES:
            answer = seen[id].answer if seen[id].label is None else seen[id].label
            text = "" if answer is None else str(answer)
            of_reason.append((id, " ".join(text.split())[:EXAMPLE_LENGTH]))
    return result
