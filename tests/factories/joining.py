"""Factories of what stands before writing: exercises, qualifications, pauses, attributes."""

from typing import Any

import factory
from django.utils import timezone

from collection.models import (
    Attribute,
    BackgroundAnswer,
    BackgroundQuestion,
    Consent,
    ExerciseItem,
    Guideline,
)
from collection.selectors.terms import USUAL
from tests.factories.work import CampaignFactory, Factory, UserFactory
from workers.models import Attempt, Pause, Qualification


class GuidelineFactory(Factory):
    class Meta:
        model = Guideline

    campaign = factory.SubFactory(CampaignFactory)
    version = 1
    text = "Write *well*."
    asked_by = str(USUAL["asked_by"])
    contact = str(USUAL["contact"])
    monitoring = str(USUAL["monitoring"])
    data_use = str(USUAL["data_use"])


class ConsentFactory(Factory):
    class Meta:
        model = Consent

    worker = factory.SubFactory(UserFactory)
    guideline = factory.SubFactory(GuidelineFactory)


class BackgroundQuestionFactory(Factory):
    """A question with two options."""

    class Meta:
        model = BackgroundQuestion

    campaign = factory.SubFactory(CampaignFactory)
    number = 1
    text = "Which hand do you write with?"
    options = factory.LazyFunction(lambda: ["left", "right"])


class BackgroundAnswerFactory(Factory):
    class Meta:
        model = BackgroundAnswer

    worker = factory.SubFactory(UserFactory)
    question = factory.SubFactory(BackgroundQuestionFactory)
    options = factory.LazyFunction(lambda: [1])


class ExerciseItemFactory(Factory):
    """An item of three choices; the second one is right."""

    class Meta:
        model = ExerciseItem

    campaign = factory.SubFactory(CampaignFactory)
    number = factory.Sequence(lambda n: n % 30_000 + 1)
    prompt = factory.Sequence(lambda n: f"Question {n}: which one is right?")
    choices = factory.LazyFunction(lambda: ["the left one", "the right one", "neither"])
    answer = 2
    explanation = "Right is right."


class AttributeFactory(Factory):
    class Meta:
        model = Attribute

    campaign = factory.SubFactory(CampaignFactory)
    name = factory.Sequence(lambda n: f"attribute {n}")
    pairs = factory.LazyFunction(lambda: [["big", "small"]])


class QualificationFactory(Factory):
    """A qualification just begun; ``passed=True`` and ``failed=True`` are decided ones."""

    class Meta:
        model = Qualification

    class Params:
        campaign = factory.SubFactory(CampaignFactory)
        passed = factory.Trait(
            status=Qualification.Status.PASSED, decided_at=factory.LazyFunction(timezone.now)
        )
        failed = factory.Trait(
            status=Qualification.Status.FAILED, decided_at=factory.LazyFunction(timezone.now)
        )

    worker = factory.SubFactory(UserFactory)
    scope = factory.SelfAttribute("campaign.public_id")
    skill = Qualification.Skill.WRITE


class AttemptFactory(Factory):
    class Meta:
        model = Attempt

    qualification = factory.SubFactory(QualificationFactory)
    number = 1
    answers = factory.LazyFunction(list)
    n_right = 1
    n_items = 2


class PauseFactory(Factory):
    class Meta:
        model = Pause

    worker = factory.SubFactory(UserFactory)
    reason = "Please read the guidelines again."
    by = factory.SubFactory(UserFactory, curator=True)

    @factory.post_generation
    def joined(self: Pause, create: bool, extracted: Any, **_: Any) -> None:
        """Let the worker have joined a campaign, by which curators know of them."""
        ConsentFactory(worker=self.worker)
