"""Appeals: against a verdict, a vote excluded, a pause; for a while, and once each."""

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from collection.models import Question
from panels.services import answer_appeal, appeal
from tests.factories import PauseFactory, UserFactory
from tests.refusals import refusal
from tests.validation.deciding import a_question, give
from validation.models import Appeal, Case, Verdict, Vote
from validation.services.review.appeals import WINDOW
from validation.services.review.exclusions import exclude
from workers.models import Pause, User


def made(worker: User, subject: str, unit: Any, text: str = "Look again.") -> Appeal:
    return appeal(worker=worker, subject=subject, unit=str(unit), text=text)


def answered(of: Appeal, dana: User, *, upheld: bool, answer: str = "So be it.") -> Appeal:
    return answer_appeal(appeal_id=of.public_id, upheld=upheld, answer=answer, by=dana)


def test_an_appeal_is_answered_once(dana: User) -> None:
    pause = PauseFactory()
    first = made(pause.worker, "pause", pause.pk)
    answered(first, dana, upheld=False)
    error = refusal(answered, of=first, dana=dana, upheld=True)
    assert error.code == "already_answered"
    assert Pause.objects.open().exists()


def test_a_writer_appeals_and_the_question_comes_on_top_of_the_desk(dana: User) -> None:
    question = a_question()
    give(question, False, False, False)
    assert not Case.objects.exists()
    open_one = made(question.twin.author, "question", question.public_id)
    answered(open_one, dana, upheld=True)
    case = Case.objects.get()
    assert (case.question, case.appealed, case.closed_at) == (question, True, None)
    assert case.rank >= 20_000
    assert not Verdict.objects.get().valid


def test_a_vote_excluded_counts_again(dana: User) -> None:
    [vote] = give(a_question(), True)
    exclude(vote_id=vote.public_id, reason="Two seconds.", by=dana)
    answered(made(vote.worker, "vote", vote.public_id), dana, upheld=True)
    assert Vote.objects.get().excluded_at is None


def test_a_pause_ends(dana: User) -> None:
    pause = PauseFactory()
    answered(made(pause.worker, "pause", pause.pk), dana, upheld=True)
    assert not Pause.objects.open().exists()


def test_declined_nothing_changes_and_the_worker_reads_why(dana: User) -> None:
    pause = PauseFactory()
    declined = answered(made(pause.worker, "pause", pause.pk), dana, upheld=False)
    assert (declined.status, declined.answer, declined.decided_by) == (
        "declined",
        "So be it.",
        dana,
    )
    assert Pause.objects.open().exists()


def test_after_the_window_it_is_too_late() -> None:
    pause = PauseFactory()
    Pause.objects.update(created_at=timezone.now() - WINDOW - timedelta(minutes=1))
    error = refusal(made, worker=pause.worker, subject="pause", unit=pause.pk)
    assert error.code == "appeal_too_late"


def test_nobody_appeals_for_another_or_without_a_matter(dana: User, question: Question) -> None:
    give(question, True, True, True)
    [vote] = give(a_question(), True)
    exclude(vote_id=vote.public_id, reason="Two seconds.", by=dana)
    carol, author = UserFactory(), question.twin.author
    for worker, subject, unit in (
        (author, "question", question.public_id),  # it is valid
        (carol, "question", question.public_id),
        (carol, "vote", vote.public_id),
        (carol, "vote", "no-uuid"),
        (carol, "vote", uuid.uuid4()),
        (carol, "pause", PauseFactory().pk),
        (carol, "pause", "9" * 40),
        (carol, "pause", "²"),
        (carol, "wages", "1"),
    ):
        assert refusal(made, worker=worker, subject=subject, unit=unit).code == "not_found"


def test_it_says_why_and_is_answered_in_words(dana: User) -> None:
    pause = PauseFactory()
    refused = refusal(made, worker=pause.worker, subject="pause", unit=pause.pk, text=" ")
    assert refused.code == "text_missing"
    open_one = made(pause.worker, "pause", pause.pk)
    error = refusal(answered, of=open_one, dana=dana, upheld=True, answer=" ")
    assert error.code == "answer_missing"


def test_a_matter_has_one_name_however_it_is_spelt(dana: User) -> None:
    [vote] = give(a_question(), True)
    exclude(vote_id=vote.public_id, reason="Two seconds.", by=dana)
    spelt = vote.public_id
    assert made(vote.worker, "vote", f"{{{str(spelt).upper()}}}").unit == str(spelt)
    for again in (spelt, spelt.hex, f"urn:uuid:{spelt}"):
        assert refusal(made, worker=vote.worker, subject="vote", unit=again).code == (
            "already_appealed"
        )
    pause = PauseFactory(worker=vote.worker)
    assert made(vote.worker, "pause", f"00{pause.pk}").unit == str(pause.pk)
