"""Submissions at the same moment: together they tell no more than the year may tell."""

from functools import partial
from threading import Barrier
from typing import Any

import pytest

from evaluation import services
from evaluation.models import Leaderboard, Submission
from evaluation.services import submissions
from tests.evaluation.boards import board_of, predictions, released
from tests.factories import UserFactory
from tests.races.threads import at_once
from winoplatform.errors import DomainError

PEOPLE, PER_YEAR = 6, 4


def submit_at_once() -> list[Any]:
    release = released()
    board_of(release, per_year=PER_YEAR)
    calls = [
        partial(
            services.submit,
            release=release,
            file=predictions(release, wrong=number),
            system=f"System {number}",
            by=UserFactory(),
        )
        for number in range(PEOPLE)
    ]
    return at_once(*calls)


def test_submissions_at_once_keep_the_limit_of_the_year() -> None:
    found = submit_at_once()
    refused = [one.code for one in found if isinstance(one, DomainError)]
    assert refused == ["submissions_used_up"] * (PEOPLE - PER_YEAR)
    assert Submission.objects.count() == PER_YEAR


def test_without_the_lock_they_exceed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    check, all_checked = submissions._refuse_too_many, Barrier(PEOPLE)

    def checked(*args: Any) -> None:
        check(*args)
        all_checked.wait(30)

    monkeypatch.setattr(submissions, "_refuse_too_many", checked)
    rows = type(Leaderboard.objects.all())
    monkeypatch.setattr(rows, "select_for_update", lambda found, **_: found)
    submit_at_once()
    assert Submission.objects.count() == PEOPLE
