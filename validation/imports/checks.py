"""Check an export before it is imported."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from collection.models import Campaign
from collection.selectors.people import repeats_simulated
from validation.core.verdicts import Ballot, Decision, Policy, decide
from validation.imports.files import Refused
from validation.imports.saving import TYPES, make_table, refuse_first, stage
from validation.selectors.tables import TABLES
from winoplatform.exporting.columns import Column
from workers.models import User

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


BATCH = 1_000


def _repeated(name: str, *columns: str, where: str = "true") -> str:
    fields = ", ".join(columns)
    return (
        f"SELECT line FROM (SELECT line, row_number() OVER (PARTITION BY {fields} ORDER BY line) "
        f"AS turn FROM staged_{name} WHERE {where}) AS seen WHERE turn > 1"
    )


CHECKS: tuple[tuple[str, str, str], ...] = (
    ("settings", _repeated("settings", "change"), "The file has this change twice."),
    ("guidelines", _repeated("guidelines", "guidelines"), "The file has this version twice."),
    ("consents", _repeated("consents", "consent"), "The file has this consent twice."),
    ("consents", "SELECT line FROM staged_consents WHERE withdrawn_at < created_at",
     "It is withdrawn before it was given."),
    ("guidelines", "SELECT line FROM staged_guidelines WHERE guidelines < 1", "A version is 1 or "
     "more."),
    ("consents", "SELECT line FROM staged_consents s WHERE NOT EXISTS "
     "(SELECT FROM staged_guidelines g WHERE g.guidelines = s.guidelines)",
     "Its version is not in the file of guidelines."),
    ("twins", _repeated("twins", "twin"), "The file has this twin twice."),
    ("twins", _repeated("twins", "source_id", where="source_id <> ''"), "The file has this "
     "source id twice."),
    ("twins", "SELECT line FROM staged_twins WHERE option1 = option2", "The options are equal."),
    ("twins", "SELECT line FROM staged_twins WHERE origin = 'authored' AND author IS NULL",
     "The twin was written on the platform, and its author is missing."),
    ("twins", "SELECT line FROM staged_twins WHERE NOT CASE origin WHEN 'authored' THEN "
     "num_nulls(min_words, max_words, min_overlap) = 0 AND votes_per_question IN (1, 3, 5, 7, 9) "
     "AND verdict_policy <> '' ELSE num_nulls(min_words, max_words, min_overlap) = 3 AND "
     "votes_per_question = 0 AND verdict_policy = '' END", "A twin that was written on the "
     "platform has the settings of its submission, and any other has none."),
    ("twins", "SELECT line FROM staged_twins t WHERE revises IS NOT NULL AND NOT EXISTS "
     "(SELECT FROM staged_twins o WHERE o.twin = t.revises)", "It revises a twin that is not in "
     "the file."),
    ("questions", _repeated("questions", "question"), "The file has this question twice."),
    ("questions", _repeated("questions", "twin", "number"), "The twin has this number twice."),
    ("questions", _repeated("questions", "twin", "answer"), "Both questions of the twin have this "
     "answer."),
    ("questions", "SELECT line FROM staged_questions q WHERE NOT EXISTS "
     "(SELECT FROM staged_twins t WHERE t.twin = q.twin)", "Its twin is not in the file of twins."),
    ("questions", "SELECT line FROM staged_questions WHERE num_nulls(valid, reasons, counts, "
     "policy, version, decided_at) NOT IN (0, 6)", "Its verdict is not complete."),
    ("votes", _repeated("votes", "vote"), "The file has this vote twice."),
    ("votes", _repeated("votes", "twin", "worker"), "The validator has voted on this twin before."),
    ("votes", _repeated("votes", "question", "seat", where="seat IS NOT NULL"),
     "Another vote on the question has this seat."),
    ("votes", "SELECT line FROM staged_votes WHERE gold IS DISTINCT FROM (seat IS NULL)",
     "A vote has a seat unless it is on a gold question."),
    ("votes", "SELECT line FROM staged_votes WHERE (excluded_at IS NULL) <> "
     "(exclusion_reason = '')", "An excluded vote has a reason and a time."),
    ("votes", "SELECT line FROM staged_votes v WHERE NOT EXISTS (SELECT FROM staged_questions q "
     "WHERE q.question = v.question AND q.twin = v.twin)",
     "Its question is not in the file of questions."),
    ("votes", "SELECT v.line FROM staged_votes v JOIN staged_twins t USING (twin) "
     "WHERE t.author = v.worker", "The author of the twin has voted on it."),
)  # fmt: skip
PEOPLE_CHECKS = (
    (_repeated("people", "person"), "The file has this person twice."),
    ("SELECT 1 AS line FROM (SELECT author AS id FROM staged_twins UNION SELECT worker FROM "
     "staged_votes) named WHERE id IS NOT NULL AND id NOT IN (SELECT person FROM staged_people)",
     "A writer or validator of the other files is missing."),
    ("SELECT line FROM staged_people WHERE person_platform <> '' AND person_origin <> 'crowd'",
     "Only a crowd worker has a platform."),
    ("SELECT line FROM staged_people s JOIN workers_user u ON u.public_id = s.person "
     "WHERE u.username = 'imported-' || u.public_id AND u.origin <> 'imported' "
     "AND (u.origin, u.platform) <> (person_origin, person_platform)",
     "The platform knows another origin of this person."),
)  # fmt: skip
# By file: each column that names an account.
ACCOUNTS = (("settings", "by"), ("guidelines", "published_by"), ("consents", "worker"),
            ("twins", "author"), ("questions", "decided_by"), ("votes", "worker"),
            ("votes", "excluded_by"))  # fmt: skip
STORED = {
    "settings": "collection_settingschange o WHERE o.public_id = s.change::uuid",
    "guidelines": "collection_guideline o WHERE o.public_id = s.guideline::uuid",
    "consents": "collection_consent o WHERE o.public_id = s.consent::uuid",
    "twins": "collection_twin o WHERE o.public_id = s.twin::uuid",
    "questions": "collection_question o WHERE o.public_id = s.question",
    "votes": "validation_vote o WHERE o.public_id = s.vote::uuid",
}
_BALLOTS = """
SELECT q.line, q.answer, q.policy, q.version, q.valid, q.reasons, q.counts, v.ballots
FROM staged_questions q LEFT JOIN (
    SELECT question, jsonb_agg(jsonb_build_array(option, ambiguous, local_option)) AS ballots
    FROM staged_votes WHERE NOT gold AND excluded_at IS NULL GROUP BY question
) v USING (question)
WHERE q.valid IS NOT NULL AND q.decided_by IS NULL ORDER BY q.line
"""


def check(cursor: CursorWrapper, paths: Mapping[str, Path]) -> None:
    """Refuse files whose rows contradict each other.

    Raises
    ------
    Refused
    """
    for name, select, sentence in CHECKS:
        refuse_first(cursor, paths[name], select, sentence)
    for name, column in ACCOUNTS:
        # Otherwise a file could add work to the account of a person.
        select = (
            f"SELECT line FROM staged_{name} s JOIN workers_user u ON u.public_id = s.{column} "
            "WHERE u.username <> 'imported-' || u.public_id "
            f"AND NOT EXISTS (SELECT FROM {STORED[name]})"
        )
        sentence = f"The account in {column} is one of this platform."
        refuse_first(cursor, paths[name], select, sentence)


def check_people(cursor: CursorWrapper, path: Path, campaign: Campaign) -> None:
    """Refuse people whose origin is missing, or another one than the platform knows.

    Simulated people must stay what they are: their campaign is not added to one of other people.

    Raises
    ------
    Refused
    """
    for select, sentence in PEOPLE_CHECKS:
        refuse_first(cursor, path, select, sentence)
    if campaign.people_origin != User.Origin.SIMULATED and campaign.twins.exists():
        select = "SELECT line FROM staged_people WHERE campaign_origin = 'simulated'"
        refuse_first(cursor, path, select, "Its campaign is of simulated people, this one is not.")


def check_texts(path: Path, campaign: Campaign) -> None:
    """Refuse people who are not simulated, but have texts of simulated people of this platform.

    Nothing else that a file states about its people can be checked: a hash would not help, since a
    person who changes the file can change the hash.

    Raises
    ------
    Refused
    """
    campaign.refresh_from_db(fields=["people_origin"])
    if campaign.people_origin != User.Origin.SIMULATED and repeats_simulated(campaign):
        sentence = "Simulated people of this platform wrote texts for which it names others."
        raise Refused(path.name, None, sentence)


def check_verdicts(path: Path) -> None:
    """Compute every verdict that the votes decided again, and refuse the first that differs.

    Raises
    ------
    Refused
    """
    for line, answer, policy, version, *stored, ballots in _decided():
        votes = [Ballot(*ballot) for ballot in ballots or ()]
        try:
            made = decide(votes, answer=answer, policy=Policy(policy), version=version)
        except ValueError as error:
            raise Refused(path.name, line, f"Its votes give no verdict: {error}") from None
        if _as_stored(made) != stored:
            raise Refused(path.name, line, "Its votes give another verdict.")


def _as_stored(made: Decision) -> list[Any]:
    return [made.valid, list(map(str, made.reasons)), made.counts]


def _decided() -> Iterator[tuple[Any, ...]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(_BALLOTS)
        while rows := cursor.fetchmany(BATCH):
            for row in rows:
                yield tuple(_loaded(value) for value in row)


def _loaded(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) and value[:1] in "[{" else value
