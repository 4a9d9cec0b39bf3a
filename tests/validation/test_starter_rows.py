"""The starter's people obey the rules that real people pass: their rows contradict nothing."""

from typing import Any

import pytest
from django.db import connection

from collection.models import Campaign, Twin
from tests.factories import UserFactory
from validation import starter, starter_times
from validation.models import Seat, Vote

TWINS, LEFT = 6, 2

# Each finds rows that no person could have: the sentence says what a person's rows have.
RULES = {
    "an account is older than its consent, the consent than the exercise, this than the work": """
        SELECT FROM workers_qualification q JOIN workers_user u ON u.id = q.worker_id
        JOIN collection_consent c ON c.worker_id = u.id AND c.skill = q.skill
        WHERE NOT (u.date_joined < c.created_at AND c.created_at < q.created_at)
        OR EXISTS (SELECT FROM collection_assignment a WHERE a.worker_id = u.id
                   AND a.created_at <= q.created_at)
        OR EXISTS (SELECT FROM validation_seat s WHERE s.worker_id = u.id
                   AND s.claimed_at <= q.created_at)""",
    "whoever works has accepted the guidelines and done the exercise": """
        SELECT FROM (SELECT author_id AS id, 'write' AS skill FROM collection_twin
                     UNION SELECT worker_id, 'validate' FROM validation_vote) worked
        WHERE NOT EXISTS (SELECT FROM collection_consent c
                          WHERE c.worker_id = worked.id AND c.skill = worked.skill)
        OR NOT EXISTS (SELECT FROM workers_qualification q
                       WHERE q.worker_id = worked.id AND q.skill = worked.skill
                       AND (q.status = 'passed' OR q.trained_at IS NOT NULL))""",
    "the campaign and its guidelines are older than every account": """
        SELECT FROM collection_campaign c, collection_guideline g, workers_user u
        WHERE u.date_joined <= c.created_at OR u.date_joined <= g.created_at""",
    "a test is passed by an attempt, and a training has its date": """
        SELECT FROM workers_qualification q WHERE CASE q.status
            WHEN 'passed' THEN NOT EXISTS (SELECT FROM workers_attempt a
                WHERE a.qualification_id = q.id AND a.n_right = a.n_items
                AND a.created_at = q.decided_at)
            ELSE q.trained_at IS NULL END""",
    "exactly the work that was done is paid, at its rate, and not before it": """
        SELECT FROM (
            SELECT t.author_id AS worker, 'twin' AS kind, t.public_id::text AS unit,
                a.reward, t.created_at AS at
            FROM collection_twin t JOIN collection_assignment a ON a.id = t.assignment_id
            UNION ALL SELECT v.worker_id, 'vote', v.public_id::text, s.reward, v.created_at
            FROM validation_vote v JOIN validation_seat s ON s.id = v.seat_id
            UNION ALL SELECT q.worker_id, 'training', q.public_id::text, q.reward,
                coalesce(q.decided_at, q.trained_at) FROM workers_qualification q
        ) work FULL JOIN workers_ledgerentry e
            ON (e.worker_id, e.kind, e.unit) = (work.worker, work.kind, work.unit)
        WHERE work.worker IS NULL OR e.id IS NULL OR e.amount <> work.reward
            OR e.created_at < work.at""",
    "a twin is written within its lease, after its article was read, no faster than one types": """
        SELECT FROM collection_twin t JOIN collection_assignment a ON a.id = t.assignment_id
        JOIN collection_campaign c ON c.id = t.campaign_id
        JOIN collection_provenance p ON p.twin_id = t.id
        WHERE t.created_at > a.leased_until
        OR a.leased_until <> a.created_at + c.assignment_minutes * interval '1 minute'
        OR t.created_at - a.created_at <= p.active_seconds * interval '1 second'
        OR p.active_seconds * 20 < p.typed_characters""",
    "a writer has one article at a time": """
        SELECT FROM collection_assignment a JOIN collection_twin t ON t.assignment_id = a.id
        JOIN collection_assignment b ON b.worker_id = a.worker_id AND b.id <> a.id
        WHERE b.created_at BETWEEN a.created_at AND t.created_at""",
    "a vote is on a twin that was there, within the lease, the local answer first": """
        SELECT FROM validation_vote v JOIN validation_seat s ON s.id = v.seat_id
        JOIN collection_question q ON q.id = v.question_id
        JOIN collection_twin t ON t.id = q.twin_id
        WHERE NOT (t.created_at < s.claimed_at AND s.claimed_at < s.local_at
                   AND s.local_at < s.answered_at AND s.answered_at <= s.leased_until)
        OR q.created_at <> t.created_at OR v.created_at <> s.answered_at
        OR s.answered_at - s.claimed_at < interval '1 second'""",
    "a validator has one question at a time": """
        SELECT FROM validation_seat a JOIN validation_seat b
        ON b.worker_id = a.worker_id AND b.id <> a.id
        WHERE b.claimed_at BETWEEN a.claimed_at AND a.answered_at""",
    "a verdict is not older than a vote that it counts": """
        SELECT FROM validation_verdict d JOIN validation_vote v USING (question_id)
        WHERE d.created_at < v.created_at""",
    "each account is known to be simulated": "SELECT FROM workers_user WHERE origin <> 'simulated'",
    "the campaign is known to be of simulated people": """
        SELECT FROM collection_campaign WHERE people_origin <> 'simulated'""",
}


def contradictions() -> list[str]:
    found = []
    with connection.cursor() as cursor:
        for rule, broken in RULES.items():
            cursor.execute(f"SELECT count(*) FROM ({broken}) AS rows")
            if cursor.fetchone() != (0,):
                found.append(rule)
    return found


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    read, validators = starter.read_lines, starter.read_validators()[:6]
    monkeypatch.setattr(
        starter, "read_lines", lambda name: read(name)[: TWINS if name == "twins.jsonl" else None]
    )
    monkeypatch.setattr(starter, "read_validators", lambda: validators)
    monkeypatch.setattr(starter, "LEFT_FOR_PEOPLE", LEFT)


@pytest.mark.long
@pytest.mark.usefixtures("few")
def test_the_rows_of_the_starters_people_contradict_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take_time = starter_times.take_time

    def twice(campaign: Campaign, **people: Any) -> None:
        own = real_seat(campaign)
        take_time(campaign, **people)
        once = seats()
        take_time(campaign, **people)
        assert seats() == once
        assert Seat.objects.filter(pk=own.pk, answered_at=own.answered_at).update(
            worker=None, claimed_at=None, leased_until=None, answered_at=None
        )

    monkeypatch.setattr(starter_times, "take_time", twice)
    assert starter.load() is not None
    assert Vote.objects.count() == 6 * (TWINS - LEFT)
    assert contradictions() == []


def real_seat(campaign: Campaign) -> Seat:
    """A person who answers while the starter loads."""
    seat = Seat.objects.filter(campaign=campaign, answered_at=None).latest("pk")
    seat.worker = UserFactory(origin="simulated")
    seat.claimed_at = seat.answered_at = seat.leased_until = campaign.created_at
    seat.save()
    return seat


def seats() -> list[Any]:
    return list(Seat.objects.order_by("pk").values_list("claimed_at", "answered_at"))


@pytest.mark.long
def test_the_rows_of_the_whole_starter_contradict_nothing() -> None:
    starter.load()
    twins = len(starter.read_lines("twins.jsonl"))
    votes = 6 * (twins - starter.LEFT_FOR_PEOPLE)
    assert (Twin.objects.count(), Vote.objects.count()) == (twins, votes)
    assert contradictions() == []
