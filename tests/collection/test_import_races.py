"""Imports at once bring each twin and article in once; one that is killed leaves nothing."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from psycopg import OperationalError

from collection.imports import articles, staging, winogrande
from collection.imports.articles import import_article_files, import_articles
from collection.imports.winogrande import import_winogrande
from collection.models import Article, Campaign, Question, Twin
from collection.models.campaigns import CampaignQuerySet
from tabular import Record
from tests.collection.import_lines import pairs, write
from tests.factories import ARTICLE, CampaignFactory
from tests.races.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


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
        ended = cursor.fetchone() is not None
    connection.close()
    return ended


def test_an_import_killed_midway_leaves_nothing_and_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = write(tmp_path / "set.jsonl", pairs(500)), winogrande.read_records

    def killed_midway(*args: Any, **named: Any) -> Iterator[Record]:
        records = read(*args, **named)
        yield from islice(records, 600)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(end_the_copy).result(10)
        yield from records

    with monkeypatch.context() as patch:
        patch.setattr(winogrande, "read_records", killed_midway)
        [outcome] = at_once(importing(path))

    assert isinstance(outcome, OperationalError)
    assert not Twin.objects.exists()
    assert not Campaign.objects.exists()
    assert importing(path)().imported == 1_000


def test_a_pipe_is_read_as_a_file_is(tmp_path: Path) -> None:
    pipe, content = tmp_path / "pipe", write(tmp_path / "set.jsonl", pairs(50)).read_bytes()
    os.mkfifo(pipe)
    report, _ = at_once(importing(pipe), lambda: pipe.write_bytes(content))
    assert report.imported == 100


ROWS = [{"title": f"Title {number}", "text": ARTICLE} for number in range(4)]


def test_articles_imported_twice_at_once_come_in_once(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = CampaignFactory()
    both_look, find = Barrier(2), articles.find_anchors

    def find_together(text: str) -> Any:
        both_look.wait(10)  # neither has stored anything yet
        return find(text)

    monkeypatch.setattr(articles, "find_anchors", find_together)

    reports = at_once(*[lambda: import_articles(campaign=campaign, rows=ROWS)] * 2)

    assert sorted((report.imported, report.already_there) for report in reports) == [(0, 4), (4, 0)]
    assert Article.objects.count() == 4


def test_control_without_the_campaign_lock_an_import_of_articles_fails(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    both_looked, create = Barrier(2), Article.objects.bulk_create

    def create_together(*args: Any, **asked: Any) -> list[Article]:
        both_looked.wait(10)
        return create(*args, **asked)

    monkeypatch.setattr(CampaignQuerySet, "select_for_update", lambda rows, **_: rows)
    monkeypatch.setattr(Article.objects, "bulk_create", create_together)

    outcomes = at_once(*[lambda: import_articles(campaign=campaign, rows=ROWS)] * 2)

    assert [type(outcome) for outcome in outcomes].count(IntegrityError) == 1


@pytest.mark.parametrize("from_file", [True, False])
def test_writers_need_not_wait_while_anchors_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_file: bool
) -> None:
    campaign, find = CampaignFactory(), articles.find_anchors
    path = tmp_path / "articles.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    locked: list[Any] = []

    @transaction.atomic
    def lock() -> Campaign:
        return Campaign.objects.select_for_update(no_key=True, nowait=True).get(pk=campaign.pk)

    def find_and_look(text: str) -> Any:
        locked.extend(at_once(lock))
        return find(text)

    monkeypatch.setattr(articles, "find_anchors", find_and_look)
    monkeypatch.setattr(articles, "BATCH", 2)

    if from_file:
        import_article_files(campaign=campaign, path=path)
    else:
        import_articles(campaign=campaign, rows=ROWS)

    assert locked == [campaign] * 4
