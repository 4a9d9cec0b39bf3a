"""Annotators of a knowledge set: enrolment, order, answers and pay."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from collection.models import Campaign
from collection.selectors.budget import committed
from corpora import services as corpora
from corpora.models import Draw
from corpora.selectors import released
from knowledge import services
from knowledge.core.formalisation import Thing
from knowledge.models import Enrolment, SentenceSeat
from knowledge.selectors import held_sentence, progress, set_figures
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import carried, frozen, snapshot_of
from tests.knowledge.annotating import (
    answer,
    answer_all,
    claim,
    enrol,
    formalisation,
    formula,
    knowledge_set,
    pair,
    validation,
)
from tests.knowledge.wsc_formal import TROPHY
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers.models import LedgerEntry

pytestmark = pytest.mark.django_db


def refused(code):
    return pytest.raises(DomainError, check=lambda error: error.code == code)


def test_beginning_makes_a_seat_a_number_for_each_sentence_in_each_annotators_own_order():
    of = validation(n_pairs=22)
    orders = [
        list(of.seats.filter(number=number).order_by("place").values_list("sentence", flat=True))
        for number in range(1, 7)
    ]
    assert all(len(set(order)) == 44 for order in orders)
    assert len(set(map(tuple, orders))) == 6
    pairs = {s.pk: s.pair_id for s in of.knowledge_set.sentences.all()}
    for order in orders:
        places = {}
        for place, sentence in enumerate(order):
            places.setdefault(pairs[sentence], []).append(place)
        assert min(two[1] - two[0] for two in places.values()) >= 20


def test_an_annotator_sees_the_problem_with_variables_and_no_label():
    of, bob = validation(n_pairs=1), UserFactory()
    enrol(bob, of)
    seats = answer_all(bob, of)
    assert {seat.sentence.problem for seat in seats} == {
        "The trophy does not fit into the suitcase because _ is too large. The _ is more likely to "
        f"refer to the trophy than the suitcase because if person X is {when}, person Y waits for "
        "X, as rule 0 says."
        for when in ("late", "on time")
    }


def test_an_annotator_gets_the_sentences_in_their_order_and_the_whole_amount():
    of, bob = validation(), UserFactory()
    number = enrol(bob, of).number
    seats = answer_all(bob, of)
    expected = of.seats.filter(number=number).order_by("place").values_list("pk", flat=True)
    assert [seat.pk for seat in seats] == list(expected)
    entries = LedgerEntry.objects.filter(worker=bob)
    assert {entry.kind for entry in entries} == {"knowledge"}
    assert entries.total() == Decimal("500.00")
    assert len(seats) == 4
    assert check_ledger().reconciled


def test_the_last_answer_takes_the_rest():
    of, bob = validation(n_pairs=3, whole_set=Decimal("100.00")), UserFactory()
    enrol(bob, of)
    rewards = [seat.reward for seat in answer_all(bob, of)]
    assert rewards == [*[Decimal("16.66")] * 5, Decimal("16.70")]


def test_each_answer_can_pay_the_same_instead():
    of, bob = validation(reward=Decimal("0.25")), UserFactory()
    enrol(bob, of)
    assert {seat.reward for seat in answer_all(bob, of)} == {Decimal("0.25")}


def test_six_enrol_and_the_seventh_is_refused():
    of = validation()
    people = UserFactory.create_batch(6)
    assert sorted(enrol(person, of).number for person in people) == [1, 2, 3, 4, 5, 6]
    assert enrol(people[0], of).number == 1
    with refused("set_is_full"):
        enrol(UserFactory(), of)


def test_nobody_claims_without_an_enrolment():
    of = validation()
    with refused("not_enrolled"):
        claim(UserFactory(), of)


def test_authors_of_sentences_and_formulas_and_curators_do_not_enrol():
    alice, carol = UserFactory.create_batch(2)
    of = knowledge_set()
    pair(of, 7, by=alice)
    formula(of, carol)
    made = validation(of=of)
    for person, code in [
        (alice, "author_of_set"),
        (carol, "author_of_set"),
        (UserFactory(curator=True), "knows_labels"),
    ]:
        with refused(code):
            enrol(person, made)


def test_a_second_claim_returns_the_same_seat_and_the_same_answer_counts_once():
    of, bob = validation(), UserFactory()
    enrol(bob, of)
    seat = claim(bob, of)
    assert claim(bob, of) == seat
    assert answer(seat, False, "sense") == answer(seat, False, "sense")
    assert LedgerEntry.objects.count() == 1
    with refused("already_answered"):
        answer(seat, True)


def test_what_fails_is_said_only_with_no():
    of, bob = validation(), UserFactory()
    enrol(bob, of)
    seat = claim(bob, of)
    for yes, fails in [(True, "sense"), (False, "taste")]:
        with refused("fails_unknown"):
            answer(seat, yes, fails)
    assert answer(seat, False, "both").fails == "both"


def lapsed(of, worker):
    enrol(worker, of)
    seat = claim(worker, of)
    past = timezone.now() - timedelta(minutes=1)
    SentenceSeat.objects.filter(pk=seat.pk).update(leased_until=past)
    return seat


def test_an_answer_after_the_lease_counts_and_is_paid_once_while_the_validation_is_open():
    of, bob = validation(), UserFactory()
    seat = lapsed(of, bob)
    assert answer(seat).yes
    assert answer(seat).pk == seat.pk
    assert LedgerEntry.objects.count() == 1


def test_an_answer_after_the_lease_is_refused_while_paused_and_the_seat_comes_again():
    of, bob = validation(), UserFactory()
    seat = lapsed(of, bob)
    services.change_validation_status(validation=of, status="paused")
    with refused("lease_expired"):
        answer(seat)
    services.change_validation_status(validation=of, status="open")
    again = claim(bob, of)
    assert again.pk == seat.pk
    assert again.reward == seat.reward
    assert answer(again).yes


def test_an_answer_after_the_lease_and_the_end_of_the_enrolment_is_refused():
    of, bob = validation(), UserFactory()
    seat = lapsed(of, bob)
    services.end_enrolment(enrolment=Enrolment.objects.get(worker=bob))
    with refused("not_found"):
        answer(seat)


def test_a_heartbeat_keeps_a_seat_and_a_returned_one_comes_first_again():
    of, bob = validation(), UserFactory()
    enrol(bob, of)
    seat = claim(bob, of)
    kept = services.beat_sentence(worker=bob, seat_id=seat.public_id)
    assert kept.leased_until >= seat.leased_until
    services.return_sentence(worker=bob, seat_id=seat.public_id)
    assert held_sentence(bob, of, now=timezone.now()) is None
    assert claim(bob, of) == seat


def test_another_worker_neither_answers_nor_keeps_nor_returns_a_seat():
    of, bob, carol = validation(), UserFactory(), UserFactory()
    enrol(bob, of)
    seat = claim(bob, of)
    with refused("not_found"):
        services.answer_sentence(worker=carol, seat_id=seat.public_id, yes=True)
    with refused("not_found"):
        services.beat_sentence(worker=carol, seat_id=seat.public_id)
    services.return_sentence(worker=carol, seat_id=seat.public_id)
    assert held_sentence(bob, of, now=timezone.now()) == seat


def test_a_successor_finishes_an_ended_enrolment_and_both_are_paid_the_amount_together():
    of, bob, carol = validation(n_pairs=3), UserFactory(), UserFactory()
    enrolment = enrol(bob, of)
    answer(claim(bob, of))
    claim(bob, of)
    services.end_enrolment(enrolment=enrolment)
    services.end_enrolment(enrolment=enrolment)
    with refused("not_enrolled"):
        claim(bob, of)
    with refused("enrolment_ended"):
        enrol(bob, of)
    assert enrol(carol, of).number == enrolment.number
    assert len(answer_all(carol, of)) == 5
    assert LedgerEntry.objects.all().total() == Decimal("500.00")
    assert check_ledger().reconciled


def test_a_free_or_finished_enrolment_does_not_end():
    of, bob = validation(), UserFactory()
    enrolment = enrol(bob, of)
    answer_all(bob, of)
    free = Enrolment.objects.free().first()
    for one in (enrolment, free):
        with pytest.raises(ValidationError):
            services.end_enrolment(enrolment=one)


def test_a_paused_validation_gives_no_seats_and_lets_holders_answer():
    of, bob = validation(), UserFactory()
    enrol(bob, of)
    seat = claim(bob, of)
    services.change_validation_status(validation=of, status="paused")
    with refused("validation_not_open"):
        enrol(UserFactory(), of)
    answer(seat)
    with refused("validation_not_open"):
        claim(bob, of)
    services.change_validation_status(validation=of, status="closed")
    with refused("transition_refused"):
        services.change_validation_status(validation=of, status="open")


def test_a_paused_campaign_gives_no_seats():
    of, bob = validation(), UserFactory()
    enrol(bob, of)
    Campaign.objects.filter(pk=of.campaign_id).update(status="paused")
    with refused("campaign_not_open"):
        claim(bob, of)
    Campaign.objects.filter(pk=of.campaign_id).update(status="closed")
    assert claim(bob, of)


def of_release(*, first):
    """A knowledge set over a release of nine pairs, with a pair about a question of the first.

    That pair is drawn into the split *first*, and the others into the other of two.
    """
    snapshot = snapshot_of(frozen(pairs=9))
    others = {"test": "train", "train": "test"}[first]
    Draw.objects.bulk_create(
        Draw(twin=twin, split=others if number else first, origin="linked", is_pair=True)
        for number, twin in enumerate(snapshot.campaign.twins.all())
    )
    release = carried(corpora.build_release(snapshot=snapshot, name="beds", by=None))
    of = services.create_knowledge_set(name="beds", by=None, release=release)
    row = next(row for row in released(release) if row.split == first)
    things = (Thing("First"), Thing("Second"))
    content = replace(
        TROPHY,
        things=things,
        options=("First", "Second"),
        answer=things[row.item.answer - 1].name,
        outcome=None,
    )
    question = services.formalise(
        knowledge_set=of, question=row.item.id, formalisation=content, formulas=[], by=None
    )
    pair(of, formalisation=question)
    return of


def test_annotators_see_no_question_whose_label_a_release_holds_back():
    of = of_release(first="test")
    with refused("not_a_problem"):
        services.begin_validation(knowledge_set=of, by=None, reward=Decimal(1))
    assert not of.sentences.exclude(problem="").exists()


def test_annotators_see_the_other_questions_of_a_release():
    of = of_release(first="train")
    made = services.begin_validation(knowledge_set=of, by=None, reward=Decimal(1))
    assert made.campaign == of.release.snapshot.campaign
    assert all("is more likely to refer to" in row.problem for row in of.sentences.all())


def test_the_budget_holds_all_that_a_validation_will_cost():
    campaign = CampaignFactory(currency="CNY", budget_cap=Decimal("3000.00"))
    of, bob = validation(of=knowledge_set(campaign=campaign)), UserFactory()
    assert committed(campaign) == Decimal("3000.00")
    enrol(bob, of)
    answer_all(bob, of)
    assert committed(campaign) == Decimal("3000.00")
    services.change_validation_status(validation=of, status="closed")
    assert committed(campaign) == Decimal("500.00")


def test_a_validation_beyond_the_budget_is_refused_whole():
    campaign = CampaignFactory(currency="CNY", budget_cap=Decimal("2999.99"))
    with refused("budget_exhausted"):
        validation(of=knowledge_set(campaign=campaign))
    assert not SentenceSeat.objects.exists()


def test_what_cannot_be_validated_is_refused():
    with refused("no_problems"):
        validation(n_pairs=0)
    with refused("no_campaign"):
        validation(of=knowledge_set("unpaid", campaign=None))
    of = knowledge_set("half")
    services.write_sentence(
        knowledge_set=of, formalisation=formalisation(of), text="All sleep.", by=None
    )
    with refused("unbalanced"):
        validation(of=of)
    wrong = [{"needed": 3}, {"needed": 7}, {"annotators": 0}, {"reward": Decimal(-1)}]
    for number, asked in enumerate(wrong):
        with pytest.raises(ValidationError):
            validation(of=knowledge_set(f"wrong-{number}"), **asked)


def test_a_set_is_validated_once():
    of = validation()
    with refused("already_begun"):
        services.begin_validation(knowledge_set=of.knowledge_set, by=None, reward=Decimal(1))


def test_figures_are_of_the_answers_so_far():
    of, people = validation(n_pairs=3), UserFactory.create_batch(6)
    for at, person in enumerate(people):
        enrol(person, of)
        answer_all(person, of, lambda seat, at=at: seat.sentence.is_true if at else False)
    found = set_figures(of)
    assert found.figures.n_complete == found.figures.n_valid == 6
    assert found.figures.raw.value == pytest.approx(33 / 36)
    assert found.valid == set(of.knowledge_set.sentences.values_list("pk", flat=True))
    assert set(found.annotators) == {str(person.public_id) for person in people}
    assert (progress(of).n_answered, progress(of).n_wanted, progress(of).n_enrolled) == (36, 36, 6)
