"""The order of the queue: writers take turns, what is begun is finished first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from collection.models import Campaign, Question, Twin
from tests.factories import SENTENCES, CampaignFactory, TwinFactory, UserFactory
from validation import services
from validation.models import Seat
from validation.services.validating.seats import Line, next_round, place_of, round_of
from winoplatform.errors import DomainError
from workers.models import User


def opened(campaign: Campaign, author: User | None) -> Twin:
    twin = TwinFactory(campaign=campaign, author=author)
    services.open_seats(twin=twin)
    return twin


def rounds(*twins: Twin) -> list[int]:
    return [round_of(Seat.objects.filter(twin=twin).order_by("place")[0].place) for twin in twins]


def validated(campaign: Campaign, worker: User) -> Seat | None:
    try:
        seat = services.claim_seat(worker=worker, campaign=campaign)
    except DomainError:
        return None
    services.answer_local(worker=worker, seat_id=seat.public_id, shown_option=None)
    services.cast_vote(worker=worker, seat_id=seat.public_id, shown_option=1, ambiguous=False)
    return seat


# -- the numbers -----------------------------------------------------------------------------------
@given(st.integers(0, 2**22), st.integers(1, 2**38), st.integers(0, 2**22), st.integers(1, 2**38))
def test_places_sort_by_round_and_then_by_age(a: int, old: int, b: int, new: int) -> None:
    one = place_of(Question(twin=Twin(pk=old), number=2), round_number=a)
    other = place_of(Question(twin=Twin(pk=new), number=2), round_number=b)
    assert (a, old) == (b, new) or (one < other) == ((a, old) < (b, new))
    assert round_of(one) == a
    assert one < 2**63


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Line(None, None, None), 0),
        (Line(untouched=5, last=9, own=None), 5),
        (Line(untouched=5, last=9, own=2), 5),
        (Line(untouched=5, last=9, own=7), 8),
        (Line(untouched=None, last=9, own=None), 9),
        (Line(untouched=None, last=9, own=9), 10),
    ],
    ids=str,
)
def test_a_new_twin_is_in_the_present_round_or_in_its_authors_next(
    line: Line, expected: int
) -> None:
    def place(number: int | None) -> int | None:
        return None if number is None else number << 40

    packed = Line(place(line.untouched), place(line.last), place(line.own))
    assert next_round(packed) == expected


# -- the queue -------------------------------------------------------------------------------------
def test_who_writes_much_does_not_push_the_others_back() -> None:
    campaign, alice, bob = CampaignFactory(), UserFactory(), UserFactory()
    many = [opened(campaign, alice) for _ in range(3)]
    one = opened(campaign, bob)
    assert rounds(*many, one) == [0, 1, 2, 0]
    carol = UserFactory()
    order = [validated(campaign, carol).twin for _ in range(4)]  # type: ignore[union-attr]
    assert order == [many[0], one, many[1], many[2]]


def test_what_was_begun_is_finished_before_what_is_new(campaign: Campaign, alice: User) -> None:
    old = TwinFactory.create_batch(2, campaign=campaign, author=alice, sentences=SENTENCES[:1])
    for twin in old:
        services.open_seats(twin=twin)
    bob, carol = UserFactory.create_batch(2)
    for _ in range(2):
        validated(campaign, bob)  # begins both, the second in its author's next round
    new = opened(campaign, UserFactory())
    order = [validated(campaign, carol).twin for _ in range(3)]  # type: ignore[union-attr]
    assert order == [*old, new]


def test_a_newcomer_waits_for_one_round_and_not_for_the_whole_queue() -> None:
    campaign, alice = CampaignFactory(), UserFactory()
    for _ in range(5):
        opened(campaign, alice)
    assert rounds(opened(campaign, UserFactory())) == [0]


def test_who_comes_to_an_empty_queue_gets_no_debt_of_old_rounds_to_jump_over() -> None:
    campaign, alice = CampaignFactory(votes_per_question=1), UserFactory()
    for _ in range(3):
        opened(campaign, alice)
    validators = UserFactory.create_batch(2)
    while any(validated(campaign, validator) for validator in validators):
        pass
    newcomer, old_hand = opened(campaign, UserFactory()), opened(campaign, alice)
    assert rounds(newcomer, old_hand) == [2, 3]


def test_twins_without_an_author_stand_in_the_present_round(campaign: Campaign) -> None:
    twins = [TwinFactory(campaign=campaign, published=True) for _ in range(2)]
    for twin in twins:
        twin.votes_per_question = 1  # of one written here that lost its author
        services.open_seats(twin=twin)
    assert rounds(*twins) == [0, 0]


def test_both_questions_of_a_twin_share_a_round_and_no_place() -> None:
    twin = opened(CampaignFactory(), UserFactory())
    places = {place for (place,) in Seat.objects.filter(twin=twin).values_list("place")}
    assert len(places) == 2
    assert len({round_of(place) for place in places}) == 1


def test_campaigns_do_not_see_each_others_queues(alice: User) -> None:
    assert rounds(opened(CampaignFactory(), alice), opened(CampaignFactory(), alice)) == [0, 0]


def test_opening_asks_a_few_questions_however_long_the_queue(
    django_assert_max_num_queries: DjangoAssertNumQueries, campaign: Campaign, alice: User
) -> None:
    for _ in range(5):
        opened(campaign, alice)
    twin = TwinFactory(campaign=campaign, author=alice)
    with django_assert_max_num_queries(7):
        services.open_seats(twin=twin)


@pytest.mark.long
def test_the_queue_does_not_tell_which_sentence_of_a_twin_is_its_first(campaign: Campaign) -> None:
    """Before: of 40 twins the first sentence came first 40 times; now within 5 sigma of half."""
    twins = [opened(campaign, UserFactory()) for _ in range(40)]
    first = [Seat.objects.filter(twin=twin).order_by("place")[0].question.number for twin in twins]
    assert 5 <= first.count(1) <= 35
