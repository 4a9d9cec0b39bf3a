"""Gold questions: drawn silently, grown from agreement; a warning, then a pause."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import (
    CampaignFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.refusals import refusal
from tests.validation.deciding import a_question, give
from validation import services
from validation.models import GoldQuestion, PassedSeat, QualityNotice, Verdict, Vote
from validation.services import golds
from validation.services.verdicts import growing
from workers.models import Pause, User


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(gold_share=Decimal("0.50"), gold_pass_share=Decimal("0.70"))


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coin always says gold."""
    monkeypatch.setattr(golds._dice, "random", lambda: 0.0)


def a_gold(campaign: Campaign) -> GoldQuestion:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    VerdictFactory(question=question)
    return GoldQuestion.objects.create(campaign=campaign, question=question, origin="chosen")


def drawn(worker: User, campaign: Campaign) -> GoldQuestion | None:
    return golds.seat_for(worker=worker, campaign=campaign, now=timezone.now())


def answer(gold: GoldQuestion, validator: User, *, right: bool, ambiguous: bool = False) -> Vote:
    seat = SeatFactory(
        question=gold.question, number=None, gold=gold, worker=validator, opened=True,
        answered_at=timezone.now(),
    )  # fmt: skip
    vote = VoteFactory(
        seat=seat, worker=validator, question=gold.question, wrong=not right, is_gold=True,
        ambiguous=ambiguous,
    )  # fmt: skip
    golds.weigh(worker=validator, campaign=gold.campaign)
    return vote


def ordinary(validator: User, campaign: Campaign, number: int) -> Vote:
    """An ordinary vote whose id is *number*."""
    question = TwinFactory(campaign=campaign, seats=3).questions.get(number=1)
    seat = SeatFactory(question=question, number=4, worker=validator, opened=True)
    return VoteFactory(
        seat=seat, worker=validator, question=question, public_id=uuid.UUID(int=number)
    )


# -- which question is gold ------------------------------------------------------------------------
def test_the_coin_decides_and_the_same_is_asked_of_the_database_whatever_it_says(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before: a claim took three times as long where its question was gold."""
    gold, validator = a_gold(campaign), UserFactory()
    with CaptureQueriesContext(connection) as asked_for_gold:
        assert drawn(validator, campaign) == gold
    monkeypatch.setattr(golds._dice, "random", lambda: 0.5)
    with CaptureQueriesContext(connection) as asked:
        assert drawn(validator, campaign) is None
    assert len(asked) == len(asked_for_gold) > 0


def test_without_a_share_nothing_is_gold(campaign: Campaign) -> None:
    a_gold(campaign)
    campaign.gold_share = Decimal("0")
    assert drawn(UserFactory(), campaign) is None


def written(gold: GoldQuestion) -> User:
    return gold.question.twin.author


def validated_its_twin(gold: GoldQuestion) -> User:
    return VoteFactory(question=gold.question.twin.questions.get(number=2)).worker


def passed_it(gold: GoldQuestion) -> User:
    passed = PassedSeat.objects.create(twin=gold.question.twin, worker=UserFactory(), blocked=False)
    return passed.worker


def holds_its_twin(gold: GoldQuestion) -> User:
    question = gold.question.twin.questions.get(number=2)
    return SeatFactory(question=question, worker=UserFactory()).worker


@pytest.mark.parametrize("knows", [written, validated_its_twin, passed_it, holds_its_twin])
def test_nobody_is_asked_what_they_know_already(
    campaign: Campaign, knows: Callable[[GoldQuestion], User]
) -> None:
    assert drawn(knows(a_gold(campaign)), campaign) is None


def test_retired_and_other_campaigns_golds_are_not_asked(campaign: Campaign) -> None:
    a_gold(CampaignFactory())
    golds.retire_gold(gold_id=a_gold(campaign).public_id)
    assert drawn(UserFactory(), campaign) is None


# -- how golds come to be --------------------------------------------------------------------------
def test_a_question_on_which_all_agree_becomes_gold() -> None:
    question = a_question(gold_share=Decimal("0.10"))
    give(question, True, True, True)
    gold = GoldQuestion.objects.get()
    assert (gold.question, gold.origin, gold.created_by) == (question, "grown", None)


@pytest.mark.parametrize(
    "doubt",
    [
        lambda question: give(question, True, True, False),
        lambda question: give(question, True, True, True, ambiguous=True),
        lambda question: give(question, True, True, True, local_option=question.answer),
        lambda question: give(question, True, True, True, report="offensive"),
    ],
    ids=["split", "ambiguous", "local", "reported"],
)
def test_no_doubtful_question_becomes_gold(doubt: Callable[[Question], object]) -> None:
    doubt(a_question(gold_share=Decimal("0.10")))
    assert not GoldQuestion.objects.exists()


def test_a_campaign_without_gold_grows_none() -> None:
    give(a_question(), True, True, True)
    assert not GoldQuestion.objects.exists()


def test_the_pool_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "POOL", 0)
    give(a_question(gold_share=Decimal("0.10")), True, True, True)
    assert not GoldQuestion.objects.exists()


def test_curators_choose_valid_questions_only(campaign: Campaign, dana: User) -> None:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    call = {"campaign": campaign, "question_id": question.public_id, "by": dana}
    assert refusal(golds.add_gold, **call).code == "not_valid"
    VerdictFactory(question=question)
    gold = golds.add_gold(**call)
    assert (gold.origin, gold.created_by) == ("chosen", dana)
    golds.retire_gold(gold_id=gold.public_id)
    assert golds.add_gold(**call).retired_at is None
    elsewhere = call | {"campaign": CampaignFactory()}
    assert refusal(golds.add_gold, **elsewhere).code == "not_found"


# -- warn, then pause ------------------------------------------------------------------------------
def test_who_answers_wrongly_is_warned_then_paused(campaign: Campaign) -> None:
    validator = UserFactory()
    for number in range(4):
        answer(a_gold(campaign), validator, right=number == 0)
    assert golds.unseen_notice(validator, campaign) is None
    answer(a_gold(campaign), validator, right=False)
    warning = golds.unseen_notice(validator, campaign)
    assert warning is not None
    assert (warning.kind, warning.n_right, warning.n_answers) == ("warning", 1, 5)
    golds.notice_seen(validator, campaign)
    assert golds.unseen_notice(validator, campaign) is None
    for _ in range(4):
        answer(a_gold(campaign), validator, right=False)
    assert not Pause.objects.exists()
    answer(a_gold(campaign), validator, right=False)
    pause = Pause.objects.get()
    assert (pause.worker, pause.by) == (validator, None)
    assert "gold" not in pause.reason.lower()
    assert QualityNotice.objects.filter(kind="pause").exists()


def test_ambiguous_is_wrong_for_a_gold_question(campaign: Campaign) -> None:
    validator = UserFactory()
    for _ in range(5):
        answer(a_gold(campaign), validator, right=True, ambiguous=True)
    assert QualityNotice.objects.get().n_right == 0


def test_who_does_better_after_the_warning_continues(campaign: Campaign) -> None:
    validator = UserFactory()
    for _ in range(5):
        answer(a_gold(campaign), validator, right=False)
    for _ in range(8):
        answer(a_gold(campaign), validator, right=True)
    assert not Pause.objects.exists()
    assert QualityNotice.objects.count() == 1


def test_who_comes_back_from_a_pause_starts_afresh(campaign: Campaign) -> None:
    validator, then = UserFactory(), timezone.now() - timedelta(seconds=1)
    for _ in range(3):
        answer(a_gold(campaign), validator, right=False)
    QualityNotice.objects.create(
        worker=validator, campaign=campaign, kind="pause", n_right=0, n_answers=5
    )
    for _ in range(4):
        answer(a_gold(campaign), validator, right=False)
    assert QualityNotice.objects.filter(created_at__gt=then).count() == 1
    answer(a_gold(campaign), validator, right=False)
    assert QualityNotice.objects.latest("pk").kind == "warning"


def test_a_validator_whom_a_curator_paused_meanwhile_is_not_paused_twice(
    campaign: Campaign,
) -> None:
    validator = UserFactory()
    for _ in range(5):
        answer(a_gold(campaign), validator, right=False)
    Pause.objects.create(worker=validator, reason="Please wait.", by=UserFactory(curator=True))
    for _ in range(5):
        answer(a_gold(campaign), validator, right=False)
    assert Pause.objects.count() == 1


def test_an_answer_whose_question_was_turned_since_is_held_against_nobody(
    campaign: Campaign,
) -> None:
    validator, wrong = UserFactory(), [a_gold(campaign) for _ in range(5)]
    Verdict.objects.filter(question=wrong[0].question).update(valid=False, reasons=["ambiguous"])
    Verdict.objects.filter(question=wrong[1].question).delete()
    for gold in wrong:
        answer(gold, validator, right=False)
    for _ in range(2):
        assert not QualityNotice.objects.exists()
        answer(a_gold(campaign), validator, right=False)
    assert QualityNotice.objects.get().n_answers == 5


# -- when it is said -------------------------------------------------------------------------------
def careless(campaign: Campaign) -> User:
    """A validator who has answered five golds wrongly, and was told nothing yet."""
    validator = UserFactory()
    for _ in range(5):
        answer(a_gold(campaign), validator, right=False)
    QualityNotice.objects.all().delete()
    return validator


@pytest.mark.long
def test_nothing_is_said_at_a_gold_answer_itself(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(golds, "LOOKED_AT", 1)
    validator, options = UserFactory(), {"shown_option": None}
    for _ in range(6):
        TwinFactory(campaign=campaign, seats=1)
        a_gold(campaign)
        seat = services.claim_seat(worker=validator, campaign=campaign)
        assert seat.gold is not None
        mine = {"worker": validator, "seat_id": seat.public_id}
        services.answer_local(**mine, **options)
        wrong = services.as_shown(seat, 3 - seat.question.answer)
        services.cast_vote(**mine, shown_option=wrong, ambiguous=False)
        services.amend_vote(**mine, shown_option=wrong, ambiguous=True)
    assert not QualityNotice.objects.exists()
    monkeypatch.setattr(golds._dice, "random", lambda: 1.0)
    seat = services.claim_seat(worker=validator, campaign=campaign)
    services.answer_local(worker=validator, seat_id=seat.public_id, **options)
    services.cast_vote(worker=validator, seat_id=seat.public_id, shown_option=1, ambiguous=False)
    assert QualityNotice.objects.get().worker == validator


def test_one_in_five_ordinary_votes_looks_back_and_the_others_ask_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    validator, faces = careless(campaign), iter([1, 2, 3, 4, 0])
    monkeypatch.setattr(golds._dice, "randrange", lambda sides: next(faces))
    for number in range(1, golds.LOOKED_AT):
        vote = ordinary(validator, campaign, number)
        with CaptureQueriesContext(connection) as asked:
            golds.look_back(vote=vote)
        assert not asked.captured_queries
    assert not QualityNotice.objects.exists()
    golds.look_back(vote=ordinary(validator, campaign, golds.LOOKED_AT))
    assert QualityNotice.objects.get().kind == "warning"
