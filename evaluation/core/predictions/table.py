"""Tables of predictions: CSV of any dialect, JSON lines, a JSON array, or a log of a harness."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from corpora.core.items import Item
from corpora.core.readers.records import Source, as_binary
from evaluation.core.predictions import logs
from evaluation.core.predictions.naming import Naming
from evaluation.core.predictions.read import Predictions, Row, collect
from tabular import Record, key, read_records, strict, whole_number

ID_NAMES = ("qID", "id", "idx", "sentence")
PREDICTION_NAMES = ("prediction", "pred")
SCORE_LISTS = ("scores", "probabilities", "probs", "logits", "logprobs", "loglikelihoods")
LONGEST = 4_000_000
"""Characters of a line: a sample of a harness has its whole prompt."""
_KNOWN = (*ID_NAMES, *PREDICTION_NAMES, "answer", "label", *SCORE_LISTS, *logs.NAMES)
_KNOWN_OPTIONS = tuple(f"option{number}" for number in range(1, 9))
_OPTION = re.compile(r"option(\d{1,2})")
_SCORE = re.compile(
    r"(?:p|prob|probability|score|logit|logprob|loglikelihood)(?:option)?(\d{1,2})"
    r"|(?:option)?(\d{1,2})(?:prob|probability|score|logit|logprob|loglikelihood)"
)
_QUESTION = ("sentence", "text", "premise")


def read_table(
    source: Source,
    items: Sequence[Item],
    *,
    id_column: str = "",
    prediction_column: str = "",
) -> Predictions:
    """Read a table of predictions.

    Parameters
    ----------
    source : binary file, or iterable of str
        A table as `tabular.read_records` reads it; also the samples of lm-evaluation-harness and
        Inspect's JSON log (see `logs`).
    items : sequence of Item
    id_column : str, optional
        Default: ``qID`` or ``id``; else ``idx`` (see `Naming.of_numbers`); else the row's
        ``sentence`` (and its options, if the file has them).
    prediction_column : str, optional
        Default: ``prediction`` or ``pred``, a number from 1 or free text (see `parse_answer`); else
        the scores of the options, in a list or in columns such as ``prob1`` and ``prob2``; else
        ``label``, which is true or false or counts from 0; else, in JSON, ``answer``. With
        ``option1``, ``option2`` and so on, numbers and scores follow the row's order of options.

    Returns
    -------
    Read
        A last row without an id or sentence is not an answer; the report has its cells.

    Raises
    ------
    ValueError
        With the line: when a column is missing; a row has no id, a repeated id, or options, scores
        or a number that contradict the item; or it is a question of a data set with its label. Also
        when no id of the file is one of the items'.
    """
    named = [name for name in (id_column, prediction_column) if name]
    columns_read = (*named, *_KNOWN, *_KNOWN_OPTIONS)
    records = strict(read_records(as_binary(source), known=columns_read, longest=LONGEST))
    first = next(records, None)
    if first is None:
        raise ValueError("the file has no row with a prediction")
    naming = Naming(items)
    if logs.is_log(first):
        return collect(logs.rows(chain([first], records), naming), items)
    id_name = _id_name(first, id_column)
    read = [first, *records]
    summary: Mapping[str, Any] = {}
    if len(read) > 1 and not _text(read[-1].fields.get(id_name)):
        summary = read.pop().fields
    rows = [_row(record, naming, id_name, prediction_column) for record in read]
    rows = naming.of_numbers(rows) if id_name == "idx" and not id_column else naming.of_ids(rows)
    return collect(rows, items, summary={name: str(cell) for name, cell in summary.items() if cell})


def _id_name(first: Record, named: str) -> str:
    columns = list(first.fields)
    found = named or next((name for name in ID_NAMES if name in columns), None)
    if found is None:
        raise ValueError(
            f"line {first.line} must have an id in one of {', '.join(ID_NAMES)}; name its column, "
            f"one of {columns!r:.300}"
        )
    if found not in columns:
        raise ValueError(f"the column of the id must be one of {columns!r:.300}, got {found!r:.80}")
    return found


def _row(record: Record, naming: Naming, id_name: str, predicted: str) -> Row:
    fields, options = record.fields, _options(record.fields)
    if record.is_json and id_name not in fields:
        id_name = next((name for name in ID_NAMES if name in fields), id_name)
    id = _text(fields.get(id_name))
    if not id:
        raise ValueError(
            f"line {record.line} must have an id in {id_name!r}, got {fields.get(id_name)!r:.80}"
        )
    if id_name == "sentence":
        id = naming.of_sentence(id, options)
    elif id_name == "idx" and (number := whole_number(id)) is not None:
        id = str(number)
    by_option = _scores_by_option(fields)
    scores = _scores(record, by_option)
    name = _prediction_name(record, predicted, has_scores=bool(scores))
    answer = _answer(record, name)
    if name == "label":
        return Row(record.line, id, None, options, scores, label=answer, scored=tuple(by_option))
    return Row(record.line, id, answer, options, scores, scored=tuple(by_option))


def _text(value: Any) -> str:
    """Return an id as text; empty if it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()


def _prediction_name(record: Record, named: str, *, has_scores: bool) -> str:
    """Return the name of what a row predicts; empty if its scores are all that it has."""
    fields = record.fields
    if named:
        if named not in fields:
            raise ValueError(
                f"the column of the prediction must be one of {list(fields)!r:.300}, got {named!r}"
            )
        return named
    if column := next((name for name in PREDICTION_NAMES if name in fields), ""):
        return column
    is_question = any(name in fields for name in _QUESTION)
    others = ("label", "answer") if record.is_json else ("label",)
    column = next((name for name in others if name in fields), "")
    if column and is_question and not has_scores:
        raise ValueError(
            f"line {record.line} has a sentence and {column!r} and no 'prediction': it is a "
            "question of a data set with its label"
        )
    if not column and not has_scores:
        raise ValueError(
            f"line {record.line} has none of 'prediction', 'scores', 'label' and, in JSON, "
            "'answer'; call the field of the prediction 'prediction' or, in CSV, name its column: "
            f"{', '.join(fields):.300}"
        )
    return "" if has_scores else column


def _answer(record: Record, name: str) -> str | int | None:
    answer = record.fields.get(name) if name else None
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    if not isinstance(answer, str | int | None):
        raise ValueError(f"line {record.line}: {name} must be a number or text, got {answer!r:.80}")
    return answer


def _options(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the columns ``option1``, ``option2`` and so on that are not empty, in order."""
    numbered = {int(m[1]): fields[name] for name in fields if (m := _OPTION.fullmatch(name))}
    return tuple(str(numbered[number]) for number in sorted(numbered) if numbered[number])


def _scores_by_option(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object of scores by the options' texts; empty if scores are given otherwise."""
    scores = next((_as_json(fields[name]) for name in SCORE_LISTS if name in fields), None)
    return scores if isinstance(scores, dict) else {}


def _scores(record: Record, by_option: Mapping[str, Any]) -> tuple[float, ...]:
    """Return the scores of the options: a list, or the columns of each, by number."""
    name = next((name for name in SCORE_LISTS if name in record.fields), None)
    scores = list(by_option.values()) or (name and _as_json(record.fields[name]))
    if scores not in (None, "", {}):
        return score_list(scores, f"line {record.line}: {name}")
    numbered = {number: name for name in record.fields if (number := _score_number(name))}
    if len(numbered) < 2:
        return ()
    cells = [record.fields[numbered[number]] for number in sorted(numbered)]
    if all(cell in (None, "") for cell in cells):
        return ()
    names = ", ".join(numbered[number] for number in sorted(numbered))
    return score_list(list(map(_as_number, cells)), f"line {record.line}: {names}")


def _as_json(value: Any) -> Any:
    """Return the list or object that a cell spells as JSON; any other value as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


@lru_cache(maxsize=1000)
def _score_number(name: str) -> int:
    """Return the number of the option whose score a column has; 0 for another column."""
    match = _SCORE.fullmatch(key(name)) if len(name) < 40 else None
    return int(next(filter(None, match.groups()))) if match else 0


def _as_number(cell: Any) -> Any:
    if isinstance(cell, str):
        try:
            return float(cell.replace(",", ".") if cell.count(",") == 1 else cell)
        except ValueError:
            return cell
    return cell


def score_list(found: Any, place: str) -> tuple[float, ...]:
    """Return the scores of a list; none for None.

    Raises
    ------
    ValueError
        With *place*, unless it is a list of finite numbers.
    """
    if found is None:
        return ()
    numeric = isinstance(found, list) and all(type(score) in (int, float) for score in found)
    if not numeric or not found or not all(map(math.isfinite, found)):
        raise ValueError(f"{place} must be a list of finite numbers, got {found!r:.80}")
    return tuple(map(float, found))
