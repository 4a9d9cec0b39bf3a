"""Import the splits of a campaign's twins, and what is public of its questions."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.db import connection
from django.db.backends.utils import CursorWrapper

from collection.models.expressions import SentenceKey
from corpora import drawing
from corpora.models import DrawTable
from corpora.selectors.splits import draw_table_lines
from corpora.selectors.tables import DISCLOSURES, DRAWS
from validation.imports.files import Refused
from validation.imports.saving import PARTS, Part, refuse_first
from validation.selectors.tables import TABLES
from validation.services.golds import note_published

BATCH = 1_000
_KEY = SentenceKey.template % {"expressions": "q.sentence"}
_TABLES = """
INSERT INTO corpora_drawtable (public_id, sha256, salt, n_twins, created_at)
SELECT draw_table::uuid, min(table_sha256), min(table_salt), count(*), min(table_created_at)
FROM staged_draws WHERE draw_table IS NOT NULL GROUP BY draw_table
ORDER BY min(table_created_at), draw_table
ON CONFLICT (public_id) DO NOTHING
"""
_DRAWS = """
INSERT INTO corpora_draw (twin_id, table_id, split, origin, is_pair, dev_share, test_share,
    created_at)
SELECT t.id, d.id, s.split, s.drawn, s.is_pair, s.dev_share, s.test_share, s.created_at
FROM staged_draws s JOIN collection_twin t ON t.public_id = s.twin::uuid
LEFT JOIN corpora_drawtable d ON d.public_id = s.draw_table::uuid
ORDER BY s.line ON CONFLICT (twin_id) DO NOTHING
"""
_ANSWERS = """
INSERT INTO collection_publishedanswer (twin_id)
SELECT r.twin_id FROM staged_draws s JOIN collection_twin t ON t.public_id = s.twin::uuid
JOIN corpora_draw r ON r.twin_id = t.id WHERE r.split = 'train'
ORDER BY s.line ON CONFLICT (twin_id) DO NOTHING
"""
_SENTENCES = """
SELECT q.sentence FROM staged_disclosures s JOIN collection_question q ON q.public_id = s.question
WHERE {which} ORDER BY s.line
"""
_NEW = f"""
SELECT count(*) FROM staged_disclosures s JOIN collection_question q ON q.public_id = s.question
LEFT JOIN validation_publishedsentence p ON p.key = {_KEY}
LEFT JOIN corpora_blindsentence b ON b.key = {_KEY}
WHERE (s.sentence_public AND p.key IS NULL) OR (s.answer_public AND NOT p.is_answered)
   OR (s.published_blind IS NOT NULL AND b.key IS NULL)
"""
_DECISIONS = f"""
INSERT INTO corpora_blindsentence (key, is_published)
SELECT {_KEY} AS key, bool_or(s.published_blind)
FROM staged_disclosures s JOIN collection_question q ON q.public_id = s.question
WHERE s.published_blind IS NOT NULL GROUP BY 1 ORDER BY 1
ON CONFLICT (key) DO NOTHING
"""
_OTHERWISE = f"""
SELECT s.line FROM staged_disclosures s JOIN collection_question q ON q.public_id = s.question
JOIN corpora_blindsentence b ON b.key = {_KEY}
WHERE s.published_blind IS DISTINCT FROM b.is_published AND s.published_blind IS NOT NULL
"""
_OWN_TWIN = (
    "SELECT line FROM staged_draws s WHERE NOT EXISTS "
    "(SELECT FROM staged_twins t WHERE t.twin = s.twin)",
    "Its twin is not in the file of twins.",
)
_OWN_QUESTION = (
    "SELECT line FROM staged_disclosures s WHERE NOT EXISTS "
    "(SELECT FROM staged_questions q WHERE q.question = s.question)",
    "Its question is not in the file of questions.",
)


def add_tables() -> None:
    """Make the tables of this app a part of a campaign's export and import."""
    TABLES.update(draws=DRAWS, disclosures=DISCLOSURES)
    PARTS["draws"] = Part(
        checks=(
            _OWN_TWIN,
            ("SELECT line FROM staged_draws WHERE split NOT IN ('train', 'dev', 'test', "
             "'withheld') OR drawn NOT IN ('dealt', 'linked', 'imported') OR (drawn = 'dealt') <> "
             "(num_nonnulls(dev_share, test_share) = 2) OR num_nonnulls(dev_share, test_share) = 1 "
             "OR dev_share NOT BETWEEN 0 AND 1 OR test_share NOT BETWEEN 0 AND 1",
             "A draw has a split and says how it was drawn; a dealt one has its shares."),
            ("SELECT line FROM staged_draws WHERE num_nulls(draw_table, table_sha256, table_salt, "
             "table_created_at) NOT IN (0, 4) OR table_salt !~ '^[0-9a-f]{64}$'",
             "The table of its draw is not complete."),
        ),
        store=_store_draws,
    )  # fmt: skip
    PARTS["disclosures"] = Part(checks=(_OWN_QUESTION,), store=_store_disclosures, is_exact=False)


def _store_draws(cursor: CursorWrapper, path: Path) -> int:
    drawing.take_turns()
    cursor.execute(_TABLES)
    cursor.execute(_DRAWS)
    count = cursor.rowcount
    cursor.execute(_ANSWERS)
    cursor.execute("SELECT DISTINCT draw_table FROM staged_draws WHERE draw_table IS NOT NULL")
    for table in DrawTable.objects.filter(public_id__in=[one for (one,) in cursor.fetchall()]):
        lines = draw_table_lines(table)
        if hashlib.sha256(b"".join(lines)).hexdigest() != table.sha256:
            raise Refused(
                path.name,
                None,
                f"The draws of the table {table.public_id} do not have the hash that was "
                "published when they were made: a line is missing or was changed.",
            )
    return int(count)


def _store_disclosures(cursor: CursorWrapper, path: Path) -> int:
    """Note what is public; what this platform knows already stays."""
    cursor.execute(_NEW)
    [count] = cursor.fetchone()
    note_published(_sentences("answer_public"), _sentences("sentence_public AND NOT answer_public"))
    cursor.execute(_DECISIONS)
    refuse_first(
        cursor, path, _OTHERWISE,
        "This platform has decided otherwise whether this blind sentence is ever published.",
    )  # fmt: skip
    return int(count)


def _sentences(which: str) -> Iterator[str]:
    with connection.chunked_cursor() as reading:
        reading.execute(_SENTENCES.format(which=which))
        while batch := reading.fetchmany(BATCH):
            for (sentence,) in batch:
                yield sentence
