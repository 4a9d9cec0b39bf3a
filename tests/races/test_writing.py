"""Writers with two tabs, and clients that send everything twice."""

import time
import uuid
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from collection import services
from collection.models import Assignment, Question, Twin
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    UserFactory,
    twin_text,
)
from tests.races.threads import at_once
from validation.models import Seat
from validation.services import submit_twin
from validation.services.writing import twins
from workers.models import LedgerEntry


def submit(assignment: Assignment, key: uuid.UUID) -> Twin:
    return submit_twin(
        worker=assignment.worker,
        assignment_id=assignment.public_id,
        text=twin_text(),
        client_key=key,
    )


def test_one_assignment_submitted_many_times_at_once_is_one_twin_and_one_pay() -> None:
    assignment, key = AssignmentFactory(), uuid.uuid4()
    results = at_once(*[partial(submit, assignment, key)] * 6)
    assert {result.pk for result in results} == {Twin.objects.get().pk}
    assert LedgerEntry.objects.count() == 1
    assert Question.objects.count() == 2
    assert Seat.objects.count() == 6


def test_two_tabs_with_keys_of_their_own_still_make_one_twin() -> None:
    assignment = AssignmentFactory()
    results = at_once(*[partial(submit, assignment, uuid.uuid4()) for _ in range(4)])
    assert len({result.pk for result in results}) == LedgerEntry.objects.count() == 1


def test_a_writer_who_asks_in_many_tabs_at_once_holds_one_assignment() -> None:
    campaign, alice = CampaignFactory(), UserFactory()
    ArticleFactory.create_batch(3, campaign=campaign)
    asked = at_once(*[partial(services.request_assignment, worker=alice, campaign=campaign)] * 6)
    assert len({assignment.pk for assignment in asked}) == Assignment.objects.count() == 1


def test_a_request_and_a_late_submission_of_one_writer_do_not_lock_each_other_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lease ends while the twin is stored; the request then expires the assignment."""
    soon = timezone.now() + timedelta(seconds=0.5)
    assignment = AssignmentFactory(leased_until=soon)
    monkeypatch.setattr(twins, "_refuse_unless_writable", lambda *_: time.sleep(0.6))

    def ask_later() -> Assignment:
        time.sleep(0.55)
        return services.request_assignment(worker=assignment.worker, campaign=assignment.campaign)

    twin, asked = at_once(partial(submit, assignment, uuid.uuid4()), ask_later)
    assert isinstance(twin, Twin)
    assert isinstance(asked, Assignment)
    assert asked.pk != assignment.pk
    assignment.refresh_from_db()
    assert assignment.status == Assignment.Status.SUBMITTED


@pytest.mark.parametrize("status", [Assignment.Status.OPEN, Assignment.Status.EXPIRED])
def test_renewing_the_old_while_asking_for_a_new_one_leaves_one_open(status: str) -> None:
    for _ in range(4):
        old = AssignmentFactory(expired=True, status=status)
        results = at_once(
            partial(services.renew_assignment, worker=old.worker, assignment_id=old.public_id),
            partial(services.request_assignment, worker=old.worker, campaign=old.campaign),
        )
        unexpected = [r for r in results if isinstance(r, Exception) and not hasattr(r, "code")]
        assert not unexpected
        assert old.worker.assignments.filter(status=Assignment.Status.OPEN).count() == 1
