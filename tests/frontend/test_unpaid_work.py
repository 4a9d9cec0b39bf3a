"""Where the rewards are 0, no page states an amount: each says that the work is unpaid."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from collection import services as collection
from collection.models import Campaign
from frontend.templatetags.pages import reward
from tests.factories import (
    ArticleFactory,
    CampaignFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import words
from tests.knowledge import annotating
from tests.knowledge.formalising import paying, qualified
from tests.panels.people import of_a_set
from validation import services as validation
from workers.models import User

Browse = Callable[[User], Client]
FREE = {"reward_twin": 0, "reward_vote": 0, "reward_exercise": 0}


@pytest.fixture
def unpaid(db: None) -> Campaign:
    campaign = CampaignFactory(slug="free", **FREE)
    ArticleFactory(campaign=campaign)
    return campaign


def is_unpaid(client: Client, address: str, times: int = 1) -> bool:
    page = client.get(address)
    text = words(page)
    assert page.status_code == 200, address
    assert "0.00" not in text, text
    return text.count("unpaid") == times


def test_the_pages_before_the_work_say_that_it_is_unpaid(unpaid: Campaign, browse: Browse) -> None:
    worker = browse(UserFactory())
    assert is_unpaid(worker, "/", times=2)
    assert is_unpaid(worker, reverse("author", args=["free"]))
    assert is_unpaid(worker, reverse("validate", args=["free"]))
    collection.publish_guideline(campaign=unpaid, text="Be kind.")
    assert is_unpaid(worker, reverse("join", args=["free"]))
    assert is_unpaid(worker, reverse("join-validate", args=["free"]))
    curator = browse(UserFactory(curator=True))
    assert is_unpaid(curator, reverse("campaign-preview", args=["free"]))


def test_the_work_itself_states_no_amount(unpaid: Campaign, browse: Browse) -> None:
    writer, validator = UserFactory(), UserFactory()
    collection.request_assignment(worker=writer, campaign=unpaid)
    assert is_unpaid(browse(writer), reverse("author", args=["free"]), times=0)
    TwinFactory(campaign=unpaid, seats=3)
    validation.claim_seat(worker=validator, campaign=unpaid)
    assert is_unpaid(browse(validator), reverse("validate", args=["free"]))


def test_a_human_evaluation_says_that_it_is_unpaid(unpaid: Campaign, browse: Browse) -> None:
    evaluation = of_a_set(campaign=unpaid, reward=0)
    worker = browse(UserFactory())
    here = reverse("answer-human", args=[evaluation.public_id])
    assert is_unpaid(worker, "/", times=3)
    assert is_unpaid(worker, here, times=2)
    worker.post(here)
    assert is_unpaid(worker, here)


@pytest.mark.parametrize("price", [{"reward": 0}, {"whole_set": 0}])
def test_the_validation_of_a_set_says_that_it_is_unpaid(
    unpaid: Campaign, browse: Browse, price: dict[str, int]
) -> None:
    of = annotating.knowledge_set(campaign=unpaid)
    asked = annotating.validation(of=of, **price)
    worker = browse(UserFactory())
    assert is_unpaid(worker, "/", times=3)
    assert is_unpaid(worker, reverse("answer-human", args=[asked.public_id]))


def test_formalising_says_that_it_is_unpaid(unpaid: Campaign, browse: Browse) -> None:
    of = paying(campaign=unpaid, formalisation_reward=0, exercise=["t-1"])
    assert is_unpaid(browse(UserFactory()), reverse("knowledge-exercise", args=[of.name]))
    worker = browse(qualified(of))
    address = reverse("knowledge-question", args=[of.name, "t-1"])
    assert is_unpaid(worker, address)
    worker.post(reverse("take-question", args=[of.name, "t-1"]))
    assert is_unpaid(worker, address)


def test_a_studys_preview_states_no_amount(unpaid: Campaign, browse: Browse) -> None:
    study = StudyFactory(campaign=unpaid, skill="validate")
    page = browse(UserFactory()).get(reverse("arrive", args=[study.public_id]))
    assert "0.00" not in words(page)


def test_a_reward_is_its_amount_or_nothing() -> None:
    assert (reward(0, "USD"), reward(0.4, "USD")) == ("", "$0.40")  # type: ignore[arg-type]
