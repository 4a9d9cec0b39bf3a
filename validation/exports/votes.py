"""A campaign's votes as a file: who said what, when and how fast, by pseudonym.

PostgreSQL writes the lines itself (COPY), and they are passed on as they come: neither the memory
nor the time of a line depends on how many there are. ``docs/quality.md`` describes the columns.
"""

from collections.abc import Generator, Iterator
from contextlib import closing

from django.http import StreamingHttpResponse

from collection.models import Campaign
from validation.selectors.times import begun
from winoplatform.copying import streamed
from winoplatform.spreadsheets import RUNS_AS_FORMULA

CONTENT_TYPES = {
    "jsonl": "application/x-ndjson; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
}
BLOCK = 64 * 1024

# Name and SQL of each column, in the order of the file.
_COLUMNS = {
    "vote": "vote.public_id",
    "question": "question.public_id",
    "twin": "twin.public_id",
    "domain": "twin.domain",
    "worker": "worker.public_id",
    "seat": "seat.number",
    "option": "vote.option",
    "correct": "vote.option = question.answer",
    "ambiguous": "vote.ambiguous",
    "local_option": "vote.local_option",
    "local_correct": "vote.local_option = question.answer",
    "seconds_local": (
        "round(greatest(0, extract(epoch FROM seat.local_at - "
        + begun("seat.claimed_at", "vote.before")
        + ")), 3)"
    ),
    "seconds_sentence": (
        "round(greatest(0, extract(epoch FROM vote.created_at - seat.local_at)), 3)"
    ),
    "guidelines": "accepted.version",
    "report": "vote.report",
    "comment": "vote.comment",
    "gold": "vote.is_gold",
    "set_aside": "vote.set_aside_at IS NOT NULL",
    "amended": "vote.amended_at IS NOT NULL",
    "created_at": "vote.created_at",
}
COLUMNS = tuple(_COLUMNS)
_FLAGS = ("correct", "ambiguous", "local_correct", "gold", "set_aside", "amended")
# Text that somebody typed: a spreadsheet must not run it.
_TYPED = ("comment",)
_FROM = """
    FROM (
        SELECT given.*, lag(given.created_at) OVER (
            PARTITION BY given.worker_id ORDER BY given.id
        ) AS before
        FROM validation_vote given JOIN validation_seat seat ON seat.id = given.seat_id
        WHERE seat.campaign_id = {campaign}
    ) vote
    JOIN validation_seat seat ON seat.id = vote.seat_id
    JOIN collection_question question ON question.id = vote.question_id
    JOIN collection_twin twin ON twin.id = question.twin_id
    JOIN workers_user worker ON worker.id = vote.worker_id
    LEFT JOIN LATERAL (
        SELECT max(guideline.version) AS version
        FROM collection_consent consent
        JOIN collection_guideline guideline ON guideline.id = consent.guideline_id
        WHERE guideline.campaign_id = {campaign} AND consent.worker_id = vote.worker_id
            AND consent.created_at <= vote.created_at
    ) accepted ON TRUE
    ORDER BY vote.id
"""
# JSON has no raw control characters, so with these two COPY leaves every line as it is.
_JSONL = """
COPY (SELECT row_to_json(line) FROM (SELECT @columns @rows) line)
TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')
"""
_CSV = "COPY (SELECT @columns @rows) TO STDOUT (FORMAT csv, HEADER)"


def votes_file(campaign: Campaign, kind: str) -> StreamingHttpResponse:
    """Answer with every vote of *campaign*, written as it is read."""
    response = StreamingHttpResponse(blocks(campaign, kind), content_type=CONTENT_TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="votes-{campaign.slug}.{kind}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def blocks(campaign: Campaign, kind: str) -> Iterator[bytes]:
    """Yield every vote of *campaign*, the oldest first, as lines of ``jsonl`` or ``csv``.

    All of them are of one moment, however long the reading takes. A block holds whole lines.

    Raises
    ------
    ValueError
        For any other kind.
    """
    if kind not in CONTENT_TYPES:
        raise ValueError(f"kind must be one of {', '.join(CONTENT_TYPES)}; got {kind!r}")
    column = _csv_column if kind == "csv" else _COLUMNS.__getitem__
    columns = ", ".join(f"{column(name)} AS {name}" for name in COLUMNS)
    statement = (
        (_CSV if kind == "csv" else _JSONL).replace("@columns", columns).replace("@rows", _FROM)
    )
    values = {"formula": list(RUNS_AS_FORMULA)} if kind == "csv" else {}
    return _blocks(streamed(statement, campaign=campaign.pk, **values))


def _csv_column(name: str) -> str:
    sql = _COLUMNS[name]
    if name in _FLAGS:
        return f"({sql})::text"
    if name == "created_at":
        return (
            """to_char(vote.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')"""
        )
    if name in _TYPED:
        return (
            f"CASE WHEN left({sql}, 1) = ANY({{formula}}::text[]) THEN '''' || {sql} ELSE {sql} END"
        )
    return sql


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
