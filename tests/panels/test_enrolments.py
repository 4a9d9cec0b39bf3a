"""Panels of enrolments: each person answers every item, in an own order, for the whole amount."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from collection.models import Campaign
from collection.selectors.budget import committed
from panels import selectors, services
from panels.models import Enrolment, Panel, PanelSeat
from tests.factories import CampaignFactory, UserFactory
from tests.panels.people import answer_all, claim, enrol, vote
from tests.panels.toy import enrolled
from tests.refusals import refused
from validation.selectors.reconciliation import check_ledger
from workers.models import LedgerEntry, User


def begun(panel: Panel) -> User:
    """Return a worker who has enrolled."""
    worker: User = UserFactory()
    enrol(worker, panel)
    return worker


def lapsed(panel: Panel, worker: User) -> PanelSeat:
    seat = claim(worker, panel)
    past = timezone.now() - timedelta(minutes=1)
    PanelSeat.objects.filter(pk=seat.pk).update(leased_until=past)
    return seat


def rewards_of(worker: User, panel: Panel) -> list[Decimal]:
    seats = panel.seats.filter(worker=worker).order_by("answered_at")
    return list(seats.values_list("reward", flat=True))


def test_each_has_a_seat_of_every_item_in_an_own_order_with_pairs_apart() -> None:
    of = enrolled(n_pairs=22)
    orders = []
    for number in (1, 2):
        seats = of.seats.filter(number=number).order_by("place").select_related("item")
        orders.append([seat.item.item for seat in seats])
    assert orders[0] != orders[1]
    for order in orders:
        places: dict[str, list[int]] = {}
        for place, item in enumerate(order):
            places.setdefault(item.group, []).append(place)
        assert len(order) == 44
        assert min(two[1] - two[0] for two in places.values()) >= 20


def test_a_person_gets_the_items_in_their_order_and_the_whole_amount(bob: User) -> None:
    of = enrolled(n_pairs=3, whole_set=Decimal("100.00"))
    number = enrol(bob, of).number
    assert answer_all(of, [bob]) == 6
    seats = of.seats.filter(number=number)
    assert list(seats.order_by("answered_at")) == list(seats.order_by("place"))
    assert rewards_of(bob, of) == [*[Decimal("16.66")] * 5, Decimal("16.70")]
    assert LedgerEntry.objects.filter(worker=bob).total() == Decimal("100.00")
    assert check_ledger().reconciled


def test_each_answer_can_pay_the_same_instead() -> None:
    of = enrolled(reward=Decimal("0.25"))
    bob = begun(of)
    answer_all(of, [bob])
    assert set(rewards_of(bob, of)) == {Decimal("0.25")}


def test_as_many_as_wanted_enrol_and_the_next_is_refused() -> None:
    of, people = enrolled(), UserFactory.create_batch(2)
    assert sorted(enrol(person, of).number for person in people) == [1, 2]
    assert enrol(people[0], of).number == 1
    with refused("set_is_full"):
        enrol(UserFactory(), of)


def test_nobody_claims_without_an_enrolment() -> None:
    with refused("not_enrolled"):
        claim(UserFactory(), enrolled())


@pytest.mark.parametrize("field", ["author", "other_author"])
def test_authors_and_who_knows_do_not_enrol_and_are_not_offered_it(field: str) -> None:
    alice, dana = UserFactory.create_batch(2)
    of = enrolled(created_by=dana, **{field: alice.pk})
    with refused("author_of_set"):
        enrol(alice, of)
    with refused("knows_jokes"):
        enrol(dana, of)
    assert not selectors.offered_to(alice, now=timezone.now()).exists()
    assert selectors.offered_to(UserFactory(), now=timezone.now()).get() == of


def test_it_is_offered_until_one_has_answered_every_item() -> None:
    of = enrolled(1)
    bob = begun(of)
    vote(claim(bob, of))
    assert selectors.offered_to(bob, now=timezone.now()).get().n_given == 1
    answer_all(of, [bob])
    assert not selectors.offered_to(bob, now=timezone.now()).exists()


def test_what_fails_is_said_only_with_no() -> None:
    of = enrolled()
    bob = begun(of)
    seat = claim(bob, of)
    for option, fails in [(1, "sense"), (2, "taste")]:
        with refused("fails_unknown"):
            services.cast_vote(worker=bob, seat_id=seat.public_id, shown_option=option, fails=fails)


def test_an_answer_after_the_lease_is_refused_while_paused_and_the_seat_comes_again() -> None:
    of = enrolled()
    bob = begun(of)
    seat = lapsed(of, bob)
    services.change_panel_status(panel=of, status="paused")
    with refused("lease_expired"):
        vote(seat)
    services.change_panel_status(panel=of, status="open")
    again = claim(bob, of)
    assert (again, again.reward) == (seat, seat.reward)
    assert vote(again).option == 1


def test_an_answer_after_the_lease_and_the_end_of_the_enrolment_is_refused() -> None:
    of = enrolled()
    bob = begun(of)
    seat = lapsed(of, bob)
    services.end_enrolment(enrolment=Enrolment.objects.get(worker=bob))
    with refused("not_found"):
        vote(seat)


def test_a_successor_finishes_an_ended_enrolment_and_both_are_paid_the_amount_together() -> None:
    of, bob, carol = enrolled(n_pairs=3), UserFactory(), UserFactory()
    enrolment = enrol(bob, of)
    vote(claim(bob, of))
    claim(bob, of)
    services.end_enrolment(enrolment=enrolment)
    services.end_enrolment(enrolment=enrolment)
    with refused("not_enrolled"):
        claim(bob, of)
    with refused("enrolment_ended"):
        enrol(bob, of)
    assert enrol(carol, of).number == enrolment.number
    assert answer_all(of, [carol]) == 5
    assert LedgerEntry.objects.all().total() == Decimal("5.00")
    assert check_ledger().reconciled


def test_a_free_or_finished_enrolment_does_not_end() -> None:
    of, bob = enrolled(), UserFactory()
    enrolment = enrol(bob, of)
    answer_all(of, [bob])
    for one in (enrolment, Enrolment.objects.free().first()):
        with pytest.raises(ValidationError):
            services.end_enrolment(enrolment=one)


def test_a_paused_panel_gives_no_seats_and_lets_holders_answer() -> None:
    of = enrolled()
    bob = begun(of)
    seat = claim(bob, of)
    services.change_panel_status(panel=of, status="paused")
    with refused("evaluation_not_open"):
        enrol(UserFactory(), of)
    vote(seat)
    with refused("evaluation_not_open"):
        claim(bob, of)
    services.change_panel_status(panel=of, status="closed")
    with refused("transition_refused"):
        services.change_panel_status(panel=of, status="open")


def test_a_paused_campaign_gives_no_seats() -> None:
    of = enrolled()
    bob = begun(of)
    Campaign.objects.filter(pk=of.campaign_id).update(status="paused")
    with refused("campaign_not_open"):
        claim(bob, of)
    Campaign.objects.filter(pk=of.campaign_id).update(status="closed")
    assert claim(bob, of)


def test_the_budget_holds_all_that_a_panel_will_cost() -> None:
    campaign = CampaignFactory(budget_cap=Decimal("10.00"))
    of = enrolled(3, campaign=campaign)
    assert committed(campaign) == Decimal("10.00")
    bob = begun(of)
    vote(claim(bob, of))
    assert committed(campaign) == Decimal("10.00")
    answer_all(of, [bob])
    assert committed(campaign) == Decimal("10.00")
    services.change_panel_status(panel=of, status="closed")
    assert committed(campaign) == Decimal("5.00")


def test_a_panel_beyond_the_budget_is_refused_whole() -> None:
    with refused("budget_exhausted"):
        enrolled(campaign=CampaignFactory(budget_cap=Decimal("9.99")))
    assert not PanelSeat.objects.exists()


@pytest.mark.long
def test_a_further_person_answers_in_place_of_one_whose_answers_are_excluded() -> None:
    of = enrolled(2)
    bob, carol, dana = begun(of), begun(of), UserFactory()
    answer_all(of, [bob, carol])
    services.exclude_votes_of(worker=bob, panel=of, reason="Too quick.", by=dana)
    assert selectors.progress_of(of).n_complete == 0
    assert committed(of.campaign) == Decimal("15.00")
    further = UserFactory()
    assert enrol(further, of).number == 3
    assert answer_all(of, [further]) == 4
    assert sum(rewards_of(further, of)) == Decimal("5.00")
    assert selectors.progress_of(of).n_complete == 4
    assert check_ledger().reconciled


def test_a_restored_answer_needs_no_further_person() -> None:
    of, dana = enrolled(1), UserFactory()
    bob = begun(of)
    seat = vote(claim(bob, of))
    services.exclude_vote(vote_id=seat.public_id, reason="Too quick.", by=dana)
    assert of.enrolments.free().filter(number=3).exists()
    services.restore_vote(vote_id=seat.public_id, reason="", by=dana)
    assert not of.enrolments.filter(number=3).exists()
    assert of.seats.count() == 4
