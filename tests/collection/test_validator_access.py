"""Who may validate: the quick gate before every question agrees with what the page explains."""

from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collection import services
from collection.models import Campaign, CrowdSession, ExerciseItem, Participant, Study
from collection.selectors.exercise import order_shown
from collection.selectors.joining import blockers_of, unblocked
from collection.services.joining.access import eligibility, refuse_unless_may_validate
from collection.services.joining.eligibility import STEPS
from tests.factories import (
    AttemptFactory,
    CampaignFactory,
    ConsentFactory,
    ExerciseItemFactory,
    GuidelineFactory,
    PauseFactory,
    QualificationFactory,
    StudyFactory,
    UserFactory,
)
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, Qualification, User

VALIDATE, WRITE = "validate", "write"
TRAINING = [services.ItemText(f"Task {n}?", ("a", "b", "both"), 2, f"As {n}.") for n in range(3)]


def codes(worker: User, campaign: Campaign) -> list[str]:
    return [refusal.code for refusal in eligibility(worker, campaign, skill=VALIDATE).refusals]


def make_eligible(case: tuple[Any, ...], worker: User) -> Campaign:
    """One campaign for one combination of what can be in the way."""
    guidelines, training, test, qualification, crowd = case
    campaign = make_campaign(guidelines, training, test, crowd)
    stand(worker, campaign, guidelines, qualification, crowd)
    return campaign


def make_campaign(guidelines: Any, training: bool, test: bool, crowd: str | None) -> Campaign:
    campaign = CampaignFactory()
    for version in range(1, guidelines["versions"] + 1):
        GuidelineFactory(campaign=campaign, version=version)
    if training:
        ExerciseItemFactory(campaign=campaign, skill=VALIDATE, part="training")
    if test:
        ExerciseItemFactory(campaign=campaign, skill=VALIDATE)
    if crowd:
        StudyFactory(campaign=campaign, skill=VALIDATE)
    return campaign


def stand(
    worker: User, campaign: Campaign, guidelines: Any, qualification: Any, crowd: str | None
) -> None:
    """Where the worker stands in the campaign."""
    for guideline in campaign.guideline_set.filter(version__in=guidelines["accepted"]):
        ConsentFactory(worker=worker, guideline=guideline, skill=VALIDATE)
    if qualification is not None:
        QualificationFactory(worker=worker, campaign=campaign, skill=VALIDATE, **qualification)
    if crowd:
        person = Participant.objects.filter(worker=worker).first() or Participant.objects.create(
            provider="generic", external_id=worker.username, worker=worker
        )
        CrowdSession.objects.create(
            study=Study.objects.get(campaign=campaign),
            participant=person,
            external_id=f"{campaign.pk} {worker.pk}",
            status=crowd,
            ended_at=None if crowd == "active" else timezone.now(),
        )


GUIDELINES = (
    {"versions": 0, "accepted": ()},
    {"versions": 1, "accepted": (1,)},
    {"versions": 2, "accepted": (1,)},
    {"versions": 2, "accepted": (2,)},
)
QUALIFICATIONS = (
    None,
    {"trained_at": timezone.now()},
    {"passed": True},
    {"failed": True},
    {},
)


@pytest.mark.long
@pytest.mark.parametrize(
    "crowd",
    [
        None,
        *(pytest.param(status, marks=pytest.mark.long) for status in ("active", "returned")),
        "screened_out",
    ],
)
@pytest.mark.parametrize("is_paused", [False, True])
def test_the_gate_lets_through_whom_nothing_hinders_and_nobody_else(
    crowd: str | None, is_paused: bool
) -> None:
    asked = (True,) if is_paused else (False, True)  # a paused worker is never let through
    workers = UserFactory.create_batch(len(QUALIFICATIONS))
    for worker in workers if is_paused else ():
        PauseFactory(worker=worker)
    for guidelines, training, test in product(GUIDELINES, asked, asked):
        campaign = make_campaign(guidelines, training, test, crowd)
        for worker, qualification in zip(workers, QUALIFICATIONS, strict=True):
            stand(worker, campaign, guidelines, qualification, crowd)
            the_gate_agrees_with_what_is_explained(worker, campaign)


def the_gate_agrees_with_what_is_explained(worker: User, campaign: Campaign) -> None:
    explained = eligibility(worker, campaign, skill=VALIDATE)
    here = Campaign.objects.filter(pk=campaign.pk)
    assert unblocked(worker, VALIDATE, here).exists() == explained.may_work, explained
    [named] = blockers_of(worker=worker, campaigns=here, skill=VALIDATE).values()
    assert len(named) == len(explained.refusals), explained
    if explained.next_step:
        assert named[0] == explained.next_step, explained


def test_the_reasons_cost_few_queries(bob: User) -> None:
    campaign = make_eligible((GUIDELINES[3], True, True, {"passed": True}, "active"), bob)
    with CaptureQueriesContext(connection) as asked:
        refuse_unless_may_validate(worker=bob, campaign=campaign)
    assert len(asked) <= 6
    PauseFactory(worker=bob)
    with CaptureQueriesContext(connection) as asked, pytest.raises(DomainError):
        refuse_unless_may_validate(worker=bob, campaign=campaign)
    assert len(asked) <= 6


def test_training_comes_before_the_test_and_both_before_the_first_question(bob: User) -> None:
    campaign = make_eligible((GUIDELINES[2], True, True, None, None), bob)
    assert codes(bob, campaign) == [
        "guideline_not_accepted",
        "training_not_done",
        "exercise_not_passed",
    ]
    assert [step.code for step in eligibility(bob, campaign, skill=VALIDATE).steps] == list(
        STEPS.values()
    )
    assert codes(bob, campaign) != [r.code for r in eligibility(bob, campaign).refusals]


def test_who_may_write_may_not_validate_for_that_reason(bob: User) -> None:
    campaign = make_eligible((GUIDELINES[0], False, True, None, None), bob)
    QualificationFactory(worker=bob, campaign=campaign, passed=True)
    with pytest.raises(DomainError, match="short test"):
        refuse_unless_may_validate(worker=bob, campaign=campaign)
    assert eligibility(bob, campaign).may_work


def test_a_failed_test_ends_it_in_words_for_validators(bob: User) -> None:
    campaign = make_eligible((GUIDELINES[0], False, True, {"failed": True}, None), bob)
    with pytest.raises(DomainError, match="cannot validate") as refused:
        refuse_unless_may_validate(worker=bob, campaign=campaign)
    assert (refused.value.code, refused.value.status) == ("exercise_failed", 403)


def test_limits_of_writers_do_not_hinder_validators(bob: User) -> None:
    campaign = CampaignFactory(twins_per_day_max=0, twins_per_worker_max=0)
    refuse_unless_may_validate(worker=bob, campaign=campaign)


# -- training --------------------------------------------------------------------------------------


@pytest.fixture
def trained_for() -> Campaign:
    campaign = CampaignFactory()
    services.set_exercise(campaign=campaign, items=TRAINING, skill=VALIDATE, part="training")
    return campaign


def items_of(campaign: Campaign, part: str = "training") -> list[ExerciseItem]:
    return list(ExerciseItem.objects.current(campaign, VALIDATE, part))


def choose(worker: User, items: list[ExerciseItem], choice: int) -> dict[str, int]:
    return {str(item.public_id): order_shown(item, worker).index(choice) + 1 for item in items}


def train(worker: User, campaign: Campaign, answers: dict[str, int]) -> services.Training:
    return services.train(worker=worker, campaign=campaign, answers=answers, skill=VALIDATE)


def test_each_answer_of_the_training_is_explained_at_once_and_a_wrong_one_costs_nothing(
    bob: User, trained_for: Campaign
) -> None:
    items = items_of(trained_for)
    first = train(bob, trained_for, choose(bob, items[:1], 1))
    [explained] = first.explained
    assert (explained.is_right, explained.explanation, first.is_done) == (False, "As 0.", False)
    assert not Qualification.objects.exists()
    wrong = train(bob, trained_for, choose(bob, items, 1))
    assert (wrong.is_done, wrong.n_right, len(wrong.explained)) == (False, 0, 3)
    done = train(bob, trained_for, choose(bob, items, 2))
    assert (done.is_done, done.n_right, done.n_items) == (True, 3, 3)
    assert eligibility(bob, trained_for, skill=VALIDATE).may_work


def test_a_training_without_a_test_pays_for_answers_that_are_right_at_the_end(
    bob: User, trained_for: Campaign
) -> None:
    """Before: $0.50 whatever was answered."""
    items = items_of(trained_for)
    two_right = choose(bob, items[:2], 2) | choose(bob, items[2:], 1)
    assert not train(bob, trained_for, two_right).is_done
    assert not LedgerEntry.objects.exists()
    train(bob, trained_for, two_right | choose(bob, items[2:], 2))
    assert LedgerEntry.objects.get().amount == Decimal("0.50")


def test_further_items_of_a_training_take_the_place_of_those_answered_wrongly(
    bob: User, trained_for: Campaign
) -> None:
    Campaign.objects.update(exercise_length=2)
    trained_for.refresh_from_db()
    items = items_of(trained_for)
    begun = train(bob, trained_for, choose(bob, items[:1], 1) | choose(bob, items[1:2], 2))
    assert (begun.n_right, begun.n_items, begun.is_done) == (1, 2, False)
    done = train(bob, trained_for, choose(bob, items[:1], 1) | choose(bob, items[1:], 2))
    assert (done.n_right, done.is_done) == (2, True)


def test_a_training_alone_is_paid_once(bob: User, trained_for: Campaign) -> None:
    answers = choose(bob, items_of(trained_for), 2)
    for _ in range(2):
        train(bob, trained_for, answers)
    entry = LedgerEntry.objects.get()
    assert (entry.kind, entry.amount) == ("training", Decimal("0.50"))


def test_training_and_test_are_paid_together_once(bob: User, trained_for: Campaign) -> None:
    services.set_exercise(campaign=trained_for, items=TRAINING[:2], skill=VALIDATE)
    train(bob, trained_for, choose(bob, items_of(trained_for), 2))
    assert not LedgerEntry.objects.exists()
    test = choose(bob, items_of(trained_for, "test"), 2)
    made = services.submit_exercise(
        worker=bob, campaign=trained_for, number=1, answers=test, skill=VALIDATE
    )
    assert (made.qualification.status, made.qualification.skill) == ("passed", "validate")
    assert LedgerEntry.objects.count() == 1


def test_a_test_that_came_after_a_paid_training_is_not_paid_again(
    bob: User, trained_for: Campaign
) -> None:
    train(bob, trained_for, choose(bob, items_of(trained_for), 2))
    services.set_exercise(campaign=trained_for, items=TRAINING[:1], skill=VALIDATE)
    Campaign.objects.update(reward_exercise="0.80")
    trained_for.refresh_from_db()
    test = choose(bob, items_of(trained_for, "test"), 1)
    services.submit_exercise(
        worker=bob, campaign=trained_for, number=1, answers=test, skill=VALIDATE
    )
    assert LedgerEntry.objects.get().amount == Decimal("0.50")


def test_the_test_waits_for_the_training(bob: User, trained_for: Campaign) -> None:
    services.set_exercise(campaign=trained_for, items=TRAINING, skill=VALIDATE)
    answers = choose(bob, items_of(trained_for, "test"), 2)
    with pytest.raises(DomainError) as refused:
        services.submit_exercise(
            worker=bob, campaign=trained_for, number=1, answers=answers, skill=VALIDATE
        )
    assert refused.value.code == "training_not_done"


def test_answers_to_another_training_are_refused(bob: User, trained_for: Campaign) -> None:
    answers = choose(bob, items_of(trained_for), 2)
    services.set_exercise(campaign=trained_for, items=TRAINING[:1], skill=VALIDATE, part="training")
    with pytest.raises(DomainError) as refused:
        train(bob, trained_for, answers)
    assert refused.value.code == "exercise_changed"
    with pytest.raises(DomainError) as refused:
        train(bob, trained_for, {str(items_of(trained_for)[0].public_id): 9})
    assert refused.value.code == "exercise_incomplete"
    with pytest.raises(DomainError) as refused:
        services.train(worker=bob, campaign=trained_for, answers={}, skill=WRITE)
    assert refused.value.code == "no_training"


def test_parts_and_kinds_of_work_have_items_of_their_own(trained_for: Campaign) -> None:
    services.set_exercise(campaign=trained_for, items=TRAINING[:1])
    services.set_exercise(campaign=trained_for, items=TRAINING[:2], skill=VALIDATE)
    services.set_exercise(campaign=trained_for, items=[], skill=VALIDATE, part="training")
    current = ExerciseItem.objects.filter(retired_at=None)
    assert sorted(current.values_list("skill", "part")) == [
        ("validate", "test"),
        ("validate", "test"),
        ("write", "test"),
    ]


def test_a_validator_who_failed_is_not_trained_any_more(bob: User, trained_for: Campaign) -> None:
    failed = QualificationFactory(worker=bob, campaign=trained_for, skill=VALIDATE, failed=True)
    AttemptFactory(qualification=failed)
    with pytest.raises(DomainError) as refused:
        train(bob, trained_for, choose(bob, items_of(trained_for), 2))
    assert refused.value.code == "exercise_failed"


def test_studies_of_other_work_are_no_session_for_validating(bob: User, campaign: Campaign) -> None:
    person = Participant.objects.create(provider="generic", external_id="p", worker=bob)
    study = StudyFactory(campaign=campaign, skill=WRITE)
    CrowdSession.objects.create(study=study, participant=person, external_id="1")
    assert codes(bob, campaign) == ["session_over"]
