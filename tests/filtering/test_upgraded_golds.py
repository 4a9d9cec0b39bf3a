"""A database of before keeps what people see, and learns which gold questions are public."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.filtering.test_migrations import a_release, a_snapshot, some_twins
from tests.old_databases import latest, migrate, old_database
from winoplatform.artifacts import store

BEFORE = [
    ("filtering", "0009_neutral_stop"),
    ("validation", "0011_dawid_skene"),
    ("collection", "0008_sentence_key"),
]
ODD, EVEN = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"


@pytest.fixture
def before(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Any]:
    with old_database(django_db_blocker, BEFORE) as apps:
        yield apps


def held_seats(apps: Any, twins: list[Any]) -> None:
    for twin, public_id in zip(twins, (ODD, EVEN), strict=False):
        apps.get_model("validation", "Seat").objects.create(
            public_id=public_id, question=twin.questions.first(), number=1, twin=twin,
            campaign_id=twin.campaign_id, leased_until=timezone.now(),
            worker=apps.get_model("workers", "User").objects.create(username=public_id),
        )  # fmt: skip


def free_seats(apps: Any, twin: Any, count: int) -> None:
    seats = apps.get_model("validation", "Seat")
    seats.objects.bulk_create(
        seats(question=twin.questions.first(), number=number, twin=twin,
              campaign_id=twin.campaign_id)
        for number in range(1, count + 1)
    )  # fmt: skip


def an_exercise(campaign: Any) -> str:
    item = campaign.exercise.create(number=1, prompt="?", choices=["a", "b"], answer=1)
    return str(item.public_id)


def test_what_is_seen_stays_and_what_a_release_shows_is_gold_no_more(before: Any) -> None:
    snapshot = a_snapshot(before)
    twins = [twin for twin, _ in some_twins(before, snapshot, 4)]
    held_seats(before, twins)
    free_seats(before, twins[2], 200)
    golds = before.get_model("validation", "GoldQuestion").objects
    for twin in twins[:3]:
        golds.create(campaign=twin.campaign, question=twin.questions.first(), origin="chosen")
    release = a_release(before, snapshot, {}, name="first", status="done")
    for name, twin in (("train.jsonl", twins[0]), ("test.jsonl", twins[1])):
        # The sentence of the gold's twin, typed otherwise.
        line = json.dumps({"sentence": twin.questions.last().sentence.upper()})
        artifact = store.put_bytes(line.encode())
        release.files.create(name=name, rows=1, artifact_id=artifact.pk)
    item = an_exercise(twins[0].campaign)

    now = migrate([*latest("filtering"), *latest("validation"), *latest("collection")])

    seats = now.get_model("validation", "Seat").objects
    assert (seats.get(public_id=ODD).swapped, seats.get(public_id=EVEN).swapped) == (True, False)
    assert 60 < seats.filter(worker=None, swapped=True).count() < 140  # drawn now
    rows = now.get_model("validation", "GoldQuestion").objects.order_by("pk")
    assert list(rows.values_list("retired_for", flat=True)) == ["public", "public", ""]
    old, new = now.get_model("collection", "ExerciseItem").objects.order_by("pk")
    assert (str(old.public_id), str(old.order_key), old.retired_at is None) == (item, item, False)
    assert (new.retired_at, new.answer) == (None, 1)
    assert len({new.public_id, new.order_key, old.public_id}) == 3
