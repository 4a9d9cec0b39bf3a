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
    browse: Browse, alice: User, dana: User, failed: Question
) -> None:
    writer, curator = browse(alice), browse(dana)
    assert address(failed) in writer.get(reverse("my-work")).content.decode()
    assert writer.post(address(failed), {"text": "Look again."}).status_code == 302
    assert "waiting for an answer" in words(writer.get(reverse("my-appeals")))
    assert "Look again." in words(curator.get(reverse("appeals")))
    answer = reverse("answer-appeal", args=[Appeal.objects.get().public_id])
    curator.post(answer, {"upheld": "yes", "answer": "You are right."})
    assert "You are right." in words(writer.get(reverse("my-appeals")))
    assert "appeal upheld" in words(curator.get(reverse("review-queue", args=["kitchen"])))
    assert "No appeal is open" in words(curator.get(reverse("appeals")))
    assert "You are right." in words(curator.get(reverse("appeals"), {"all": "1"}))


def test_one_appeals_once_with_words_and_only_in_ones_own_matter(
    browse: Browse, alice: User, carol: User, failed: Question
) -> None:
    assert browse(carol).get(address(failed)).status_code == 404
    writer = browse(alice)
    assert writer.post(address(failed), {"text": " "}).status_code == 400
    writer.post(address(failed), {"text": "Look again."})
    assert writer.get(address(failed)).status_code == 302
    assert writer.post(address(failed), {"text": "And again."}).status_code == 409
    assert address(failed) not in words(writer.get(reverse("my-appeals")))


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


def test_a_paused_worker_appeals_and_works_again(browse: Browse, bob: User, dana: User) -> None:
    pause = PauseFactory(worker=bob)
    path = reverse("make-appeal", args=["pause", pause.pk])
    worker = browse(bob)
    assert path in worker.get(reverse("my-appeals")).content.decode()
    worker.post(path, {"text": "I was ill."})
    answer = reverse("answer-appeal", args=[Appeal.objects.get().public_id])
    browse(dana).post(answer, {"upheld": "yes", "answer": "Welcome back."})
    assert not Pause.objects.open().exists()


def test_an_answer_has_words_and_a_choice(browse: Browse, bob: User, dana: User) -> None:
    made = Appeal.objects.create(worker=bob, subject="pause", unit="1", text="Why?")
    answer = reverse("answer-appeal", args=[made.public_id])
    curator = browse(dana)
    for fields in ({"upheld": "yes"}, {"answer": "No."}, {}):
        curator.post(answer, fields)
        made.refresh_from_db()
        assert made.status == "open"
    assert ("Choose whether to uphold or decline the appeal.") in words(
        curator.get(reverse("appeals"))
    )


def test_a_warning_is_read_without_naming_a_question(
    browse: Browse, bob: User, campaign: Campaign
) -> None:
    QualityNotice.objects.create(
        worker=bob, campaign=campaign, kind="warning", n_right=1, n_answers=5
    )
    shown = words(browse(bob).get(reverse("my-appeals")))
    assert "too many of your recent answers were wrong" in shown
    assert "gold" not in shown.lower()


def test_a_line_break_counts_once_against_the_limit(
    browse: Browse, alice: User, failed: Question
) -> None:
    """A browser sends it as two characters: 1,000 characters were refused as 1,199."""
    text = "1234\r\n" * 199 + "12345"
    assert (len(text.replace("\r", "")), len(text)) == (1000, 1199)
    writer = browse(alice)
    assert writer.post(address(failed), {"text": text + "6"}).status_code == 400
    assert writer.post(address(failed), {"text": text}).status_code == 302
    assert Appeal.objects.get().text == text.replace("\r", "")
