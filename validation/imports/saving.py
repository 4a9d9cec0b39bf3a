"""Store an import from its staged rows, further tables included."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from collection.core.advice.cues import cues, scoped
from collection.core.anchors import anchor_key
from collection.core.repeats import fingerprint
from collection.core.triggers import trigger_diff
from collection.models import Campaign, Twin
from validation.imports.files import Refused, rows_of
from validation.selectors.tables.table import Table
from winoplatform.db.copying import text_of
from winoplatform.exporting.columns import Column, Kind

TYPES = {
    Kind.TEXT: "text",
    Kind.TYPED: "text",
    Kind.INTEGER: "integer",
    Kind.NUMBER: "numeric",
    Kind.FLAG: "boolean",
    Kind.TIME: "timestamptz",
    Kind.JSON: "jsonb",
}


def stage(cursor: CursorWrapper, name: str, path: Path, columns: Mapping[str, Column]) -> int:
    """COPY the rows of a file to the table ``staged_<name>``; return their number.

    ``line`` is the row's line in the file; the order of lines is the order of rows.
    """
    make_table(cursor, name, columns)
    count = 0
    with cursor.copy(f"COPY staged_{name} FROM STDIN") as copy:
        for line, values in rows_of(path, columns):
            copy.write_row((line, *values))
            count += 1
    cursor.execute(f"ANALYZE pg_temp.staged_{name}")
    return count


def make_table(cursor: CursorWrapper, name: str, columns: Mapping[str, Column]) -> None:
    """Make an empty table ``staged_<name>``."""
    fields = ", ".join(f"{key} {TYPES[column.kind]}" for key, column in columns.items())
    cursor.execute(f"DROP TABLE IF EXISTS pg_temp.staged_{name}")
    cursor.execute(f"CREATE TEMPORARY TABLE staged_{name} (line bigint, {fields}) ON COMMIT DROP")


def refuse_first(cursor: CursorWrapper, path: Path, select: str, sentence: str) -> None:
    """Refuse the file at the first line of *select*; none is good."""
    cursor.execute(f"SELECT min(line) FROM ({select}) AS wrong")
    [line] = cursor.fetchone()
    if line is not None:
        raise Refused(path.name, line, sentence)


def refuse_differing(
    cursor: CursorWrapper, campaign: Campaign, name: str, path: Path, table: Table
) -> None:
    """Refuse the file if the campaign's export would not give each of its rows again."""
    columns = table.columns(campaign)
    stored = text_of(table.rows(campaign).values_list(*(c.value for c in columns.values())))
    key = next(iter(columns))
    differing = ", ".join(
        f"CASE WHEN {_plain('line', c, kind)} IS DISTINCT FROM {_plain('s', c, kind)} "
        f"THEN '{c}' END"
        for c, kind in ((c, column.kind) for c, column in columns.items())
    )
    with connection.cursor() as found:
        found.execute(
            f"SELECT s.line, array_remove(ARRAY[{differing}], NULL) AS differing "
            f"FROM pg_temp.staged_{name} s "
            f"LEFT JOIN ({stored}) AS line ({', '.join(columns)}) ON line.{key}::text = s.{key} "
            f"WHERE cardinality(array_remove(ARRAY[{differing}], NULL)) > 0 "
            "ORDER BY s.line LIMIT 1"
        )
        row = found.fetchone()
    if row is not None:
        raise Refused(path.name, row[0], _says(row[1]))


def _says(differing: list[str]) -> str:
    return (
        f"An export of the imported row would differ in {', '.join(differing)}: the file was "
        "changed, or the campaign has another row with this id."
    )


def _plain(table: str, column: str, kind: Kind) -> str:
    return f"{table}.{column}::text" if kind is Kind.TEXT else f"{table}.{column}"


@dataclass(frozen=True, slots=True)
class Part:
    """How the table of a file is checked and stored, after twins, questions and votes.

    Parameters
    ----------
    checks : tuple of (str, str)
        A query of the lines of ``staged_<name>`` that are wrong, and the sentence that says why.
    store : callable
        Stores the staged rows that are not stored; returns their number. It may refuse the file.
    is_exact : bool
        Whether an export must give each row again, also if the platform has learned more since.
    """

    checks: tuple[tuple[str, str], ...]
    store: Callable[[CursorWrapper, Path], int]
    is_exact: bool = True


PARTS: dict[str, Part] = {}
"""By name of the file, in the order of storing."""


BATCH = 1_000
NOT_IMPORTED = "The text of these guidelines is not part of an export."

# Nobody can sign in to these: they are inactive and have no password.
_ACCOUNTS = """
INSERT INTO workers_user (public_id, username, password, role, is_active, is_staff, is_superuser,
                          first_name, last_name, email, date_joined, origin, platform)
SELECT id, 'imported-' || id, '!' || md5(random()::text), 'worker', false, false, false, '', '', '',
       now(), coalesce(p.person_origin, 'imported'), coalesce(p.person_platform, '')
FROM (
    SELECT author FROM staged_twins UNION SELECT decided_by FROM staged_questions
    UNION SELECT worker FROM staged_votes UNION SELECT excluded_by FROM staged_votes
    UNION SELECT by FROM staged_settings UNION SELECT published_by FROM staged_guidelines
    UNION SELECT worker FROM staged_consents
) AS named (id) LEFT JOIN staged_people p ON p.person = id WHERE id IS NOT NULL
ON CONFLICT (public_id) DO NOTHING
"""
# Nothing was known of them when an earlier export was imported.
_LEARNED = """
UPDATE workers_user u SET origin = p.person_origin, platform = p.person_platform
FROM staged_people p WHERE p.person = u.public_id AND u.origin = 'imported'
    AND u.username = 'imported-' || u.public_id
"""
_NEW_PEOPLE = """
SELECT count(*) FROM staged_people p
WHERE NOT EXISTS (SELECT FROM workers_user u WHERE u.public_id = p.person)
"""
_STATED = """
UPDATE collection_campaign c SET people_origin = s.campaign_origin,
    people_platform = s.campaign_platform
FROM (SELECT campaign_origin, campaign_platform FROM staged_people
      ORDER BY campaign_origin = 'simulated' DESC, line LIMIT 1) s
WHERE c.id = %(campaign)s AND c.people_origin = ''
    AND NOT EXISTS (SELECT FROM collection_twin t WHERE t.campaign_id = c.id)
"""
# The file has the consents that an earlier import inferred, and says which were withdrawn.
_REPLACED_CONSENTS = """
DELETE FROM collection_consent c USING collection_guideline g, workers_user u
WHERE g.id = c.guideline_id AND g.campaign_id = %(campaign)s AND g.text = %(text)s
    AND u.id = c.worker_id AND u.username = 'imported-' || u.public_id
    AND EXISTS (SELECT FROM staged_consents s WHERE s.worker = u.public_id)
"""
# An earlier import may have known their numbers alone.
_LEARNED_VERSIONS = """
UPDATE collection_guideline g SET public_id = s.guideline::uuid, text = s.text,
    aids_policy = s.aids_policy, asked_by = s.asked_by, contact = s.contact,
    monitoring = s.monitoring, data_use = s.data_use, shows_user_names = s.shows_user_names,
    created_by_id = u.id, created_at = s.created_at
FROM staged_guidelines s LEFT JOIN workers_user u ON u.public_id = s.published_by
WHERE g.campaign_id = %(campaign)s AND g.version = s.guidelines AND g.text = %(text)s
"""
_VERSIONS = """
INSERT INTO collection_guideline (public_id, campaign_id, version, text, aids_policy, asked_by,
    contact, monitoring, data_use, shows_user_names, created_by_id, created_at)
SELECT s.guideline::uuid, %(campaign)s, s.guidelines, s.text, s.aids_policy, s.asked_by, s.contact,
    s.monitoring, s.data_use, s.shows_user_names, u.id, s.created_at
FROM staged_guidelines s LEFT JOIN workers_user u ON u.public_id = s.published_by
ORDER BY s.line ON CONFLICT DO NOTHING
"""
_GIVEN = """
INSERT INTO collection_consent (public_id, worker_id, guideline_id, skill, created_at, withdrawn_at)
SELECT s.consent::uuid, u.id, g.id, s.skill, s.created_at, s.withdrawn_at
FROM staged_consents s JOIN workers_user u ON u.public_id = s.worker
JOIN collection_guideline g ON g.campaign_id = %(campaign)s AND g.version = s.guidelines
ORDER BY s.line ON CONFLICT DO NOTHING
"""
_GUIDELINES = """
INSERT INTO collection_guideline (campaign_id, version, text, aids_policy, asked_by, contact,
    monitoring, data_use, created_at)
SELECT %(campaign)s, version, %(text)s, '', '', '', '', '', min(since)
FROM (
    SELECT guidelines, created_at FROM staged_twins
    UNION ALL SELECT guidelines, created_at FROM staged_votes
) AS named (version, since) WHERE version IS NOT NULL GROUP BY version
ON CONFLICT DO NOTHING
"""
_CONSENTS = """
INSERT INTO collection_consent (worker_id, guideline_id, skill, created_at)
SELECT u.id, g.id, 'validate', min(s.created_at)
FROM staged_votes s JOIN workers_user u ON u.public_id = s.worker
JOIN collection_guideline g ON g.campaign_id = %(campaign)s AND g.version = s.guidelines
WHERE NOT EXISTS (SELECT FROM staged_consents)
GROUP BY u.id, g.id
ON CONFLICT DO NOTHING
"""
_KEYS = """
DROP TABLE IF EXISTS pg_temp.staged_keys;
CREATE TEMPORARY TABLE staged_keys (
    twin text, anchor_key text, trigger_key text, cues text[], fingerprint text
) ON COMMIT DROP
"""
_TEXTS = """
SELECT t.twin, t.origin, t.anchor, t.option1, t.option2, one.sentence, one.answer, two.sentence,
       two.answer
FROM staged_twins t
LEFT JOIN staged_questions one ON one.twin = t.twin AND one.number = 1
LEFT JOIN staged_questions two ON two.twin = t.twin AND two.number = 2
"""
_SETTINGS = """
INSERT INTO collection_settingschange (public_id, campaign_id, by_id, before, after, created_at)
SELECT s.change::uuid, %(campaign)s, u.id, s.before, s.after, s.created_at
FROM staged_settings s LEFT JOIN workers_user u ON u.public_id = s.by
ORDER BY s.line ON CONFLICT (public_id) DO NOTHING
"""
# A campaign may be older than the rule that a fingerprint occurs once: the first row has it.
_TWINS = """
INSERT INTO collection_twin (public_id, campaign_id, author_id, origin, source_id, source_split,
    domain, anchor, anchor_key, option1, option2, trigger, trigger_key, warnings, advice, cues,
    fingerprint, min_words, max_words, min_overlap, votes_per_question, verdict_policy,
    withdrawn_at, created_at)
SELECT s.twin::uuid, %(campaign)s, u.id, s.origin, s.source_id, s.source_split, s.domain, s.anchor,
    k.anchor_key, s.option1, s.option2, s.trigger, k.trigger_key, s.warnings, s.advice, k.cues,
    CASE row_number() OVER same WHEN 1 THEN k.fingerprint ELSE '' END, s.min_words, s.max_words,
    s.min_overlap, s.votes_per_question, s.verdict_policy, s.withdrawn_at, s.created_at
FROM staged_twins s JOIN staged_keys k USING (twin)
LEFT JOIN workers_user u ON u.public_id = s.author
WHERE NOT EXISTS (SELECT FROM collection_twin o WHERE o.public_id = s.twin::uuid)
WINDOW same AS (PARTITION BY k.fingerprint, s.withdrawn_at IS NULL ORDER BY s.line)
ORDER BY s.line
"""
_REVISIONS = """
UPDATE collection_twin t SET revises_id = o.id
FROM staged_twins s JOIN collection_twin o ON o.public_id = s.revises::uuid
WHERE t.public_id = s.twin::uuid AND t.revises_id IS NULL AND t.campaign_id = %(campaign)s
"""
_PROVENANCE = """
INSERT INTO collection_provenance (twin_id, guideline_id, typed_characters, pasted_characters,
    largest_insert, edits, active_seconds)
SELECT t.id, g.id, s.typed_characters, s.pasted_characters, s.largest_insert, s.edits,
    s.active_seconds
FROM staged_twins s JOIN collection_twin t ON t.public_id = s.twin::uuid
LEFT JOIN collection_guideline g ON g.campaign_id = %(campaign)s AND g.version = s.guidelines
WHERE s.typed_characters IS NOT NULL
ON CONFLICT (twin_id) DO NOTHING
"""
_QUESTIONS = """
INSERT INTO collection_question (public_id, twin_id, number, sentence, answer, created_at)
SELECT s.question, t.id, s.number, s.sentence, s.answer, s.created_at
FROM staged_questions s JOIN collection_twin t ON t.public_id = s.twin::uuid
WHERE NOT EXISTS (SELECT FROM collection_question o WHERE o.public_id = s.question)
ORDER BY s.line
"""
_VERDICTS = """
INSERT INTO validation_verdict (question_id, policy, version, valid, reasons, counts, decided_by_id,
    created_at)
SELECT q.id, s.policy, s.version, s.valid, s.reasons, s.counts, u.id, s.decided_at
FROM staged_questions s JOIN collection_question q ON q.public_id = s.question
LEFT JOIN workers_user u ON u.public_id = s.decided_by
WHERE s.valid IS NOT NULL
ON CONFLICT (question_id) DO NOTHING
"""
# Retired: an imported campaign asks nobody.
_GOLDS = """
INSERT INTO validation_goldquestion (public_id, campaign_id, question_id, origin, created_at,
    retired_at)
SELECT gen_random_uuid(), %(campaign)s, q.id, 'grown', min(s.created_at), now()
FROM staged_votes s JOIN collection_question q ON q.public_id = s.question
WHERE s.gold GROUP BY q.id
ON CONFLICT (question_id) DO NOTHING
"""
_SEATS = """
INSERT INTO validation_seat (public_id, question_id, number, gold_id, campaign_id, twin_id,
    author_id, place, worker_id, claimed_at, leased_until, answered_at, local_at, local_option)
SELECT gen_random_uuid(), q.id, s.seat, CASE WHEN s.gold THEN g.id END, %(campaign)s, q.twin_id,
    t.author_id, 0, u.id, s.claimed_at, s.created_at, s.created_at, s.local_at, s.local_option
FROM staged_votes s JOIN collection_question q ON q.public_id = s.question
JOIN collection_twin t ON t.id = q.twin_id
JOIN workers_user u ON u.public_id = s.worker
LEFT JOIN validation_goldquestion g ON g.question_id = q.id
WHERE NOT EXISTS (SELECT FROM validation_vote o WHERE o.public_id = s.vote::uuid)
"""
_VOTES = """
INSERT INTO validation_vote (public_id, seat_id, question_id, worker_id, option, ambiguous,
    local_option, comment, report, is_gold, created_at, amended_at, excluded_at, exclusion_reason,
    excluded_by_id)
SELECT s.vote::uuid, seat.id, q.id, u.id, s.option, s.ambiguous, s.local_option, s.comment,
    s.report, s.gold, s.created_at, s.amended_at, s.excluded_at, s.exclusion_reason, x.id
FROM staged_votes s JOIN collection_question q ON q.public_id = s.question
JOIN workers_user u ON u.public_id = s.worker
JOIN validation_seat seat ON seat.twin_id = q.twin_id AND seat.worker_id = u.id
LEFT JOIN workers_user x ON x.public_id = s.excluded_by
WHERE NOT EXISTS (SELECT FROM validation_vote o WHERE o.public_id = s.vote::uuid)
ORDER BY s.line
"""


def store(cursor: CursorWrapper, campaign: Campaign) -> dict[str, int]:
    """Store the staged rows that are not stored, in the order of the files; count them by file."""
    values: dict[str, Any] = {"campaign": campaign.pk, "text": NOT_IMPORTED}
    cursor.execute(_NEW_PEOPLE)
    counts = {"people": cursor.fetchone()[0]}
    for statement in (_ACCOUNTS, _LEARNED, _STATED, _REPLACED_CONSENTS, _LEARNED_VERSIONS):
        cursor.execute(statement, values)
    for name, first, inferred in (
        ("guidelines", _VERSIONS, _GUIDELINES), ("consents", _GIVEN, _CONSENTS),
    ):  # fmt: skip
        cursor.execute(first, values)
        counts[name] = cursor.rowcount
        cursor.execute(inferred, values)
    _store_keys(cursor, campaign)
    for name, statements in (
        ("settings", (_SETTINGS,)),
        ("twins", (_TWINS, _REVISIONS, _PROVENANCE)),
        ("questions", (_QUESTIONS, _VERDICTS, _GOLDS, _SEATS)),
        ("votes", (_VOTES,)),
    ):
        cursor.execute(statements[0], values)
        counts[name] = cursor.rowcount
        for statement in statements[1:]:
            cursor.execute(statement, values)
    return counts


def _store_keys(cursor: CursorWrapper, campaign: Campaign) -> None:
    """Compute what is stored with a twin and not exported."""
    cursor.execute(_KEYS)
    for batch in _texts():
        rows = [_keys(campaign, *row) for row in batch]
        with cursor.copy("COPY staged_keys FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    cursor.execute("ANALYZE pg_temp.staged_keys")


def _texts() -> Iterator[list[tuple[Any, ...]]]:
    with connection.chunked_cursor() as reading:
        reading.execute(_TEXTS)
        while batch := reading.fetchmany(BATCH):
            yield batch


def _keys(
    campaign: Campaign, twin: str, origin: str, anchor: str, option1: str, option2: str,
    first: str | None, answer1: int | None, second: str | None, answer2: int | None,
) -> tuple[Any, ...]:  # fmt: skip
    if first is None or second is None or answer1 is None or answer2 is None:
        return twin, anchor_key(anchor), "", [], ""
    diff = trigger_diff(first, second)
    own = cues((first, second), (option1, option2), (answer1, answer2), diff)
    own_print = fingerprint((first, second)) if origin == Twin.Origin.AUTHORED else ""
    return twin, anchor_key(anchor), diff.key, scoped(own, campaign.pk), own_print
