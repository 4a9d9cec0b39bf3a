"""A campaign's votes as arrays, in one query: COPY in binary, whose rows are all as long."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from collection.models import Campaign, Twin
from validation.core.votes import Votes
from winoplatform.copying import copied

DOMAINS = tuple(domain.value for domain in Twin.Domain)
# Column, its SQL, and its type as COPY writes it. None may be NULL: rows must be as long.
_COLUMNS = (
    ("question", "vote.question_id::int8", ">i8"),
    ("twin", "question.twin_id::int8", ">i8"),
    ("worker", "vote.worker_id::int8", ">i8"),
    ("option", "vote.option::int2", ">i2"),
    ("answer", "question.answer::int2", ">i2"),
    ("ambiguous", "vote.ambiguous::int::int2", ">i2"),
    ("local", "coalesce(vote.local_option, 0)::int2", ">i2"),
    ("gold", "vote.is_gold::int::int2", ">i2"),
    ("set_aside", "(vote.set_aside_at IS NOT NULL)::int::int2", ">i2"),
    ("reported", "(vote.report <> '')::int::int2", ">i2"),
    ("domain", "(array_position({domains}::text[], twin.domain::text) - 1)::int2", ">i2"),
    ("shown_at", "coalesce(extract(epoch FROM seat.claimed_at), 'NaN')::float8", ">f8"),
    ("local_at", "coalesce(extract(epoch FROM seat.local_at), 'NaN')::float8", ">f8"),
    ("at", "extract(epoch FROM vote.created_at)::float8", ">f8"),
)
_FLAGS = ("ambiguous", "gold", "set_aside", "reported")
_ROW = np.dtype(
    [("n_fields", ">i2")]
    + [field for name, _, kind in _COLUMNS for field in ((f"{name}_size", ">i4"), (name, kind))]
)
# 11 bytes that say "PGCOPY", flags, and the length of an extension, which is 0.
_HEADER, _TRAILER = 19, 2
_COPY = f"""
COPY (
    SELECT {", ".join(sql for _, sql, _ in _COLUMNS)}
    FROM validation_vote vote
    JOIN validation_seat seat ON seat.id = vote.seat_id
    JOIN collection_question question ON question.id = vote.question_id
    JOIN collection_twin twin ON twin.id = question.twin_id
    WHERE @conditions
    ORDER BY vote.id
) TO STDOUT (FORMAT binary)
"""


def votes_of(campaign: Campaign, *, domain: str = "") -> Votes:
    """Fetch every vote of a campaign, answers to gold questions and votes set aside too.

    Some 100 bytes a vote pass through; nothing is made of them but the arrays.
    """
    where = ["seat.campaign_id = {campaign}", *(["twin.domain = {domain}"] if domain else [])]
    return _fetched(where, {"campaign": campaign.pk, "domain": domain})


def votes_on(questions: Sequence[int]) -> Votes:
    """Fetch the votes of some questions, by their keys."""
    return _fetched(["vote.question_id = ANY({questions}::int8[])"], {"questions": list(questions)})


def votes_by(worker: int) -> Votes:
    """Fetch one judge's votes in every campaign."""
    return _fetched(["vote.worker_id = {worker}"], {"worker": worker})


def _fetched(where: Sequence[str], parameters: dict[str, Any]) -> Votes:
    content = bytearray()
    for row in copied(
        _COPY.replace("@conditions", " AND ".join(where)), domains=list(DOMAINS), **parameters
    ):
        content += row
    n_rows, rest = divmod(len(content) - _HEADER - _TRAILER, _ROW.itemsize)
    if rest:
        raise ValueError(f"a row of votes must have {_ROW.itemsize} bytes; {rest} are left over")
    rows = np.frombuffer(content, dtype=_ROW, count=n_rows, offset=_HEADER)
    return Votes(**{name: _column(rows[name], name) for name, _, _ in _COLUMNS})


def _column(values: Any, name: str) -> Any:
    if name in _FLAGS:
        return values != 0
    return values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
