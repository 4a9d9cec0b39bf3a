"""Validating: two steps, blind, with the next question at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Twin
from collection.services.joining.guidelines import publish_guideline
from tests.factories import SeatFactory, TwinFactory, VoteFactory
from tests.frontend.pages import HTMX, source, words
from validation import services
from validation.models import Seat, Vote
from workers.models import User

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
def twin(campaign: Campaign, alice: User) -> Twin:
    return TwinFactory(campaign=campaign, author=alice, seats=3)


@pytest.fixture
def seat(twin: Twin, bob: User) -> Seat:
    """The first seat of the first question, in Bob's hands."""
    found = Seat.objects.filter(twin=twin).order_by("pk").first()
    found.worker, found.leased_until = bob, timezone.now() + timedelta(minutes=10)
    found.reward = found.campaign.reward_vote
    found.save()
    return found


def path(name: str, seat: Seat) -> str:
    return reverse(name, args=["kitchen", seat.public_id])


def test_looking_at_the_page_takes_no_question(as_bob: Client, twin: Twin) -> None:
    response = as_bob.get(reverse("validate", args=["kitchen"]))
    assert "There are questions for you" in words(response)
    assert not Seat.objects.exclude(worker=None).exists()


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_validator_sees_nothing_that_gives_the_answer_away(
    step: int, headers: dict[str, str], as_bob: Client, seat: Seat, alice: User
) -> None:
    VoteFactory(question=seat.question, seat__number=90)
    if step == 2:
        Seat.objects.filter(pk=seat.pk).update(local_at=timezone.now())
    page = source(as_bob.get(reverse("validate", args=["kitchen"]), headers=headers))
    assert "fills the blank" in page
    question, twin = seat.question, seat.twin
    hidden = [
        question.public_id,
        str(twin.public_id),
        alice.username,
        alice.public_id,
        "data-answer",
        twin.questions.exclude(pk=question.pk).get().public_id,
        *(str(public_id) for public_id in Vote.objects.values_list("public_id", flat=True)),
    ]
    assert [secret for secret in hidden if secret in page] == []


def test_the_order_of_the_options_is_the_seats_own_and_not_the_answers(
    as_bob: Client, seat: Seat
) -> None:
    orders = set()
    for swapped in (False, True):
        Seat.objects.filter(pk=seat.pk).update(swapped=swapped, local_at=None)
        page = words(as_bob.get(reverse("validate", args=["kitchen"])))
        orders.add("trophy 1 suitcase 2" in page)
        assert "trophy 1 suitcase 2" in page or "suitcase 1 trophy 2" in page
    assert orders == {True, False}


def test_the_whole_sentence_stays_covered_until_the_part_is_answered(
    as_bob: Client, seat: Seat
) -> None:
    before = source(as_bob.get(reverse("validate", args=["kitchen"])))
    assert "did not fit" not in before
    assert "because the" in before
    after = as_bob.post(path("answer-local", seat), {"option": "0"}, headers=HTMX)
    assert "did not fit" in source(after)
    assert "Step 2 of 2" in words(after)


def test_a_vote_before_the_part_is_answered_is_refused(as_bob: Client, seat: Seat) -> None:
    response = as_bob.post(path("cast-vote", seat), {"option": "1", "clarity": "clear"})
    assert response.status_code == 409
    assert "Answer from the local context first." in words(response)
    assert "did not fit" not in source(response)


def test_a_validator_without_scripts_goes_through_both_steps(as_bob: Client, twin: Twin) -> None:
    start = as_bob.post(reverse("validate", args=["kitchen"]), follow=True)
    assert "Step 1 of 2" in words(start)
    seat = Seat.objects.exclude(worker=None).get()
    second = as_bob.post(path("answer-local", seat), {"option": "1"}, follow=True)
    assert "Step 2 of 2" in words(second)
    last = as_bob.post(path("cast-vote", seat), {"option": "2", "clarity": "both"})
    assert "Nothing to validate at the moment" in words(last)
    vote = Vote.objects.get()
    assert vote.ambiguous
    assert vote.option != vote.local_option


def test_the_next_question_comes_in_the_same_answer(
    as_bob: Client, seat: Seat, campaign: Campaign
) -> None:
    TwinFactory(campaign=campaign, seats=3)
    as_bob.post(path("answer-local", seat), {"option": "0"}, headers=HTMX)
    vote = {"option": "1", "clarity": "clear"}
    response = as_bob.post(path("cast-vote", seat), vote, headers=HTMX)
    assert "Your vote is recorded. Undo U 1 validated today · $0.03" in words(response)
    assert "Step 1 of 2" in words(response)


def test_voting_twice_stores_one_vote(as_bob: Client, seat: Seat) -> None:
    as_bob.post(path("answer-local", seat), {"option": "0"})
    for option in ("1", "2"):
        as_bob.post(path("cast-vote", seat), {"option": option, "clarity": "clear"})
    assert Vote.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"clarity": "clear"}, "First choose the option that fills the blank."),
        ({"option": "1"}, "Choose whether the question is ambiguous."),
        ({"option": "3", "clarity": "clear"}, "not one of the available choices"),
    ],
)
def test_half_a_vote_is_asked_to_be_whole(
    fields: dict[str, str], said: str, as_bob: Client, seat: Seat
) -> None:
    as_bob.post(path("answer-local", seat), {"option": "0"})
    response = as_bob.post(path("cast-vote", seat), fields, headers=HTMX)
    assert response.status_code == 400
    assert said in words(response)
    assert "Step 2 of 2" in words(response)


def test_an_answer_that_came_late_counts_while_nobody_took_the_question(
    as_bob: Client, seat: Seat
) -> None:
    Seat.objects.filter(pk=seat.pk).update(leased_until=timezone.now() - timedelta(minutes=4))
    response = as_bob.post(path("answer-local", seat), {"option": "1"}, headers=HTMX)
    assert "Step 2 of 2" in words(response)


def test_an_answer_that_came_too_late_leads_to_the_next_question(
    as_bob: Client, seat: Seat, carol: User
) -> None:
    Seat.objects.filter(pk=seat.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    services.claim_seat(worker=carol, campaign=seat.campaign)
    response = as_bob.post(path("answer-local", seat), {"option": "1"}, headers=HTMX)
    assert response.status_code == 410
    assert "This question is no longer yours" in words(response)
    assert "Next question" in words(response)


def test_a_question_that_went_to_another_validator_is_not_answered(
    as_bob: Client, seat: Seat, carol: User
) -> None:
    Seat.objects.filter(pk=seat.pk).update(worker=carol)
    response = as_bob.post(path("cast-vote", seat), {"option": "1", "clarity": "clear"})
    assert response.status_code == 404
    assert "That question is no longer yours" in words(response)


def test_a_question_given_back_is_free_at_once(as_bob: Client, seat: Seat) -> None:
    response = as_bob.post(path("return-seat", seat), headers=HTMX)
    assert "Skipped." in words(response)
    assert "Nothing to validate at the moment" in words(response)
    assert not Seat.objects.exclude(worker=None).exists()


def test_an_empty_queue_says_why_and_when_to_look_again(
    as_bob: Client, campaign: Campaign, carol: User
) -> None:
    nothing = as_bob.post(reverse("validate", args=["kitchen"]), headers=HTMX)
    assert nothing.status_code == 200
    assert "Every question has its votes" in words(nothing)
    question = TwinFactory(campaign=campaign).questions.first()
    held = SeatFactory(question=question, worker=carol)
    busy = as_bob.post(reverse("validate", args=["kitchen"]), headers=HTMX)
    assert "Other validators are working on all" in words(busy)
    assert f"{held.leased_until:%H:%M} UTC" in words(busy)


def test_ones_own_twins_are_not_counted_as_work(as_alice: Client, twin: Twin) -> None:
    page = words(as_alice.get(reverse("validate", args=["kitchen"])))
    assert (
        "no questions for you at the moment. The remaining questions are for other validators"
        in page
    )
    assert "Get a question" not in page


@pytest.mark.long
def test_a_validator_is_told_whether_anything_is_there_for_them(
    as_bob: Client, bob: User, twin: Twin, campaign: Campaign, carol: User
) -> None:
    path = reverse("validate", args=["kitchen"])
    first = twin.seats.first()
    twin.seats.exclude(pk=first.pk).delete()
    Seat.objects.filter(pk=first.pk).update(
        worker=carol, leased_until=timezone.now() + timedelta(minutes=9)
    )
    assert "Other validators are working on all" in words(as_bob.get(path))
    last = TwinFactory(campaign=campaign, seats=3)
    assert "There are questions for you" in words(as_bob.get(path))
    Seat.objects.filter(pk=last.seats.first().pk).update(
        worker=bob, leased_until=timezone.now() - timedelta(minutes=9)
    )
    Seat.objects.exclude(twin=last).delete()
    assert "There are questions for you" in words(as_bob.get(path))


def test_the_guidelines_are_at_hand_while_validating(
    as_bob: Client, seat: Seat, campaign: Campaign
) -> None:
    publish_guideline(campaign=campaign, text="Be *fair*.")
    assert "Guidelines G Be fair" in words(as_bob.get(reverse("validate", args=["kitchen"])))


def test_a_paused_campaign_says_so_and_hands_out_nothing(as_bob: Client, twin: Twin) -> None:
    Campaign.objects.update(status=Campaign.Status.PAUSED)
    assert "This campaign is paused" in words(as_bob.get(reverse("validate", args=["kitchen"])))
    assert as_bob.post(reverse("validate", args=["kitchen"])).status_code == 409


def test_the_keys_are_printed_on_their_buttons(as_bob: Client, seat: Seat) -> None:
    page = source(as_bob.get(reverse("validate", args=["kitchen"])))
    for key in ("1", "2", "0", "r"):
        assert f'data-key="{key}"' in page
        assert f"<kbd>{key.upper()}</kbd>" in page


def test_a_question_given_back_is_acknowledged_and_the_next_one_comes(
    as_bob: Client, campaign: Campaign, seat: Seat
) -> None:
    TwinFactory(campaign=campaign, seats=3)
    answer = as_bob.post(path("return-seat", seat), {"report": "offensive"}, headers=HTMX)
    assert "Skipped, and your report was sent." in words(answer)
    assert "Step 1 of 2" in words(answer)
    assert "Your vote is recorded" not in words(answer)


def test_giving_back_without_scripts_is_acknowledged_too(
    as_bob: Client, campaign: Campaign, seat: Seat
) -> None:
    TwinFactory(campaign=campaign, seats=3)
    answer = as_bob.post(path("return-seat", seat), follow=True)
    assert "Skipped." in words(answer)
    assert "Step 1 of 2" in words(answer)


def test_a_validator_who_comes_back_too_late_is_told(as_bob: Client, seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(leased_until=timezone.now() - timedelta(minutes=5))
    shown = words(as_bob.get(reverse("validate", args=["kitchen"])))
    assert "Your time for the last question ran out" in shown


VOTE = {"option": "1", "clarity": "clear"}


@pytest.fixture
def uncovered(campaign: Campaign, alice: User, bob: User) -> Seat:
    """A question whose sentence Bob has uncovered."""
    TwinFactory(campaign=campaign, author=alice, seats=3)
    uncovered = services.claim_seat(worker=bob, campaign=campaign)
    return services.answer_local(worker=bob, seat_id=uncovered.public_id, shown_option=None)


def vote(client: Client, uncovered: Seat, data: dict[str, Any] | None = None) -> HttpResponse:
    address = reverse("cast-vote", args=["kitchen", uncovered.public_id])
    return client.post(address, VOTE if data is None else data, headers=HTMX)


@pytest.mark.long
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_missing_part_of_a_vote_costs_nothing_that_was_typed(
    headers: dict[str, str], as_bob: Client, uncovered: Seat
) -> None:
    typed = {"clarity": "clear", "comment": "A <b>", "report": "offensive"}
    address = reverse("cast-vote", args=["kitchen", uncovered.public_id])
    answer = as_bob.post(address, typed, headers=headers)
    assert answer.status_code == 400
    assert "A &lt;b&gt;</textarea>" in source(answer)
    assert 'value="offensive" form="vote" checked' in source(answer)
    vote(as_bob, uncovered)
    changed = reverse("amend-vote", args=["kitchen", uncovered.public_id])
    answer = as_bob.post(changed, typed | {"comment": "Otherwise."}, headers=headers)
    assert "Otherwise.</textarea>" in source(answer)


def test_a_line_break_counts_as_one_character(as_bob: Client, uncovered: Seat) -> None:
    comment = "a" * 400 + "\r\n" * 99 + "b"
    vote(as_bob, uncovered, VOTE | {"comment": comment + "b"})
    assert not Vote.objects.exists()
    vote(as_bob, uncovered, VOTE | {"comment": comment})
    assert len(Vote.objects.get().comment) == 500


def test_what_is_no_vote_gets_a_receipt_alone_where_the_next_question_is_shown(
    as_bob: Client, uncovered: Seat
) -> None:
    answer = vote(as_bob, uncovered, {"shown": "1"})
    assert answer.status_code == 400
    assert "was not saved. First choose the option" in words(answer)
    assert 'id="lease"' not in source(answer)


def test_without_scripts_a_changed_vote_is_said_to_be_changed(
    as_bob: Client, uncovered: Seat
) -> None:
    vote(as_bob, uncovered)
    address = reverse("amend-vote", args=["kitchen", uncovered.public_id])
    answer = as_bob.post(address, VOTE | {"clarity": "both"}, follow=True)
    assert "Your vote is changed." in words(answer)
    assert "Undo" not in words(answer)


@pytest.mark.parametrize("name", ["train", "submit-exercise", "accept-guidelines"])
def test_a_curator_cannot_do_the_validators_exercise(
    name: str, as_dana: Client, campaign: Campaign
) -> None:
    answer = as_dana.post(reverse(name, args=["kitchen"]), {"skill": "validate"})
    assert answer.status_code == 403
