"""A curator chooses a gold question while a release makes it public."""

from decimal import Decimal
from threading import Event

import pytest
from django.db import transaction
from django.utils import timezone

from collection.models import Question
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VerdictFactory
from tests.races.threads import at_once
from validation.models import GoldQuestion
from validation.services import golds
from winoplatform.errors import DomainError


def raced() -> Question:
    """Choose a question as gold, and publish it once it was found unpublished."""
    campaign = CampaignFactory(gold_share=Decimal("0.5"))
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    VerdictFactory(question=question)
    dana, checked, published = UserFactory(curator=True), Event(), Event()

    def choose() -> GoldQuestion:
        with transaction.atomic():
            gold = golds.add_gold(campaign=campaign, question_id=question.public_id, by=dana)
            checked.set()
            published.wait(10)
            return gold

    def publish() -> None:
        checked.wait(10)
        golds.note_published([question.sentence])
        published.set()

    assert [type(found) for found in at_once(choose, publish)] == [GoldQuestion, type(None)]
    return question


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golds._dice, "random", lambda: 0.0)


def test_a_gold_that_is_chosen_while_its_release_is_made_is_never_asked() -> None:
    question = raced()
    campaign, bob = question.twin.campaign, UserFactory()
    assert golds.seat_for(worker=bob, campaign=campaign, now=timezone.now()) is None
    assert not GoldQuestion.objects.in_use().exists()
    with pytest.raises(DomainError, match="public"):
        golds.add_gold(campaign=campaign, question_id=question.public_id, by=bob)


def test_without_what_is_noted_such_a_gold_is_in_use() -> None:
    """The control: the release retires what it finds, and nothing else is asked."""
    question = raced()
    assert GoldQuestion.objects.filter(question=question, retired_at=None).exists()
