"""Appeals in the browser: what workers see and ask, what curators answer."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Question
from tests.factories import PauseFactory, TwinFactory
from tests.frontend.pages import words
from tests.validation.deciding import give
from validation.models import Appeal, QualityNotice
from validation.services.review.exclusions import exclude
from workers.models import Pause, User

Browse = Callable[[User], Client]


@pytest.fixture
def failed(campaign: Campaign, alice: User) -> Question:
    """A question of Alice's whose validators chose the other answer."""
    question = TwinFactory(campaign=campaign, author=alice, seats=3).questions.get(number=1)
    give(question, False, False, False)
    return question


def address(question: Question) -> str:
    return reverse("make-appeal", args=["question", question.public_id])


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
