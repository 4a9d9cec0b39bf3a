"""What the database itself refuses, whatever the code above it does."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from collection.models import Question
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    TwinFactory,
)

pytestmark = pytest.mark.django_db


def article_twice() -> None:
    article = ArticleFactory()
    ArticleFactory(campaign=article.campaign, source_id=article.source_id)


def two_open_assignments() -> None:
    first = AssignmentFactory()
    AssignmentFactory(campaign=first.campaign, worker=first.worker)


def same_client_key() -> None:
    twin = TwinFactory()
    TwinFactory(author=twin.author, client_key=twin.client_key)


def imported_twice() -> None:
    twin = TwinFactory(published=True)
    TwinFactory(published=True, campaign=twin.campaign, source_id=twin.source_id)


def same_sentences() -> None:
    twin = TwinFactory(fingerprint="ab")
    TwinFactory(campaign=twin.campaign, fingerprint="ab")


def same_place() -> None:
    question = TwinFactory().questions.get(number=1)
    Question.objects.create(twin=question.twin, number=1, sentence="_", answer=2)


def same_answer() -> None:
    twin = TwinFactory()
    twin.questions.filter(number=2).update(answer=1)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    (
        "collection_campaign_word_limits_are_ordered",
        lambda: CampaignFactory(min_words=20, max_words=19),
    ),
    ("collection_campaign_overlap_is_a_share", lambda: CampaignFactory(min_overlap=Decimal(1))),
    (
        "collection_campaign_rewards_are_not_negative",
        lambda: CampaignFactory(reward_twin=Decimal("-0.01")),
    ),
    ("collection_campaign_votes_are_odd", lambda: CampaignFactory(votes_per_question=2)),
    ("collection_campaign_leases_last", lambda: CampaignFactory(vote_minutes=0)),
    ("collection_article_is_imported_once", article_twice),
    ("collection_assignment_is_one_at_a_time", two_open_assignments),
    ("collection_twin_is_submitted_once", same_client_key),
    ("collection_twin_is_imported_once", imported_twice),
    ("collection_twin_is_written_once", same_sentences),
    ("collection_twin_options_differ", lambda: TwinFactory(option1="cup", option2="cup")),
    (
        "collection_twin_authored_has_an_author",
        lambda: TwinFactory(author=None),
    ),
    ("collection_question_has_one_place_in_its_twin", same_place),
    ("collection_question_answers_are_opposite", same_answer),
    (
        "collection_question_number_and_answer_are_1_or_2",
        lambda: TwinFactory().questions.filter(number=1).update(number=3),
    ),
]


@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        break_it()


def test_every_constraint_of_collection_is_tried() -> None:
    models = apps.get_app_config("collection").get_models()
    named = {constraint.name for model in models for constraint in model._meta.constraints}
    assert named == {constraint for constraint, _ in REFUSED}
