"""Lists and details ask the database a fixed, small number of questions."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from collection.models import Campaign, Question
from knowledge.models import Formalisation, KnowledgeSet
from tests.api.calls import API, client_of, ok
from tests.factories import (
    ArticleFactory,
    AssessmentFactory,
    AssignmentFactory,
    AuditedKeyFactory,
    CampaignFactory,
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    FineTuningFactory,
    FormalisationFactory,
    FormalisingTaskFactory,
    FormulaFactory,
    GridFactory,
    GuidelineFactory,
    KnowledgeSetFactory,
    LedgerEntryFactory,
    PauseFactory,
    PayoutLineFactory,
    PhaseFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    SentenceEncodingFactory,
    SentenceFactory,
    SnapshotFactory,
    SweepFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from validation.models import Appeal, Case, GoldQuestion
from workers.services import invite

LIMIT = 15


def queries(client: APIClient, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        ok(client.get(f"{API}{path}"))
    return len(captured)


def validated() -> None:
    for question in TwinFactory().questions.all():
        VerdictFactory(question=question, reasons=["local"])
        VoteFactory(question=question)


def in_winter() -> Question:
    campaign = Campaign.objects.filter(slug="winter").first() or CampaignFactory(slug="winter")
    return TwinFactory(campaign=campaign).questions.get(number=1)


def contested() -> None:
    question = in_winter()
    VoteFactory(question=question)
    VerdictFactory(question=question, decided_by=UserFactory(curator=True))
    Case.objects.create(
        question=question, campaign=question.twin.campaign, domain="physical", rank=1
    )


def gold() -> None:
    question = in_winter()
    GoldQuestion.objects.create(campaign=question.twin.campaign, question=question, origin="grown")


def winter_knowledge() -> KnowledgeSet:
    found = KnowledgeSet.objects.filter(name="winter").first()
    return found or KnowledgeSetFactory(name="winter")


def formalised() -> Formalisation:
    of = winter_knowledge()
    number = of.formalisations.count() + 1
    made = FormalisationFactory(knowledge_set=of, number=number, author=UserFactory())
    made.formulas.add(FormulaFactory(knowledge_set=of))
    return made


LISTS: dict[str, Callable[[], Any]] = {
    "ledger/": LedgerEntryFactory,
    "ledger/summary/": LedgerEntryFactory,
    "payouts/": PayoutLineFactory,
    "campaigns/": CampaignFactory,
    "workers/": lambda: PauseFactory(worker=TwinFactory().author),
    "assignments/": AssignmentFactory,
    "votes/": validated,
    "twins/": validated,
    "questions/": validated,
    "campaigns/winter/review/": contested,
    "campaigns/winter/golds/": gold,
    "appeals/": lambda: Appeal.objects.create(
        worker=UserFactory(), subject="pause", unit="1", text="Why?"
    ),
    "invitations/": lambda: invite(role="worker", by=UserFactory(curator=True)),
    "votes/excluded/": lambda: VoteFactory(excluded_at=timezone.now(), exclusion_reason="Hasty."),
    "snapshots/": lambda: SnapshotFactory(created_by=UserFactory()),
    "tunings/": lambda: TuningFactory(created_by=UserFactory()),
    "encodings/": lambda: EncodingFactory(
        created_by=UserFactory(), tuning=TuningFactory(finished=True)
    ),
    "sentence-encodings/": lambda: SentenceEncodingFactory(created_by=UserFactory()),
    "filter-runs/": lambda: FilterRunFactory(created_by=UserFactory()),
    "assessments/": lambda: AssessmentFactory(created_by=UserFactory()),
    "releases/": lambda: ReleaseFactory(created_by=UserFactory()),
    "evaluations/": lambda: EvaluationFactory(created_by=UserFactory()),
    "artifact-detections/": lambda: DetectionFactory(created_by=UserFactory(), finished=True),
    "key-audits/": lambda: AuditedKeyFactory(run__created_by=UserFactory()),
    "fine-tunings/": lambda: FineTuningFactory(
        created_by=UserFactory(), before=FineTuningFactory(), grid=GridFactory()
    ),
    "grids/": lambda: GridFactory(created_by=UserFactory()),
    "knowledge-sets/": lambda: KnowledgeSetFactory(campaign=CampaignFactory()),
    "knowledge-sets/winter/formulas/": lambda: FormulaFactory(
        knowledge_set=winter_knowledge(), author=UserFactory()
    ),
    "knowledge-sets/winter/formalisations/": lambda: formalised(),
    "knowledge-sets/winter/questions/": lambda: formalised(),
    "knowledge-sets/winter/sentences/": lambda: SentenceFactory(
        formalisation=formalised(), author=UserFactory()
    ),
    "formalising-tasks/": FormalisingTaskFactory,
    "sweeps/": lambda: SweepFactory(created_by=UserFactory()),
}


@pytest.mark.parametrize("path", LISTS)
def test_a_list_asks_as_much_for_nine_rows_as_for_three(path: str, db: None) -> None:
    client = client_of(UserFactory(curator=True))
    for _ in range(3):
        LISTS[path]()
    few = queries(client, path)
    for _ in range(6):
        LISTS[path]()
    assert queries(client, path) == few <= LIMIT


def test_a_campaigns_guidelines_are_one_question(db: None) -> None:
    GuidelineFactory(campaign=CampaignFactory(slug="winter"))
    assert queries(client_of(UserFactory(curator=True)), "campaigns/winter/") <= 5


def test_a_campaigns_articles_are_one_question(db: None) -> None:
    campaign = CampaignFactory(slug="winter")
    ArticleFactory.create_batch(20, campaign=campaign)
    assert queries(client_of(UserFactory(curator=True)), "campaigns/winter/articles/") <= 4


def test_a_filter_runs_phases_come_together(db: None) -> None:
    run = FilterRunFactory(finished=True)
    for number in range(1, 21):
        PhaseFactory(run=run, number=number)
    client = client_of(UserFactory(curator=True))
    assert queries(client, f"filter-runs/{run.public_id}/") <= 4


def test_a_releases_files_come_together(db: None) -> None:
    release = ReleaseFactory(finished=True, is_public=True)
    for number in range(10):
        ReleaseFileFactory(release=release, name=f"{number}.jsonl")
    assert queries(client_of(UserFactory()), f"releases/{release.public_id}/files/") <= 4


def test_the_funnel_is_a_few_counts(db: None) -> None:
    validated()
    CampaignFactory(slug="winter")
    client = client_of(UserFactory(curator=True))
    assert queries(client, "campaigns/winter/funnel/") <= 6
