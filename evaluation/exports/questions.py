"""A list of questions as a file, with the columns and in the order of its page."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing

from django.db.models import Exists, F, Func, OuterRef, QuerySet, TextField, Value
from django.http import StreamingHttpResponse

from collection.models import Campaign
from validation.models import GoldQuestion, QuestionFacts
from winoplatform.api.parsing import CONTENT_TYPES, CSV, JSONL
from winoplatform.db.copying import in_blocks, streamed
from winoplatform.errors import NotFound
from winoplatform.exporting.columns import Column, Kind, csv_lines, json_lines
from winoplatform.exporting.spreadsheets import saved_as

LINES = {JSONL: json_lines, CSV: csv_lines}
_IN_USE = GoldQuestion.objects.filter(question=OuterRef("question"), retired_at=None)
_ALWAYS = {
    "question": Column(F("question__public_id")),
    "twin": Column(F("question__twin__public_id")),
    "sentence": Column(F("question__sentence"), Kind.TYPED),
}
_COLUMNS: Mapping[str, Mapping[str, Column]] = {
    "verdict": {"verdict": Column(F("state"))},
    "reasons": {
        "reasons": Column(
            Func(F("reasons"), Value(" "), function="array_to_string", output_field=TextField())
        )
    },
    "agreement": {
        "votes_for_answer": Column(F("n_right"), Kind.INTEGER),
        "votes": Column(F("n_votes"), Kind.INTEGER),
    },
    "domain": {"domain": Column(F("domain"))},
    "anchor": {"anchor": Column(F("question__twin__anchor"), Kind.TYPED)},
    "options": {
        "option1": Column(F("question__twin__option1"), Kind.TYPED),
        "option2": Column(F("question__twin__option2"), Kind.TYPED),
    },
    "answer": {"answer": Column(F("question__answer"), Kind.INTEGER)},
    "writer": {"writer": Column(F("author__public_id"), nullable=True)},
    "gold": {"gold": Column(Exists(_IN_USE), Kind.FLAG)},
    "created": {"created_at": Column(F("question__created_at"), Kind.TIME)},
}


def question_file(
    rows: "QuerySet[QuestionFacts]", columns: Sequence[str], *, campaign: Campaign, form: str
) -> StreamingHttpResponse:
    """Stream *rows* as a file, written while it is read; it holds answers, so for curators.

    Raises
    ------
    DomainError
        ``not_found`` for another form than jsonl and csv.
    """
    if form not in LINES:
        raise NotFound("file")
    titles = dict(_ALWAYS)
    for name in columns:
        titles |= _COLUMNS.get(name, {})
    content = _content(LINES[form](rows, titles))
    return saved_as(f"questions-{campaign.slug}.{form}", content, content_type=CONTENT_TYPES[form])


def _content(statement: str) -> Iterator[bytes]:
    """Yield the file; the transaction ends with it, also if the reader breaks off."""
    rows: Generator[bytes, None, None] = streamed("SELECT 1", statement)
    with closing(rows):
        next(rows)
        yield from in_blocks(rows)
