"""The review queue: decide, ask one more, return for revision, reopen; and who comes first."""

from typing import Any

import pytest

from collection.models import Campaign, Question, Twin
from tests.factories import UserFactory
from tests.refusals import refusal
from tests.validation.deciding import a_question, audit_log, give, settled, waiting
from tests.writing import revise
from validation import services
from validation.models import (
    Case,
    GoldQuestion,
    PassedSeat,
    Seat,
    TwinReturn,
    Verdict,
    VerdictEvent,
    Vote,
)
from validation.selectors.review_queue import review_queue
from validation.services import withdraw_twin
from validation.services.review import swaps
from validation.services.review.adjudication import ask_one_more, decide_question, reopen
from validation.services.review.bulk import confirm_verdicts
from validation.services.review.returns import return_for_revision
from validation.services.review.swaps import swap_answers
from validation.services.verdicts.questions import revision_of
from workers.models import LedgerEntry, User

Action = VerdictEvent.Action


def by(dana: User, question: Question, **more: Any) -> dict[str, Any]:
    """What every call of a curator who has just looked at *question* carries."""
    return {
        "question_id": question.public_id,
        "revision": revision_of(question),
        "note": "I have read it.",
        "by": dana,
        **more,
    }


# -- deciding --------------------------------------------------------------------------------------
def test_a_curator_decides_against_the_votes_and_says_why(dana: User, question: Question) -> None:
    give(question, True, True, False)
    decide_question(**by(dana, question, valid=False, reasons=["ambiguous"]))
    verdict = Verdict.objects.get()
    assert (verdict.valid, verdict.reasons, verdict.decided_by) == (False, ["ambiguous"], dana)
    assert verdict.counts["votes"] == 3
    event = question.verdict_events.first()
    assert (event.action, event.by, event.reason) == (
        Action.DECIDED_BY_CURATOR,
        dana,
        "I have read it.",
    )
    assert (event.before["valid"], event.after["valid"]) == (True, False)
    assert event.after["decided_by"] == dana.public_id


def test_a_question_can_be_excluded_paid_and_not_used(dana: User, question: Question) -> None:
    give(question, True, True, True)
    owed = LedgerEntry.objects.count()
    decide_question(**by(dana, question, valid=False, reasons=["excluded_by_curator"]))
    assert Verdict.objects.get().reasons == ["excluded_by_curator"]
    assert LedgerEntry.objects.count() == owed


def test_a_decision_takes_the_question_off_the_desk_with_its_free_seats(dana: User) -> None:
    question = a_question(extra_votes_max=2)
    give(question, True, True, False)
    assert waiting(question) == 1
    decide_question(**by(dana, question, valid=False, reasons=["excluded_by_curator"]))
    assert Case.objects.get().closed_at is not None
    assert waiting(question) == 0


def test_who_sits_in_a_seat_when_a_curator_decides_is_paid_and_changes_nothing(dana: User) -> None:
    question = a_question()
    give(question, True, True)
    validator = UserFactory()
    seat = services.claim_seat(worker=validator, campaign=question.twin.campaign)
    assert seat.question == question
    decide_question(**by(dana, question, valid=False, reasons=["ambiguous"]))
    mine = {"worker": validator, "seat_id": seat.public_id}
    services.answer_local(**mine, shown_option=None)
    services.cast_vote(**mine, shown_option=services.as_shown(seat, 1), ambiguous=False)
    verdict = Verdict.objects.get()
    assert (verdict.valid, verdict.counts["votes"]) == (False, 3)
    assert audit_log(question) == [Action.DECIDED_BY_CURATOR, Action.NOTED]
    assert LedgerEntry.objects.filter(worker=validator).count() == 1


@pytest.mark.parametrize(
    "choice",
    [
        {"valid": True, "reasons": ["ambiguous"]},
        {"valid": False, "reasons": []},
        {"valid": False, "reasons": ["returned"]},
        {"valid": False, "reasons": ["boring"]},
    ],
)
def test_a_decision_has_reasons_exactly_where_it_is_against(
    dana: User, choice: dict[str, Any], question: Question
) -> None:
    assert refusal(decide_question, **by(dana, question, **choice)).code == "reasons_wrong"


def test_only_the_author_has_to_be_told_why(dana: User, question: Question) -> None:
    give(question, True, True, False)
    assert refusal(return_for_revision, **by(dana, question, note=" ")).code == "note_missing"
    assert decide_question(**by(dana, question, note="", valid=True)).decided_by == dana


# -- answers marked the wrong way round ------------------------------------------------------------
def test_swapped_answers_leave_a_record_and_the_votes_decide_both_questions(dana: User) -> None:
    question = a_question()
    other = question.twin.questions.get(number=2)
    before = (question.answer, other.answer)
    give(question, False, False, False)
    give(other, True, True, True)
    swap_answers(**by(dana, question))
    question.refresh_from_db()
    other.refresh_from_db()
    assert (question.answer, other.answer) == before[::-1]
    assert Verdict.objects.get(question=question).valid
    assert not Verdict.objects.get(question=other).valid
    swapped = question.verdict_events.get(action=Action.ANSWERS_SWAPPED)
    assert (swapped.by, swapped.reason) == (dana, "I have read it.")
    assert (swapped.before["valid"], swapped.after) == (False, None)
    assert audit_log(other)[-2:] == ["swapped", "votes"]


def test_a_published_answer_is_not_swapped(dana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    question = a_question()
    monkeypatch.setattr(swaps, "is_public_question", lambda question: True)
    assert refusal(swap_answers, **by(dana, question)).code == "is_public"


def test_a_return_goes_before_a_swap(dana: User, question: Question) -> None:
    return_for_revision(**by(dana, question))
    assert refusal(swap_answers, **by(dana, question)).code == "returned"


# -- several at once -------------------------------------------------------------------------------
def test_confirming_leaves_what_changed_and_what_has_no_verdict(dana: User) -> None:
    split, changed, unseen = a_question(), a_question(), a_question()
    give(split, True, True, False)
    give(changed, True, False, False)
    shown = {question.public_id: revision_of(question) for question in (split, changed, unseen)}
    decide_question(**by(dana, changed, valid=True))
    found = confirm_verdicts(shown=shown, by=dana)
    assert (found.done, found.left) == (1, 2)
    assert Case.objects.get(question=split).closed_at is not None
    assert Verdict.objects.get(question=changed).valid


# -- who is in the queue ---------------------------------------------------------------------------
def test_a_valid_question_with_one_answer_is_below_the_default_doubt(dana: User) -> None:
    question = a_question()
    give(question, True, True)
    give(question, True, ambiguous=True)
    campaign = question.twin.campaign
    assert Verdict.objects.get(question=question).valid
    assert not review_queue(campaign).exists()
    assert review_queue(campaign, doubt=0).get().question == question


def test_an_ambiguous_question_is_in_doubt_whatever_its_answers(dana: User) -> None:
    question = a_question()
    give(question, True)
    give(question, True, True, ambiguous=True)
    assert review_queue(question.twin.campaign).get().question == question


def test_who_has_not_seen_the_last_vote_looks_again(dana: User, question: Question) -> None:
    before = by(dana, question, valid=True)
    give(question, True)
    error = refusal(decide_question, **before)
    assert (error.code, error.status) == ("changed_meanwhile", 409)
    assert error.details == {"revision": revision_of(question)}


def test_a_wrong_gold_question_is_asked_no_more(dana: User) -> None:
    question = a_question(gold_share="0.10")
    give(question, True, True, True)
    assert GoldQuestion.objects.in_use().get().question == question
    decide_question(**by(dana, question, valid=False, reasons=["ambiguous"]))
    assert not GoldQuestion.objects.in_use().exists()


# -- one more vote ---------------------------------------------------------------------------------
def test_one_more_vote_takes_the_verdict_away_until_it_is_there(dana: User) -> None:
    question = a_question()
    give(question, True, True, False)
    ask_one_more(**by(dana, question))
    assert not Verdict.objects.exists()
    assert waiting(question) == 1
    assert settled(question) is None
    give(question, False)
    assert Verdict.objects.get().counts["votes"] == 4
    assert audit_log(question)[1:] == [Action.ASKED_ONE_MORE, Action.DECIDED_BY_VOTES]


def test_asked_after_an_early_decision_all_votes_that_lack_are_asked_for(dana: User) -> None:
    question = a_question()
    give(question, True)
    decide_question(**by(dana, question, valid=False, reasons=["ambiguous"]))
    assert waiting(question) == 0
    ask_one_more(**by(dana, question))
    assert waiting(question) == 2
    give(question, True)
    assert settled(question) is None
    give(question, True)
    assert Verdict.objects.get().counts["votes"] == 3


def test_one_more_vote_is_refused_where_nobody_votes_or_nothing_is_left(dana: User) -> None:
    question = a_question()
    Campaign.objects.update(budget_cap=0)
    assert refusal(ask_one_more, **by(dana, question)).code == "budget_exhausted"
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    assert refusal(ask_one_more, **by(dana, question)).code == "campaign_closed"


def test_there_is_an_end_to_asking(dana: User) -> None:
    question = a_question(seats=15)
    assert refusal(ask_one_more, **by(dana, question)).code == "votes_at_most"


# -- reopening -------------------------------------------------------------------------------------
def test_reopened_the_votes_decide_again(dana: User, question: Question) -> None:
    give(question, True, True, True)
    decide_question(**by(dana, question, valid=False, reasons=["ambiguous"]))
    reopen(**by(dana, question))
    verdict = Verdict.objects.get()
    assert (verdict.valid, verdict.decided_by) == (True, None)
    assert audit_log(question)[-2:] == [Action.REOPENED, Action.DECIDED_BY_VOTES]


def test_reopened_early_the_seats_come_back(dana: User, question: Question) -> None:
    give(question, True)
    decide_question(**by(dana, question, valid=True))
    assert waiting(question) == 0
    reopen(**by(dana, question))
    assert waiting(question) == 2
    assert not Verdict.objects.exists()


def test_what_the_votes_decided_is_not_reopened(dana: User, question: Question) -> None:
    give(question, True, True, True)
    assert refusal(reopen, **by(dana, question)).code == "not_decided"


# -- sending back ----------------------------------------------------------------------------------
def test_a_twin_returned_is_not_valid_and_nobody_validates_it(dana: User) -> None:
    question = a_question()
    give(question, True, True, True)
    sibling = question.twin.questions.get(number=2)
    return_for_revision(**by(dana, question, note="Name the people."))
    for each in (question, sibling):
        assert Verdict.objects.get(question=each).reasons == ["returned"]
        assert waiting(each) == 0
        assert audit_log(each)[-1] == Action.RETURNED
    assert TwinReturn.objects.get().note == "Name the people."
    assert Vote.objects.count() == 3


def revised(question: Question) -> Twin:
    """The twin of *question*, written again by its author."""
    twin: Twin = question.twin
    other = (
        "The trophy did not fit into the green suitcase on the bed because the _ was far too wide.",
        "The trophy did not fit into the green suitcase on the bed because the _ was far too slim.",
    )
    return revise(twin, sentences=other)


def test_its_author_may_write_it_again_once_and_its_validators_do_not_get_it(dana: User) -> None:
    question = a_question()
    votes = give(question, True, True, False)
    return_for_revision(**by(dana, question))
    newer = revised(question)
    question.twin.refresh_from_db()
    assert question.twin.withdrawn_at is not None
    assert Vote.objects.count() == Seat.objects.filter(twin=question.twin).count() == 3
    blocked = set(
        PassedSeat.objects.filter(twin=newer, blocked=True).values_list("worker", flat=True)
    )
    assert blocked == {vote.worker_id for vote in votes}
    for vote in votes:
        error = refusal(services.claim_seat, worker=vote.worker, campaign=newer.campaign)
        assert error.code == "queue_empty"
    assert services.claim_seat(worker=UserFactory(), campaign=newer.campaign).twin == newer


def test_without_being_returned_a_validated_twin_stays(dana: User, question: Question) -> None:
    give(question, True)
    assert refusal(revised, question=question).code == "already_validated"


def test_a_twin_that_was_returned_is_not_simply_withdrawn(dana: User, question: Question) -> None:
    give(question, True)
    return_for_revision(**by(dana, question))
    mine = {"worker": question.twin.author, "twin_id": question.twin.public_id}
    assert refusal(withdraw_twin, **mine).code == "returned"


def test_a_twin_waits_for_its_author_once(dana: User, question: Question) -> None:
    return_for_revision(**by(dana, question))
    assert refusal(return_for_revision, **by(dana, question)).code == "already_returned"
    assert refusal(decide_question, **by(dana, question, valid=True)).code == "returned"
    assert refusal(ask_one_more, **by(dana, question)).code == "returned"


def test_sending_back_can_be_taken_back(dana: User, question: Question) -> None:
    give(question, True, True, True)
    sibling = question.twin.questions.get(number=2)
    return_for_revision(**by(dana, question))
    reopen(**by(dana, question))
    assert question.twin.questions.get(number=1).verdict.valid
    assert not Verdict.objects.filter(question=sibling).exists()
    assert waiting(sibling) == 3
    assert not TwinReturn.objects.exists()


def test_what_has_no_author_here_cannot_be_returned(dana: User, question: Question) -> None:
    Twin.objects.filter(pk=question.twin_id).update(assignment=None)
    assert refusal(return_for_revision, **by(dana, question)).code == "no_author"


def test_a_withdrawn_twin_is_nobodys_to_decide(dana: User, question: Question) -> None:
    return_for_revision(**by(dana, question))
    revised(question)
    assert refusal(decide_question, **by(dana, question, valid=True)).code == "question_withdrawn"
