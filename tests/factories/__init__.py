"""Factories of the platform's rows, and the texts that they are made of.

Everything is good by the rules unless a test says otherwise: ``TwinFactory(seats=3)`` is a twin
of two questions with three free seats each, ``VoteFactory`` a vote in a seat of such a twin.
"""

from tests.factories.crowd import CrowdSessionFactory, ParticipantFactory, StudyFactory
from tests.factories.joining import (
    AttemptFactory,
    AttributeFactory,
    ConsentFactory,
    ExerciseItemFactory,
    GuidelineFactory,
    PauseFactory,
    QualificationFactory,
)
from tests.factories.pay import PayoutFactory, PayoutLineFactory, SettlementFactory
from tests.factories.runs import (
    ArtifactFactory,
    AssessmentFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    PhaseFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    SnapshotFactory,
    TuningEpochFactory,
    TuningFactory,
)
from tests.factories.work import (
    ARTICLE,
    OPTIONS,
    SENTENCES,
    ApiTokenFactory,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    LedgerEntryFactory,
    QuestionFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
    twin_text,
)

__all__ = [
    "ARTICLE",
    "OPTIONS",
    "SENTENCES",
    "ApiTokenFactory",
    "ArticleFactory",
    "ArtifactFactory",
    "AssessmentFactory",
    "AssignmentFactory",
    "AttemptFactory",
    "AttributeFactory",
    "CampaignFactory",
    "ConsentFactory",
    "CrowdSessionFactory",
    "EncodingFactory",
    "EvaluationFactory",
    "ExerciseItemFactory",
    "FilterRunFactory",
    "GuidelineFactory",
    "LedgerEntryFactory",
    "ParticipantFactory",
    "PauseFactory",
    "PayoutFactory",
    "PayoutLineFactory",
    "PhaseFactory",
    "QualificationFactory",
    "QuestionFactory",
    "ReleaseFactory",
    "ReleaseFileFactory",
    "SeatFactory",
    "SettlementFactory",
    "SnapshotFactory",
    "StudyFactory",
    "TuningEpochFactory",
    "TuningFactory",
    "TwinFactory",
    "UserFactory",
    "VerdictFactory",
    "VoteFactory",
    "twin_text",
]
