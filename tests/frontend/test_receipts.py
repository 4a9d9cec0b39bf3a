"""Receipts: withdrawing a twin, writing it again, and until when either can be done."""

import uuid
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Article, Assignment, Draft, Twin
from collection.services import save_draft
from collection.services.campaigns import pay
from tests.factories import SENTENCES, AssignmentFactory, VoteFactory
from tests.frontend.pages import source, typed, words
from workers.models import LedgerEntry, User


@pytest.fixture
def held(alice: User, article: Article) -> Assignment:
    return AssignmentFactory(worker=alice, campaign=article.campaign, article=article)


@pytest.fixture
def twin(as_alice: Client, held: Assignment) -> Twin:
    as_alice.post(reverse("submit-twin", args=[held.public_id]), typed())
    return Twin.objects.get()


def test_a_withdrawn_twin_says_so_and_can_be_written_again(as_alice: Client, twin: Twin) -> None:
    receipt = reverse("receipt", args=[twin.public_id])
    assert "Withdraw" in words(as_alice.get(receipt))
    gone = as_alice.post(reverse("withdraw-twin", args=[twin.public_id]), follow=True)
    assert "This twin is withdrawn" in words(gone)
    assert "$0.40 was taken back" in words(gone)
    assert "Rewrite" in words(gone)
    assert sum(entry.amount for entry in LedgerEntry.objects.all()) == 0


def test_the_revising_desk_has_the_text_and_a_key_of_its_own(as_alice: Client, twin: Twin) -> None:
    path = reverse("revise-twin", args=[twin.public_id])
    page = source(as_alice.get(path))
    assert f">{SENTENCES[1]}</textarea>" in page
    assert f'"spent": "{twin.client_key}"' in page
    assert f'name="client_key" value="{twin.client_key}"' not in page
    fields = typed(sentence2=SENTENCES[1].replace("small", "narrow"))
    done = as_alice.post(path, fields, follow=True)
    assert "Your new text is submitted" in words(done)
    assert "See the newer twin" in words(as_alice.get(reverse("receipt", args=[twin.public_id])))
    assert as_alice.get(path).status_code == 302


def test_a_draft_saved_after_the_submission_does_not_come_back_as_new(
    as_alice: Client, twin: Twin, held: Assignment, alice: User
) -> None:
    late = {"client_key": str(twin.client_key), "sentence1": "late"}
    one = {"worker": alice, "assignment_id": held.public_id, "version": 0, "evidence": {}}
    save_draft(fields=late, revises=twin.public_id, **one)
    page = source(as_alice.get(reverse("revise-twin", args=[twin.public_id])))
    assert ">late</textarea>" not in page
    assert '"version": 1, "fields": null' in page


def test_a_finished_article_takes_no_draft_but_that_of_a_revision(
    as_alice: Client, twin: Twin, held: Assignment
) -> None:
    """Before: Back after submitting showed an empty form, which saved what was typed into it."""
    body = {"fields": {"sentence1": "lost"}, "version": 0, "evidence": {}}
    path, json = reverse("draft", args=[held.public_id]), "application/json"
    refused = as_alice.post(path, body, content_type=json)
    assert (refused.status_code, refused.json()["error"]["code"]) == (410, "article_finished")
    assert not Draft.objects.exists()
    page = source(as_alice.get(reverse("revise-twin", args=[twin.public_id])))
    assert f'data-draft-url="{path}?revises={twin.public_id}"' in page
    saved = as_alice.post(f"{path}?revises={twin.public_id}", body, content_type=json)
    assert saved.status_code == 200


def test_a_revision_that_breaks_a_rule_keeps_its_text(as_alice: Client, twin: Twin) -> None:
    path = reverse("revise-twin", args=[twin.public_id])
    response = as_alice.post(path, typed(sentence2="Too short _"))
    assert response.status_code == 400
    assert "Too short _" in source(response)
    assert Draft.objects.get().fields["sentence2"] == "Too short _"
    assert as_alice.post(path, typed(domain="")).status_code == 400


@pytest.mark.long
def test_a_validated_twin_stands_as_it_is_and_says_why(as_alice: Client, twin: Twin) -> None:
    VoteFactory(question=twin.questions.first(), seat__number=90)
    receipt = words(as_alice.get(reverse("receipt", args=[twin.public_id])))
    assert "A sentence of this twin has a vote" in receipt
    assert "Withdraw" not in receipt
    for page in ("withdraw-twin", "revise-twin"):
        path = reverse(page, args=[twin.public_id])
        answer = as_alice.post(path, typed(sentence2=SENTENCES[1].replace("far", "much")))
        assert answer.status_code in (302, 409)
    assert not Twin.objects.exclude(withdrawn_at=None).exists()
    assert as_alice.get(reverse("revise-twin", args=[twin.public_id])).status_code == 302


def test_a_twin_that_was_paid_out_offers_no_withdrawal_and_refuses_one(
    as_alice: Client, twin: Twin, dana: User
) -> None:
    pay.approve_entries(campaign=twin.campaign, by=dana)
    out = {"campaign": twin.campaign, "provider": "any", "client_key": uuid.uuid4()}
    pay.export_payout(**out, by=dana)
    receipt = reverse("receipt", args=[twin.public_id])
    withdraw = reverse("withdraw-twin", args=[twin.public_id])
    assert withdraw not in source(as_alice.get(receipt))
    assert "It is in a payout, so it cannot be withdrawn" in words(as_alice.get(receipt))
    assert "This twin is in a payout" in words(as_alice.post(withdraw, follow=True))
    api = as_alice.post(f"/api/v1/twins/{twin.public_id}/withdraw/")
    assert (api.status_code, api.json()["error"]["code"]) == (409, "pay_has_left")
    assert LedgerEntry.objects.total() == Decimal("0.40")
    assert "Revise" in words(as_alice.get(receipt))


def test_checking_while_revising_stays_at_the_revision(as_alice: Client, twin: Twin) -> None:
    path = reverse("check-twin", args=[twin.assignment.public_id])
    page = source(as_alice.post(path, typed(revises=str(twin.public_id))))
    assert f'action="{reverse("revise-twin", args=[twin.public_id])}"' in page
    for wrong in ("x", str(uuid.uuid4())):
        assert as_alice.post(path, typed(revises=wrong)).status_code in (200, 404)


def test_a_twin_whose_pay_was_cancelled_offers_no_revision(
    as_alice: Client, twin: Twin, dana: User
) -> None:
    pay.void_entry(
        campaign=twin.campaign, worker=twin.author, kind="twin", unit=str(twin.public_id),
        reason="No.", by=dana,
    )  # fmt: skip
    receipt, desk = (reverse(name, args=[twin.public_id]) for name in ("receipt", "revise-twin"))
    page = as_alice.get(receipt)
    assert desk not in source(page)
    assert "Its pay was cancelled" in words(page)
    assert as_alice.get(desk).status_code == 302
    assert (
        as_alice.post(desk, typed(sentence2=SENTENCES[1].replace("small", "wee"))).status_code
        == 409
    )
    assert "campaign is closed" not in words(as_alice.get(receipt))
