"""Studies and sessions from before places: all stay, and each participant has one that counts."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.old_databases import migrate, old_database

BEFORE = [("collection", "0008_sentence_key"), ("workers", "0007_keys_of_extra_pay")]
NOW = [("collection", "0010_one_session_a_participant"), ("workers", "0007_keys_of_extra_pay")]


@pytest.fixture
def before(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Any]:
    with old_database(django_db_blocker, BEFORE) as apps:
        yield apps


def put(apps: Any) -> None:
    """A study with two participants, of whom one came in four sessions; and an empty one."""
    campaign = apps.get_model("collection", "Campaign").objects.create(slug="kitchen", name="K")
    study = _study(apps, campaign, "first")
    _study(apps, campaign, "empty")
    for name, statuses in {
        "a1b2c3": ("returned", "active", "completed", "active"),
        "A1B2C4": ("returned", "timed_out"),
        "x9y8z7": ("completed",),
    }.items():
        worker = apps.get_model("workers", "User").objects.create(username=name, public_id=name)
        person = apps.get_model("collection", "Participant").objects.create(
            provider="mturk", external_id=name, worker=worker
        )
        for n, status in enumerate(statuses):
            apps.get_model("collection", "CrowdSession").objects.create(
                study=study,
                participant=person,
                external_id=f"{name}-{n}",
                status=status,
                ended_at=None if status == "active" else timezone.now(),
            )


def _study(apps: Any, campaign: Any, name: str) -> Any:
    codes = {"completion_code": "C", "screen_out_code": "S", "failure_code": "F"}
    return apps.get_model("collection", "Study").objects.create(
        campaign=campaign, provider="mturk", name=name, secret="s" * 40, **codes
    )


def test_no_session_is_cut_and_one_of_each_participant_counts(before: Any) -> None:
    put(before)

    now = migrate(NOW)

    sessions = now.get_model("collection", "CrowdSession").objects
    assert sessions.count() == 7
    assert sessions.filter(status="active").count() == 2
    counting = sessions.filter(is_duplicate=False).order_by("external_id")
    assert list(counting.values_list("external_id", flat=True)) == [
        "A1B2C4-1", "a1b2c3-3", "x9y8z7-0",
    ]  # fmt: skip
    studies = now.get_model("collection", "Study").objects
    assert dict(studies.values_list("name", "places")) == {"first": 100, "empty": 100}
    people = now.get_model("collection", "Participant").objects
    assert set(people.values_list("external_id", flat=True)) == {"A1B2C3", "A1B2C4", "X9Y8Z7"}
