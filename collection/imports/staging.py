"""The staging tables of a question import: COPY in, compare as sets, INSERT out.

Every line of the file is one row of ``import_line``; rejected ones have a code. A row of
``import_twin`` is one checked twin. Both tables are temporary and dropped with the transaction.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from collection.core.advice.cues import scoped
from collection.core.rules import RULES
from collection.imports.questions import PAIR_REASONS, Check, Half, PublishedQuestion
from collection.imports.report import Reject
from collection.models import new_question_id

_CREATE = r"""
-- `one_line` in SQL: stored text may contain other white space, and decomposed letters.
CREATE OR REPLACE FUNCTION pg_temp.one_line(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT btrim(regexp_replace(normalize($1, NFC),
                                '[\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a'
                                    '\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'))
$$;
DROP TABLE IF EXISTS pg_temp.import_line, pg_temp.import_twin;
CREATE TEMPORARY TABLE import_line (
    line bigint NOT NULL,
    code text,            -- why the line is rejected; NULL: it is imported
    message text,
    source_id text,
    ending smallint,
    sentence text,
    option1 text,
    option2 text,
    answer smallint,
    coin bigint,
    public_id text,
    number smallint,      -- its number in the twin
    twin_id bigint        -- the stored twin, if there is one
) ON COMMIT DROP;
CREATE TEMPORARY TABLE import_twin (
    source_id text NOT NULL,
    code text,
    trigger jsonb NOT NULL,
    trigger_key text NOT NULL,
    cues text[] NOT NULL,
    warnings jsonb NOT NULL
) ON COMMIT DROP;
"""

_COPY_LINES = """
COPY import_line (line, code, message, source_id, ending, sentence, option1, option2, answer,
                  coin, public_id)
FROM STDIN
"""

_COPY_TWINS = "COPY import_twin (source_id, code, trigger, trigger_key, cues, warnings) FROM STDIN"

_MARK_REPEATED = """
UPDATE import_line SET code = 'qid_repeated'
FROM (
    SELECT line, row_number() OVER (PARTITION BY source_id, ending ORDER BY line) AS turn
    FROM import_line WHERE code IS NULL
) AS seen
WHERE seen.line = import_line.line AND seen.turn > 1
"""

_FIND_STORED = """
UPDATE import_line SET twin_id = twin.id
FROM collection_twin AS twin
WHERE import_line.code IS NULL
  AND twin.campaign_id = %s AND twin.source_id = import_line.source_id
  AND twin.source_id <> ''
"""

_MARK_OTHER_SPLIT = """
UPDATE import_line SET code = 'split_differs'
FROM collection_twin AS twin
WHERE import_line.code IS NULL AND twin.id = import_line.twin_id AND twin.source_split <> %s
"""

_MARK_ALREADY_THERE = """
UPDATE import_line SET code = 'already_there'
FROM collection_question AS stored JOIN collection_twin AS twin ON twin.id = stored.twin_id
WHERE import_line.code IS NULL AND stored.twin_id = import_line.twin_id
  AND pg_temp.one_line(stored.sentence) = import_line.sentence
  AND stored.answer = import_line.answer
  AND pg_temp.one_line(twin.option1) = import_line.option1
  AND pg_temp.one_line(twin.option2) = import_line.option2
"""

_MARK_UNLIKE_STORED = """
UPDATE import_line SET code = CASE
    WHEN stored.questions > 1 THEN 'stored_differently'
    WHEN (stored.option1, stored.option2) <> (import_line.option1, import_line.option2)
    THEN 'options_differ'
    ELSE 'answers_same' END
FROM (
    SELECT twin.id, pg_temp.one_line(twin.option1) AS option1,
           pg_temp.one_line(twin.option2) AS option2, count(*) AS questions, min(answer) AS answer
    FROM collection_twin AS twin JOIN collection_question AS question ON question.twin_id = twin.id
    WHERE twin.id IN (SELECT twin_id FROM import_line WHERE code IS NULL)
    GROUP BY twin.id
) AS stored
WHERE import_line.code IS NULL AND stored.id = import_line.twin_id
  AND (stored.questions > 1 OR stored.answer = import_line.answer
       OR (stored.option1, stored.option2) <> (import_line.option1, import_line.option2))
"""

_MARK_UNLIKE_TWIN = """
UPDATE import_line SET code = CASE
    WHEN (other.option1, other.option2) <> (import_line.option1, import_line.option2)
    THEN 'options_differ'
    ELSE 'answers_same' END
FROM import_line AS other
WHERE import_line.code IS NULL AND other.code IS NULL
  AND other.source_id = import_line.source_id AND other.ending <> import_line.ending
  AND (other.answer = import_line.answer
       OR (other.option1, other.option2) <> (import_line.option1, import_line.option2))
"""

# The lower coin gets number 1 of a twin; an unpaired question's number is its coin's last bit.
_NUMBER = """
UPDATE import_line SET number = placed.number
FROM (
    SELECT fresh.line, CASE
        WHEN stored.number IS NOT NULL THEN 3 - stored.number
        WHEN count(*) OVER twin = 2 THEN row_number() OVER (twin ORDER BY fresh.coin, fresh.line)
        ELSE 1 + fresh.coin % 2 END AS number
    FROM import_line AS fresh
    LEFT JOIN collection_question AS stored ON stored.twin_id = fresh.twin_id
    WHERE fresh.code IS NULL
    WINDOW twin AS (PARTITION BY fresh.source_id)
) AS placed
WHERE placed.line = import_line.line
"""

_TWINS = """
WITH half AS (
    SELECT source_id, number, option1, option2, sentence, answer
    FROM import_line WHERE code IS NULL
    UNION ALL
    SELECT fresh.source_id, stored.number, fresh.option1, fresh.option2, stored.sentence,
           stored.answer
    FROM import_line AS fresh JOIN collection_question AS stored ON stored.twin_id = fresh.twin_id
    WHERE fresh.code IS NULL
)
SELECT source_id, coalesce(one.option1, two.option1), coalesce(one.option2, two.option2),
       one.sentence, one.answer, two.sentence, two.answer
FROM (SELECT * FROM half WHERE number = 1) AS one
FULL JOIN (SELECT * FROM half WHERE number = 2) AS two USING (source_id)
"""

_MARK_CHECKED = """
UPDATE import_line SET code = checked.code
FROM import_twin AS checked
WHERE import_line.code IS NULL AND checked.source_id = import_line.source_id
  AND checked.code IS NOT NULL
"""

_JOIN_TWINS = """
UPDATE collection_twin AS twin
SET trigger = checked.trigger, trigger_key = checked.trigger_key, cues = checked.cues,
    warnings = checked.warnings
FROM import_line AS fresh JOIN import_twin AS checked USING (source_id)
WHERE fresh.code IS NULL AND twin.id = fresh.twin_id
"""

_INSERT_TWINS = """
INSERT INTO collection_twin (public_id, campaign_id, origin, source_id, source_split, domain,
                             anchor, option1, option2, trigger, trigger_key, cues, warnings,
                             advice, created_at)
SELECT gen_random_uuid(), %(campaign)s, 'published', source_id, %(split)s, 'unknown', '',
       min(option1), min(option2), checked.trigger, checked.trigger_key, checked.cues,
       checked.warnings, '[]', %(now)s
FROM import_line AS fresh JOIN import_twin AS checked USING (source_id)
WHERE fresh.code IS NULL AND fresh.twin_id IS NULL
GROUP BY source_id, checked.trigger, checked.trigger_key, checked.cues, checked.warnings
ORDER BY min(fresh.line)
"""

# Rows are ordered by number, not by the file's lines, so that the order has no meaning.
_INSERT_QUESTIONS = """
INSERT INTO collection_question (public_id, twin_id, number, sentence, answer, created_at)
SELECT public_id, twin_id, number, sentence, answer, %s
FROM import_line WHERE code IS NULL ORDER BY twin_id, number
"""

_REJECTS = """
SELECT line, code, message, source_id
FROM import_line WHERE code IS NOT NULL AND code <> 'already_there' ORDER BY line
"""


def create(cursor: CursorWrapper) -> None:
    """Create the two empty tables."""
    cursor.execute(_CREATE)


def fill(cursor: CursorWrapper, lines: Iterable[tuple[int, PublishedQuestion | Reject]]) -> int:
    """COPY every line, valid or not, into the table; return how many there were."""
    count = 0
    with cursor.copy(_COPY_LINES) as copy:
        for number, decided in lines:
            copy.write_row(_as_row(number, decided))
            count += 1
    cursor.execute("ANALYZE import_line")
    return count


def _as_row(number: int, decided: PublishedQuestion | Reject) -> tuple[Any, ...]:
    if isinstance(decided, Reject):
        blank = (None,) * 7
        return (number, decided.code, decided.message, decided.source_id, *blank)
    return (
        number,
        None,
        None,
        decided.source_id,
        decided.ending,
        decided.sentence,
        decided.option1,
        decided.option2,
        decided.answer,
        decided.coin,
        new_question_id(),
    )


def compare(cursor: CursorWrapper, *, campaign_id: int, split: str) -> int:
    """Mark lines that are repeated, stored or contradictory; number the others.

    Parameters
    ----------
    split : str
        The split of the file; lines stored with another split contradict it. '' is unknown.

    Returns
    -------
    int
        How many lines are already in the campaign, word for word.
    """
    cursor.execute(_MARK_REPEATED)
    cursor.execute(_FIND_STORED, [campaign_id])
    if split:
        cursor.execute(_MARK_OTHER_SPLIT, [split])
    cursor.execute(_MARK_ALREADY_THERE)
    already_there: int = cursor.rowcount
    cursor.execute(_MARK_UNLIKE_STORED)
    cursor.execute(_MARK_UNLIKE_TWIN)
    cursor.execute(_NUMBER)
    return already_there


def twins(*, batch: int) -> Iterator[list[tuple[str, tuple[str, str], tuple[Half | None, ...]]]]:
    """Yield the twins to be checked in batches: source id, options, halves by number.

    A half that is missing in both file and campaign is None.
    """
    with connection.chunked_cursor() as cursor:
        cursor.execute(_TWINS)
        while rows := cursor.fetchmany(batch):
            yield [_twin(*row) for row in rows]


def _twin(
    source_id: str, option1: str, option2: str, *halves: Any
) -> tuple[str, tuple[str, str], tuple[Half | None, ...]]:
    pairs = (halves[:2], halves[2:])
    return (
        source_id,
        (option1, option2),
        tuple(Half(*pair) if pair[0] is not None else None for pair in pairs),
    )


def store_checks(
    cursor: CursorWrapper, checked: Iterable[tuple[str, Check]], *, campaign_id: int
) -> None:
    """COPY the results of the checks into the table."""
    with cursor.copy(_COPY_TWINS) as copy:
        for source_id, check in checked:
            diff = check.report.trigger if check.report else None
            copy.write_row(
                (
                    source_id,
                    check.refused,
                    json.dumps(diff.as_dict() if diff else {}),
                    diff.key if diff else "",
                    scoped(check.cues, campaign_id),
                    json.dumps(check.warnings),
                )
            )


def insert(
    cursor: CursorWrapper, *, campaign_id: int, split: str, now: datetime
) -> tuple[int, int, int]:
    """Store all unmarked lines; return the numbers of new twins, joined twins, new questions."""
    cursor.execute("ANALYZE import_twin")
    cursor.execute(_MARK_CHECKED)
    cursor.execute(_JOIN_TWINS)
    joined = cursor.rowcount
    cursor.execute(_INSERT_TWINS, {"campaign": campaign_id, "split": split, "now": now})
    new = cursor.rowcount
    cursor.execute(_FIND_STORED, [campaign_id])
    cursor.execute(_INSERT_QUESTIONS, [now])
    return new, joined, cursor.rowcount


def rejects() -> Iterator[Reject]:
    """Yield every rejected line, in the file's order, with bounded memory."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(_REJECTS)
        for line, code, message, source_id in cursor:
            text = message or PAIR_REASONS.get(code) or RULES[code]
            yield Reject(line, code, text, source_id or "")
