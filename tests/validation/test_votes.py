"""Validating in two steps: the local context, the sentence, the vote, the verdict and the pay."""

import uuid
from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from collection.models import Campaign, Question
from tests.factories import OPTIONS, SeatFactory, TwinFactory, UserFactory
from tests.refusals import refusal
from tests.validation.voting import a_question, held, vote
from validation import services
from validation.models import Seat, Verdict, VerdictEvent, Vote
from workers.models import LedgerEntry


# -- what a validator may see
# --------------------------------------------------------------------------
def test_the_sentence_is_covered_until_the_local_context_is_answered() -> None:
    seat = held(opened=False)
    assert services.view(seat).sentence is None
    services.answer_local(worker=seat.worker, seat_id=seat.public_id, shown_option=None)
    seat.refresh_from_db()
    assert services.view(seat).sentence == seat.question.sentence


def test_the_local_context_is_no_more_than_two_words_before_the_blank() -> None:
    assert services.view(held()).local_context == "because the _ was far too large."


def test_a_view_holds_nothing_of_author_answer_or_other_votes() -> None:
    shown = asdict(services.view(held()))
    assert set(shown) == {"seat", "local_context", "options", "sentence", "leased_until"}
    assert sorted(shown["options"]) == sorted(OPTIONS)


def test_the_options_are_swapped_by_the_seats_own_coin() -> None:
    assert services.view(held(swapped=False)).options == OPTIONS
    assert services.view(held(swapped=True)).options == OPTIONS[::-1]


def test_about_half_of_all_seats_show_the_second_option_first() -> None:
    TwinFactory(seats=200)
    assert 150 < Seat.objects.filter(swapped=True).count() < 250  # five standard deviations


@pytest.mark.parametrize(("swapped", "stored"), [(False, 1), (True, 2)])
def test_answers_are_stored_in_the_twins_own_numbering(swapped: bool, stored: int) -> None:
    seat = held(swapped=swapped, opened=False)
    services.answer_local(worker=seat.worker, seat_id=seat.public_id, shown_option=1)
    cast = vote(seat)
    assert (cast.option, cast.local_option) == (stored, stored)


# -- the local context -----------------------------------------------------------------------------
def test_the_first_local_answer_stands_and_another_is_told_so() -> None:
    seat = held(opened=False, swapped=True)
    answer = partial(services.answer_local, worker=seat.worker, seat_id=seat.public_id)
    for _ in range(2):
        assert answer(shown_option=2).local_option == 1
    for other in (1, None):
        error = refusal(answer, shown_option=other)
        assert (error.code, error.status, error.details) == (
            "already_answered", 409, {"option": 2}
        )  # fmt: skip
    seat.refresh_from_db()
    assert seat.local_option == 1


def test_cannot_tell_is_an_answer_too() -> None:
    seat = held(opened=False)
    services.answer_local(worker=seat.worker, seat_id=seat.public_id, shown_option=None)
    assert vote(seat).local_option is None


def test_a_vote_without_the_local_answer_is_refused() -> None:
    error = refusal(vote, seat=held(opened=False))
    assert (error.code, error.status) == ("local_context_first", 409)


# -- votes -----------------------------------------------------------------------------------------
def test_a_vote_takes_the_seat_and_pays_its_worker() -> None:
    seat = held()
    cast = vote(seat, ambiguous=True, comment="Both would fit.")
    seat.refresh_from_db()
    assert (cast.ambiguous, cast.comment) == (True, "Both would fit.")
    assert seat.answered_at == cast.created_at
    entry = LedgerEntry.objects.get(worker=seat.worker)
    assert (entry.amount, entry.currency) == (Decimal("0.03"), "USD")
    assert (entry.kind, entry.unit) == (LedgerEntry.Kind.VOTE, str(cast.public_id))
    assert entry.budget == seat.campaign.public_id


def test_a_vote_sent_twice_is_the_first_vote() -> None:
    seat = held(swapped=True)
    assert vote(seat, comment="Hm.") == vote(seat, comment="Hm.")
    assert Vote.objects.get().option == 2
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [{"shown_option": 2}, {"ambiguous": True}, {"comment": "No."}, {"report": "offensive"}],
    ids=str,
)
def test_another_vote_is_refused_with_what_stands(other: dict[str, object]) -> None:
    seat = held(swapped=True)
    vote(seat)
    error = refusal(vote, seat=seat, **other)
    assert (error.code, error.status) == ("already_answered", 409)
    assert error.details == {"option": 1, "ambiguous": False, "comment": "", "report": ""}
    assert (Vote.objects.count(), LedgerEntry.objects.count()) == (1, 1)


def test_a_vote_pays_what_its_claim_promised() -> None:
    seat = held(reward=Decimal("0.09"))
    vote(seat)
    assert LedgerEntry.objects.get().amount == Decimal("0.09")


def test_a_report_is_kept_with_the_vote() -> None:
    vote(held(), report="no_sentence", comment="Two words are missing.")
    stored = Vote.objects.get()
    assert (stored.report, stored.comment) == ("no_sentence", "Two words are missing.")


def test_an_unknown_report_is_refused() -> None:
    with pytest.raises(ValidationError):
        vote(held(), report="boring")
    assert not Vote.objects.exists()


@pytest.mark.parametrize("option", [0, 3, -1])
@pytest.mark.parametrize("swapped", [False, True])
def test_an_option_that_is_neither_1_nor_2_is_refused(option: int, swapped: bool) -> None:
    seat = held(swapped=swapped)
    with pytest.raises(ValidationError):
        vote(seat, shown_option=option)
    assert not Vote.objects.exists()


def test_a_vote_after_the_lease_is_refused_once_the_seat_is_free_for_nobody() -> None:
    seat = held(expired=True)
    Campaign.objects.update(status="paused")
    error = refusal(vote, seat=seat)
    assert (error.code, error.status) == ("lease_expired", 410)
    assert not LedgerEntry.objects.exists()


def test_a_local_answer_after_the_lease_is_refused_once_the_seat_is_free_for_nobody() -> None:
    seat = held(opened=False, expired=True)
    Campaign.objects.update(status="paused")
    error = refusal(
        services.answer_local, worker=seat.worker, seat_id=seat.public_id, shown_option=1
    )
    assert error.code == "lease_expired"


@pytest.mark.parametrize(
    "call",
    [
        lambda **seat: services.cast_vote(**seat, shown_option=1, ambiguous=False),
        lambda **seat: services.answer_local(**seat, shown_option=1),
        services.return_seat,
    ],
    ids=["vote", "local", "return"],
)
def test_another_workers_seat_does_not_exist(call: object) -> None:
    error = refusal(call, worker=UserFactory(), seat_id=held().public_id)
    assert (error.code, error.status) == ("not_found", 404)


def test_an_unknown_seat_does_not_exist() -> None:
    error = refusal(services.return_seat, worker=UserFactory(), seat_id=uuid.uuid4())
    assert error.code == "not_found"


def test_a_seat_that_was_voted_with_cannot_be_returned() -> None:
    seat = held()
    vote(seat)
    error = refusal(services.return_seat, worker=seat.worker, seat_id=seat.public_id)
    assert (error.code, error.status) == ("already_voted", 409)


# -- verdicts --------------------------------------------------------------------------------------
def validate(question: Question, *options: int) -> None:
    """Cast one vote for each option, numbered as the twin's own."""
    seats = [held(question=question, number=number) for number in range(1, len(options) + 1)]
    for seat, option in zip(seats, options, strict=True):
        vote(seat, shown_option=services.as_shown(seat, option))


def test_a_campaign_pays_what_it_promises() -> None:
    validate(a_question(reward_vote=Decimal("0.05")), 1)
    assert LedgerEntry.objects.get().amount == Decimal("0.05")


def test_there_is_no_verdict_before_the_last_vote() -> None:
    question = a_question()
    SeatFactory(question=question)
    validate(question, 1, 1)
    assert not Verdict.objects.exists()


def test_the_last_vote_brings_the_verdict() -> None:
    validate(a_question(), 1, 1, 2)
    verdict = Verdict.objects.get()
    assert (verdict.valid, verdict.reasons, verdict.policy) == (True, [], "majority")
    assert list(Verdict.objects.valid()) == [verdict]
    assert verdict.counts == {"votes": 3, "correct": 2, "unambiguous": 3, "local": 0}


def test_a_verdict_follows_the_campaigns_policy_and_says_why_not() -> None:
    validate(a_question(verdict_policy="unanimous"), 1, 1, 2)
    verdict = Verdict.objects.get()
    assert (verdict.valid, verdict.reasons) == (False, ["wrong_answer"])


def test_pay_does_not_depend_on_the_verdict() -> None:
    validate(a_question(), 2, 2, 2)
    assert not Verdict.objects.get().valid
    assert LedgerEntry.objects.total() == Decimal("0.09")


def test_workers_see_their_own_seats_and_votes_and_curators_see_all() -> None:
    cast = vote(held())
    assert list(Vote.objects.visible_to(cast.worker)) == [cast]
    assert list(Seat.objects.visible_to(cast.worker)) == [cast.seat]
    assert not Vote.objects.visible_to(UserFactory()).exists()
    assert not Seat.objects.visible_to(UserFactory()).exists()
    assert list(Vote.objects.visible_to(UserFactory(curator=True))) == [cast]


def amend(seat: Seat, **changes: object) -> Vote:
    answers = {"shown_option": 1, "ambiguous": False, **changes}
    return services.amend_vote(worker=seat.worker, seat_id=seat.public_id, **answers)


def test_the_last_vote_may_be_amended_and_the_audit_log_keeps_both() -> None:
    seat = held(swapped=True)
    first = vote(seat)
    assert services.amendable(worker=seat.worker, campaign=seat.campaign) == seat
    amended = amend(seat, shown_option=2, ambiguous=True, comment="Both.", report="offensive")
    assert amended == first
    stored = Vote.objects.get()
    assert (stored.option, stored.ambiguous, stored.comment) == (1, True, "Both.")
    assert stored.amended_at is not None
    event = VerdictEvent.objects.get(action=VerdictEvent.Action.VOTE_AMENDED)
    assert (event.before["option"], event.after["option"]) == (2, 1)
    assert (event.by, event.question) == (seat.worker, seat.question)
    assert LedgerEntry.objects.count() == 1


def test_an_amendment_that_changes_nothing_leaves_no_trace() -> None:
    seat = held()
    vote(seat)
    amend(seat)
    amendments = VerdictEvent.objects.filter(action=VerdictEvent.Action.VOTE_AMENDED)
    assert not amendments.exists()
    assert Vote.objects.get().amended_at is None


def test_an_amended_deciding_vote_decides_again() -> None:
    question = a_question()
    seats = [held(question=question, number=number) for number in (1, 2, 3)]
    for seat, option in zip(seats, (1, 2, 1), strict=True):
        vote(seat, shown_option=services.as_shown(seat, option))
    assert Verdict.objects.get().valid
    amend(seats[2], shown_option=services.as_shown(seats[2], 2))
    verdict = Verdict.objects.get()
    assert (verdict.valid, verdict.counts["correct"]) == (False, 1)


@pytest.mark.parametrize(
    "happens",
    ["the next is answered", "the next is validated", "ten minutes pass", "excluded", "decided"],
)
def test_an_undo_ends_when(happens: str) -> None:
    seat = held()
    cast = vote(seat)
    other = partial(held, worker=seat.worker, question=a_question_in(seat.campaign))
    if happens == "the next is answered":
        other(opened=True)
    elif happens == "the next is validated":
        vote(other())
    elif happens == "ten minutes pass":
        Vote.objects.update(created_at=timezone.now() - timedelta(minutes=10, seconds=1))
    elif happens == "excluded":
        Vote.objects.update(excluded_at=timezone.now(), exclusion_reason="Too quick.")
    else:
        Verdict.objects.update(decided_by=UserFactory(curator=True))
    error = refusal(amend, seat=seat, shown_option=2)
    assert (error.code, error.status) == ("undo_over", 409)
    assert services.amendable(worker=seat.worker, campaign=seat.campaign) in (None, *last(happens))
    assert Vote.objects.get(pk=cast.pk).option == cast.option
    assert amend(seat) == cast  # what stands already may be sent at any time


def last(happens: str) -> list[Seat]:
    """The vote after the first one may still be amended itself."""
    return list(Seat.objects.order_by("-pk")[:1]) if happens == "the next is validated" else []


def a_question_in(campaign: Campaign) -> Question:
    return TwinFactory(campaign=campaign).questions.get(number=1)


def test_a_seat_without_a_vote_has_nothing_to_amend() -> None:
    assert refusal(amend, seat=held()).code == "undo_over"
    seat = held()
    assert services.amendable(worker=seat.worker, campaign=seat.campaign) is None


def test_another_workers_vote_is_not_found() -> None:
    seat = held()
    vote(seat)
    error = refusal(
        services.amend_vote,
        worker=UserFactory(),
        seat_id=seat.public_id,
        shown_option=2,
        ambiguous=False,
    )
    assert error.code == "not_found"
