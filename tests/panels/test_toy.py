"""A new task for people costs an adapter: a toy one is claimed, answered, paid and excluded."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from panels import selectors, services
from tests.factories import UserFactory
from tests.panels import people, toy
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User

LINES = [("A horse walks into a bar.", True), ("It rains.", False)]


def test_its_items_are_claimed_answered_paid_excluded_and_answered_again() -> None:
    panel, (alice, bob, carol, dana) = toy.ask(LINES, reward="0.10"), UserFactory.create_batch(4)
    assert people.answer_all(panel, [alice, bob, carol]) == 6
    assert LedgerEntry.objects.filter(kind="evaluation").total() == Decimal("0.60")
    seat = panel.seats.first()
    services.exclude_vote(vote_id=seat.public_id, reason="In one second.", by=UserFactory())
    assert selectors.progress_of(panel).n_complete == 1
    assert people.answer_all(panel, [dana]) == 1
    assert selectors.scores_of(selectors.panel_answers(panel)).majority.value == 1.0
    assert check_ledger().reconciled


def test_who_knows_is_refused(alice: User) -> None:
    with pytest.raises(DomainError, check=lambda error: error.code == "knows_jokes"):
        people.claim(alice, toy.ask(LINES, reward="0.10", created_by=alice))


def test_its_page_has_its_words_and_its_answers(client: Client) -> None:
    panel, bob = toy.ask(LINES, reward="0.10"), UserFactory()
    client.force_login(bob)
    assert b"Judge jokes" in client.get(reverse("home")).content
    address = reverse("answer-human", args=[panel.public_id])
    shown = client.post(address, follow=True).content.decode()
    assert "Is this a joke?" in shown
    assert "You need not laugh." in shown
    seat = panel.seats.get(worker=bob)
    client.post(
        reverse("cast-human-vote", args=[panel.public_id, seat.public_id]), {"option": "2:sense"}
    )
    seat.refresh_from_db()
    assert (seat.option, seat.fails) == (2, "sense")
