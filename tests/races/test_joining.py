"""Workers with two tabs at the exercise, and curators who act at the same moment."""

from functools import partial
from typing import Any

import pytest
from django.db.models import QuerySet

from collection import services
from collection.models import Campaign, ExerciseItem
from collection.services.joining import exercise
from tests.factories import CampaignFactory, UserFactory
from tests.races.threads import at_once
from workers.models import Attempt, LedgerEntry, Pause, Qualification, User
from workers.services import pause_worker, resume_worker

ITEMS = [services.ItemText(f"{n}?", ("a", "b", "c"), 2, "Because.") for n in range(3)]


def world() -> tuple[User, Campaign, list[ExerciseItem]]:
    campaign = CampaignFactory()
    return UserFactory(), campaign, services.set_exercise(campaign=campaign, items=ITEMS)


def submit(
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
    results = at_once(*[partial(submit, *world(), 1, 2)] * 6)
    assert {result.pk for result in results} == {Attempt.objects.get().pk}
    assert LedgerEntry.objects.count() == Qualification.objects.count() == 1


def test_six_tabs_with_answers_of_their_own_make_no_more_than_two_attempts() -> None:
    there = world()
    calls = [partial(submit, *there, number, wrong) for number in (1, 2, 3) for wrong in (1, 3)]
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
        results = at_once(*[partial(submit, *world(), 1, 2)] * 6)
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
