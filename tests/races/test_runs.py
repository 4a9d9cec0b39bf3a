"""Many workers get the same message, many curators press the same button: one wins."""

import time
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.models import Campaign
from corpora.models import Snapshot
from filtering import services
from filtering import services as asking
from filtering.models import FilterRun
from tests.factories import (
    CampaignFactory,
    FilterRunFactory,
    SnapshotFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.races.threads import at_once
from validation.core.validator_figures import validators
from validation.models import QualityReport, ValidatorFigures
from validation.runner import _lines, work_out
from validation.selectors.quality import votes_of
from winoplatform.runs import attempts
from winoplatform.runs.models import Run, RunStatus
from winoplatform.runs.start import resume

CLAIMANTS = 8


def claim_by_check_then_save(pk: int) -> bool:
    """The control: what one would write first."""
    run = Snapshot.objects.get(pk=pk)
    if run.status != RunStatus.QUEUED:
        return False
    run.status, run.attempt = RunStatus.RUNNING, run.attempt + 1
    run.save()
    return True


def test_of_many_attempts_one_claims_a_run() -> None:
    for _ in range(10):
        run = SnapshotFactory()
        claims = at_once(*[partial(attempts.claim, Snapshot, run.pk)] * CLAIMANTS)
        (won,) = [attempt for attempt in claims if attempt is not None]
        assert won.attempt == 1


def test_check_then_save_lets_several_claim_a_run() -> None:
    claims = [
        sum(at_once(*[partial(claim_by_check_then_save, run.pk)] * CLAIMANTS))
        for run in SnapshotFactory.create_batch(10)
    ]
    assert max(claims) > 1


@pytest.mark.parametrize("attempt", range(3))
def test_of_many_attempts_one_takes_over_from_a_dead_one(attempt: int) -> None:
    run = FilterRunFactory(
        status=RunStatus.RUNNING, attempt=1, leased_until=timezone.now(), started_at=timezone.now()
    )
    claims = at_once(*[partial(attempts.claim, FilterRun, run.pk)] * CLAIMANTS)
    (won,) = [attempt for attempt in claims if attempt is not None]
    assert won.attempt == 2


def resume_by_check_then_save(pk: int) -> bool:
    """The control: what one would write first."""
    run = Snapshot.objects.get(pk=pk)
    if run.status not in Run.RESUMABLE:
        return False
    run.status, run.ended_at = RunStatus.QUEUED, None
    run.save()
    return True


def cancelled_snapshot() -> Snapshot:
    run: Snapshot = SnapshotFactory(status=RunStatus.CANCELLED, ended_at=timezone.now())
    return run


def test_of_many_who_resume_a_run_one_does() -> None:
    for _ in range(10):
        run = cancelled_snapshot()
        rows = [Snapshot.objects.get(pk=run.pk) for _ in range(CLAIMANTS)]
        answers = at_once(*[partial(resume, row) for row in rows])
        refused = [answer for answer in answers if answer is not None]
        assert [error.code for error in refused] == ["run_open"] * (CLAIMANTS - 1)


def test_check_then_save_lets_several_resume_a_run() -> None:
    resumed = [
        sum(at_once(*[partial(resume_by_check_then_save, cancelled_snapshot().pk)] * CLAIMANTS))
        for _ in range(10)
    ]
    assert max(resumed) > 1


def test_of_two_equal_runs_resumed_at_once_one_waits() -> None:
    for _ in range(5):
        first = FilterRunFactory(status=RunStatus.CANCELLED)
        second = FilterRunFactory(encoding=first.encoding, status=RunStatus.CANCELLED)
        answers = at_once(partial(resume, first), partial(resume, second))
        (error,) = [answer for answer in answers if answer is not None]
        assert error.code == "run_held"
        assert FilterRun.objects.filter(encoding=first.encoding).open().count() == 1


CURATORS = 4


def start_by_check_then_start(run: FilterRun) -> int:
    """The control: what one would write first."""
    known = set(run.controls.values_list("method", "pmi_score"))
    missing = [wanted for wanted in asking.ALL_CONTROLS if wanted not in known]
    time.sleep(0.05)
    for method, score in missing:
        services.start_filter_run(
            encoding=run.encoding, by=None, method=method, pmi_score=score, reference=run
        )
    return len(missing)


def test_of_many_who_start_all_controls_one_does_and_the_others_are_told() -> None:
    for _ in range(3):
        run = FilterRunFactory(finished=True)
        answers = at_once(*[partial(services.start_controls, run=run, by=None)] * CURATORS)
        (made,) = [answer for answer in answers if isinstance(answer, list)]
        refused = [answer.code for answer in answers if not isinstance(answer, list)]
        assert refused == ["controls_known"] * (CURATORS - 1)
        assert run.controls.count() == len(made) == len(asking.ALL_CONTROLS)


def test_check_then_start_runs_into_the_rule() -> None:
    run = FilterRunFactory(finished=True)
    answers = at_once(*[partial(start_by_check_then_start, run)] * CURATORS)
    assert any(isinstance(answer, Exception) for answer in answers)


def a_campaign() -> Campaign:
    campaign = CampaignFactory()
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    for worker in UserFactory.create_batch(3):
        VoteFactory(question=question, worker=worker)
    return campaign


def replace_unlocked(campaign: Campaign) -> None:
    """The control: the lines replaced without the report's row between the two."""
    report = QualityReport.objects.get(campaign=campaign)
    people = validators(votes_of(campaign))
    with transaction.atomic():
        ValidatorFigures.objects.filter(report=report).delete()
        ValidatorFigures.objects.bulk_create(_lines(report, people, gold_pass_share=0.7))


def test_reports_at_once_all_succeed_and_leave_one_line_a_validator() -> None:
    for _ in range(5):
        campaign = a_campaign()
        found = at_once(*[partial(work_out, campaign)] * 6)
        assert all(isinstance(report, QualityReport) for report in found), found
        assert ValidatorFigures.objects.filter(report=campaign.pk).count() == 3


def test_without_the_reports_row_between_them_some_fail() -> None:
    failed = 0
    for _ in range(5):
        campaign = a_campaign()
        QualityReport.objects.create(campaign=campaign, figures={}, n_votes=0, seconds=0)
        found = at_once(*[partial(replace_unlocked, campaign)] * 6)
        failed += sum(isinstance(error, IntegrityError) for error in found)
    assert failed
