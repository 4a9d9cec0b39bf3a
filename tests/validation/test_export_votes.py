"""Votes as files: what is in a line, and what is not."""

import csv
import io
import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from collection.models import Campaign
from tests.factories import CampaignFactory, ConsentFactory, GuidelineFactory, UserFactory
from tests.validation.test_quality import JANUARY, a_question, vote
from validation.exports import votes as export
from validation.exports.votes import COLUMNS, blocks
from workers.models import User


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="winter")


@pytest.fixture
def bob(db: None) -> User:
    return UserFactory(username="bob.surname", email="bob@example.org")


def as_json(campaign: Campaign) -> list[dict[str, Any]]:
    content = b"".join(blocks(campaign, "jsonl")).decode()
    return [json.loads(line) for line in content.splitlines()]


def as_csv(campaign: Campaign) -> list[dict[str, str]]:
    content = b"".join(blocks(campaign, "csv")).decode()
    return list(csv.DictReader(io.StringIO(content, newline="")))


def test_a_line_says_who_said_what_when_and_how_fast(campaign: Campaign, bob: User) -> None:
    question = a_question(campaign)
    given = vote(question, bob, right=False, at=JANUARY, comment="Hm — “so”?", local_option=1)
    assert as_json(campaign) == [
        {
            "vote": str(given.public_id),
            "question": question.public_id,
            "twin": str(question.twin.public_id),
            "domain": "physical",
            "worker": bob.public_id,
            "seat": given.seat.number,
            "option": 3 - question.answer,
            "correct": False,
            "ambiguous": False,
            "local_option": 1,
            "local_correct": True,
            "seconds_local": 6.0,
            "seconds_sentence": 9.0,
            "guidelines": None,
            "report": "",
            "comment": "Hm — “so”?",
            "gold": False,
            "excluded": False,
            "amended": False,
            "created_at": "2026-01-15T12:00:00+00:00",
        }
    ]
    [line] = as_csv(campaign)
    assert tuple(line) == COLUMNS
    assert (line["correct"], line["local_correct"], line["guidelines"]) == ("false", "true", "")
    assert line["created_at"] == "2026-01-15T12:00:00.000000+00:00"


def test_no_name_and_no_address_is_in_it(campaign: Campaign, bob: User) -> None:
    vote(a_question(campaign), bob)
    for kind in ("jsonl", "csv"):
        content = b"".join(blocks(campaign, kind))
        assert b"bob.surname" not in content
        assert b"example.org" not in content


def test_what_is_typed_comes_out_as_it_is_and_no_spreadsheet_runs_it(
    campaign: Campaign, bob: User
) -> None:
    typed = [
        '=HYPERLINK("http://evil.example","x")', "+1", "-1", "@SUM(1)", "\ttab", "\rreturn",
        'quote " and , comma', "two\nlines", "back\\slash \\N", "\x02\x01 odd", "plain", "",
    ]  # fmt: skip
    for comment in typed:
        vote(a_question(campaign), bob, comment=comment)
    assert [line["comment"] for line in as_json(campaign)] == typed
    guarded = [f"'{text}" if text[:1] in tuple("=+-@\t\r") else text for text in typed]
    content = b"".join(blocks(campaign, "csv")).decode()
    rows = list(csv.reader(io.StringIO(content, newline="")))
    assert [row[COLUMNS.index("comment")] for row in rows[1:]] == guarded


def test_a_question_fetched_ahead_is_read_from_the_vote_before_on(
    campaign: Campaign, bob: User
) -> None:
    first = vote(a_question(campaign), bob, at=JANUARY)
    second = vote(a_question(campaign), bob, at=JANUARY + timedelta(seconds=20))
    second.seat.claimed_at = first.seat.claimed_at
    second.seat.save()
    assert [line["seconds_local"] for line in as_json(campaign)] == [6.0, 11.0]


def test_it_says_which_guidelines_the_validator_had_accepted_by_then(
    campaign: Campaign, bob: User
) -> None:
    for version in (1, 2):
        guideline = GuidelineFactory(campaign=campaign, version=version)
        ConsentFactory(
            worker=bob, guideline=guideline, created_at=JANUARY + timedelta(days=version)
        )
    for days in (0, 1, 5):
        vote(a_question(campaign), bob, at=JANUARY + timedelta(days=days))
    assert [line["guidelines"] for line in as_json(campaign)] == [None, 1, 2]


def test_only_the_campaigns_votes_are_in_it_and_none_is_an_empty_file(
    campaign: Campaign, bob: User
) -> None:
    vote(a_question(CampaignFactory()), bob)
    assert as_json(campaign) == as_csv(campaign) == []
    assert b"".join(blocks(campaign, "csv")).decode().strip() == ",".join(COLUMNS)


def test_a_download_that_is_broken_off_leaves_the_connection_whole(
    campaign: Campaign, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "BLOCK", 1)
    for _ in range(5):
        vote(a_question(campaign), bob)
    reading = blocks(campaign, "jsonl")
    next(reading)
    reading.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_an_unknown_kind_is_refused(campaign: Campaign) -> None:
    with pytest.raises(ValueError, match="kind must be one of"):
        blocks(campaign, "xlsx")


def test_the_command_writes_a_file_or_to_standard_output(
    campaign: Campaign, bob: User, tmp_path: Path
) -> None:
    given = vote(a_question(campaign), bob)
    shown = io.StringIO()
    call_command("export_votes", "winter", stdout=shown)
    assert json.loads(shown.getvalue())["vote"] == str(given.public_id)
    target = tmp_path / "deep" / "votes.csv"
    call_command("export_votes", "winter", "--format", "csv", "--output", str(target))
    assert target.read_text().startswith("vote,question,twin")
    assert [path.name for path in target.parent.iterdir()] == ["votes.csv"]
    with pytest.raises(CommandError, match="no campaign"):
        call_command("export_votes", "summer")


def test_a_reader_that_has_seen_enough_ends_it_quietly(
    campaign: Campaign, bob: User, capsys: pytest.CaptureFixture[str]
) -> None:
    vote(a_question(campaign), bob)
    reads, writes = os.pipe()
    os.close(reads)  # as `head` does
    with os.fdopen(writes, "w") as pipe:
        call_command("export_votes", "winter", stdout=pipe)
        sink = os.fstat(pipe.fileno())
    # What was left to write goes nowhere: at exit it would fail again, and say so.
    assert os.path.samestat(sink, os.stat(os.devnull))
    assert capsys.readouterr().err == ""
