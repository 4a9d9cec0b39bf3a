"""A whole pipeline is queued: from a shell, or once the starter campaign is loaded."""

import threading
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction

from collection.models import Campaign
from corpora.models import Release, Snapshot
from evaluation import services
from evaluation.models import Evaluation, StarterLoad
from evaluation.services import Pipeline
from evaluation.signals import starter_loaded
from tests.factories import CampaignFactory, ReleaseFactory
from tests.filtering.stages import TINY, assert_done, published_twins
from winoplatform.runs import dispatch
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus


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


@pytest.fixture
def dispatched(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The sent that reach a worker, in order."""
    sent: list[Run] = []
    monkeypatch.setattr(dispatch, "_send", sent.append)
    return sent


@pytest.fixture
def pipeline(
    settings: Any, dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> Pipeline:
    settings.ENCODER = TINY
    campaign = CampaignFactory()
    published_twins(30, campaign=campaign)
    with django_capture_on_commit_callbacks(execute=True):
        return services.start_pipeline(campaign=campaign, release_name="first", by=None)


def test_all_messages_are_sent_at_once_and_only_the_first_stage_starts(
    pipeline: Pipeline, dispatched: list[Run]
) -> None:
    assessment = pipeline.filter_run.assessments.get()
    assert dispatched == [*pipeline.runs[:3], assessment, *pipeline.runs[3:]]
    for run in pipeline.runs[1:]:
        execute_here(run)
        run.refresh_from_db()
        assert run.status == RunStatus.QUEUED


def test_each_end_dispatches_the_next_stage_until_all_are_done(
    pipeline: Pipeline, dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    dispatched[:] = [pipeline.snapshot]
    while dispatched:
        with django_capture_on_commit_callbacks(execute=True):
            execute_here(dispatched.pop(0))
    for run in pipeline.runs:
        assert_done(run)
    majority, linear = (run.metrics["accuracy"]["n"] for run in pipeline.evaluations)
    assert majority == linear > 0


def test_a_stage_that_fails_ends_all_that_build_upon_it(
    pipeline: Pipeline, dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    type(pipeline.encoding).objects.update(encoder="/no/such/folder")
    dispatched[:] = [pipeline.snapshot]
    while dispatched:
        with django_capture_on_commit_callbacks(execute=True):
            execute_here(dispatched.pop(0))
    snapshot, encoding, *rest = pipeline.runs
    for run in (snapshot, encoding, *rest):
        run.refresh_from_db()
    assert (snapshot.status, encoding.status) == (RunStatus.DONE, RunStatus.FAILED)
    assert {run.status for run in rest} == {RunStatus.FAILED}
    assert str(encoding.public_id) in rest[0].failure
