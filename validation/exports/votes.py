"""A campaign's votes as a file: validator (a pseudonym), answers, time and duration.

PostgreSQL writes the lines itself (COPY) and they are streamed: neither memory nor the time per
line depends on their number. ``docs/quality.md`` describes the columns.
"""

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    DecimalField,
    DurationField,
    ExpressionWrapper,
    F,
    Func,
    OuterRef,
    Q,
    Subquery,
    TextField,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, Concat, Extract, Greatest, Lag, Left, Round
from django.db.models.lookups import In
from django.http import StreamingHttpResponse

from collection.models import Campaign, Consent
from validation.models import Vote
from winoplatform.copying import streamed, text_of
from winoplatform.spreadsheets import CSV, RUNS_AS_FORMULA, saved_as

CONTENT_TYPES = {
    "jsonl": "application/x-ndjson; charset=utf-8",
    "csv": CSV,
}
BLOCK = 64 * 1024


def _is(**condition: Any) -> "ExpressionWrapper[Any]":
    return ExpressionWrapper(Q(**condition), BooleanField())


def _seconds(since: Any, until: Any) -> Round:
    """Seconds between two times, to the millisecond; null if the clock was set back."""
    between = ExpressionWrapper(until - since, DurationField())
    number = DecimalField()
    return Round(
        Greatest(Value(0, number), Extract(between, "epoch", output_field=number)), precision=3
    )


_BEFORE = Window(Lag("created_at"), partition_by="worker", order_by="pk")
# Reading begins at the claim or the vote before, whichever is later: the next question is fetched
# while one is validated. As ``core.votes.first_seconds`` over arrays.
_BEGUN = Case(When(seat__claimed_at__isnull=False, then=Greatest(F("seat__claimed_at"), _BEFORE)))
# Each column, in the order of the file.
_COLUMNS: dict[str, Any] = {
    "vote": F("public_id"),
    "question": F("question__public_id"),
    "twin": F("question__twin__public_id"),
    "domain": F("question__twin__domain"),
    "worker": F("worker__public_id"),
    "seat": F("seat__number"),
    "option": F("option"),
    "correct": _is(option=F("question__answer")),
    "ambiguous": F("ambiguous"),
    "local_option": F("local_option"),
    "local_correct": _is(local_option=F("question__answer")),
    "seconds_local": _seconds(_BEGUN, F("seat__local_at")),
    "seconds_sentence": _seconds(F("seat__local_at"), F("created_at")),
    "guidelines": None,  # by campaign
    "report": F("report"),
    "comment": F("comment"),
    "gold": F("is_gold"),
    "excluded": _is(excluded_at__isnull=False),
    "amended": _is(amended_at__isnull=False),
    "created_at": F("created_at"),
}
COLUMNS = tuple(_COLUMNS)
_FLAGS = ("correct", "ambiguous", "local_correct", "gold", "excluded", "amended")
# Text typed by users: a spreadsheet must not execute it as a formula.
_RUNS = In(Left("comment", 1), list(RUNS_AS_FORMULA))
_IN_CSV: dict[str, Any] = {
    **{name: Cast(_COLUMNS[name], TextField()) for name in _FLAGS},
    "comment": Case(When(_RUNS, then=Concat(Value("'"), "comment")), default="comment"),
    "created_at": Func(
        "created_at",
        Value('YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
        function="to_char",
        output_field=TextField(),
    ),
}
# JSON has no raw control characters, so with these two COPY leaves every line as it is.
_AS_JSON = r"SELECT row_to_json(line) FROM", r"FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02'"
_AS_CSV = "SELECT * FROM", "FORMAT csv, HEADER"


def votes_file(campaign: Campaign, kind: str) -> StreamingHttpResponse:
    """Answer with every vote of *campaign*, written as it is read."""
    name = f"votes-{campaign.slug}.{kind}"
    return saved_as(name, blocks(campaign, kind), content_type=CONTENT_TYPES[kind])


def blocks(campaign: Campaign, kind: str) -> Iterator[bytes]:
    """Yield every vote of *campaign*, oldest first, as lines of ``jsonl`` or ``csv``.

    The votes are one consistent snapshot, however long reading takes. A block holds whole lines.

    Raises
    ------
    ValueError
        For any other kind.
    """
    if kind not in CONTENT_TYPES:
        raise ValueError(f"kind must be one of {', '.join(CONTENT_TYPES)}; got {kind!r}")
    columns = _COLUMNS | {"guidelines": _accepted(campaign)} | (_IN_CSV if kind == "csv" else {})
    # Filtered by campaign, so the window function finds the validator's previous vote in it.
    votes = Vote.objects.filter(seat__campaign=campaign).order_by("pk")
    select, form = _AS_CSV if kind == "csv" else _AS_JSON
    lines = f"({text_of(votes.values_list(*columns.values()))}) AS line ({', '.join(columns)})"
    return _blocks(streamed(f"COPY ({select} {lines}) TO STDOUT ({form})"))


def _accepted(campaign: Campaign) -> Subquery:
    """The version of the guidelines that the worker had accepted when they voted."""
    consents = Consent.objects.filter(
        guideline__campaign=campaign,
        worker=OuterRef("worker"),
        created_at__lte=OuterRef("created_at"),
    )
    return Subquery(consents.order_by("-guideline__version").values("guideline__version")[:1])


def _blocks(rows: Generator[bytes, None, None]) -> Iterator[bytes]:
    content = bytearray()
    with closing(rows):
        for row in rows:
            content += row
            if len(content) >= BLOCK:
                yield bytes(content)
                content.clear()
    if content:
        yield bytes(content)
