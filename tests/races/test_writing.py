"""Workers with two tabs: articles, drafts, twins, the exercise; and clients that send twice."""

import uuid
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import models, transaction
from django.db.models import QuerySet

from collection import services
from collection.models import Assignment, Campaign, Draft, ExerciseItem, Question, Twin
from collection.services import save_draft
from collection.services.joining import exercise
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    UserFactory,
)
from tests.races.threads import SECONDS, Meeting, at_once
from tests.writing import submit
from validation.models import Seat
from validation.services.writing import twins
from winoplatform.errors import DomainError
from workers.models import Attempt, LedgerEntry, Pause, Qualification, User
from workers.services import pause_worker, resume_worker


def test_one_assignment_submitted_many_times_at_once_is_one_twin_and_one_pay() -> None:
    assignment, key = AssignmentFactory(), uuid.uuid4()
    results = at_once(*[partial(submit, assignment, client_key=key)] * 6)
    assert {result.pk for result in results} == {Twin.objects.get().pk}
    assert LedgerEntry.objects.count() == 1
    assert Question.objects.count() == 2
    assert Seat.objects.count() == 6


def test_two_tabs_with_keys_of_their_own_still_make_one_twin() -> None:
    assignment = AssignmentFactory()
    results = at_once(*[partial(submit, assignment) for _ in range(4)])
    assert len({result.pk for result in results}) == LedgerEntry.objects.count() == 1


def test_a_writer_who_asks_in_many_tabs_at_once_holds_one_assignment() -> None:
    campaign, alice = CampaignFactory(), UserFactory()
    ArticleFactory.create_batch(3, campaign=campaign)
    asked = at_once(*[partial(services.request_assignment, worker=alice, campaign=campaign)] * 6)
    assert len({assignment.pk for assignment in asked}) == Assignment.objects.count() == 1


def test_a_request_and_a_late_submission_of_one_writer_do_not_lock_each_other_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lease has ended while the twin is stored; the request then expires the assignment."""
    assignment, meeting = AssignmentFactory(expired=True), Meeting()
    monkeypatch.setattr(twins, "_refuse_unless_writable", meeting.hold)
    ask = partial(
        services.request_assignment, worker=assignment.worker, campaign=assignment.campaign
    )
    twin, asked = at_once(partial(submit, assignment), partial(meeting.then, ask))
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


TABS = 6


def save(assignment: Assignment, tab: int, version: int) -> Draft:
    return save_draft(
        worker=assignment.worker,
        assignment_id=assignment.public_id,
        fields={"sentence1": f"tab {tab}"},
        version=version,
        evidence={"edits": 1},
    )


@pytest.mark.parametrize("version", [0, 1])
def test_one_tab_saves_and_the_others_are_told_what_it_saved(version: int) -> None:
    assignment = AssignmentFactory()
    if version:
        save(assignment, -1, 0)
    results = at_once(*[partial(save, assignment, tab, version) for tab in range(TABS)])
    [winner] = [result for result in results if isinstance(result, Draft)]
    refused = [result for result in results if isinstance(result, DomainError)]
    assert len(refused) == TABS - 1
    assert {error.code for error in refused} == {"draft_outdated"}
    assert all(error.details["fields"] == winner.fields for error in refused)
    stored = Draft.objects.get()
    assert (stored.fields, stored.version) == (winner.fields, version + 1)
    assert stored.evidence["edits"] == version + 1


def unguarded(assignment: Assignment, checked: Barrier, tab: int) -> Draft:
    """Check, then save, with no lock between: what the service must not do."""
    with transaction.atomic():
        draft = Draft.objects.get(assignment=assignment)
        if draft.version != 1:
            raise DomainError("draft_outdated", "It was changed elsewhere.", status=409)
        checked.wait(SECONDS)  # every tab has read the same version
        draft.fields, draft.version = {"sentence1": f"tab {tab}"}, models.F("version") + 1
        draft.save()
        return draft


def test_the_same_without_the_lock_loses_text() -> None:
    assignment = AssignmentFactory()
    save(assignment, -1, 0)
    checked = Barrier(TABS)
    results = at_once(*[partial(unguarded, assignment, checked, tab) for tab in range(TABS)])
    assert all(isinstance(result, Draft) for result in results)


ITEMS = [services.ItemText(f"{n}?", ("a", "b", "c"), 2, "Because.") for n in range(3)]


def world() -> tuple[User, Campaign, list[ExerciseItem]]:
    campaign = CampaignFactory()
    return UserFactory(), campaign, services.set_exercise(campaign=campaign, items=ITEMS)


def attempt(
    worker: User, campaign: Campaign, items: list[ExerciseItem], number: int, choice: int
) -> Attempt:
    """Answer every item with the same choice; 2 is right."""
    answers = {
        str(item.public_id): exercise.order_shown(item, worker).index(choice) + 1 for item in items
    }
    return services.submit_exercise(
        worker=worker, campaign=campaign, number=number, answers=answers
    )


def test_one_attempt_sent_many_times_at_once_is_one_attempt_and_one_pay() -> None:
    results = at_once(*[partial(attempt, *world(), 1, 2)] * 6)
    assert {result.pk for result in results} == {Attempt.objects.get().pk}
    assert LedgerEntry.objects.count() == Qualification.objects.count() == 1


def test_six_tabs_with_answers_of_their_own_make_no_more_than_two_attempts() -> None:
    there = world()
    calls = [partial(attempt, *there, number, wrong) for number in (1, 2, 3) for wrong in (1, 3)]
    results = at_once(*calls)
    unexpected = [r for r in results if isinstance(r, Exception) and not hasattr(r, "code")]
    assert not unexpected
    assert Attempt.objects.count() <= 2
    assert LedgerEntry.objects.count() <= 1


def test_without_the_lock_one_of_two_meets_the_table_instead_of_the_first_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: two tabs both see no attempt, and one of them fails instead of agreeing."""

    def unlocked(worker: User, campaign: Campaign) -> Qualification | None:
        mine: QuerySet[Any] = Qualification.objects.filter(worker=worker, scope=campaign.public_id)
        return mine.first()

    monkeypatch.setattr(exercise, "_locked", unlocked)
    failed = 0
    for _ in range(5):
        results = at_once(*[partial(attempt, *world(), 1, 2)] * 6)
        failed += sum(isinstance(result, Exception) for result in results)
    assert failed > 0


def test_of_several_curators_who_pause_at_once_one_does() -> None:
    alice = UserFactory()
    people = UserFactory.create_batch(5, curator=True)
    calls = [partial(pause_worker, worker=alice, reason=f"{p}", by=p) for p in people]
    results = at_once(*calls)
    assert sum(isinstance(result, Pause) for result in results) == 1
    assert {r.code for r in results if isinstance(r, Exception)} == {"already_paused"}
    ended = at_once(*[partial(resume_worker, worker=alice)] * 4)
    assert sum(isinstance(result, Pause) for result in ended) == 1
    assert {r.code for r in ended if isinstance(r, Exception)} == {"not_paused"}


def test_two_exercises_set_at_once_leave_one_of_them() -> None:
    campaign = CampaignFactory()
    sets = [ITEMS, ITEMS[:2], ITEMS[1:]]
    at_once(*[partial(services.set_exercise, campaign=campaign, items=items) for items in sets])
    left = list(ExerciseItem.objects.current(campaign, "write").values_list("prompt", flat=True))
    assert left in [[item.prompt for item in items] for items in sets]
