"""Taking a seat: whose turn it is, what lies in whose hands, and for how long."""

from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.factories import (
    SENTENCES,
    CampaignFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.refusals import refusal
from tests.validation.claiming import claim, expire, reason
from validation import services
from validation.models import Seat
from validation.services.validating import statements
from winoplatform.errors import DomainError
from workers.models import User


def test_a_new_twin_gets_three_seats_for_each_of_its_questions() -> None:
    twin = TwinFactory()
    services.open_seats(twin=twin)
    numbers = [
        list(question.seats.order_by("number").values_list("number", flat=True))
        for question in twin.questions.all()
    ]
    assert numbers == [[1, 2, 3], [1, 2, 3]]
    assert {seat.author for seat in twin.seats.all()} == {twin.author}


def test_a_campaign_of_five_votes_opens_five_seats() -> None:
    twin = TwinFactory(campaign__votes_per_question=5, sentences=SENTENCES[:1])
    services.open_seats(twin=twin)
    assert twin.seats.count() == 5


def test_the_oldest_question_comes_first() -> None:
    first = TwinFactory(seats=3)
    TwinFactory(campaign=first.campaign, seats=3)
    seat = claim(UserFactory(), first.campaign)
    assert (seat.question, seat.number) == (first.questions.get(number=1), 1)


def test_the_lease_lasts_as_long_as_the_campaign_says() -> None:
    twin = TwinFactory(campaign__vote_minutes=7, seats=1)
    seat = claim(UserFactory(), twin.campaign)
    left = seat.leased_until - timezone.now()
    assert timedelta(minutes=6, seconds=50) < left <= timedelta(minutes=7)


def test_a_worker_who_asks_again_keeps_the_seat(bob: User) -> None:
    twin = TwinFactory(seats=3)
    assert claim(bob, twin.campaign) == claim(bob, twin.campaign)


def test_a_seat_whose_lease_has_ended_goes_to_the_next_validator() -> None:
    seat = SeatFactory(worker=UserFactory(), opened=True, local_option=2, expired=True)
    taken = claim(UserFactory(), seat.campaign)
    assert taken == seat
    assert (taken.local_at, taken.local_option) == (None, None)


def test_a_worker_whose_lease_has_ended_starts_the_question_again() -> None:
    seat = SeatFactory(worker=UserFactory(), expired=True)
    again = claim(seat.worker, seat.campaign)
    assert again == seat
    assert again.leased_until > timezone.now()


def test_who_saw_the_sentence_and_let_the_lease_end_is_not_asked_again() -> None:
    seat = SeatFactory(worker=UserFactory(), opened=True, expired=True)
    assert reason(seat.worker, seat.campaign) == "yours_or_validated"
    assert claim(UserFactory(), seat.campaign) == seat


def test_nor_is_one_whose_seat_another_validator_has_taken(carol: User) -> None:
    seat = SeatFactory(worker=UserFactory(), opened=True, expired=True)
    assert claim(carol, seat.campaign) == seat
    services.return_seat(worker=carol, seat_id=seat.public_id)
    assert reason(seat.worker, seat.campaign) == "yours_or_validated"


def test_a_returned_question_goes_to_others_and_not_back(bob: User) -> None:
    twin = TwinFactory(seats=3)
    seat = claim(bob, twin.campaign)
    services.return_seat(worker=bob, seat_id=seat.public_id)
    services.return_seat(worker=bob, seat_id=seat.public_id)
    assert reason(bob, twin.campaign) == "yours_or_validated"
    assert claim(UserFactory(), twin.campaign) == seat


def test_a_seat_that_went_to_another_validator_is_an_ended_lease() -> None:
    seat = SeatFactory(worker=UserFactory(), opened=True, expired=True)
    claim(UserFactory(), seat.campaign)
    with pytest.raises(DomainError) as caught:
        services.cast_vote(
            worker=seat.worker, seat_id=seat.public_id, shown_option=1, ambiguous=False
        )
    assert (caught.value.code, caught.value.status) == ("lease_expired", 410)


def test_nobody_validates_a_twin_of_their_own() -> None:
    twin = TwinFactory(seats=3)
    assert reason(twin.author, twin.campaign) == "yours_or_validated"


def test_nobody_validates_both_twins() -> None:
    twin = TwinFactory(seats=3)
    vote = VoteFactory(
        seat=SeatFactory(
            question=twin.questions.get(number=2),
            opened=True,
            worker=UserFactory(),
            answered_at=timezone.now(),
        )
    )
    assert reason(vote.seat.worker, twin.campaign) == "yours_or_validated"


def test_seats_of_another_campaign_are_not_handed_out() -> None:
    TwinFactory(seats=3)
    assert reason(UserFactory(), CampaignFactory()) == "all_validated"


def test_a_published_question_without_an_author_is_open_to_everybody() -> None:
    twin = TwinFactory(published=True, seats=1)
    assert claim(UserFactory(), twin.campaign).twin == twin


def test_when_every_seat_is_in_other_hands_the_next_time_to_ask_is_told() -> None:
    seat = SeatFactory(worker=UserFactory())
    SeatFactory(
        worker=UserFactory(),
        question__twin__campaign=seat.campaign,
        leased_until=seat.leased_until + timedelta(minutes=1),
    )
    with pytest.raises(DomainError) as caught:
        claim(UserFactory(), seat.campaign)
    assert caught.value.details["reason"] == "all_leased"
    assert caught.value.details["again_at"] == seat.leased_until.isoformat()


def test_when_every_question_has_its_votes_the_queue_says_so() -> None:
    vote = VoteFactory()
    assert reason(UserFactory(), vote.seat.campaign) == "all_validated"


@pytest.mark.parametrize("status", ["draft", "paused", "closed"])
def test_a_campaign_that_is_not_open_hands_out_nothing(status: str) -> None:
    twin = TwinFactory(campaign__status=status, seats=3)
    with pytest.raises(DomainError) as caught:
        claim(UserFactory(), twin.campaign)
    assert (caught.value.code, caught.value.status) == ("campaign_not_open", 409)


def test_a_seat_already_held_is_kept_while_the_campaign_pauses() -> None:
    twin = TwinFactory(campaign__status="paused")
    seat = SeatFactory(worker=UserFactory(), question=twin.questions.get(number=1))
    assert claim(seat.worker, seat.campaign) == seat


class TestAValidatorWhoRanAheadOfTheOthers:
    """The head of the queue is then full of questions that this validator has validated."""

    @pytest.fixture(autouse=True)
    def short_head(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(statements, "HEAD_SEATS", 4)
        monkeypatch.setattr(statements, "claims", statements.claims.__wrapped__)
        self.campaign, self.bob = CampaignFactory(), UserFactory()
        self.twins = TwinFactory.create_batch(6, campaign=self.campaign, seats=2)

    def validate(self, *twins: int) -> None:
        for twin in twins:
            seat = self.twins[twin].seats.order_by("pk")[0]
            Seat.objects.filter(pk=seat.pk).update(
                worker=self.bob, leased_until=timezone.now(), answered_at=timezone.now()
            )

    def test_continues_behind_the_furthest_question(self) -> None:
        self.validate(0, 1, 2, 3)
        assert claim(self.bob, self.campaign).twin == self.twins[4]

    def test_gets_what_was_left_out_on_the_way_when_the_end_is_reached(self) -> None:
        self.validate(0, 1, 2, 3, 5)
        assert claim(self.bob, self.campaign).twin == self.twins[4]

    def test_gets_a_free_seat_of_the_head_first(self) -> None:
        self.validate(1, 2, 3)
        assert claim(self.bob, self.campaign).twin == self.twins[0]

    def test_is_told_when_nothing_is_left(self) -> None:
        self.validate(0, 1, 2, 3, 4, 5)
        assert reason(self.bob, self.campaign) == "yours_or_validated"

    def test_asks_the_database_no_more_often_for_a_longer_way(
        self, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        self.validate(0, 1, 2, 3)
        with django_assert_max_num_queries(10):
            claim(self.bob, self.campaign)


def test_who_holds_a_question_that_is_withdrawn_is_told_so() -> None:
    twin = TwinFactory(seats=3)
    validator = UserFactory()
    seat = claim(validator, twin.campaign)
    services.withdraw_seats(twin=twin)

    for call in (partial(services.answer_local, shown_option=None), services.beat):
        error = refusal(call, worker=validator, seat_id=seat.public_id)
        assert (error.code, error.status) == ("question_withdrawn", 410)
    services.return_seat(worker=validator, seat_id=seat.public_id)


def test_whose_lease_had_ended_before_is_told_that() -> None:
    twin = TwinFactory(seats=1)
    bob, carol = UserFactory.create_batch(2)
    seat = claim(bob, twin.campaign)
    expire(seat)
    claim(carol, twin.campaign)
    services.withdraw_seats(twin=twin)

    assert refusal(services.beat, worker=bob, seat_id=seat.public_id).code == "lease_expired"
    assert refusal(services.beat, worker=carol, seat_id=seat.public_id).code == "question_withdrawn"


# -- what a claim promises -------------------------------------------------------------------------
def test_a_claim_notes_its_time_and_promises_the_campaigns_reward() -> None:
    twin = TwinFactory(campaign__reward_vote=Decimal("0.07"), seats=1)
    seat = claim(UserFactory(), twin.campaign)
    seat.refresh_from_db()
    assert seat.reward == Decimal("0.07")
    assert timezone.now() - seat.claimed_at < timedelta(seconds=10)


def test_a_seat_that_is_given_back_promises_nothing_any_more() -> None:
    twin, bob = TwinFactory(seats=1), UserFactory()
    seat = claim(bob, twin.campaign)
    services.return_seat(worker=bob, seat_id=seat.public_id)
    seat.refresh_from_db()
    assert (seat.reward, seat.claimed_at, seat.worker) == (None, None, None)


def test_a_claimed_seat_comes_with_its_question_twin_and_campaign(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    twin = TwinFactory(seats=1)
    seat = claim(UserFactory(), twin.campaign)
    with django_assert_num_queries(0):
        assert seat.question.sentence == SENTENCES[0]
        assert (seat.twin.option1, seat.twin.option2) == (twin.option1, twin.option2)
        assert (seat.campaign.slug, seat.question.twin.campaign) == (
            twin.campaign.slug,
            seat.campaign,
        )


def test_an_extra_seat_stands_where_its_question_stood(bob: User) -> None:
    first = TwinFactory(seats=1)
    TwinFactory(campaign=first.campaign, seats=3)
    question = first.questions.get(number=1)
    claim(bob, first.campaign)
    extra = services.open_extra_seat(question=question, campaign=first.campaign)
    stood = question.seats.exclude(pk=extra.pk).get()
    assert (extra.number, extra.place) == (stood.number + 1, stood.place)
    assert claim(UserFactory(), first.campaign) == extra


def test_seats_that_are_not_wanted_any_more_are_taken_back() -> None:
    twin, bob = TwinFactory(seats=2), UserFactory()
    seat = claim(bob, twin.campaign)
    services.remove_open_seats(question=seat.question)
    assert not seat.question.seats.exists()
    assert refusal(services.beat, worker=bob, seat_id=seat.public_id).code == "question_withdrawn"
