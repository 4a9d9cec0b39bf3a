"""What the database itself refuses, whatever the code above it does."""

import uuid
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.models import Question, SessionCredit, SettingsChange
from collection.services import create_campaign
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    AttributeFactory,
    CampaignFactory,
    ConsentFactory,
    CrowdSessionFactory,
    ExerciseItemFactory,
    GuidelineFactory,
    ParticipantFactory,
    StudyFactory,
    TwinFactory,
)


def begun_twice() -> None:
    campaign = create_campaign(slug="twice", name="Twice")
    SettingsChange.objects.create(campaign=campaign, after={"max_words": 30})


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


def two_for_one_assignment() -> None:
    assignment = AssignmentFactory()
    TwinFactory(campaign=assignment.campaign, assignment=assignment)
    TwinFactory(campaign=assignment.campaign, assignment=assignment)


def same_place() -> None:
    question = TwinFactory().questions.get(number=1)
    Question.objects.create(twin=question.twin, number=1, sentence="_", answer=2)


def same_answer() -> None:
    twin = TwinFactory()
    twin.questions.filter(number=2).update(answer=1)


def same_participant() -> None:
    first = ParticipantFactory()
    ParticipantFactory(provider=first.provider, external_id=first.external_id)


def same_session() -> None:
    first = CrowdSessionFactory()
    CrowdSessionFactory(study=first.study, external_id=first.external_id)


def two_sessions_of_one() -> None:
    first = CrowdSessionFactory()
    again = {"study": first.study, "participant": first.participant}
    CrowdSessionFactory(**again, is_duplicate=True)
    CrowdSessionFactory(**again)


def counted_twice() -> None:
    unit = uuid.uuid4()
    for session in CrowdSessionFactory.create_batch(2):
        SessionCredit.objects.create(session=session, unit=unit)


def same_version() -> None:
    first = GuidelineFactory()
    GuidelineFactory(campaign=first.campaign)


def accepted_twice() -> None:
    first = ConsentFactory()
    ConsentFactory(worker=first.worker, guideline=first.guideline)


def same_item() -> None:
    first = ExerciseItemFactory(number=1, retired_at=timezone.now())
    ExerciseItemFactory(campaign=first.campaign, number=1)
    ExerciseItemFactory(campaign=first.campaign, number=1)


def same_attribute() -> None:
    first = AttributeFactory()
    AttributeFactory(campaign=first.campaign, name=first.name)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    (
        "collection_campaign_people_origin_is_known",
        lambda: CampaignFactory(people_origin="bots"),
    ),
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
    (
        "collection_campaign_exercise_can_be_passed",
        lambda: CampaignFactory(exercise_pass_share=Decimal("1.01")),
    ),
    (
        "collection_campaign_exercise_asks_something",
        lambda: CampaignFactory(exercise_length=0),
    ),
    (
        "collection_campaign_approval_is_a_share",
        lambda: CampaignFactory(min_approval_rate=Decimal("1.001")),
    ),
    (
        "collection_campaign_gold_is_a_share",
        lambda: CampaignFactory(gold_share=Decimal("0.51")),
    ),
    (
        "collection_campaign_extra_votes_are_few",
        lambda: CampaignFactory(extra_votes_max=7),
    ),
    (
        "collection_campaign_money_is_not_negative",
        lambda: CampaignFactory(budget_cap=Decimal("-0.01")),
    ),
    (
        "collection_campaign_second_approval_is_above_a_sum",
        lambda: CampaignFactory(second_approval_above=Decimal("-0.01")),
    ),
    (
        "collection_campaign_near_duplicate_is_in_range",
        lambda: CampaignFactory(near_duplicate=Decimal("0.29")),
    ),
    (
        "collection_campaign_split_shares_are_in_range",
        lambda: CampaignFactory(dev_share=Decimal("0.51")),
    ),
    (
        "collection_campaign_leaves_something_to_train_on",
        lambda: CampaignFactory(dev_share=Decimal("0.50"), test_share=Decimal("0.50")),
    ),
    ("collection_guideline_is_numbered", same_version),
    ("collection_consent_is_given_once", accepted_twice),
    ("collection_exerciseitem_is_numbered", same_item),
    ("collection_exerciseitem_answer_is_a_choice", lambda: ExerciseItemFactory(answer=4)),
    ("collection_attribute_is_named_once", same_attribute),
    ("collection_article_is_imported_once", article_twice),
    ("collection_assignment_is_one_at_a_time", two_open_assignments),
    ("collection_twin_is_submitted_once", same_client_key),
    ("collection_twin_is_imported_once", imported_twice),
    ("collection_twin_is_written_once", same_sentences),
    ("collection_twin_is_one_per_assignment", two_for_one_assignment),
    ("collection_twin_options_differ", lambda: TwinFactory(option1="cup", option2="cup")),
    (
        "collection_twin_authored_has_an_author",
        lambda: TwinFactory(author=None),
    ),
    ("collection_twin_knows_its_settings", lambda: TwinFactory(max_words=None)),
    ("collection_twin_knows_its_settings", lambda: TwinFactory(votes_per_question=2)),
    ("collection_twin_knows_its_settings", lambda: TwinFactory(published=True, min_words=1)),
    ("collection_settingschange_begins_once", begun_twice),
    (
        "collection_settingschange_changes_something",
        lambda: SettingsChange.objects.create(
            campaign=CampaignFactory(), before={"max_words": 30}, after={"max_words": 30}
        ),
    ),
    ("collection_twin_source_split_is_known", lambda: TwinFactory(source_split="valid")),
    ("collection_question_has_one_place_in_its_twin", same_place),
    ("collection_question_answers_are_opposite", same_answer),
    (
        "collection_question_number_and_answer_are_1_or_2",
        lambda: TwinFactory().questions.filter(number=1).update(number=3),
    ),
    ("collection_study_asks_for_work", lambda: StudyFactory(units=0)),
    ("collection_study_has_places", lambda: StudyFactory(places=0)),
    ("collection_study_secret_is_long", lambda: StudyFactory(secret="s" * 31)),
    (
        "collection_study_codes_differ",
        lambda: StudyFactory(completion_code="C", failure_code="C"),
    ),
    ("collection_participant_comes_from_one_place", same_participant),
    ("collection_crowdsession_is_entered_once", same_session),
    ("collection_crowdsession_is_one_a_participant", two_sessions_of_one),
    (
        "collection_crowdsession_has_an_end_once_over",
        lambda: CrowdSessionFactory(status="failed", ended_at=None),
    ),
    (
        "collection_crowdsession_has_a_time_of_its_report",
        lambda: CrowdSessionFactory(reported="returned", reported_at=None),
    ),
    (
        "collection_crowdsession_has_a_time_of_its_report",
        lambda: CrowdSessionFactory(reported="", reported_at=timezone.now()),
    ),
    ("collection_sessioncredit_counts_once", counted_twice),
]


@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        break_it()


def test_every_constraint_of_collection_is_tried() -> None:
    models = apps.get_app_config("collection").get_models()
    named = {constraint.name for model in models for constraint in model._meta.constraints}
    assert named == {constraint for constraint, _ in REFUSED}
