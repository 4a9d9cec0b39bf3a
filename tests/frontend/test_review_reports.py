"""Reports in the review queue, what waits for curators, and appeals: asked, read, answered."""

from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Question
from frontend.templatetags import shell
from tests.factories import PauseFactory, SeatFactory, TwinFactory, VoteFactory
from tests.frontend.pages import words
from tests.frontend.test_adjudication import at, said
from tests.validation.deciding import give, voted_question
from validation import services
from validation.models import Appeal, Case, GoldQuestion, QualityNotice, QualityReport, VerdictEvent
from validation.runner import work_out
from validation.selectors import review_queue
from validation.selectors.review_queue import n_waiting
from validation.services import quality
from validation.services.review import cases
from validation.services.review.exclusions import exclude, restore
from workers.models import Pause, User


@pytest.fixture
def returned(campaign: Campaign, alice: User, bob: User) -> Question:
    """A question that Bob has given back with a report."""
    question = voted_question(campaign, alice)
    seat = SeatFactory(question=question, worker=bob, number=90)
    services.return_seat(worker=bob, seat_id=seat.public_id, report="offensive")
    return question


@pytest.mark.long
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
    question = voted_question(campaign, alice)
    gold = GoldQuestion.objects.create(campaign=campaign, question=question, origin="chosen")
    seat = SeatFactory(question=question, worker=bob, number=None, gold=gold)
    VoteFactory(seat=seat, worker=bob, question=question, is_gold=True, report="no_sentence")
    assert "with a vote" in words(as_dana.get(at(question)))


@pytest.mark.long
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
    question = voted_question(campaign, alice, True, True, True)
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
    question = voted_question(campaign, alice, True, True, False)
    other = question.twin.questions.get(number=2)
    shown = words(as_dana.get(at(question)))
    assert "no vote yet" in shown
    assert at(other) in as_dana.get(at(question)).content.decode()


def test_one_more_vote_takes_a_question_off_the_list_until_it_is_there(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = voted_question(campaign, alice, True, True, False)
    as_dana.post(at(question), said(question, "one_more"))
    assert n_waiting([campaign]) == {}


@pytest.mark.long
@pytest.mark.parametrize("path", ["list", "case"])
def test_the_desk_asks_for_the_report_its_advice_comes_from_and_makes_none(
    path: str, as_dana: Client, campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatched: list[Campaign] = []
    monkeypatch.setattr(quality, "_dispatch", dispatched.append)
    question = voted_question(campaign, alice, True, True, False)
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
    question = voted_question(campaign, alice, True, True, False)
    assert "Use as control question" in words(as_dana.get(at(question)))
    as_dana.post(reverse("golds", args=["kitchen"]), {"question": question.public_id})
    assert "Use as control question" not in words(as_dana.get(at(question)))


def test_a_case_that_was_revised_leads_to_the_newer_text(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = voted_question(campaign, alice, True, True, False)
    newer = voted_question(campaign, alice)
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
    question = voted_question(campaign, alice, True, True, False)
    Appeal.objects.create(
        worker=alice,
        campaign=campaign,
        subject="question",
        unit=question.public_id,
        text="Look again.",
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
    monkeypatch.setattr(shell, "COUNTED", 1)
    for _ in range(3):
        voted_question(campaign, alice, True, True, False)
    assert n_waiting([campaign]) == {campaign.pk: 2}
    assert "Review 1+ to check" in words(as_dana.get(reverse("campaign", args=["kitchen"])))
    assert "1+ Kitchen" in words(as_dana.get("/"))


@pytest.mark.long
def test_the_button_names_what_it_marks_as_seen(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    question = voted_question(campaign, alice)
    with transaction.atomic():
        cases.note(question=question, flagged=True)
    assert "The words are fine" in words(as_dana.get(at(question)))
    Case.objects.update(suspected=True)
    shown = words(as_dana.get(at(question)))
    assert "Mark all reasons for review as seen" in shown
    assert "The words are fine" not in shown
    Case.objects.update(flagged=False)
    assert "Keep the label" in words(as_dana.get(at(question)))


Browse = Callable[[User], Client]


@pytest.fixture
def failed(campaign: Campaign, alice: User) -> Question:
    """A question of Alice's whose validators chose the other answer."""
    question = TwinFactory(campaign=campaign, author=alice, seats=3).questions.get(number=1)
    give(question, False, False, False)
    return question


def address(question: Question) -> str:
    return reverse("make-appeal", args=["question", question.public_id])


@pytest.mark.long
def test_a_writer_appeals_from_their_work_and_reads_the_answer(
    as_alice: Client, as_dana: Client, failed: Question
) -> None:
    assert address(failed) in as_alice.get(reverse("my-work")).content.decode()
    assert as_alice.post(address(failed), {"text": "Look again."}).status_code == 302
    assert "waiting for an answer" in words(as_alice.get(reverse("my-appeals")))
    assert "Look again." in words(as_dana.get(reverse("appeals")))
    answer = reverse("answer-appeal", args=[Appeal.objects.get().public_id])
    as_dana.post(answer, {"upheld": "yes", "answer": "You are right."})
    assert "You are right." in words(as_alice.get(reverse("my-appeals")))
    assert "appeal upheld" in words(as_dana.get(reverse("review-queue", args=["kitchen"])))
    assert "No appeal is open" in words(as_dana.get(reverse("appeals")))
    assert "You are right." in words(as_dana.get(reverse("appeals"), {"all": "1"}))


def test_one_appeals_once_with_words_and_only_in_ones_own_matter(
    as_alice: Client, as_carol: Client, failed: Question
) -> None:
    assert as_carol.get(address(failed)).status_code == 404
    assert as_alice.post(address(failed), {"text": " "}).status_code == 400
    as_alice.post(address(failed), {"text": "Look again."})
    assert as_alice.get(address(failed)).status_code == 302
    assert as_alice.post(address(failed), {"text": "And again."}).status_code == 409
    assert address(failed) not in words(as_alice.get(reverse("my-appeals")))


def test_a_validator_sees_what_is_not_used_and_appeals(
    browse: Browse, dana: User, failed: Question
) -> None:
    vote = failed.votes.first()
    exclude(vote_id=vote.public_id, reason="Two seconds.", by=dana)
    validator = browse(vote.worker)
    shown = validator.get(reverse("my-appeals"))
    assert "Two seconds." in words(shown)
    path = reverse("make-appeal", args=["vote", vote.public_id])
    assert path in shown.content.decode()
    validator.post(path, {"text": "I read quickly."})
    assert path not in validator.get(reverse("my-appeals")).content.decode()


def test_a_paused_worker_appeals_and_works_again(
    bob: User, as_bob: Client, as_dana: Client
) -> None:
    pause = PauseFactory(worker=bob)
    path = reverse("make-appeal", args=["pause", pause.pk])
    assert path in as_bob.get(reverse("my-appeals")).content.decode()
    as_bob.post(path, {"text": "I was ill."})
    answer = reverse("answer-appeal", args=[Appeal.objects.get().public_id])
    as_dana.post(answer, {"upheld": "yes", "answer": "Welcome back."})
    assert not Pause.objects.open().exists()


def test_an_answer_has_words_and_a_choice(bob: User, as_dana: Client) -> None:
    made = Appeal.objects.create(worker=bob, subject="pause", unit="1", text="Why?")
    answer = reverse("answer-appeal", args=[made.public_id])
    for fields in ({"upheld": "yes"}, {"answer": "No."}, {}):
        as_dana.post(answer, fields)
        made.refresh_from_db()
        assert made.status == "open"
    assert ("Choose whether to uphold or decline the appeal.") in words(
        as_dana.get(reverse("appeals"))
    )


def test_a_warning_is_read_without_naming_a_question(
    bob: User, as_bob: Client, campaign: Campaign
) -> None:
    QualityNotice.objects.create(
        worker=bob, campaign=campaign, kind="warning", n_right=1, n_answers=5
    )
    shown = words(as_bob.get(reverse("my-appeals")))
    assert "too many of your recent answers were wrong" in shown
    assert "gold" not in shown.lower()


def test_a_line_break_counts_once_against_the_limit(as_alice: Client, failed: Question) -> None:
    """A browser sends it as two characters: 1,000 characters were refused as 1,199."""
    text = "1234\r\n" * 199 + "12345"
    assert (len(text.replace("\r", "")), len(text)) == (1000, 1199)
    assert as_alice.post(address(failed), {"text": text + "6"}).status_code == 400
    assert as_alice.post(address(failed), {"text": text}).status_code == 302
    assert Appeal.objects.get().text == text.replace("\r", "")
