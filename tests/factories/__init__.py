"""Factories of the platform's rows, and the texts that they are made of.

Everything is good by the rules unless a test says otherwise: ``TwinFactory(seats=3)`` is a twin
of two questions with three free seats each, ``VoteFactory`` a vote in a seat of such a twin.
"""

from tests.factories.crowd import CrowdSessionFactory, ParticipantFactory, StudyFactory
from tests.factories.joining import (
    AttemptFactory,
    AttributeFactory,
    BackgroundAnswerFactory,
    BackgroundQuestionFactory,
    ConsentFactory,
    ExerciseItemFactory,
    GuidelineFactory,
    PauseFactory,
    QualificationFactory,
)
from tests.factories.knowledge import (
    FormalisationFactory,
    FormalisingTaskFactory,
    FormulaFactory,
    KnowledgeEvaluationFactory,
    KnowledgeReleaseFactory,
    KnowledgeReleaseFileFactory,
    KnowledgeSetFactory,
    ProofFactory,
    ReasonFactory,
    SentenceFactory,
    SweepFactory,
    SweepStepFactory,
)
from tests.factories.leaderboards import SubmissionFactory
from tests.factories.panels import PanelFactory, PanelItemFactory, PanelSeatFactory
from tests.factories.pay import PayoutFactory, PayoutLineFactory, SettlementFactory
from tests.factories.runs import (
    ArtifactFactory,
    AssessmentFactory,
    AuditedKeyFactory,
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    FineTuningFactory,
    GridFactory,
    KeyAuditFactory,
    KeyPanelFactory,
    PhaseFactory,
    ProposalFactory,
    PublicationFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    ReleasePreviewFactory,
    ReleaseReportFactory,
    RowsFactory,
    SentenceEncodingFactory,
    SnapshotFactory,
    StarterLoadFactory,
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
