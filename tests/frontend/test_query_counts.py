"""Pages ask the database a fixed, small number of questions, however much there is to show."""

import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign
from corpora.models import ReferenceSet, Release
from evaluation.models import Evaluation, Grid, Submission
from evaluation.selectors import answers, comparisons
from knowledge.models import KnowledgeRelease, KnowledgeSet, Sentence
from tests.corpora.sets import imported
from tests.evaluation.done import evaluated
from tests.evaluation.grids import curve
from tests.evaluation.training import planted_set
from tests.factories import (
    ApiTokenFactory,
    AssignmentFactory,
    AttributeFactory,
    CampaignFactory,
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    ExerciseItemFactory,
    FilterRunFactory,
    FormalisationFactory,
    FormulaFactory,
    GuidelineFactory,
    KnowledgeReleaseFileFactory,
    KnowledgeSetFactory,
    LedgerEntryFactory,
    PauseFactory,
    PhaseFactory,
    ReasonFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    SeatFactory,
    SnapshotFactory,
    SubmissionFactory,
    SweepFactory,
    TuningEpochFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.knowledge import annotating
from validation.models import Appeal, Case, GoldQuestion
from validation.runner import work_out
from winoplatform import clock
from winoplatform.db import prepared
from winoplatform.processes import shared_cache
from winoplatform.runs.models import RunStatus
from workers.models import User
from workers.services import invite, make_password_link

LIMIT = 17
KNOWLEDGE = "small"
OF_KNOWLEDGE = (
    "knowledge-set", "knowledge-formulas", "knowledge-sentences", "knowledge-validation",
    "knowledge-releases", "knowledge-pay",
)  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another test computed and stored in Redis would save queries."""
    monkeypatch.setattr(shared_cache, "get", lambda name: None)


def fill(campaign: Campaign, alice: User, times: int) -> Release:
    """Put *times* of everything into a campaign."""
    for _ in range(times):
        CampaignFactory()
        GuidelineFactory(campaign=campaign, version=campaign.guideline_set.count() + 1)
        ExerciseItemFactory(campaign=campaign)
        AttributeFactory(campaign=campaign)
        PauseFactory()
        invite(role="worker", by=UserFactory(curator=True))
        for question in TwinFactory(campaign=campaign, author=alice, seats=3).questions.all():
            VoteFactory(question=question, seat__number=90)
            VerdictFactory(question=question)
            Case.objects.create(question=question, campaign=campaign, domain="physical", rank=1)
            GoldQuestion.objects.create(campaign=campaign, question=question, origin="grown")
            Appeal.objects.create(
                worker=alice, subject="question", unit=question.public_id, text="Look again."
            )
        VoteFactory(worker=alice, question=TwinFactory(campaign=campaign).questions.first())
        VoteFactory(worker=alice, excluded_at=timezone.now(), exclusion_reason="Hasty.")
        LedgerEntryFactory(worker=alice, budget=campaign.public_id)
        ApiTokenFactory(user=alice)
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    tuning = TuningFactory(snapshot=snapshot, finished=True)
    encodings = [
        EncodingFactory(snapshot=snapshot, tuning=tuning, finished=True) for _ in range(times)
    ]
    encoding = encodings[0]
    runs = [FilterRunFactory(encoding=encoding, finished=True) for _ in range(times)]
    releases = [ReleaseFactory(filter_run=run) for run in runs for _ in range(times)]
    scored = ReleaseFactory(filter_run=runs[0], finished=True, is_public=True)
    for number in range(times):
        PhaseFactory(run=runs[0], number=number + 1)
        TuningEpochFactory(run=tuning, number=number + 1)
        ReleaseFileFactory(release=releases[0], name=f"{number}.jsonl")
        EvaluationFactory(release=releases[0], finished=True)
        SubmissionFactory(release=scored)
        DetectionFactory(release=releases[0], finished=True)
        sets = ReferenceSet.objects.count()
        for made in (imported(f"set-{sets}"), ReferenceSet.objects.earliest("pk")):
            EvaluationFactory(release=None, reference_set=made, finished=True)
    for _ in range(times):
        person = UserFactory(password="quiet-otter-7")
        make_password_link(user=person, by=UserFactory(curator=True))
        invite(role="worker", by=UserFactory(curator=True))
    for seed in range(times):
        evaluated(ReferenceSet.objects.earliest("pk"), "random", seed=seed)
    learned = planted_set(f"learned-{ReferenceSet.objects.count()}")
    for _ in range(times):
        curve({size: [0.5, 0.6] for size in range(10, 10 * times + 10, 10)}, learned)
    ReferenceSet.objects.update(is_public=True)
    return releases[0]


def queries(client: Client, path: str) -> int:
    # A process reads a file once: whether another test has read it must not count.
    for kept in (answers._questions_of, comparisons._subsets, comparisons._figures):
        kept.cache_clear()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    # The audit log's event is written, not asked for, and is one for any number of rows.
    return sum("workers_auditevent" not in query["sql"] for query in captured)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What ``prepared.rows`` runs from now on: it goes around Django's cursor, which is counted."""
    ran, rows = [], prepared.rows

    def counted(sql: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        ran.append(sql)
        return rows(sql, values)

    for module in list(sys.modules.values()):
        if vars(module).get("rows") is rows:
            monkeypatch.setattr(module, "rows", counted)
    return ran


def paths(release: Release) -> dict[str, list[Any]]:
    run = release.selection.filter_run
    return {
        "home": [],
        "account": [],
        "account_set_password": [],
        "mfa_index": [],
        "usersessions_list": [],
        "password-links": [],
        "invitations": [],
        "campaign-setup": ["kitchen"],
        "campaign-articles": ["kitchen"],
        "campaign-preview": ["kitchen"],
        "my-work": [],
        "campaign": ["kitchen"],
        "pipeline": ["kitchen"],
        "join": ["kitchen"],
        "campaign-settings": ["kitchen"],
        "campaign-guidelines": ["kitchen"],
        "campaign-exercise": ["kitchen"],
        "campaign-attributes": ["kitchen"],
        "campaign-pay": ["kitchen"],
        "progress": ["kitchen"],
        "studies": ["kitchen"],
        "data": ["kitchen"],
        "data-question": ["kitchen", Case.objects.latest("pk").question.public_id],
        "review-queue": ["kitchen"],
        "review-question": ["kitchen", Case.objects.latest("pk").question.public_id],
        "golds": ["kitchen"],
        "appeals": [],
        "my-appeals": [],
        "my-pay": [],
        "people": [],
        "person": [PauseFactory().worker.public_id],
        "author": ["kitchen"],
        "validate": ["kitchen"],
        "filter-run": [run.public_id],
        "tuning": [run.encoding.tuning.public_id],
        "encode-tuned": [run.encoding.tuning.public_id],
        "new-tuning": [run.encoding.snapshot.public_id],
        "new-encoding": [run.encoding.snapshot.public_id],
        "new-filter-run": [run.encoding.public_id],
        "release": [release.name],
        "leaderboard": [Submission.objects.latest("pk").release.name],
        "detect-in-release": [release.name],
        "detection": [release.detections.latest("pk").public_id],
        "reference-sets": [],
        "reference-set": [ReferenceSet.objects.earliest("pk").name],
        "evaluations": [],
        "fine-tunings": [],
        "new-grid": [],
        "grid": [Grid.objects.latest("pk").public_id],
        "fine-tuning": [Grid.objects.latest("pk").cells.latest("pk").public_id],
        "paper-tables": [],
        "paper-table": ["winogrande-6"],
        "new-evaluations": [],
        "new-predictions": [],
        "evaluation": [Evaluation.objects.filter(data_sha256__gt="").earliest("pk").public_id],
        "comparison": ["reference-set", ReferenceSet.objects.earliest("pk").name, "test"],
        "compared-items": ["reference-set", ReferenceSet.objects.earliest("pk").name, "test"],
        "new-ensemble": ["reference-set", ReferenceSet.objects.earliest("pk").name, "test"],
        "knowledge-sets": [],
        **{key: [KNOWLEDGE] for key in OF_KNOWLEDGE},
        "knowledge-question": [KNOWLEDGE, "t-1"],
        "knowledge-sentence": [KNOWLEDGE, Sentence.objects.earliest("pk").public_id],
        "knowledge-release": [KnowledgeRelease.objects.earliest("pk").name],
        "reasons": [],
    }


def fill_knowledge(times: int) -> None:
    """Put *times* of everything into a knowledge set."""
    of = KnowledgeSet.objects.filter(name=KNOWLEDGE).first() or annotating.knowledge_set(KNOWLEDGE)
    number = of.formulas.count()
    for one in range(number, number + times):
        FormulaFactory(knowledge_set=of, text=f"Aa{one}", shown=f"Aa{one}")
        question = FormalisationFactory(knowledge_set=of, number=one + 1)
        annotating.pair(of, one, formalisation=question)
        KnowledgeReleaseFileFactory(release__knowledge_set=of)
        KnowledgeSetFactory()
        ReasonFactory()
        SweepFactory(knowledge_set=of, finished=True)
    ReferenceSet.objects.update(is_public=True)


@pytest.mark.long
@pytest.mark.parametrize("role", ["worker", "curator"])
def test_pages_ask_little_and_no_more_with_more_rows(
    role: str, campaign: Campaign, browse: Callable[[User], Client]
) -> None:
    alice = UserFactory(role=role)
    client = browse(alice)
    AssignmentFactory(worker=alice, campaign=campaign)
    SeatFactory(worker=alice, question=TwinFactory(campaign=campaign).questions.first())
    asked = []
    for times in (2, 3):
        release = fill(campaign, alice, times)
        fill_knowledge(times)
        work_out(campaign)
        asked.append(
            {
                name: queries(client, reverse(name, args=args))
                for name, args in paths(release).items()
                if _may_open(role, name)
            }
        )
    # Each round has a new filter run. A process reads a run's files once, as they never change:
    # so my-work asks two more here, and the campaign's page finds them read.
    assert asked[0] == asked[1]
    too_many = {n: count for n, count in asked[1].items() if count > LIMIT}
    assert too_many == {}


@pytest.mark.long
def test_the_home_page_asks_no_more_with_more_running_jobs(
    as_dana: Client, statements: list[str]
) -> None:
    client, asked = as_dana, []
    encoding = EncodingFactory(finished=True)
    lease = {"status": RunStatus.RUNNING, "leased_until": timezone.now() + timedelta(minutes=1)}
    for seeds in (range(1), range(1, 8)):
        for seed in seeds:
            FilterRunFactory(encoding=encoding, seed=seed, **lease)
        statements.clear()
        asked.append((queries(client, reverse("home")), list(statements)))
    assert asked[0] == asked[1]
    session, account, *others = asked[0][1]
    assert ("django_session" in session, "workers_user" in account) == (True, True)
    assert others == ["SELECT clock_timestamp()"]


def test_a_validator_who_opens_the_page_reads_the_clock_once(
    bob: User, as_bob: Client, campaign: Campaign, statements: list[str]
) -> None:
    held = {"leased_until": clock.now() + timedelta(minutes=1), "claimed_at": timezone.now()}
    SeatFactory(worker=bob, question=TwinFactory(campaign=campaign).questions.first(), **held)
    statements.clear()
    assert "yours until" in as_bob.get(reverse("validate", args=["kitchen"])).content.decode()
    assert statements.count("SELECT clock_timestamp()") == 1


def _may_open(role: str, name: str) -> bool:
    for_curators = name in (
        *("campaign", "pipeline", "progress", "people", "person"),
        *("filter-run", "new-filter-run", "release"),
        *("tuning", "encode-tuned", "new-tuning", "new-encoding"),
        *("detect-in-release", "detection"),
        *("data", "data-question", "invitations", "password-links"),
        *("review-queue", "review-question", "golds", "appeals", "studies"),
        *("new-evaluations", "new-predictions", "new-ensemble", "new-grid"),
        *OF_KNOWLEDGE,
        *("knowledge-question", "knowledge-sentence", "knowledge-release", "reasons"),
    )
    for_curators = for_curators or name.startswith("campaign-")
    return (role == "curator" and name != "validate") or (role == "worker" and not for_curators)
