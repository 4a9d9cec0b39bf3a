"""The desk's page: drafts, what stands beneath each sentence, advice, revising, taking back."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Article, Assignment, Attribute, Campaign, Draft, Twin
from collection.services import publish_guideline, save_draft
from tests.factories import SENTENCES, ArticleFactory, AssignmentFactory, UserFactory
from tests.frontend.pages import HTMX, source, typed, words
from workers.models import User


@pytest.fixture
def held(alice: User, article: Article) -> Assignment:
    return AssignmentFactory(worker=alice, campaign=article.campaign, article=article)


@pytest.fixture
def twin(as_alice: Client, held: Assignment) -> Twin:
    as_alice.post(reverse("submit-twin", args=[held.public_id]), typed())
    return Twin.objects.get()


def draft_path(assignment: Assignment) -> str:
    return reverse("draft", args=[assignment.public_id])


def save(client: Client, assignment: Assignment, version: int = 0, **fields: str) -> Any:
    body = {"fields": fields, "version": version, "evidence": {"edits": 1}}
    return client.post(draft_path(assignment), json.dumps(body), content_type="application/json")


# -- drafts ----------------------------------------------------------------------------------------


def test_a_draft_is_saved_and_fills_the_page_of_another_browser(
    as_alice: Client, held: Assignment, alice: User, browse: Callable[[User], Client]
) -> None:
    saved = save(as_alice, held, sentence1="Half a _", domain="physical")
    assert (saved.status_code, saved.json()["version"]) == (200, 1)
    page = source(browse(alice).get(reverse("author", args=["kitchen"])))
    assert ">Half a _</textarea>" in page
    assert 'value="physical" checked' in page
    assert '"version": 1' in page


def test_every_refusal_of_a_draft_is_in_clear(
    as_alice: Client, held: Assignment, as_carol: Client
) -> None:
    save(as_alice, held, sentence1="newer")
    outdated = save(as_alice, held, sentence1="older")
    assert outdated.status_code == 409
    assert outdated.json()["error"]["details"]["fields"] == {"sentence1": "newer"}
    assert save(as_carol, held, 1).status_code == 404
    signed_out = save(Client(), held, 1)
    assert (signed_out.status_code, signed_out.json()["error"]["code"]) == (401, "signed_out")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = as_alice.cookies
    assert save(strict, held, 1).status_code == 403


def test_the_address_of_the_draft_gives_a_token_that_is_good_now(
    as_alice: Client, held: Assignment
) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = as_alice.cookies
    answer = strict.get(draft_path(held)).json()
    assert (answer["version"], answer["fields"]) == (0, {})
    body = json.dumps({"fields": {}, "version": 0, "evidence": {}})
    headers = {"X-CSRFToken": answer["csrf"]}
    path, kind = draft_path(held), "application/json"
    assert strict.post(path, body, content_type=kind, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "null", '{"fields": 1, "version": 0, "evidence": {}}', "[" * 100_000,
     '{"fields": {"sentence1": "\\ud800\\u0000"}, "version": {}, "evidence": {"edits": 1e999}}',
     '{"fields": {}, "version": null, "evidence": []}'],
)  # fmt: skip
def test_any_body_is_answered(body: str, as_alice: Client, held: Assignment) -> None:
    answer = as_alice.post(draft_path(held), body, content_type="application/json")
    assert answer.status_code in (200, 400)


def test_a_text_too_long_to_be_read_at_all_is_refused_in_clear(
    as_alice: Client, held: Assignment, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    refused = save(as_alice, held, sentence1="x" * 1_000)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "draft_too_large")
    assert save(as_alice, held, sentence1="x" * 100).status_code == 200


def test_a_refused_submission_is_saved_for_a_browser_without_scripts(
    as_alice: Client, held: Assignment
) -> None:
    half = {"sentence2": "Half _", "draft_version": "1"}
    as_alice.post(reverse("submit-twin", args=[held.public_id]), typed(sentence2="Half"))
    as_alice.post(reverse("check-twin", args=[held.public_id]), typed(**half))
    draft = Draft.objects.get()
    assert (draft.fields["sentence2"], draft.version) == ("Half _", 2)


def test_a_live_check_saves_nothing(as_alice: Client, held: Assignment) -> None:
    as_alice.post(reverse("check-twin", args=[held.public_id]), typed(), headers=HTMX)
    assert not Draft.objects.exists()


def test_an_assignment_whose_time_is_over_still_saves(
    as_alice: Client, held: Assignment, alice: User
) -> None:
    Assignment.objects.update(leased_until=timezone.now() - timedelta(days=1))
    save_draft(
        worker=alice, assignment_id=held.public_id, fields={"anchor": "bed"}, version=0, evidence={}
    )
    assert 'value="bed"' in source(as_alice.get(reverse("author", args=["kitchen"])))


def refuse(client: Client, assignment: Assignment, version: int, text: str) -> Any:
    """Submit a twin without a domain, as a browser without scripts does."""
    fields = typed(sentence1=text, domain="", draft_version=str(version))
    return client.post(reverse("submit-twin", args=[assignment.public_id]), fields)


def test_a_refused_form_that_is_sent_again_leaves_a_newer_draft_as_it_is(
    as_alice: Client, held: Assignment
) -> None:
    assert 'name="draft_version" value="1"' in source(refuse(as_alice, held, 0, "Old _"))
    save(as_alice, held, 1, sentence1="New _")
    again = refuse(as_alice, held, 0, "Old _")
    assert Draft.objects.get().fields["sentence1"] == "New _"
    assert "The text below is not saved, because a newer version is." in words(again)
    assert ">Old _</textarea>" in source(again)
    assert 'name="draft_version" value="0"' in source(again)


def test_a_newer_draft_is_replaced_once_the_writer_has_chosen(
    as_alice: Client, held: Assignment
) -> None:
    save(as_alice, held, sentence1="New _")
    assert '<button class="button quiet-button" name="draft_version" value="1"' in source(
        refuse(as_alice, held, 0, "Old _")
    )
    path = reverse("check-twin", args=[held.public_id])
    as_alice.post(path, typed(sentence1="Old _", draft_version=["0", "1"]))
    assert Draft.objects.get().fields["sentence1"] == "Old _"


def test_a_refused_form_sent_twice_is_one_draft_and_no_second_version(
    as_alice: Client, held: Assignment
) -> None:
    fields = typed(domain="", draft_version="0")
    path = reverse("submit-twin", args=[held.public_id])
    as_alice.post(path, fields)
    again = as_alice.post(path, fields)
    assert Draft.objects.get().version == 1
    assert "a newer version is" not in words(again)


# -- the page --------------------------------------------------------------------------------------


def test_beneath_each_sentence_stand_its_words_and_the_filled_gap(
    as_alice: Client, held: Assignment
) -> None:
    path = reverse("check-twin", args=[held.public_id])
    good = as_alice.post(path, typed(), headers=HTMX)
    assert words(good).count("19 words 15 to 30") == 2
    assert '<span class="blank filled">suitcase</span> was far too <mark>small.</mark>' in source(
        good
    )
    assert "94% of the words shared" in words(good)
    short = as_alice.post(path, typed(sentence2="The _."), headers=HTMX)
    assert "2 words 15 to 30 · blocking" in words(short)


def test_of_equal_sentences_no_share_is_asked(as_alice: Client, held: Assignment) -> None:
    path = reverse("check-twin", args=[held.public_id])
    equal = as_alice.post(path, typed(sentence2=SENTENCES[0]), headers=HTMX)
    assert words(equal).count("the sentences are equal; change the trigger") == 2
    assert "at least 70%" not in words(equal)


def test_a_remark_leads_to_its_field_and_place(as_alice: Client, held: Assignment) -> None:
    path = reverse("check-twin", args=[held.public_id])
    fields = typed(sentence2=SENTENCES[1].replace("_", "_x"), anchor="sweater")
    page = source(as_alice.post(path, fields, headers=HTMX))
    assert 'href="#id_sentence2" data-place="sentence2" data-start="' in page
    assert 'data-place="sentence1"' in page


def test_anchors_that_are_used_up_say_so(as_alice: Client, held: Assignment) -> None:
    Campaign.objects.update(anchor_uses_max=1)
    Twin.objects.create(
        campaign=held.campaign, author=UserFactory(), anchor="Suitcase", anchor_key="suitcase",
        option1="a", option2="b", **held.campaign.for_twins,
    )  # fmt: skip
    page = as_alice.get(reverse("author", args=["kitchen"]))
    assert "Suitcase · used up" in words(page)
    assert words(page).count("used up") == 1


def test_the_attributes_and_the_guidelines_stand_beside_the_form(
    as_alice: Client, held: Assignment
) -> None:
    publish_guideline(campaign=held.campaign, text="Write *well*.", aids_policy="No machines.")
    Attribute.objects.create(campaign=held.campaign, name="size", pairs=[["large", "small"]])
    page = words(as_alice.get(reverse("author", args=["kitchen"])))
    for part in ("size", "large / small", "Write well .", "No machines."):
        assert part in page


def test_advice_waits_for_both_sentences(
    as_alice: Client, held: Assignment, bob: User, as_bob: Client
) -> None:
    path = reverse("advise-twin", args=[held.public_id])
    assert "After both sentences" in words(as_alice.post(path, typed(sentence2="")))
    assert "No suggestions" in words(as_alice.post(path, typed()))
    other = AssignmentFactory(worker=bob, campaign=held.campaign, article=held.article)
    near = typed(sentence1=SENTENCES[0].replace("bed", "sofa"))
    near["sentence2"] = SENTENCES[1].replace("bed", "sofa")
    stored = as_bob.post(reverse("submit-twin", args=[other.public_id]), near)
    assert stored.status_code == 302
    assert "very similar" in words(as_alice.post(path, typed()))
    assert not Twin.objects.filter(author=held.worker).exists()


def test_new_guidelines_are_to_be_accepted_before_the_next_article_and_not_before_this_twin(
    as_alice: Client, held: Assignment
) -> None:
    publish_guideline(campaign=held.campaign, text="Write well.")
    page = reverse("author", args=["kitchen"])
    assert "Sentence 1" in words(as_alice.get(page))
    as_alice.post(reverse("return-assignment", args=[held.public_id]), {"reason": "other"})
    for answer in (as_alice.get(page), as_alice.post(page)):
        assert (answer.status_code, answer["Location"]) == (302, "/campaigns/kitchen/join/")


def test_the_desk_asks_few_questions_of_the_database(
    as_alice: Client, held: Assignment, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    save(as_alice, held, sentence1="Half a _")
    with django_assert_max_num_queries(12):
        as_alice.get(reverse("author", args=["kitchen"]))


# -- another article, or none ----------------------------------------------------------------------


def test_another_article_needs_a_reason(as_alice: Client, held: Assignment) -> None:
    ArticleFactory(campaign=held.campaign, title="How to Boil an Egg")
    path = reverse("return-assignment", args=[held.public_id])
    assert as_alice.post(path, {"another": "1"}).status_code == 400
    assert as_alice.post(path, {"another": "1", "reason": "boredom"}).status_code == 400
    told = {"another": "1", "reason": "other", "comment": "not my field"}
    assert "How to Boil an Egg" in words(as_alice.post(path, told, follow=True))
    held.refresh_from_db()
    assert (held.status, held.return_reason, held.return_comment) == (
        "returned", "other", "not my field",
    )  # fmt: skip


def test_where_no_other_article_is_left_the_page_says_so_calmly(
    as_alice: Client, held: Assignment
) -> None:
    Campaign.objects.update(article_uses_max=1)
    AssignmentFactory(campaign=held.campaign, article=held.article)
    path = reverse("return-assignment", args=[held.public_id])
    response = as_alice.post(path, {"another": "1", "reason": "other"})
    assert response.status_code == 409
    held.refresh_from_db()
    assert held.status == "open"


def test_a_daily_limit_is_said_with_the_time_from_which_one_can_continue(
    as_alice: Client, twin: Twin
) -> None:
    Campaign.objects.update(twins_per_day_max=1)
    page = reverse("author", args=["kitchen"])
    assert "You can continue at" in words(as_alice.get(page))
    refused = as_alice.post(page)
    assert refused.status_code == 409
    assert "You can continue at" in words(refused)
