"""Votes as files: what is in a line, and what is not."""

import csv
import io
import json
import re
from datetime import timedelta
from typing import Any

import pytest

from collection.models import Campaign
from tests.factories import CampaignFactory, ConsentFactory, GuidelineFactory, UserFactory
from tests.validation.test_quality import JANUARY, a_question, vote
from validation.exports.campaigns import opened
from validation.selectors.tables.votes import COLUMNS
from workers.models import User


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="winter")


@pytest.fixture
def bob(db: None) -> User:
    return UserFactory(username="bob.surname", email="bob@example.org")


def content_of(campaign: Campaign, form: str) -> bytes:
    return b"".join(opened(campaign, "votes", form).blocks)


def as_json(campaign: Campaign) -> list[dict[str, Any]]:
    content = content_of(campaign, "jsonl").decode()
    return [json.loads(line) for line in content.splitlines()]


def as_csv(campaign: Campaign) -> list[dict[str, str]]:
    content = content_of(campaign, "csv").decode()
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
            "claimed_at": "2026-01-15T11:59:45+00:00",
            "local_at": "2026-01-15T11:59:51+00:00",
            "amended_at": None,
            "excluded_at": None,
            "excluded_by": None,
            "exclusion_reason": "",
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
        content = content_of(campaign, kind)
        assert b"bob.surname" not in content
        assert b"example.org" not in content


def test_what_is_typed_comes_out_as_it_is_and_no_spreadsheet_runs_it(
    campaign: Campaign, bob: User
) -> None:
    typed = [
        '=HYPERLINK("http://evil.example","x")', "+1", "-1", "@SUM(1)", "\ttab", "\rreturn",
        'quote " and , comma', "two\nlines", "back\\slash \\N", "\x02\x01 odd", "plain", "", "'=1",
    ]  # fmt: skip
    for comment in typed:
        vote(a_question(campaign), bob, comment=comment)
    assert [line["comment"] for line in as_json(campaign)] == typed
    runs = re.compile(r"'*[=+@\t\r-]")
    guarded = [f"'{text}" if runs.match(text) else text for text in typed]
    content = content_of(campaign, "csv").decode()
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
            worker=bob,
            guideline=guideline,
            skill="validate",
            created_at=JANUARY + timedelta(days=version),
        )
    for days in (0, 1, 5):
        vote(a_question(campaign), bob, at=JANUARY + timedelta(days=days))
    assert [line["guidelines"] for line in as_json(campaign)] == [None, 1, 2]


def test_only_the_campaigns_votes_are_in_it_and_none_is_an_empty_file(
    campaign: Campaign, bob: User
) -> None:
    vote(a_question(CampaignFactory()), bob)
    assert as_json(campaign) == as_csv(campaign) == []
    assert content_of(campaign, "csv").decode().strip() == ",".join(COLUMNS)
