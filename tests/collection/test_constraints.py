"""What the database itself refuses, whatever the code above it does."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.models import (
    BackgroundEdition,
    BackgroundRespondent,
    Membership,
    Question,
    SessionCredit,
    SettingsChange,
)
from collection.services import create_campaign
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    AttributeFactory,
    BackgroundAnswerFactory,
    BackgroundQuestionFactory,
    CampaignFactory,
    ConsentFactory,
    CrowdSessionFactory,
    ExerciseItemFactory,
    GuidelineFactory,
    ParticipantFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
)
from tests.refusals import again


def one_version_twice() -> None:
    again(ArticleFactory, "campaign", "source_id", retired_at=timezone.now())


def two_versions_in_use() -> None:
    article = ArticleFactory()
    ArticleFactory(campaign=article.campaign, source_id=article.source_id, version=2)


def begun_twice() -> None:
    campaign = create_campaign(slug="twice", name="Twice")
    SettingsChange.objects.create(campaign=campaign, after={"max_words": 30})


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


def two_sessions_of_one() -> None:
    first = CrowdSessionFactory()
    again = {"study": first.study, "participant": first.participant}
    CrowdSessionFactory(**again, is_duplicate=True)
    CrowdSessionFactory(**again)


def counted_twice() -> None:
    unit = uuid.uuid4()
    for session in CrowdSessionFactory.create_batch(2):
        SessionCredit.objects.create(session=session, unit=unit)


def same_item() -> None:
    first = ExerciseItemFactory(number=1, retired_at=timezone.now())
    ExerciseItemFactory(campaign=first.campaign, number=1)
    ExerciseItemFactory(campaign=first.campaign, number=1)


def member_twice() -> None:
    user = UserFactory(curator=True)
    CampaignFactory().memberships.create(user=user, role="viewer")


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("membership_is_one_per_person", member_twice),
    (
        "membership_role_is_known",
        lambda: Membership.objects.create(campaign=CampaignFactory(), user=UserFactory(), role="x"),
    ),
    ("campaign_people_origin_is_known", lambda: CampaignFactory(people_origin="bots")),
    ("campaign_word_limits_are_ordered", lambda: CampaignFactory(min_words=20, max_words=19)),
    ("campaign_overlap_is_a_share", lambda: CampaignFactory(min_overlap=Decimal(1))),
    ("campaign_rewards_are_not_negative", lambda: CampaignFactory(reward_twin=Decimal("-0.01"))),
    ("campaign_votes_are_odd", lambda: CampaignFactory(votes_per_question=2)),
    ("campaign_leases_last", lambda: CampaignFactory(vote_minutes=0)),
    (
        "campaign_exercise_can_be_passed",
        lambda: CampaignFactory(exercise_pass_share=Decimal("1.01")),
    ),
    ("campaign_exercise_asks_something", lambda: CampaignFactory(exercise_length=0)),
    ("campaign_approval_is_a_share", lambda: CampaignFactory(min_approval_rate=Decimal("1.001"))),
    ("campaign_gold_is_a_share", lambda: CampaignFactory(gold_share=Decimal("0.51"))),
    ("campaign_extra_votes_are_few", lambda: CampaignFactory(extra_votes_max=7)),
    ("campaign_money_is_not_negative", lambda: CampaignFactory(budget_cap=Decimal("-0.01"))),
    (
        "campaign_second_approval_is_above_a_sum",
        lambda: CampaignFactory(second_approval_above=Decimal("-0.01")),
    ),
    ("campaign_second_person_is_known", lambda: CampaignFactory(second_person=["pay"])),
    (
        "campaign_near_duplicate_is_in_range",
        lambda: CampaignFactory(near_duplicate=Decimal("0.29")),
    ),
    ("campaign_split_shares_are_in_range", lambda: CampaignFactory(dev_share=Decimal("0.51"))),
    (
        "campaign_leaves_something_to_train_on",
        lambda: CampaignFactory(dev_share=Decimal("0.50"), test_share=Decimal("0.50")),
    ),
    ("guideline_is_numbered", lambda: again(GuidelineFactory, "campaign")),
    ("consent_is_given_once", lambda: again(ConsentFactory, "worker", "guideline")),
    (
        "consent_is_withdrawn_after_it_is_given",
        lambda: ConsentFactory(withdrawn_at=timezone.now() - timedelta(days=1)),
    ),
    ("backgroundquestion_has_options", lambda: BackgroundQuestionFactory(options=["one"])),
    (
        "backgroundanswer_is_one_a_person",
        lambda: again(BackgroundAnswerFactory, "worker", "question"),
    ),
    ("backgroundanswer_chooses_something", lambda: BackgroundAnswerFactory(options=[])),
    (
        "backgroundedition_has_a_least_group",
        lambda: BackgroundEdition.objects.create(
            campaign=CampaignFactory(), least=4, people=9, counts=[]
        ),
    ),
    (
        "backgroundrespondent_is_counted_once",
        lambda: [
            BackgroundRespondent.objects.create(worker=bob, campaign=here)
            for bob, here in [(UserFactory(), CampaignFactory())] * 2
        ],
    ),
    ("campaign_least_group_is_large", lambda: CampaignFactory(least_group=4)),
    ("exerciseitem_is_numbered", same_item),
    ("exerciseitem_answer_is_a_choice", lambda: ExerciseItemFactory(answer=4)),
    ("attribute_is_named_once", lambda: again(AttributeFactory, "campaign", "name")),
    ("article_is_imported_once", two_versions_in_use),
    (
        "article_has_each_version_once",
        one_version_twice,
    ),
    ("assignment_is_one_at_a_time", lambda: again(AssignmentFactory, "campaign", "worker")),
    ("twin_is_submitted_once", lambda: again(TwinFactory, "author", "client_key")),
    ("twin_is_imported_once", lambda: again(TwinFactory, "campaign", "source_id", published=True)),
    ("twin_is_written_once", lambda: again(TwinFactory, "campaign", fingerprint="ab")),
    ("twin_is_one_per_assignment", two_for_one_assignment),
    ("twin_options_differ", lambda: TwinFactory(option1="cup", option2="cup")),
    ("twin_authored_has_an_author", lambda: TwinFactory(author=None)),
    ("twin_knows_its_settings", lambda: TwinFactory(max_words=None)),
    ("twin_knows_its_settings", lambda: TwinFactory(votes_per_question=2)),
    ("twin_knows_its_settings", lambda: TwinFactory(published=True, min_words=1)),
    ("settingschange_begins_once", begun_twice),
    (
        "settingschange_changes_something",
        lambda: SettingsChange.objects.create(
            campaign=CampaignFactory(), before={"max_words": 30}, after={"max_words": 30}
        ),
    ),
    ("twin_source_split_is_known", lambda: TwinFactory(source_split="valid")),
    ("question_has_one_place_in_its_twin", same_place),
    ("question_answers_are_opposite", same_answer),
    (
        "question_number_and_answer_are_1_or_2",
        lambda: TwinFactory().questions.filter(number=1).update(number=3),
    ),
    ("study_asks_for_work", lambda: StudyFactory(units=0)),
    ("study_has_places", lambda: StudyFactory(places=0)),
    ("study_secret_is_long", lambda: StudyFactory(secret="s" * 31)),
    ("study_codes_differ", lambda: StudyFactory(completion_code="C", failure_code="C")),
    (
        "participant_comes_from_one_place",
        lambda: again(ParticipantFactory, "provider", "external_id"),
    ),
    ("crowdsession_is_entered_once", lambda: again(CrowdSessionFactory, "study", "external_id")),
    ("crowdsession_is_one_a_participant", two_sessions_of_one),
    (
        "crowdsession_has_an_end_once_over",
        lambda: CrowdSessionFactory(status="failed", ended_at=None),
    ),
    (
        "crowdsession_has_a_time_of_its_report",
        lambda: CrowdSessionFactory(reported="returned", reported_at=None),
    ),
    (
        "crowdsession_has_a_time_of_its_report",
        lambda: CrowdSessionFactory(reported="", reported_at=timezone.now()),
    ),
    ("sessioncredit_counts_once", counted_twice),
]


@pytest.mark.long
@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=f"collection_{constraint}"), transaction.atomic():
        break_it()


def test_every_constraint_of_collection_is_tried() -> None:
    models = apps.get_app_config("collection").get_models()
    named = {constraint.name for model in models for constraint in model._meta.constraints}
    assert named == {f"collection_{constraint}" for constraint, _ in REFUSED}
