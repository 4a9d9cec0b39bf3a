"""Reports in the review queue, the twin's other sentence, and what waits for curators."""

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Question
from frontend.templatetags import waiting
from tests.factories import SeatFactory, VoteFactory
from tests.frontend.pages import words
from tests.frontend.test_adjudication import a_question, at, said
from validation import services
from validation.models import Appeal, Case, GoldQuestion, QualityReport, VerdictEvent
from validation.runner import work_out
from validation.selectors import review_queue
from validation.selectors.review_queue import n_waiting
from validation.services import quality
from validation.services.review import cases
from validation.services.review.exclusions import exclude, restore
from workers.models import User


@pytest.fixture
def returned(campaign: Campaign, alice: User, bob: User) -> Question:
    """A question that Bob has given back with a report."""
    question = a_question(campaign, alice)
    seat = SeatFactory(question=question, worker=bob, number=90)
    services.return_seat(worker=bob, seat_id=seat.public_id, report="offensive")
    return question


def test_a_report_made_on_giving_back_is_shown_with_its_validator(
    as_dana: Client, returned: Question, bob: User
) -> None:
    shown = words(as_dana.get(at(returned)))
    assert "skipped without a vote" in shown
    assert bob.public_id in shown
    assert "1 report" in words(as_dana.get(reverse("review-queue", args=["kitchen"])))


def test_a_report_with_an_answer_to_gold_is_shown_too(
    as_dana: Client, campaign: Campaign, alice: User, bob: User
) -> None:
    question = a_question(campaign, alice)
    gold = GoldQuestion.objects.create(campaign=campaign, question=question, origin="chosen")
    seat = SeatFactory(question=question, worker=bob, number=None, gold=gold)
    VoteFactory(seat=seat, worker=bob, question=question, is_gold=True, report="no_sentence")
    assert "with a vote" in words(as_dana.get(at(question)))


def test_reports_that_were_looked_at_hold_no_place_until_the_next_one(
    as_dana: Client, campaign: Campaign, returned: Question, carol: User
) -> None:
    desk = reverse("review-queue", args=["kitchen"])
    assert n_waiting([campaign]) == {campaign.pk: 1}
    assert as_dana.post(at(returned), said(returned, "reports_seen"))["Location"] == desk
    assert n_waiting([campaign]) == {}
    assert "1 report seen" in words(as_dana.get(desk, {"state": "all"}))
    event = VerdictEvent.objects.get(question=returned, action="report_seen")
    assert (event.reason, event.before, event.after) == ("I have read it.", None, None)
    assert as_dana.post(at(returned), said(returned, "reports_seen")).status_code == 409
    seat = SeatFactory(question=returned, worker=carol, number=91)
    services.return_seat(worker=carol, seat_id=seat.public_id, report="offensive")
    assert n_waiting([campaign]) == {campaign.pk: 1}


def test_a_curator_does_not_dismiss_a_report_they_have_not_seen(
    as_dana: Client, returned: Question, carol: User
) -> None:
    old = said(returned, "reports_seen")
    seat = SeatFactory(question=returned, worker=carol, number=91)
    services.return_seat(worker=carol, seat_id=seat.public_id, report="offensive")
    assert as_dana.post(at(returned), old).status_code == 409
    assert Case.objects.get().new_reports == 2


def test_a_report_leaves_the_desk_with_its_vote_and_comes_back_with_it(
    campaign: Campaign, alice: User, dana: User
) -> None:
    question = a_question(campaign, alice, True, True, True)
    a_vote = question.votes.order_by("pk").last()
    a_vote.report = "offensive"
    a_vote.save()
    with transaction.atomic():
        cases.note(question=question)
    assert n_waiting([campaign]) == {campaign.pk: 1}
    exclude(vote_id=a_vote.public_id, reason="A program.", by=dana)
    assert n_waiting([campaign]) == {}
    restore(vote_id=a_vote.public_id, reason="It was honest.", by=dana)
    assert n_waiting([campaign]) == {campaign.pk: 1}


def test_the_twins_other_sentence_stands_beside(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = a_question(campaign, alice, True, True, False)
    other = question.twin.questions.get(number=2)
    shown = words(as_dana.get(at(question)))
    assert "no vote yet" in shown
    assert at(other) in as_dana.get(at(question)).content.decode()


def test_one_more_vote_takes_a_question_off_the_list_until_it_is_there(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = a_question(campaign, alice, True, True, False)
    as_dana.post(at(question), said(question, "one_more"))
    assert n_waiting([campaign]) == {}


@pytest.mark.parametrize("path", ["list", "case"])
def test_the_desk_asks_for_the_report_its_advice_comes_from_and_makes_none(
    path: str, as_dana: Client, campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatched: list[Campaign] = []
    monkeypatch.setattr(quality, "_dispatch", dispatched.append)
    question = a_question(campaign, alice, True, True, False)
    address = at(question) if path == "case" else reverse("review-queue", args=["kitchen"])
    as_dana.get(address)
    assert dispatched == [campaign]
    assert not QualityReport.objects.exists()
    work_out(campaign)
    as_dana.get(address)
    assert dispatched == [campaign]


def test_a_valid_question_becomes_gold_by_a_button(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = a_question(campaign, alice, True, True, False)
    assert "Use as control question" in words(as_dana.get(at(question)))
    as_dana.post(reverse("golds", args=["kitchen"]), {"question": question.public_id})
    assert "Use as control question" not in words(as_dana.get(at(question)))


def test_a_case_that_was_revised_leads_to_the_newer_text(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = a_question(campaign, alice, True, True, False)
    newer = a_question(campaign, alice)
    as_dana.post(at(question), said(question, "return_for_revision"))
    newer.twin.revises = question.twin
    newer.twin.save()
    question.twin.withdrawn_at = timezone.now()
    question.twin.save()
    shown = as_dana.get(at(question))
    assert "The author was given this note" not in words(shown)
    assert at(newer) in shown.content.decode()


def test_curators_see_how_much_waits_for_them(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = a_question(campaign, alice, True, True, False)
    Appeal.objects.create(
        worker=alice, subject="question", unit=question.public_id, text="Look again."
    )
    shown = words(as_dana.get("/"))
    assert "People 1 appeals to answer" in shown
    assert "100.0% 1 Kitchen" in shown
    assert "Review 1 to check" in words(as_dana.get(reverse("campaign", args=["kitchen"])))
    assert "open appeal" in words(as_dana.get(reverse("review-queue", args=["kitchen"])))


def test_a_long_desk_is_not_counted_to_its_end(
    as_dana: Client, campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_queue, "COUNTED", 1)
    monkeypatch.setattr(waiting, "COUNTED", 1)
    for _ in range(3):
        a_question(campaign, alice, True, True, False)
    assert n_waiting([campaign]) == {campaign.pk: 2}
    assert "Review 1+ to check" in words(as_dana.get(reverse("campaign", args=["kitchen"])))
    assert "1+ Kitchen" in words(as_dana.get("/"))


def test_the_button_names_what_it_marks_as_seen(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = a_question(campaign, alice)
    with transaction.atomic():
        cases.note(question=question, flagged=True)
    assert "The words are fine" in words(as_dana.get(at(question)))
    Case.objects.update(suspected=True)
    shown = words(as_dana.get(at(question)))
    assert "Mark all reasons for review as seen" in shown
    assert "The words are fine" not in shown
    Case.objects.update(flagged=False)
    assert "Keep the label" in words(as_dana.get(at(question)))
