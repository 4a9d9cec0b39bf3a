"""The statements of a judge's three steps, written by hand: one round trip each.

A judge claims, answers and votes more often than anybody does anything else here, so these four
are the platform's pace. What they may not do is guarded by the tables' constraints all the same.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import connection
from django.db.models import Model

from collection.models import Campaign, Question, Twin
from validation.models import Seat, Vote
from winoplatform.prepared import rows
from workers.models import User


def _read(model: type[Model], names: str) -> tuple[str, ...]:
    """In the order of the model's own fields, as `Model.from_db` wants the values."""
    wanted = set(names.split())
    return tuple(field.attname for field in model._meta.concrete_fields if field.name in wanted)


SEAT = _read(
    Seat,
    "id public_id question number gold campaign twin author worker leased_until claimed_at reward "
    "local_at local_option answered_at swapped",
)
QUESTION = _read(Question, "id public_id twin number sentence answer created_at")
TWIN = _read(Twin, "id public_id campaign author domain option1 option2 withdrawn_at")
# All but ``blocking``, which Django would have to read as JSON: nobody judging needs it.
CAMPAIGN = tuple(
    field.attname for field in Campaign._meta.concrete_fields if field.name != "blocking"
)


def _columns(alias: str, names: Sequence[str]) -> str:
    return ", ".join(f"{alias}.{name}" for name in names)


NAMED = f"""
SELECT {_columns("campaign", CAMPAIGN)} FROM collection_campaign campaign WHERE slug = %(slug)s
"""
LOADED = ", ".join(
    (
        _columns("seat", SEAT),
        _columns("question", QUESTION),
        _columns("twin", TWIN),
        _columns("campaign", CAMPAIGN),
    )
)
AROUND = """
    collection_question question, collection_twin twin, collection_campaign campaign
"""
BELONGS = """
    question.id = seat.question_id AND twin.id = seat.twin_id AND campaign.id = seat.campaign_id
"""

# Who has passed the exercise and accepted the newest guidelines, or is asked for neither.
LOCK_WORKER = """
WITH locked AS (
SELECT NOT EXISTS (SELECT FROM workers_pause WHERE worker_id = account.id AND ended_at IS NULL)
    AND NOT EXISTS (SELECT FROM collection_participant WHERE worker_id = account.id)
    AND (
        EXISTS (
            SELECT FROM workers_qualification
            WHERE worker_id = account.id AND scope = %(scope)s AND skill = 'judge'
                AND status = 'passed'
        )
        OR NOT EXISTS (
            SELECT FROM collection_exerciseitem
            WHERE campaign_id = %(campaign)s AND skill = 'judge' AND retired_at IS NULL
        ) AND NOT EXISTS (
            SELECT FROM workers_qualification
            WHERE worker_id = account.id AND scope = %(scope)s AND skill = 'judge'
        )
    )
    AND NOT EXISTS (
        SELECT FROM collection_guideline guideline
        WHERE campaign_id = %(campaign)s
            AND version = (
                SELECT max(version) FROM collection_guideline WHERE campaign_id = %(campaign)s
            )
            AND NOT EXISTS (
                SELECT FROM collection_consent
                WHERE worker_id = account.id AND guideline_id = guideline.id
            )
    ) AS is_clear
FROM workers_user account WHERE id = %(worker)s FOR NO KEY UPDATE OF account
) SELECT is_clear, clock_timestamp() FROM locked
"""

IN_HAND = f"""
SELECT {LOADED} FROM validation_seat seat, {AROUND}
WHERE seat.worker_id = %(worker)s AND seat.campaign_id = %(campaign)s
    AND seat.answered_at IS NULL AND {BELONGS}
ORDER BY seat.claimed_at, seat.id
"""

# Where a claim looks, one after the other.
HEAD = """place <= coalesce((
            SELECT place FROM validation_seat
            WHERE campaign_id = %(campaign)s AND answered_at IS NULL AND gold_id IS NULL
            ORDER BY place, number OFFSET %(head)s LIMIT 1
        ), 9223372036854775807)"""
BEYOND = "place > %(furthest)s"
BETWEEN = "place <= %(furthest)s"
REACHES = (HEAD, BEYOND, BETWEEN)

# Somebody else's lock on a seat is that of a claim: it is as good as taken. OFFSET 0 makes the
# database look up what this worker has had seat by seat: it would read all of it first, else.
LEASE = f"""
WITH free AS (
    SELECT id, worker_id AS left_by, local_at IS NOT NULL AS opened
    FROM validation_seat seat
    WHERE campaign_id = %(campaign)s AND answered_at IS NULL AND gold_id IS NULL
        AND {{reach}}
        AND (
            worker_id IS NULL
            OR leased_until <= %(now)s AND NOT EXISTS (
                SELECT 1 FROM validation_verdict verdict
                WHERE verdict.question_id = seat.question_id AND verdict.decided_by_id IS NOT NULL
                OFFSET 0
            )
        )
        AND author_id IS DISTINCT FROM %(worker)s
        AND NOT EXISTS (
            SELECT 1 FROM validation_seat mine
            WHERE mine.twin_id = seat.twin_id AND mine.worker_id = %(worker)s OFFSET 0
        )
        AND NOT EXISTS (
            SELECT 1 FROM validation_passedseat passed
            WHERE passed.twin_id = seat.twin_id AND passed.worker_id = %(worker)s AND passed.barred
            OFFSET 0
        )
    ORDER BY place, number
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE validation_seat seat
SET worker_id = %(worker)s, claimed_at = %(now)s, leased_until = %(until)s, reward = %(reward)s,
    local_at = NULL, local_option = NULL
FROM free, {AROUND}
WHERE seat.id = free.id AND {BELONGS}
RETURNING {LOADED}, free.left_by, free.opened
"""

OPEN = f"""
UPDATE validation_seat seat SET local_at = clock_timestamp(),
    local_option = CASE WHEN seat.swapped THEN 3 - %(shown)s::smallint ELSE %(shown)s::smallint END
FROM {AROUND}
WHERE seat.public_id = %(seat)s AND seat.worker_id = %(worker)s
    AND seat.answered_at IS NULL AND seat.local_at IS NULL AND seat.leased_until > clock_timestamp()
    AND {BELONGS}
RETURNING {LOADED}
"""

# The question is locked before the seat: its last two votes, or a vote and the withdrawal of its
# twin, take turns.
LOCK = f"""
SELECT {LOADED},
    EXISTS (SELECT FROM collection_participant WHERE worker_id = seat.worker_id),
    clock_timestamp()
FROM validation_seat seat, {AROUND}
WHERE seat.public_id = %(seat)s AND seat.worker_id = %(worker)s AND {BELONGS}
FOR NO KEY UPDATE OF question, seat
"""

# A statement of its own after the lock, so that it sees every vote that the lock waited for.
VOTE = """
WITH taken AS (
    UPDATE validation_seat
    SET answered_at = %(created_at)s, reward = coalesce(reward, %(amount)s)
    WHERE id = %(seat)s
), paid AS (
    INSERT INTO workers_ledgerentry
        (worker_id, kind, unit, amount, currency, budget, note, created_at)
    VALUES (%(worker)s, %(kind)s, %(unit)s, %(amount)s, %(currency)s, %(budget)s, '',
        %(created_at)s)
)
INSERT INTO validation_vote
    (public_id, seat_id, question_id, worker_id, option, ambiguous, local_option, comment, report,
     is_gold, created_at, set_aside_reason)
VALUES (%(public_id)s, %(seat)s, %(question)s, %(worker)s, %(option)s, %(ambiguous)s, %(local)s,
    %(comment)s, %(report)s, %(is_gold)s, %(created_at)s, '')
RETURNING id, ARRAY(
    SELECT other.answered_at IS NOT NULL OR other.id = %(seat)s FROM validation_seat other
    WHERE other.question_id = %(question)s AND other.gold_id IS NULL
)
"""

# What decides a question: its numbered seats, its votes that count, and what is known by now.
SEATS_OF = """
SELECT worker_id, leased_until, answered_at,
    EXISTS (SELECT FROM validation_verdict verdict WHERE verdict.question_id = %(question)s)
FROM validation_seat WHERE question_id = %(question)s AND gold_id IS NULL
"""
VOTE_READ = tuple(field.attname for field in Vote._meta.concrete_fields)
VOTES_OF = f"""
SELECT {", ".join(VOTE_READ)} FROM validation_vote
WHERE question_id = %(question)s AND NOT is_gold AND set_aside_at IS NULL ORDER BY id
"""
# Who got the question as gold saw what was wrong with it, too.
REPORTS_OF = """
SELECT (
        SELECT count(*) FROM validation_vote
        WHERE question_id = %(question)s AND set_aside_at IS NULL AND report <> ''
    ) + (
        SELECT count(*) FROM validation_passedseat
        WHERE question_id = %(question)s AND report <> ''
    ),
    EXISTS (SELECT FROM validation_case WHERE question_id = %(question)s)
"""


def _loaded(row: tuple[Any, ...]) -> Seat:
    """Make a seat of a row, with its question, twin and campaign; what was not read is deferred."""
    values = iter(row)

    def read(model: type[Any], names: Sequence[str]) -> Any:
        return model.from_db(connection.alias, names, list(islice(values, len(names))))

    seat: Seat = read(Seat, SEAT)
    question, twin = read(Question, QUESTION), read(Twin, TWIN)
    seat.question, seat.twin, seat.campaign = question, twin, read(Campaign, CAMPAIGN)
    question.twin, twin.campaign = twin, seat.campaign
    return seat


def lock_worker(worker: User, campaign: Campaign) -> tuple[bool, datetime]:
    """Lock the worker's account; tell whether plainly nothing keeps them from judging here.

    False means that the services which know each reason have to look. Also return the database's
    time once the account is locked.
    """
    values = {"worker": worker.pk, "campaign": campaign.pk, "scope": campaign.public_id}
    [(is_clear, now)] = rows(LOCK_WORKER, values)
    return bool(is_clear), now


def campaign_named(slug: str) -> Campaign | None:
    found = rows(NAMED, {"slug": slug})
    return Campaign.from_db(connection.alias, CAMPAIGN, found[0]) if found else None


def in_hand(worker: User, campaign: Campaign) -> list[Seat]:
    """Return the seats that *worker* took and has not voted with, the oldest first."""
    return [_loaded(row) for row in rows(IN_HAND, {"worker": worker.pk, "campaign": campaign.pk})]


def lease(
    worker: User, campaign: Campaign, *, now: datetime, until: datetime, reach: str, **values: Any
) -> tuple[Seat, int | None, bool] | None:
    """Lease the first free seat within *reach* to *worker*.

    Returns
    -------
    The seat, whose lease had ended in whose hands if in anybody's, and whether they had seen the
    sentence; None where no seat is free.
    """
    values |= {
        "worker": worker.pk,
        "campaign": campaign.pk,
        "now": now,
        "until": until,
        "reward": campaign.reward_vote,
    }
    found = rows(LEASE.format(reach=reach), values)
    return (_loaded(found[0]), *found[0][-2:]) if found else None


def open_seat(worker: User, seat_id: uuid.UUID, *, shown_option: int | None) -> Seat | None:
    """Store the answer from the local context of a seat that waits for it; None for any other."""
    found = rows(OPEN, {"worker": worker.pk, "seat": seat_id, "shown": shown_option})
    return _loaded(found[0]) if found else None


def lock(worker: User, seat_id: uuid.UUID) -> tuple[Seat, bool, datetime] | None:
    """Lock a seat of *worker* and its question.

    Also tell whether a crowd platform sent them, and the database's time when they asked.
    """
    found = rows(LOCK, {"worker": worker.pk, "seat": seat_id})
    return (_loaded(found[0]), *found[0][-2:]) if found else None


def store_vote(vote: Vote, *, kind: str) -> list[bool]:
    """Store a vote and what it pays, and take its seat, which is locked.

    Returns
    -------
    For each numbered seat of the question, this one among them, whether it has its vote.
    """
    seat, campaign = vote.seat, vote.seat.campaign
    values = {
        "public_id": vote.public_id,
        "seat": seat.pk,
        "question": seat.question_id,
        "worker": vote.worker_id,
        "option": vote.option,
        "ambiguous": vote.ambiguous,
        "local": vote.local_option,
        "comment": vote.comment,
        "report": vote.report,
        "is_gold": vote.is_gold,
        "created_at": vote.created_at,
        "kind": kind,
        "unit": str(vote.public_id),
        "amount": seat.reward,
        "currency": campaign.currency,
        "budget": campaign.public_id,
    }
    [(vote.pk, voted)] = rows(VOTE, values)
    vote._state.adding, vote._state.db = False, connection.alias
    return list(voted)


def seats_of(question: Question) -> tuple[list[tuple[int | None, datetime | None, bool]], bool]:
    """Return each numbered seat's worker, lease and whether it has voted.

    Also tell whether there is a verdict to look up, which one cannot know without a seat.
    """
    found = rows(SEATS_OF, {"question": question.pk})
    seats = [(worker, until, answered_at is not None) for worker, until, answered_at, _ in found]
    return seats, not found or found[0][-1]


def votes_of(question: Question) -> list[Vote]:
    """Return the votes that count, the oldest first."""
    found = rows(VOTES_OF, {"question": question.pk})
    return [Vote.from_db(connection.alias, VOTE_READ, row) for row in found]


def reports_of(question: Question) -> tuple[int, bool]:
    """Return how many judges report a question, and whether it has a case."""
    [(reports, has_case)] = rows(REPORTS_OF, {"question": question.pk})
    return reports, has_case
