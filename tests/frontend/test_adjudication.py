"""The pages of the review queue, of gold questions and of votes excluded, for curators."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Question
from frontend.review import views
from tests.factories import TwinFactory
from tests.frontend.pages import words
from tests.validation.deciding import give, voted_question, waiting
from validation.models import (
    GoldQuestion,
    Seat,
    TwinReturn,
    Verdict,
    VerdictEvent,
    Vote,
)
from validation.runner import work_out
from validation.services.verdicts.questions import revision_of
from workers.models import User


@pytest.fixture
def split(campaign: Campaign, alice: User) -> Question:
    return voted_question(campaign, alice, True, True, False, comment="Both would fit.")


def at(question: Question) -> str:
    return reverse("review-question", args=["kitchen", question.public_id])


def said(question: Question, outcome: str, **fields: Any) -> dict[str, Any]:
    """The form of the review queue as a curator sends it who has just looked."""
    return {
        "outcome": outcome,
        "revision": revision_of(question),
        "note": "I have read it.",
        **fields,
    }


def test_an_empty_desk_says_why(as_dana: Client, campaign: Campaign) -> None:
    shown = words(as_dana.get(reverse("review-queue", args=["kitchen"])))
    assert "The review queue is empty" in shown


def test_the_desk_shows_splits_with_counts_and_filters(
    as_dana: Client, campaign: Campaign, split: Question
) -> None:
    desk = reverse("review-queue", args=["kitchen"])
    assert "validators disagree valid 2 of 3 0 0 physical" in words(as_dana.get(desk))
    assert "No questions match these filters" in words(as_dana.get(desk, {"only": "reported"}))
    assert "2 of 3" in words(as_dana.get(desk, {"domain": "physical", "state": "all"}))
    # What nobody could choose is left out.
    assert "2 of 3" in words(as_dana.get(desk, {"domain": "lunar", "after": "x"}))


def test_the_desk_continues_page_by_page(
    as_dana: Client, campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "CASES", 2)
    for _ in range(3):
        voted_question(campaign, alice, True, True, False)
    first = as_dana.get(reverse("review-queue", args=["kitchen"]))
    rest = as_dana.get(
        reverse("review-queue", args=["kitchen"]), {"after": first.context["page"].older}
    )
    assert (len(first.context["rows"]), len(rest.context["rows"])) == (2, 1)


def test_a_question_shows_its_votes_side_by_side(as_dana: Client, split: Question) -> None:
    shown = words(as_dana.get(at(split)))
    for vote in split.votes.all():
        assert vote.worker.public_id in shown
    assert "the other answer" in shown
    assert "Both would fit." in shown
    assert "decided by the votes" in shown


def test_a_wrong_answer_to_the_local_context_is_said_to_be_wished(
    as_dana: Client, split: Question
) -> None:
    split.votes.update(local_option=3 - split.answer)
    assert "local context: wrong answer, as wished" in words(as_dana.get(at(split)))


def test_after_a_decision_comes_the_next_question(
    as_dana: Client, campaign: Campaign, alice: User, split: Question
) -> None:
    newer = voted_question(campaign, alice, True, False, False)
    answer = as_dana.post(at(newer), said(newer, "invalid", reasons=["ambiguous"]))
    assert answer["Location"] == at(split)
    answer = as_dana.post(at(split), said(split, "valid"))
    assert answer["Location"] == reverse("review-queue", args=["kitchen"])
    assert Verdict.objects.filter(decided_by__isnull=False).count() == 2


@pytest.mark.long
def test_a_curator_may_answer_before_the_answer_is_shown(as_dana: Client, split: Question) -> None:
    first = {"answer": "afterwards"}
    asked = as_dana.get(at(split), first)
    assert "The author’s answer" not in words(asked)
    assert split.votes.get(option=3 - split.answer).worker.public_id not in words(asked)
    assert "blank filled" not in asked.content.decode()
    right, other = as_dana.get(at(split), first | {"own": split.answer}), as_dana.get(
        at(split), first | {"own": 3 - split.answer}
    )  # fmt: skip
    assert "as the author did" in words(right)
    assert "the author’s answer is another one" in words(other)
    assert "You could not tell" in words(as_dana.get(at(split), first | {"own": 0}))
    assert "Your decision" not in words(as_dana.get(at(split), first | {"own": "x"}))


def test_no_vote_can_be_requested_where_it_would_be_refused(
    as_dana: Client, campaign: Campaign, split: Question
) -> None:
    assert "Request another vote" in words(as_dana.get(at(split)))
    campaign.status = Campaign.Status.CLOSED
    campaign.save(update_fields=["status"])
    shown = words(as_dana.get(at(split)))
    assert "Request another vote" not in shown
    assert "No further vote can be requested: This campaign is closed" in shown


def test_votes_that_took_no_time_to_read_are_marked(as_dana: Client, split: Question) -> None:
    Seat.objects.update(local_at=F("answered_at") - timedelta(seconds=2))
    assert "under two seconds" not in words(as_dana.get(at(split)))
    Seat.objects.update(local_at=F("answered_at") - timedelta(seconds=1.5))
    assert words(as_dana.get(at(split))).count("under two seconds") == 3


@pytest.mark.long
@pytest.mark.parametrize("outcome", ["one_more", "return_for_revision", "reopen"])
def test_each_button_does_what_it_says(as_dana: Client, split: Question, outcome: str) -> None:
    if outcome == "reopen":
        as_dana.post(at(split), said(split, "valid"))
    assert as_dana.post(at(split), said(split, outcome)).status_code == 302
    event = VerdictEvent.objects.filter(question=split).exclude(action="votes").first()
    assert event is not None
    done = {"one_more": "one_more", "return_for_revision": "returned", "reopen": "reopened"}
    assert event.action == done[outcome]


def test_a_refusal_keeps_the_note_and_shows_what_is_new(as_dana: Client, split: Question) -> None:
    old = said(split, "valid", revision="1.1", note="A long note.")
    answer = as_dana.post(at(split), old)
    assert answer.status_code == 409
    assert "has changed since you opened it" in words(answer)
    assert "A long note." in words(answer)
    assert revision_of(split) in answer.content.decode()


@pytest.mark.long
def test_a_refusal_stands_beside_its_field_in_words(as_dana: Client, split: Question) -> None:
    answer = as_dana.post(at(split), said(split, "invalid", note=""))
    assert answer.status_code == 400
    assert answer.context["refusal"] is None
    assert "Choose at least one reason why it is not valid." in words(answer)
    answer = as_dana.post(at(split), said(split, "valid", reasons=["ambiguous"]))
    assert "Remove the reasons, or choose “Not valid”." in words(answer)
    answer = as_dana.post(at(split), said(split, "return_for_revision", note=""))
    assert "Enter what the author should change: they read it." in words(answer)


@pytest.mark.long
def test_list_and_questions_have_one_order_and_keep_the_filters(
    as_dana: Client, campaign: Campaign, alice: User
) -> None:
    questions = [voted_question(campaign, alice, True, True, False) for _ in range(3)]
    queue = reverse("review-queue", args=["kitchen"])
    listed = as_dana.get(queue, {"domain": "physical"}).context["rows"]
    assert [row.case.question for row, *_ in listed] == questions[::-1]
    middle = as_dana.get(at(questions[1]) + "?domain=physical")
    position = middle.context["position"]
    assert (position.number, position.total) == (2, 3)
    assert [position.previous.question, position.following.question] == questions[::-2]
    answer = as_dana.post(
        at(questions[1]) + "?domain=physical", said(questions[1], "valid", note="")
    )
    assert answer["Location"] == at(questions[0]) + "?domain=physical"


@pytest.mark.long
def test_all_shown_are_confirmed_at_once(as_dana: Client, campaign: Campaign, alice: User) -> None:
    questions = [voted_question(campaign, alice, True, True, False) for _ in range(3)]
    shown = [f"{question.public_id}:{revision_of(question)}" for question in questions]
    queue = reverse("review-queue", args=["kitchen"])
    content = as_dana.get(queue).content.decode()
    assert all(f'value="{value}"' in content for value in shown)
    answer = as_dana.post(queue, {"shown": [*shown, "no-such:1", "nonsense"]}, follow=True)
    assert "3 verdicts were confirmed." in words(answer)
    assert "The review queue is empty" in words(answer)


def test_swapping_stays_on_the_question(as_dana: Client, split: Question) -> None:
    answer = as_dana.post(at(split), said(split, "swap_answers", note=""), follow=True)
    assert "answers swapped" in words(answer)
    split.refresh_from_db()
    assert not Verdict.objects.get(question=split).valid


def test_before_the_first_report_a_case_says_why_there_is_no_advice(
    as_dana: Client, split: Question
) -> None:
    assert "after this campaign's first quality report" in words(as_dana.get(at(split)))


def test_the_posterior_stands_beside_the_majority_with_its_model(
    as_dana: Client, split: Question
) -> None:
    report = work_out(split.twin.campaign)
    shown = words(as_dana.get(at(split)))
    n_right = sum(vote.option == split.answer for vote in split.votes.all())
    assert f"{n_right} of {split.votes.count()} votes are for the author" in shown
    assert "By a model in which all validators are equally reliable, it is correct with" in shown
    assert "The verdict does not use this estimate." in shown
    report.figures["model"] = "dawid_skene"
    report.save()
    assert "By the Dawid–Skene model, with each validator’s" in words(as_dana.get(at(split)))


@pytest.mark.long
def test_a_vote_is_excluded_and_used_again(as_dana: Client, split: Question) -> None:
    vote = split.votes.first()
    excluded = reverse("exclude-vote", args=["kitchen", vote.public_id])
    back = reverse("restore-vote", args=["kitchen", vote.public_id])
    assert as_dana.post(excluded, {"reason": "Two seconds."})["Location"] == at(split)
    assert "excluded: paid, not used" in words(as_dana.get(at(split)))
    assert waiting(split) == 1
    as_dana.post(back, {"reason": "It was honest."})
    assert not Vote.objects.filter(excluded_at__isnull=False).exists()
    as_dana.post(excluded, {"reason": ""})
    assert "Enter a reason" in words(as_dana.get(at(split)))


def test_all_votes_of_a_worker_are_excluded(as_dana: Client, split: Question) -> None:
    vote = split.votes.first()
    path = reverse("exclude-work", args=["kitchen", vote.worker.public_id])
    assert as_dana.post(path, {"since": "soon", "reason": "x"}).status_code == 400
    as_dana.post(path, {"since": "2020-01-01T00:00", "reason": "A program."})
    vote.refresh_from_db()
    assert vote.exclusion_reason == "A program."
    assert "1 vote was excluded." in words(as_dana.get(path))


@pytest.mark.long
def test_curators_choose_and_retire_gold(
    as_dana: Client, campaign: Campaign, alice: User, split: Question
) -> None:
    path = reverse("golds", args=["kitchen"])
    assert "No control question is in use" in words(as_dana.get(path))
    assert as_dana.post(path, {"question": "none"}).status_code == 404
    as_dana.post(path, {"question": split.public_id})
    gold = GoldQuestion.objects.get()
    assert "chosen by a curator" in words(as_dana.get(path))
    as_dana.post(reverse("retire-gold", args=["kitchen", gold.public_id]))
    assert not GoldQuestion.objects.in_use().exists()
    assert "chosen by a curator" in words(as_dana.get(path, {"retired": "1"}))


def test_another_campaigns_question_is_not_here(as_dana: Client, campaign: Campaign) -> None:
    other = TwinFactory(seats=1).questions.get(number=1)
    [vote] = give(other, True)
    assert as_dana.get(at(other)).status_code == 404
    for name in ("exclude-vote", "restore-vote"):
        path = reverse(name, args=["kitchen", vote.public_id])
        assert as_dana.post(path, {"reason": "x"}).status_code == 404


# -- what the writer sees --------------------------------------------------------------------------
def test_the_writer_reads_what_to_mend_and_may_revise_once(
    as_dana: Client, as_alice: Client, split: Question
) -> None:
    as_dana.post(at(split), said(split, "return_for_revision", note="Name the people."))
    twin = split.twin
    assert TwinReturn.objects.get().twin == twin
    receipt = words(as_alice.get(reverse("receipt", args=[twin.public_id])))
    assert "Name the people." in receipt
    assert "Revise" in receipt
    assert "Withdraw" not in receipt
    assert as_alice.get(reverse("revise-twin", args=[twin.public_id])).status_code == 200
    mine = words(as_alice.get(reverse("my-work")))
    assert "returned to its writer for revision" in mine
    assert "Name the people." in mine


def test_the_writer_sees_that_a_question_is_not_used(
    as_dana: Client, as_alice: Client, split: Question
) -> None:
    as_dana.post(at(split), said(split, "invalid", reasons=["excluded_by_curator"]))
    mine = words(as_alice.get(reverse("my-work")))
    assert "not used" in mine
    assert "it is still paid" in mine
