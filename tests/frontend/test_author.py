"""Writing a twin: the page, its live checks, submitting, and what a refusal keeps."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Article, Assignment, Campaign, Twin
from tests.factories import SENTENCES, AssignmentFactory
from tests.frontend.pages import HTMX, source, typed, words
from validation.models import Case, VerdictEvent
from workers.models import LedgerEntry, User


@pytest.fixture
def held(alice: User, article: Article) -> Assignment:
    return AssignmentFactory(worker=alice, campaign=article.campaign, article=article)


def submit_path(assignment: Assignment) -> str:
    return reverse("submit-twin", args=[assignment.public_id])


def test_looking_at_the_page_takes_no_article(as_alice: Client, article: Article) -> None:
    assert "Get an article" in words(as_alice.get(reverse("author", args=["kitchen"])))
    assert not Assignment.objects.exists()


def test_asking_for_an_article_leads_to_the_form(as_alice: Client, article: Article) -> None:
    response = as_alice.post(reverse("author", args=["kitchen"]), follow=True)
    assert response.redirect_chain == [("/campaigns/kitchen/write/", 302)]
    assert article.title in words(response)
    assert "Submit twin · $0.40" in words(response)


def test_a_campaign_without_articles_says_who_can_help(
    as_alice: Client, campaign: Campaign
) -> None:
    response = as_alice.post(reverse("author", args=["kitchen"]))
    assert response.status_code == 409
    assert "A curator must import some" in words(response)


def test_a_check_tells_each_mistake_and_marks_the_trigger(
    as_alice: Client, held: Assignment
) -> None:
    path = reverse("check-twin", args=[held.public_id])
    response = as_alice.post(path, typed(sentence2="The trophy broke the _."), headers=HTMX)
    assert "too few" in words(response) or "at least 15" in words(response)
    good = as_alice.post(path, typed(), headers=HTMX)
    assert "Ready to submit" in words(good)
    assert "<mark>large.</mark>" in source(good)
    assert "Trigger: large / small" in words(good)
    assert "<html" not in source(good)
    assert not Twin.objects.exists()


@pytest.mark.parametrize(
    "garbage",
    [
        {},
        {"answer1": "7", "domain": "x", "client_key": "y"},
        {"sentence1": "\x00" * 9, "option1": "o" * 500},
        {"sentence1": "_ " * 40_000, "sentence2": "a " * 40_000},
    ],
)
def test_a_check_of_anything_is_an_answer(
    garbage: dict[str, str], as_alice: Client, held: Assignment
) -> None:
    path = reverse("check-twin", args=[held.public_id])
    assert as_alice.post(path, garbage, headers=HTMX).status_code == 200
    assert as_alice.post(path, garbage).status_code == 200
    assert as_alice.post(submit_path(held), garbage).status_code == 400


def test_submitting_stores_pays_and_shows_a_receipt(
    as_alice: Client, held: Assignment, alice: User
) -> None:
    response = as_alice.post(submit_path(held), typed(), follow=True)
    twin = Twin.objects.get()
    assert str(twin.public_id) in words(response)
    assert "$0.40 was added to your pay" in words(response)
    assert f'data-forget="{held.public_id}"' in source(response)
    assert LedgerEntry.objects.get().worker == alice


def test_submitting_twice_is_submitting_once(as_alice: Client, held: Assignment) -> None:
    fields = typed()
    first = as_alice.post(submit_path(held), fields)
    second = as_alice.post(submit_path(held), fields)
    assert first["Location"] == second["Location"]
    assert Twin.objects.count() == LedgerEntry.objects.count() == 1


def test_the_second_answer_is_the_other_option(as_alice: Client, held: Assignment) -> None:
    as_alice.post(submit_path(held), typed(answer1="2"))
    questions = Twin.objects.get().questions.order_by("number")
    assert [question.answer for question in questions] == [2, 1]


def test_a_broken_rule_keeps_every_word(as_alice: Client, held: Assignment) -> None:
    fields = typed(sentence2=SENTENCES[1].replace("_", "it"))
    response = as_alice.post(submit_path(held), fields)
    assert response.status_code == 400
    assert "no blank" in words(response)
    assert "See the checks" in words(response)
    for name in ("sentence1", "sentence2", "option1", "client_key"):
        assert fields[name] in source(response)


def test_a_refusal_lists_each_blocking_finding_with_a_link_to_its_place(
    as_alice: Client, held: Assignment
) -> None:
    fields = typed(sentence2=SENTENCES[1].replace("_", "it"), anchor="sweater", answer1="")
    page = source(as_alice.post(submit_path(held), fields))
    box = page[page.index('role="alert"') : page.index("See the checks")]
    assert 'data-named="answer1"' in box
    places = re.findall(r'href="#id_(\w+)"\s+data-place', box)
    assert places == ["sentence2", "sentence1", "sentence2"]
    assert "no blank" in box


def test_a_twin_without_a_domain_is_asked_for_one(as_alice: Client, held: Assignment) -> None:
    response = as_alice.post(submit_path(held), typed(domain=""))
    assert response.status_code == 400
    assert "Choose a domain." in words(response)
    assert "Please fix the marked fields. Domain" in words(response)


def test_every_missing_part_is_marked(as_alice: Client, held: Assignment) -> None:
    names = ["anchor", "domain", "option1", "option2", "sentence1", "sentence2", "answer1"]
    empty = source(as_alice.post(submit_path(held), dict.fromkeys(names, "")))
    assert [name for name in names if f'data-error="{name}"' not in empty] == []
    assert [name for name in names if f'data-named="{name}"' not in empty] == []
    half = source(as_alice.post(submit_path(held), typed(sentence2="", answer1="")))
    marked = [name for name in names if f'data-error="{name}"' in half]
    assert marked == ["sentence2", "answer1"]
    named = re.findall(r'data-named="(\w+)"><a href="#id_(\w+)"', half)
    assert named == [(name, name) for name in marked]
    assert "data-error" not in source(as_alice.get(reverse("author", args=["kitchen"])))


def test_a_word_that_is_not_in_the_article_is_refused_as_anchor(
    as_alice: Client, held: Assignment
) -> None:
    response = as_alice.post(submit_path(held), typed(anchor="brown"))
    assert response.status_code == 400
    assert "is not in the article; choose a word that is" in words(response)


def test_a_line_break_in_a_sentence_is_a_space(as_alice: Client, held: Assignment) -> None:
    fields = typed(sentence1=SENTENCES[0].replace(" the brown", "\r\n the  brown"))
    assert as_alice.post(submit_path(held), fields).status_code == 302
    assert Twin.objects.get().questions.first().sentence == SENTENCES[0]


def test_a_lease_that_ended_is_renewed_with_the_text_kept(
    as_alice: Client, held: Assignment
) -> None:
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    fields = typed()
    response = as_alice.post(submit_path(held), fields)
    assert response.status_code == 410
    assert "Renew time and submit" in words(response)
    assert fields["sentence1"] in source(response)
    assert as_alice.post(submit_path(held), fields | {"renew": "1"}).status_code == 302
    assert Twin.objects.count() == 1


def test_the_form_is_still_there_after_the_lease_ended(as_alice: Client, held: Assignment) -> None:
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    response = as_alice.get(reverse("author", args=["kitchen"]))
    assert "Your time for this article is over" in words(response)
    assert "Sentence 1" in words(response)


@pytest.mark.parametrize(
    ("status", "said"),
    [("paused", "You can finish and submit this twin"), ("closed", "cannot be submitted")],
)
def test_a_campaign_that_is_no_longer_open_is_said_at_once_and_while_typing(
    status: str, said: str, as_alice: Client, held: Assignment
) -> None:
    Campaign.objects.update(status=status)
    fresh = as_alice.get(reverse("author", args=["kitchen"]))
    live = as_alice.post(reverse("check-twin", args=[held.public_id]), typed(), headers=HTMX)
    assert said in words(fresh)
    assert said in words(live)
    assert ("Submit twin" in words(fresh)) == (status == "paused")
    assert ("#submit-place" in source(live)) == (status == "closed")
    fields = typed()
    sent = as_alice.post(submit_path(held), fields)
    assert (sent.status_code == 302) == (status == "paused")
    assert status == "paused" or fields["sentence1"] in source(sent)


def test_returning_the_article_frees_the_writer(as_alice: Client, held: Assignment) -> None:
    path = reverse("return-assignment", args=[held.public_id])
    response = as_alice.post(path, typed(), follow=True)
    assert "The article was returned" in words(response)
    assert "Get an article" in words(response)


def test_a_second_tab_that_lags_behind_is_told_of_the_first(
    as_alice: Client, held: Assignment
) -> None:
    as_alice.post(submit_path(held), typed())
    late = typed(sentence1=SENTENCES[0].replace("bed", "floor"), client_key=str(uuid.uuid4()))
    response = as_alice.post(submit_path(held), late)
    assert response.status_code == 409
    assert "See the submitted twin" in words(response)


def test_a_malformed_key_is_replaced_and_the_twin_stored(
    as_alice: Client, held: Assignment
) -> None:
    assert as_alice.post(submit_path(held), typed(client_key="nonsense")).status_code == 302


def test_the_article_offers_its_anchors_with_their_sentences(
    as_alice: Client, held: Assignment
) -> None:
    page = source(as_alice.get(reverse("author", args=["kitchen"])))
    for anchor in held.article.anchors:
        assert f'data-value="{anchor["text"]}"' in page
    assert "Put the heavy shoes at the bottom of the suitcase." in page


def test_a_writer_types_with_few_queries(
    as_alice: Client, held: Assignment, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    with django_assert_max_num_queries(3):
        as_alice.post(reverse("check-twin", args=[held.public_id]), typed(), headers=HTMX)


def test_what_is_said_of_a_missing_field_stays_until_it_is_filled(
    as_alice: Client, held: Assignment
) -> None:
    """Before: the first check took the alert away, and with it the focus."""
    cleared = '<div hx-swap-oob="innerHTML:#broken-rules"></div>'
    path = reverse("check-twin", args=[held.public_id])
    for name in ("option1", "option2", "sentence1", "sentence2", "anchor", "answer1", "domain"):
        refused = as_alice.post(submit_path(held), typed(**{name: ""}))
        assert refused.status_code == 400
        assert 'role="alert" tabindex="-1" data-focus-now' in source(refused)
        assert cleared not in source(as_alice.post(path, typed(**{name: ""}), headers=HTMX))
    assert cleared in source(as_alice.post(path, typed(), headers=HTMX))


RUDE = (
    "The trophy does not fit into the brown suitcase because the damn fucking _ is too large.",
    "The trophy does not fit into the brown suitcase because the damn fucking _ is too small.",
)


def test_words_that_may_offend_are_asked_about_once_and_mark_the_twin(
    as_alice: Client, held: Assignment
) -> None:
    rude = typed(sentence1=RUDE[0], sentence2=RUDE[1])
    asked = as_alice.post(submit_path(held), rude)
    assert asked.status_code == 409
    assert "may be obscene or hateful. Is it meant?" in words(asked)
    assert RUDE[0] in source(asked)  # nothing typed is lost
    assert not Twin.objects.exists()
    sure = re.search(r'name="sure" value="([^"]+)"', source(asked))
    assert sure
    other = as_alice.post(submit_path(held), rude | {"sure": "other words"})
    assert other.status_code == 409
    stored = as_alice.post(submit_path(held), rude | {"sure": sure[1]})
    assert stored.status_code == 302
    cases = Case.objects.filter(question__twin=Twin.objects.get())
    assert [(case.flagged, case.rank) for case in cases] == [(True, 1000), (True, 1000)]
    event = VerdictEvent.objects.filter(question=cases[0].question).get()
    assert (event.action, event.by) == ("flagged", None)


def test_a_usual_twin_is_neither_asked_about_nor_marked(as_alice: Client, held: Assignment) -> None:
    assert as_alice.post(submit_path(held), typed()).status_code == 302
    assert not Case.objects.exists()
