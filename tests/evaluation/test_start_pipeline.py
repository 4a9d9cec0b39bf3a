"""A whole pipeline is queued: from a shell, or once the starter campaign is loaded."""

import threading
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction

from collection.models import Campaign
from corpora.models import Release, Snapshot
from evaluation.models import Evaluation, StarterLoad
from evaluation.signals import starter_loaded
from tests.factories import CampaignFactory, ReleaseFactory
from tests.filtering.stages import published_twins


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = CampaignFactory(slug="starter")
    published_twins(10, campaign=campaign)
    return campaign


def start(name: str = "starter-1", slug: str = "starter", **options: Any) -> None:
    call_command("start_pipeline", slug, name, **options)


def test_it_queues_every_stage(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    start()
    assert "Queued 6 runs" in capsys.readouterr().out
    assert Release.objects.get().name == "starter-1"


def test_a_name_that_is_taken_is_refused_with_a_sentence(campaign: Campaign) -> None:
    ReleaseFactory(name="starter-1")
    with pytest.raises(CommandError, match="A release with this name already exists"):
        start()
    assert not Snapshot.objects.filter(campaign=campaign).exists()


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("none", "no campaign “none”"),
        ("empty", "no valid question"),
        ("small", "Valid pairs so far: 2. At least 10 are needed, so that dev and test cannot"),
    ],
)
def test_what_cannot_start_is_said(slug: str, sentence: str) -> None:
    CampaignFactory(slug="empty")
    published_twins(2, campaign=CampaignFactory(slug="small"))
    with pytest.raises(CommandError, match=sentence):
        start(slug=slug)


def test_without_a_dev_split_no_evaluation_is_started(campaign: Campaign) -> None:
    Campaign.objects.update(dev_share=0)
    start()
    assert Release.objects.exists()
    assert not Evaluation.objects.exists()


def test_a_second_pipeline_waits_for_the_first_snapshot(campaign: Campaign) -> None:
    start()
    with pytest.raises(CommandError, match="A snapshot of this campaign is under way already"):
        start("starter-2")


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_two_loads_at_once_the_second_waits_and_begins_nothing(campaign: Campaign) -> None:
    refused: list[Exception] = []

    def begin() -> None:
        starter_loaded.send(sender=StarterLoad, campaign=campaign)

    def second() -> None:
        try:
            begin()
        except Exception as error:
            refused.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=second)
    with transaction.atomic():
        begin()
        thread.start()
        wait_for_a_waiting_query()
    thread.join()
    assert refused == []
    assert (Snapshot.objects.count(), Release.objects.count()) == (1, 1)


def wait_for_a_waiting_query() -> None:
    """Wait until another session waits for this transaction to end."""
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute(
                "select count(*), pg_sleep(0.05) from pg_stat_activity"
                " where pg_backend_pid() = any(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
    pytest.fail("The second command did not wait for the first.")
