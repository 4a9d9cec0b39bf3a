"""The Data tab: addresses that mean what they say, actions, files, and what is hostile."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Membership, Question, Twin
from filtering.models import Encoding
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import (
    CampaignFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.filtering.stages import filtered, frozen
from tests.frontend.pages import source, words
from tests.frontend.test_personal import own_data, table
from tests.validation.deciding import a_question, give
from validation.models import BulkAction, QuestionComment, QuestionFacts, SavedView, Verdict
from winoplatform.artifacts import store
from workers.models import User

Page = Callable[[User], Client]
HOSTILE = [
    "'",
    "\\",
    "!!&|()<->:*",
    'a "b',
    "a:*b & !",
    "%s %(x)s %%",
    "<b>hi</b>",
    "or",
    "- - -",
    "the",
    "\u202e\u0000"[:1],
    "🙂",
    "a" * 300,
]


def address(campaign: Campaign, query: str = "", **more: Any) -> str:
    return reverse("data", args=[campaign.slug], query=more) + query


@pytest.fixture
def questions(campaign: Campaign) -> list[Question]:
    """Two valid ones, one that is not, one that waits."""
    made = [q for _ in range(2) for q in TwinFactory(campaign=campaign).questions.all()]
    for question in made[:2]:
        VerdictFactory(question=question)
    VerdictFactory(question=made[2], reasons=["local"])
    return made


def test_an_address_shows_its_questions_and_where_they_are_in_all(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    page = words(as_dana.get(address(campaign)))
    assert "1–4 of 4" in page
    page = words(as_dana.get(address(campaign, verdict=["valid", "invalid"], columns=["id"])))
    assert "1–3 of 3" in page
    assert questions[0].public_id in page
    assert questions[3].public_id not in page


def test_a_search_for_frequent_words_alone_says_that_they_are_ignored(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    ignored = "The search ignores frequent words"
    assert ignored in words(as_dana.get(address(campaign, q="the")))
    other = words(as_dana.get(address(campaign, q="the zebra")))
    assert ignored not in other
    assert "No question matches all of these filters." in other


@pytest.mark.parametrize("said", HOSTILE)
def test_a_hostile_search_finds_nothing_or_something_but_never_fails(
    said: str, as_dana: Client, campaign: Campaign, questions: list[Question], dana: User
) -> None:
    for name in ("q", "like"):
        answer = as_dana.get(address(campaign), {name: said})
        assert answer.status_code == 200
        assert "<b>hi</b>" not in source(answer)
        ok(client_of(dana).get(f"{API}questions/", {name: said, "campaign": campaign.slug}))


@pytest.mark.parametrize(
    "asked",
    [
        {"q": "a\0b"},
        {"q": "a" * 10_000},
        {"like": "a" * 10_000},
        {"writer": "w\0"},
        {"anchor": "a" * 121},
        {"verdict": "maybe"},
        {"agreement": "many"},
        {"run": "1"},
        {"release": ["x"] * 51},
        {"sort": "sideways"},
        {"page": "-1"},
        {"wrong": "1"},
    ],
)
def test_what_an_address_cannot_mean_is_refused_and_shows_no_question(
    asked: dict[str, Any], as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    answer = as_dana.get(address(campaign), asked)
    assert answer.status_code == 400
    assert questions[0].public_id not in source(answer)
    for name in ("data-file", "new-data-action"):
        args = [campaign.slug, "csv"] if name == "data-file" else [campaign.slug]
        path = reverse(name, args=args, query=asked)
        refused = as_dana.post(path, {"kind": "valid", "all": "1", "id": questions[0].public_id})
        assert refused.status_code == 400
    assert not BulkAction.objects.exists()


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"q": "a\0b"}, "q"),
        ({"q": "a" * 10_000}, "q"),
        ({"verdict": "maybe"}, "verdict"),
        ({"agreement": "many"}, "agreement"),
        ({"wrong": "1"}, "wrong"),
        ({"valid": "maybe"}, "valid"),
    ],
)
def test_the_api_refuses_what_it_does_not_know(
    asked: dict[str, Any], field: str, dana: User
) -> None:
    error = assert_error(client_of(dana).get(f"{API}questions/", asked), 400, "invalid")
    assert field in json.dumps(error)


def test_the_api_has_the_same_filters(
    dana: User, campaign: Campaign, questions: list[Question]
) -> None:
    def found(**asked: Any) -> set[str]:
        body = ok(client_of(dana).get(f"{API}questions/", {"campaign": campaign.slug, **asked}))
        return {row["id"] for row in body["results"]}

    assert found(q="trophy suitcase") == {each.public_id for each in questions}
    assert found(q="elephant") == set()
    assert found(verdict=["valid", "awaiting_votes"]) == {
        each.public_id for each in (*questions[:2], questions[3])
    }
    assert found(reason="local") == {questions[2].public_id}
    assert found(id=questions[1].public_id) == {questions[1].public_id}
    assert len(found(like=questions[0].public_id)) == 4
    unknown = client_of(dana).get(f"{API}questions/", {"release": "none"})
    assert_error(unknown, 400, "unknown_release")


def test_a_decision_on_selected_questions_is_asked_for_and_then_reported(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    chosen = {"kind": "valid", "id": [questions[2].public_id, questions[3].public_id]}
    asked = as_dana.post(reverse("new-data-action", args=[campaign.slug]), chosen, follow=True)
    assert "This is about 2 questions. Nothing is done yet." in words(asked)
    assert not Verdict.objects.filter(question=questions[3]).exists()
    path = asked.redirect_chain[0][0]
    assert as_dana.post(path, {"note": ""}).status_code == 400
    for _ in range(2):  # the second click
        done = as_dana.post(path, {"note": "Both are clear."}, follow=True)
        assert "Done: 2 of 2. Refused: 0. Left: 0." in words(done)
    assert Verdict.objects.filter(question__in=questions[2:], valid=True).count() == 2
    assert questions[3].verdict_events.count() == 1


def test_all_of_a_view_is_what_its_filters_show(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    path = reverse("new-data-action", args=[campaign.slug], query={"verdict": "valid"})
    asked = as_dana.post(path, {"kind": "exclude", "all": "1"}, follow=True)
    as_dana.post(asked.redirect_chain[0][0], {"note": "Too easy."})
    states = QuestionFacts.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["not_used", "not_used", "invalid", "awaiting_votes"]


def test_another_curator_cannot_confirm_it(
    as_dana: Client, campaign: Campaign, questions: list[Question], browse: Page
) -> None:
    chosen = {"kind": "valid", "id": questions[0].public_id}
    asked = as_dana.post(reverse("new-data-action", args=[campaign.slug]), chosen)
    other = browse(UserFactory(curator=True))
    assert other.post(asked["Location"], {"note": "Mine now."}).status_code == 404


def test_a_view_is_exported_with_its_columns_in_its_order(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    query = {"sort": "oldest", "columns": ["verdict", "reasons", "agreement"]}
    path = reverse("data-file", args=[campaign.slug, "jsonl"], query=query)
    lines = b"".join(as_dana.get(path)).decode().splitlines()  # type: ignore[call-overload]
    rows = [json.loads(line) for line in lines]
    assert [row["question"] for row in rows] == [each.public_id for each in questions]
    assert set(rows[0]) == {
        "question", "twin", "sentence", "verdict", "reasons", "votes_for_answer", "votes",
    }  # fmt: skip
    assert rows[2]["reasons"] == "local"
    path = reverse("data-file", args=[campaign.slug, "csv"], query={"verdict": "invalid"})
    text = b"".join(as_dana.get(path)).decode()  # type: ignore[call-overload]
    [row] = csv.DictReader(io.StringIO(text))
    assert row["question"] == questions[2].public_id
    assert as_dana.get(path.replace(".csv", ".xls")).status_code == 404


@pytest.mark.long
@pytest.mark.parametrize("twins", ["", "1"])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_view_without_any_question_is_an_empty_file(
    as_dana: Client, campaign: Campaign, questions: list[Question], kind: str, twins: str
) -> None:
    query = {"like": "Zebras juggle quartz vigorously.", "twins": twins}
    path = reverse("data-file", args=[campaign.slug, kind], query=query)
    answer = as_dana.get(path)
    assert answer.status_code == 200
    assert b"".join(answer).count(b"\n") == (kind == "csv")  # type: ignore[call-overload]


def test_only_the_selected_ones_are_exported_by_post(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    path = reverse("data-file", args=[campaign.slug, "csv"])
    text = b"".join(as_dana.post(path, {"id": questions[1].public_id})).decode()  # type: ignore[call-overload]
    assert [row["question"] for row in csv.DictReader(io.StringIO(text))] == [
        questions[1].public_id
    ]


def test_a_cell_is_no_formula(as_dana: Client, campaign: Campaign) -> None:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    Question.objects.filter(pk=question.pk).update(sentence="=1+1 _ is two")
    path = reverse("data-file", args=[campaign.slug, "csv"], query={"q": "two"})
    assert b"'=1+1" in b"".join(as_dana.get(path))  # type: ignore[call-overload]


def test_the_page_of_a_question_has_its_whole_history(as_dana: Client) -> None:
    question = a_question()
    give(question, True, False, True, comment="The ball would fit.")
    slug = question.twin.campaign.slug
    page = words(as_dana.get(reverse("data-question", args=[slug, question.public_id])))
    for said in (question.public_id, "“The ball would fit.”", "decided by the votes", "this one"):
        assert said in page
    assert "No evaluation has answered it." not in page
    path = reverse("data-question", args=[slug, question.public_id], query={"answers": "1"})
    assert "No evaluation has answered it." in words(as_dana.get(path))
    elsewhere = reverse("data-question", args=[CampaignFactory().slug, question.public_id])
    assert as_dana.get(elsewhere).status_code == 404


def test_only_who_may_decide_is_led_to_decide_and_nobody_on_a_withdrawn_question(
    as_dana: Client, dana: User
) -> None:
    question = TwinFactory().questions.get(number=1)
    campaign = question.twin.campaign
    page = reverse("data-question", args=[campaign.slug, question.public_id])
    decide = reverse("review-question", args=[campaign.slug, question.public_id])
    assert f'href="{decide}"' in source(as_dana.get(page))
    viewer = UserFactory(curator=True)
    member = Membership.objects.get_or_create(user=viewer, campaign=campaign)[0]
    Membership.objects.filter(pk=member.pk).update(role=Membership.Role.VIEWER)
    as_viewer = Client()
    as_viewer.force_login(viewer)
    assert f'href="{decide}"' not in source(as_viewer.get(page))
    Twin.objects.filter(pk=question.twin_id).update(withdrawn_at=timezone.now())
    assert f'href="{decide}"' not in source(as_dana.get(page))


@pytest.mark.long
def test_a_question_that_tuned_the_encoder_is_not_said_to_be_removed(as_dana: Client) -> None:
    questions = frozen(pairs=3)
    encoding = filtered(questions, questions[2:]).encoding
    used = store.put_bytes(f"{questions[0].id}\n".encode())
    tuning = TuningFactory(finished=True, snapshot=encoding.snapshot, used=used)
    Encoding.objects.filter(pk=encoding.pk).update(tuning=tuning)
    slug = encoding.snapshot.campaign.slug
    paths = [reverse("data-question", args=[slug, one.id]) for one in questions[:3]]
    tuned, removed, kept = (words(as_dana.get(path)) for path in paths)
    assert "used to tune the encoder" in tuned
    assert "not kept" not in tuned
    assert "not kept" in removed
    assert "kept" in kept
    assert "not kept" not in kept


def test_what_comes_with_its_twin_is_marked_and_counted(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    query = {"verdict": "invalid", "twins": "1"}
    page = words(as_dana.get(address(campaign, **query)))
    assert "1–2 of 2: 1 match, 1 with their twin" in page
    assert page.count("comes with its twin; does not match") == 1
    assert "All 2 of this view also the 1 that does not match" in page
    page = words(as_dana.get(address(campaign, verdict="invalid")))
    assert "comes with its twin" not in page
    assert "does not match" not in words(as_dana.get(address(campaign, twins="1")))


def test_a_refused_action_shows_the_list_with_its_filters(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    path = reverse("new-data-action", args=[campaign.slug], query={"verdict": "invalid"})
    refused = as_dana.post(path, {"kind": "valid"}, follow=True)
    assert "Select at least one question." in words(refused)
    assert "1–1 of 1" in words(refused)
    assert refused.redirect_chain[-1][0].endswith("/data/?verdict=invalid")


@pytest.mark.long
def test_an_action_leads_back_to_its_view_and_is_undone(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    query = {"verdict": "valid", "twins": "1", "page": "1"}
    path = reverse("new-data-action", args=[campaign.slug], query=query)
    asked = as_dana.post(path, {"kind": "exclude", "all": "1"}, follow=True)
    back = f'href="{reverse("data", args=[campaign.slug])}?verdict=valid&amp;twins=1"'
    assert back in source(asked)
    done = as_dana.post(asked.redirect_chain[0][0], {"note": "Too easy."}, follow=True)
    assert back in source(done)
    assert "Undo for 2 questions" in words(done)
    assert "Your last actions" in words(as_dana.get(address(campaign)))
    action = BulkAction.objects.get()
    decided = questions[0]
    Verdict.objects.filter(question=decided).delete()
    decided.verdict_events.create(action="reopened")
    undo = reverse("undo-data-action", args=[campaign.slug, action.public_id])
    for _ in range(2):  # the second click
        undone = as_dana.post(f"{undo}?view=verdict%3Dvalid", follow=True)
        assert (
            "As before: 1 of 2. Refused by the action: 0. Left: 0. Not undone: 1. "
            "Each of these says why."
        ) in words(undone)
        assert "It has changed since the action" in words(undone)
    assert f'href="{reverse("data", args=[campaign.slug])}?verdict=valid"' in source(undone)


def test_an_undo_without_budget_is_continued_by_hand(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    path = reverse("new-data-action", args=[campaign.slug], query={"verdict": "valid"})
    asked = as_dana.post(path, {"kind": "exclude", "all": "1"}, follow=True)
    as_dana.post(asked.redirect_chain[0][0], {"note": "Too easy."})
    Campaign.objects.update(budget_cap=0)
    action = BulkAction.objects.get()
    undo = reverse("undo-data-action", args=[campaign.slug, action.public_id])
    refused = as_dana.post(undo)
    assert refused.status_code == 409
    assert "Raise the budget" in words(refused)
    assert "under way As before: 0 of" in words(refused)
    assert f'action="{undo}"' in source(refused)
    assert "data-continue" not in source(refused)  # else the script would ask again and again


@pytest.mark.long
def test_a_view_is_named_opened_by_another_member_and_deleted(
    as_dana: Client, campaign: Campaign, questions: list[Question], browse: Page
) -> None:
    save = reverse("new-data-view", args=[campaign.slug], query={"verdict": "invalid", "page": "2"})
    assert "“Bad ones” is saved" in words(as_dana.post(save, {"name": "Bad ones"}, follow=True))
    again = as_dana.post(save, {"name": "Bad ones"}, follow=True)
    assert "There is a view “Bad ones” already." in words(again)
    assert SavedView.objects.get().query == "verdict=invalid"
    other = browse(UserFactory(curator=True))
    assert "Bad ones" in words(other.get(address(campaign)))
    assert "Delete this view" not in words(other.get(address(campaign)))
    page = other.get(address(campaign, verdict="invalid"))
    assert "Delete this view" in words(page)
    path = reverse("delete-data-view", args=[campaign.slug, SavedView.objects.get().public_id])
    deleted = other.post(f"{path}?verdict=invalid", follow=True)
    assert "1–1 of 1" in words(deleted)
    assert not SavedView.objects.exists()


@pytest.mark.long
def test_a_comment_is_read_by_members_and_deleted_by_its_author(
    as_dana: Client, campaign: Campaign, questions: list[Question], browse: Page
) -> None:
    question = questions[2]
    path = reverse("comment-question", args=[campaign.slug, question.public_id])
    said = {"text": "<b>Both</b> fit.", "public_id": "7d4b0c6c-6a34-4e0e-9a3e-6a6a4f0f6c11"}
    for _ in range(2):  # the second click
        page = as_dana.post(path, said, follow=True)
    assert words(page).count("Both fit.") == 0
    assert "&lt;b&gt;Both&lt;/b&gt; fit." in source(page)
    comment = QuestionComment.objects.get()
    other = browse(UserFactory(curator=True))
    assert "1 comment" in words(other.get(address(campaign)))
    shown = other.get(address(campaign, show=question.public_id))
    assert "&lt;b&gt;Both" in source(shown)
    delete = reverse("delete-data-comment", args=[campaign.slug, comment.public_id])
    assert delete not in source(shown)
    assert other.post(delete).status_code == 404
    back = as_dana.post(f"{delete}?view=verdict%3Dinvalid&show=1")
    assert back["Location"].endswith(f"?verdict=invalid&show={question.public_id}#preview")
    assert not QuestionComment.objects.exists()
    assert as_dana.post(path, {"text": ""}).status_code == 400


@pytest.mark.long
def test_no_worker_sees_a_comment(
    as_dana: Client, campaign: Campaign, questions: list[Question], browse: Page
) -> None:
    question = questions[0]
    author = question.twin.author
    assert author is not None
    path = reverse("comment-question", args=[campaign.slug, question.public_id])
    key = "7d4b0c6c-6a34-4e0e-9a3e-6a6a4f0f6c11"
    as_dana.post(path, {"text": "Quixotic remark.", "public_id": key})
    worker = browse(author)
    for name in ("home", "my-work"):
        assert "Quixotic" not in source(worker.get(reverse(name)))
    comments = "validation_questioncomment"
    [mine] = table(own_data(as_dana), comments)
    assert mine["text"] == "Quixotic remark."
    archive = own_data(worker)
    assert not any("Quixotic" in archive.read(name).decode() for name in archive.namelist())
    assert worker.post(path, {"text": "Mine."}).status_code == 403


def test_a_preview_is_a_part_of_the_page_or_a_page_by_a_link(
    as_dana: Client, campaign: Campaign, questions: list[Question]
) -> None:
    query = {"verdict": "valid", "show": questions[0].public_id}
    page = as_dana.get(address(campaign, **query))
    assert "1–2 of 2" in words(page)
    assert 'id="preview"' in source(page)
    assert f'href="{reverse("data", args=[campaign.slug])}?verdict=valid"' in source(page)
    part = as_dana.get(address(campaign, **query), headers={"HX-Request": "true"})
    assert source(part).count("data-row") == 0
    assert 'id="preview"' in source(part)
    elsewhere = TwinFactory().questions.get(number=1).public_id
    assert as_dana.get(address(campaign, show=elsewhere)).status_code == 404
