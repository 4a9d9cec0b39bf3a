"""Logs of evaluation harnesses as predictions: lm-evaluation-harness's samples, Inspect's log."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaluation.core.predictions.naming import Naming
from evaluation.core.predictions.read import Row
from tabular import Record, whole_number

NAMES = ("doc_id", "doc", "resps", "filtered_resps", "filter", "samples", "eval")


def is_log(first: Record) -> bool:
    """Return whether a file's first record is that of a log."""
    return first.is_json and (_is_sample(first.fields) or _is_inspect(first.fields))


def rows(records: Iterable[Record], naming: Naming) -> list[Row]:
    """Return the rows of a log.

    Of lm-evaluation-harness, the option with the highest log-likelihood is the prediction, and
    generated text a free-text answer; metrics such as ``acc`` are not read. Of Inspect, the
    answer that a scorer extracted, else the model's text.

    Raises
    ------
    ValueError
        With the line of a sample that is not complete, or when a question has several answers.
    """
    listed = list(records)
    if _is_inspect(listed[0].fields):
        return naming.of_ids(_inspect_rows(listed[0].fields, naming))
    _refuse_filters(listed)
    samples = [_sample(record, naming) for record in listed]
    if all(row.id for row in samples):
        return naming.of_ids(samples)
    return naming.of_numbers(list(map(_with_number, listed, samples)))


def _is_sample(fields: Mapping[str, Any]) -> bool:
    return "doc" in fields and ("filtered_resps" in fields or "resps" in fields)


def _is_inspect(fields: Mapping[str, Any]) -> bool:
    return "eval" in fields and "samples" in fields


def _refuse_filters(records: Sequence[Record]) -> None:
    filters = sorted({str(record.fields.get("filter", ""))[:40] for record in records})
    if len(filters) > 1:
        raise ValueError(
            f"the file has the answers of several filters ({', '.join(filters)}); keep the rows of "
            "one of them"
        )


def _sample(record: Record, naming: Naming) -> Row:
    """Return the row of a sample; its id is empty if the document has none."""
    doc = record.fields["doc"]
    if not isinstance(doc, dict):
        raise ValueError(f"line {record.line}: doc must be an object, got {doc!r:.80}")
    options = tuple(str(doc[name]) for name in ("option1", "option2") if name in doc)
    responses = record.fields.get("filtered_resps", record.fields.get("resps"))
    if not isinstance(responses, list) or not responses:
        raise ValueError(
            f"line {record.line}: filtered_resps must be a list, got {responses!r:.80}"
        )
    id = _doc_id(doc, options, naming)
    if (text := _generated(responses)) is not None:
        return Row(record.line, id, text, options)
    scores = tuple(_likelihood(response, record.line) for response in responses)
    return Row(record.line, id, None, options, scores)


def _generated(responses: Sequence[Any]) -> str | None:
    """Return the text of ``["text"]`` or ``[["text"]]``; None for log-likelihoods."""
    response = responses[0]
    if isinstance(response, list) and len(response) == 1:
        response = response[0]
    is_only = isinstance(response, str) and (len(responses) == 1 or _number(response) is None)
    return response if is_only else None


def _doc_id(doc: Mapping[str, Any], options: Sequence[str], naming: Naming) -> str:
    for name in ("qID", "qid", "id"):
        if isinstance(doc.get(name), str | int):
            return str(doc[name])
    sentence = doc.get("sentence")
    return naming.of_sentence(sentence, options) if isinstance(sentence, str) else ""


def _with_number(record: Record, row: Row) -> Row:
    """Return the row with its document's number, from 0, as id."""
    number = whole_number(record.fields["doc"].get("idx", record.fields.get("doc_id")))
    if number is None or number < 0:
        raise ValueError(f"line {record.line} has no qID, id, idx or doc_id")
    return Row(row.line, str(number), row.answer, row.options, row.scores)


def _likelihood(response: Any, line: int) -> float:
    """Return the log-likelihood of ``[["-9.1", "False"]]``, ``["-9.1", "False"]`` or ``-9.1``."""
    for _ in range(2):
        response = response[0] if isinstance(response, list) and response else response
    value = _number(response)
    if value is None or not math.isfinite(value):
        raise ValueError(f"line {line}: expected a log-likelihood, got {response!r:.80}")
    return value


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _inspect_rows(log: Mapping[str, Any], naming: Naming) -> list[Row]:
    samples = log["samples"]
    if not isinstance(samples, list) or not all(isinstance(sample, dict) for sample in samples):
        raise ValueError("the log has no list of samples; write it with its samples")
    times = Counter(str(sample.get("id")) for sample in samples)
    if samples and max(times.values()) > 1:
        raise ValueError(
            "the log has several epochs, so a question has several answers; keep the samples of one"
        )
    made = list(_inspect(samples))
    numbers = [whole_number(row.id) for row in made]
    if None in numbers or any(row.id in naming for row in made):
        return made
    # Samples without an id of their own are numbered from 1.
    return naming.of_places(made, [number - 1 for number in numbers if number is not None])


def _inspect(samples: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    for number, sample in enumerate(samples, 1):
        choices = sample.get("choices")
        is_list = isinstance(choices, list) and all(isinstance(choice, str) for choice in choices)
        options = tuple(choices) if is_list and choices else ()
        yield Row(number, str(sample.get("id", "")), _answer_text(sample), options)


def _answer_text(sample: Mapping[str, Any]) -> str | None:
    """Return the answer that a scorer extracted, else the text of the model."""
    scores = sample.get("scores")
    for score in scores.values() if isinstance(scores, dict) else ():
        answer = score.get("answer") if isinstance(score, dict) else None
        if isinstance(answer, str) and answer.strip():
            return answer
    output = sample.get("output")
    completion = output.get("completion") if isinstance(output, dict) else None
    if isinstance(completion, str) or not isinstance(output, dict):
        return completion
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return _content(message.get("content")) if isinstance(message, dict) else None


def _content(content: Any) -> str | None:
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else None
