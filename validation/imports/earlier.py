"""Exports made before they had tables of people and settings."""

from collections.abc import Mapping
from pathlib import Path

from django.db.backends.utils import CursorWrapper

from collection.models import Campaign
from validation.imports.staging import TYPES, make_table, stage
from validation.selectors.tables import TABLES
from winoplatform.exporting.columns import Column

ADDED = ("people", "settings")
"""The tables that earlier exports do not have."""
SUBMISSION = ("min_words", "max_words", "min_overlap", "votes_per_question", "verdict_policy")
"""The columns of twins that they do not have either."""

# As the migration did for the twins of that time: with the settings that the campaign has.
_AUTHORED = """
UPDATE staged_twins SET (min_words, max_words, min_overlap, votes_per_question, verdict_policy) = (
    SELECT min_words, max_words, min_overlap, votes_per_question, verdict_policy
    FROM collection_campaign WHERE id = %(campaign)s
) WHERE origin = 'authored'
"""
_OTHERS = """
UPDATE staged_twins SET votes_per_question = 0, verdict_policy = '' WHERE origin <> 'authored'
"""
# Nobody knows who they were, unless a later export has told it of the same accounts.
_PEOPLE = """
INSERT INTO staged_people (line, person, person_origin, person_platform, campaign_origin,
    campaign_platform)
SELECT 0, named.id, coalesce(u.origin, 'imported'), coalesce(u.platform, ''), '', ''
FROM (SELECT author FROM staged_twins UNION SELECT worker FROM staged_votes) AS named (id)
LEFT JOIN workers_user u
    ON u.public_id = named.id AND u.username = 'imported-' || u.public_id
WHERE named.id IS NOT NULL
"""


def stage_earlier(
    cursor: CursorWrapper, campaign: Campaign, paths: Mapping[str, Path]
) -> dict[str, int]:
    """Stage the tables of an earlier export, and what it does not have; return rows by table.

    The campaign's row gives twins the settings of their submission. The history of settings is
    empty. People are imported ones.
    """
    read = dict.fromkeys(ADDED, 0)
    for name, path in paths.items():
        columns = TABLES[name].columns(campaign)
        read[name] = stage(cursor, name, path, _without_submission(name, columns))
    for name in ADDED:
        make_table(cursor, name, TABLES[name].columns(campaign))
    twins = TABLES["twins"].columns(campaign)
    added = ", ".join(f"ADD COLUMN {name} {TYPES[twins[name].kind]}" for name in SUBMISSION)
    cursor.execute(f"ALTER TABLE staged_twins {added}")
    for statement in (_AUTHORED, _OTHERS, _PEOPLE):
        cursor.execute(statement, {"campaign": campaign.pk})
    return read


def _without_submission(name: str, columns: Mapping[str, Column]) -> dict[str, Column]:
    left_out = SUBMISSION if name == "twins" else ()
    return {key: column for key, column in columns.items() if key not in left_out}
