"""A campaign's votes as arrays, in one query: a binary COPY with rows of equal length."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db.models import (
    BooleanField,
    Case,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    Q,
    QuerySet,
    SmallIntegerField,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Extract

from collection.models import Campaign, Twin, of_member
from validation.core.votes import Votes
from validation.models import Vote
from winoplatform.db.copying import copied, text_of
from workers.models import User

DOMAINS = tuple(domain.value for domain in Twin.Domain)


def _small(condition: Any) -> Cast:
    whole = Cast(ExpressionWrapper(condition, BooleanField()), IntegerField())
    return Cast(whole, SmallIntegerField())


def _epoch(moment: str) -> Cast:
    return Cast(Coalesce(Extract(moment, "epoch", output_field=FloatField()), NAN), FloatField())


NAN = Value("NaN", output_field=FloatField())
_DOMAIN = Case(*[When(question__twin__domain=name, then=k) for k, name in enumerate(DOMAINS)])
# Column, expression, and type in COPY's output. None may be NULL: rows must have equal length.
_COLUMNS: tuple[tuple[str, Any, str], ...] = (
    ("question", F("question_id"), ">i8"),
    ("twin", F("question__twin_id"), ">i8"),
    ("worker", F("worker_id"), ">i8"),
    ("option", F("option"), ">i2"),
    ("answer", F("question__answer"), ">i2"),
    ("ambiguous", _small(Q(ambiguous=True)), ">i2"),
    ("local", Cast(Coalesce("local_option", 0), SmallIntegerField()), ">i2"),
    ("gold", _small(Q(is_gold=True)), ">i2"),
    ("excluded", _small(Q(excluded_at__isnull=False)), ">i2"),
    ("reported", _small(~Q(report="")), ">i2"),
    ("domain", Cast(_DOMAIN, SmallIntegerField()), ">i2"),
    ("due", F("question__twin__votes_per_question"), ">i2"),
    ("shown_at", _epoch("seat__claimed_at"), ">f8"),
    ("local_at", _epoch("seat__local_at"), ">f8"),
    ("at", _epoch("created_at"), ">f8"),
)
_FLAGS = ("ambiguous", "gold", "excluded", "reported")
_ROW = np.dtype(
    [("n_fields", ">i2")]
    + [field for name, _, kind in _COLUMNS for field in ((f"{name}_size", ">i4"), (name, kind))]
)
# 11 bytes that say "PGCOPY", flags, and the length of an extension, which is 0.
_HEADER, _TRAILER = 19, 2


def votes_of(campaign: Campaign, *, domain: str = "") -> Votes:
    """Fetch every vote of a campaign, including gold answers and excluded votes.

    About 100 bytes per vote are transferred; no objects are created but the arrays.
    """
    votes = Vote.objects.filter(seat__campaign=campaign)
    return _fetched(votes.filter(question__twin__domain=domain) if domain else votes)


def votes_on(questions: Sequence[int]) -> Votes:
    """Fetch the votes of questions, by primary key."""
    return _fetched(Vote.objects.filter(question__in=questions or [0]))  # of none: an empty file


def votes_by(worker: int, reader: User) -> Votes:
    """Fetch one validator's votes in the campaigns of a member."""
    return _fetched(Vote.objects.filter(of_member(reader, "seat__campaign"), worker=worker))


def _fetched(votes: "QuerySet[Vote]") -> Votes:
    chosen = votes.order_by("pk").values_list(*[column for _, column, _ in _COLUMNS])
    content = bytearray()
    for row in copied(f"COPY ({text_of(chosen)}) TO STDOUT (FORMAT binary)"):
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
