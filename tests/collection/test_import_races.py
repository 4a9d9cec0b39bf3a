"""Imports at once bring each twin in once; one that is killed leaves nothing."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from time import monotonic, sleep
from typing import Any

import pytest
from django.db import IntegrityError, connection
from psycopg import OperationalError

from collection.imports import staging
from collection.imports.winogrande import import_winogrande
from collection.models import Campaign, Question, Twin
from collection.models.campaigns import CampaignQuerySet
from tests.collection.import_lines import line, pairs, write
from tests.factories import CampaignFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls in threads that start together; return results or what they raised."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            start.wait(10)
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def importing(path: Path) -> Callable[[], Any]:
    return lambda: import_winogrande(path=path, slug="published")


@pytest.mark.parametrize("campaign_exists", [True, False])
def test_a_file_imported_by_four_at_once_comes_in_once(
    tmp_path: Path, campaign_exists: bool
) -> None:
    path = write(tmp_path / "set.jsonl", pairs(100))
    if campaign_exists:
        CampaignFactory(slug="published")

    reports = at_once(*[importing(path)] * 4)

    assert sorted(report.imported for report in reports) == [0, 0, 0, 200]
    assert sorted(report.already_there for report in reports) == [0, 200, 200, 200]
    assert (Twin.objects.count(), Question.objects.count()) == (100, 200)


def test_the_halves_of_twins_imported_at_once_are_joined(tmp_path: Path) -> None:
    CampaignFactory(slug="published")
    rows = pairs(100)
    halves = [write(tmp_path / f"{n}.jsonl", rows[n::2]) for n in (0, 1)]

    reports = at_once(*map(importing, halves))

    assert sorted(report.joined for report in reports) == [0, 100]
    assert (Twin.objects.count(), Question.objects.count()) == (100, 200)


def test_control_without_the_campaign_lock_an_import_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    CampaignFactory(slug="published")
    path = write(tmp_path / "set.jsonl", pairs(10))
    both_compared = Barrier(2)
    compare = staging.compare

    def compare_together(*args: Any, **named: Any) -> int:
        found = compare(*args, **named)
        both_compared.wait(10)
        return found

    monkeypatch.setattr(CampaignQuerySet, "select_for_update", lambda rows, **_: rows)
    monkeypatch.setattr(staging, "compare", compare_together)

    outcomes = at_once(*[importing(path)] * 2)

    assert [type(outcome) for outcome in outcomes].count(IntegrityError) == 1


def end_the_copy() -> bool:
    """End the server's side of the import, as the server does when its client is killed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE %s AND pid <> pg_backend_pid()",
            ["%COPY import_line%"],
        )
        return cursor.fetchone() is not None


def test_an_import_killed_midway_leaves_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    pipe, rows = tmp_path / "pipe", pairs(500)
    os.mkfifo(pipe)

    def kill_midway() -> None:
        with pipe.open("w", encoding="utf-8") as lines:
            lines.writelines(line(row) + "\n" for row in rows[:600])
            lines.flush()
            deadline = monotonic() + 10
            while not end_the_copy() and monotonic() < deadline:
                sleep(0.01)
            lines.writelines(line(row) + "\n" for row in rows[600:])

    outcome, _ = at_once(importing(pipe), kill_midway)

    assert isinstance(outcome, OperationalError)
    assert not Twin.objects.exists()
    assert not Campaign.objects.exists()
    assert importing(write(tmp_path / "set.jsonl", rows))().imported == 1_000
