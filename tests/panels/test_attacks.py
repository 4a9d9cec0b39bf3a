"""A greedy worker: wants to see more, vote later and be paid more often than others."""

from datetime import timedelta

import pytest

from collection.models import Campaign
from panels import selectors, services
from panels.models import Panel, PanelSeat, ShownItem
from tests.factories import SeatFactory, UserFactory, VoteFactory
from tests.panels.people import answer_all, claim, next_for, of_a_set, of_twins, vote, vote_for
from tests.refusals import refusal
from validation import services as validation
from winoplatform import clock
from workers.models import LedgerEntry, User

BAD = {
    ("draft", "open"): "campaign_not_open",
    ("draft", "paused"): "campaign_not_open",
    ("draft", "closed"): "campaign_not_open",
    ("paused", "open"): "campaign_not_open",
    ("paused", "paused"): "campaign_not_open",
    ("paused", "closed"): "campaign_not_open",
    ("open", "paused"): "evaluation_not_open",
    ("open", "closed"): "evaluation_not_open",
    ("closed", "paused"): "evaluation_not_open",
    ("closed", "closed"): "evaluation_not_open",
}
GOOD = {("open", "open"): "", ("closed", "open"): ""}


def lapse(seat: PanelSeat) -> None:
    PanelSeat.objects.filter(pk=seat.pk).update(leased_until=seat.claimed_at)


# -- states ----------------------------------------------------------------------------------------
def test_every_state_is_decided() -> None:
    states = {(c, e) for c in Campaign.Status.values for e in Panel.Status.values}
    assert states == set(BAD) | set(GOOD)


@pytest.mark.parametrize(("states", "code"), [*BAD.items(), *GOOD.items()])
def test_new_questions_by_state_and_who_holds_one_may_finish(
    states: tuple[str, str], code: str
) -> None:
    evaluation, bob, carol, dave = of_a_set(), *UserFactory.create_batch(3)
    held, left = claim(bob, evaluation), claim(dave, evaluation)
    Campaign.objects.update(status=states[0])
    Panel.objects.update(status=states[1])
    now = clock.now()
    offered = selectors.offered_to(carol, now=now).exists()
    if code:
        refused = refusal(claim, carol, evaluation)
        assert (refused.code, refused.status, offered) == (code, 409, False)
        assert states[0] in refused.message or states[1] in refused.message
    else:
        assert offered
        assert claim(carol, evaluation)
    assert claim(bob, evaluation) == held
    renewed = services.beat_seat(worker=bob, seat_id=held.public_id)
    assert renewed.leased_until >= held.leased_until  # type: ignore[operator]
    assert vote(held).answered_at
    lapse(left)
    beat = services.beat_seat
    assert refusal(beat, worker=dave, seat_id=left.public_id).code == "lease_expired"
    if code:
        assert refusal(vote, left).code == "lease_expired"
    else:
        assert vote(left).answered_at
    assert LedgerEntry.objects.filter(worker=dave).exists() == (not code)


def test_heartbeats_end_half_an_hour_after_the_claim() -> None:
    evaluation, bob = of_a_set(), UserFactory()
    seat = claim(bob, evaluation)
    now = clock.now()
    PanelSeat.objects.filter(pk=seat.pk).update(
        claimed_at=now - timedelta(minutes=29.5), leased_until=now + timedelta(seconds=20)
    )
    services.change_panel_status(panel=evaluation, status="closed")
    for _ in range(3):
        until = services.beat_seat(worker=bob, seat_id=seat.public_id).leased_until
        assert until is not None
        assert until <= now + timedelta(seconds=31)


# -- seeing more -----------------------------------------------------------------------------------
def test_who_returns_a_question_gets_it_again_and_never_its_twin() -> None:
    evaluation, bob = of_a_set(n_groups=1), UserFactory()
    first = claim(bob, evaluation)
    for _ in range(5):
        services.return_seat(worker=bob, seat_id=first.public_id)
        assert claim(bob, evaluation).item == first.item
    services.return_seat(worker=bob, seat_id=first.public_id)
    others = [claim(other, evaluation) for other in UserFactory.create_batch(3)]
    assert {seat.item for seat in others} == {first.item}
    assert next_for(bob, evaluation) is None
    services.return_seat(worker=others[0].worker, seat_id=others[0].public_id)  # type: ignore[arg-type]
    assert claim(bob, evaluation).item == first.item


def test_control_without_the_record_of_what_was_shown_they_see_both_twins() -> None:
    evaluation, bob = of_a_set(n_groups=1), UserFactory()
    first = claim(bob, evaluation)
    services.return_seat(worker=bob, seat_id=first.public_id)
    for other in UserFactory.create_batch(3):
        claim(other, evaluation)
    ShownItem.objects.all().delete()
    assert claim(bob, evaluation).item != first.item


def test_another_evaluation_does_not_show_the_twin_of_a_returned_question(bob: User) -> None:
    one = of_a_set(n_groups=1)
    seat = claim(bob, one)
    services.return_seat(worker=bob, seat_id=seat.public_id)
    other = of_a_set(data=one.reference_set, n_groups=1)
    assert next_for(bob, other) is None


def test_a_seat_of_another_account_is_of_no_use() -> None:
    evaluation, alice, mallory = of_a_set(), UserFactory(), UserFactory()
    seat = claim(alice, evaluation)
    asked = {"worker": mallory, "seat_id": seat.public_id}
    assert refusal(services.cast_vote, **asked, shown_option=1).code == "not_found"
    assert refusal(services.beat_seat, **asked).code == "not_found"
    services.return_seat(**asked)  # nothing is theirs to return
    assert claim(alice, evaluation) == seat


# -- validation ------------------------------------------------------------------------------------
def test_who_holds_or_returned_a_question_does_not_validate_it_or_its_twin() -> None:
    evaluation, bob = of_twins(1), UserFactory()
    held = claim(bob, evaluation)
    assert held.twin is not None
    for question in held.twin.questions.all():
        SeatFactory(question=question)
    asked = {"worker": bob, "campaign": evaluation.campaign}
    assert refusal(validation.claim_seat, **asked).code == "queue_empty"
    services.return_seat(worker=bob, seat_id=held.public_id)
    assert refusal(validation.claim_seat, **asked).code == "queue_empty"
    assert claim(bob, evaluation).item == held.item


def test_who_holds_a_twin_for_validation_is_not_shown_it_by_an_evaluation() -> None:
    evaluation, bob = of_twins(1), UserFactory()
    item = evaluation.items.first()
    assert item is not None
    assert item.question is not None
    SeatFactory(question=item.question)
    seat = validation.claim_seat(worker=bob, campaign=evaluation.campaign)
    assert next_for(bob, evaluation) is None
    validation.return_seat(worker=bob, seat_id=seat.public_id)
    assert next_for(bob, evaluation) is None


# -- being paid ------------------------------------------------------------------------------------
def test_an_excluded_vote_sent_again_is_neither_counted_nor_paid_again(dana: User) -> None:
    evaluation, bob = of_a_set(n_groups=1), UserFactory()
    seat = vote(claim(bob, evaluation), 1)
    services.exclude_vote(vote_id=seat.public_id, reason="Hasty.", by=dana)
    vote(seat, 1)
    assert refusal(vote, seat, 2).code == "already_answered"
    assert PanelSeat.objects.counting().count() == 0
    assert LedgerEntry.objects.filter(worker=bob).count() == 1


def test_a_vote_whose_twin_was_validated_in_the_meantime_is_not_paid() -> None:
    evaluation, bob = of_twins(1), UserFactory()
    seat = claim(bob, evaluation)
    assert seat.twin is not None
    VoteFactory(question=seat.twin.questions.get(number=1), worker=bob)
    assert refusal(vote, seat).code == "lease_expired"
    assert not LedgerEntry.objects.filter(worker=bob, kind="evaluation").exists()


def test_who_clicks_fast_on_the_first_option_is_named_first() -> None:
    evaluation, spammer, honest = of_a_set(), UserFactory(), UserFactory()
    answer_all(evaluation, [spammer], choose=lambda seat: seat.order[0])
    while (seat := next_for(honest, evaluation)) is not None:
        PanelSeat.objects.filter(pk=seat.pk).update(claimed_at=clock.now() - timedelta(seconds=9))
        vote_for(seat, seat.item.item.answer or 0)
    first, second = selectors.voters_of(evaluation)
    assert (first.worker, first.n, first.first.value) == (spammer.public_id, 3, 1.0)
    assert first.seconds < 5 < second.seconds
