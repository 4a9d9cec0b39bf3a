"""The arguments of every page, for a worker and what is the worker's own."""

import uuid
from typing import Any

from django.utils import timezone

from collection.models import Campaign, Question
from corpora.models import ReferenceSet
from tests.corpora.sets import imported
from tests.evaluation.done import audited_key, evaluated
from tests.evaluation.grids import curve
from tests.evaluation.training import planted_set
from tests.factories import (
    ApiTokenFactory,
    ArtifactFactory,
    AssignmentFactory,
    ConsentFactory,
    CrowdSessionFactory,
    DetectionFactory,
    FilterRunFactory,
    KeyPanelFactory,
    KnowledgeReleaseFactory,
    KnowledgeReleaseFileFactory,
    PanelSeatFactory,
    PayoutLineFactory,
    ProposalFactory,
    ReasonFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    ReleasePreviewFactory,
    ReleaseReportFactory,
    RowsFactory,
    SeatFactory,
    StudyFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.factories.runs import ROW
from tests.knowledge import annotating
from validation.models import Appeal, BulkAction, GoldQuestion, QuestionComment, SavedView
from validation.services.review.bulk import prepare_bulk
from validation.services.review.shared import add_comment, save_view
from winoplatform.models import Artifact
from workers import services
from workers.models import User

OF_THE_CAMPAIGN = (
    "progress", "quality", "renew-quality",
    "campaign-members", "add-member", "invite-member",
    "campaign", "change-status", "pipeline", "take-snapshot", "join",
    "accept-guidelines", "submit-exercise",
    "campaign-setup", "campaign-articles", "import-articles", "campaign-preview",
    "campaign-settings", "campaign-guidelines", "campaign-exercise", "campaign-attributes",
    "withdraw-consent", "my-background", "join-formalise", "campaign-background",
    "author", "validate", "studies", "campaign-pay", "pay-check", "approve-pay", "new-payout",
    "approve-extra",
    "show-latest-release",
    "join-validate", "train", "validate-ahead", "validate-undo", "see-notice",
)  # fmt: skip
OF_THE_ASSIGNMENT = (
    "submit-twin", "check-twin", "return-assignment", "draft", "advise-twin",
)  # fmt: skip
OF_THE_RELEASE = (
    "release", "leaderboard", "change-leaderboard", "retract-release", "publish-release",
    "add-erratum", "release-paper-kit",
)  # fmt: skip
OF_THE_TWIN = ("receipt", "withdraw-twin", "revise-twin")
OF_THE_ARTICLE = ("campaign-article", "withdraw-article")
OF_THE_SEAT = ("answer-local", "cast-vote", "return-seat", "beat", "amend-vote")
OF_THE_PERSON = ("person", "label-person", "pause-worker", "resume-worker")
OF_THE_WORKERS_PAY = ("worker-pay", "give-extra", "void-entry")
OF_THE_PAYOUT = ("payout", "approve-payout", "payout-paid", "cancel-payout")
OF_THE_SESSION = ("crowd-session", "finish-session", "stop-session")
OF_THE_ENCODING = ("new-filter-run", "compare-runs")
OF_THE_TUNING = ("tuning", "encode-tuned")
OF_THE_SNAPSHOT = ("new-tuning", "new-encoding", "detect-in-snapshot", "new-release")
OF_THE_FILTER_RUN = (
    "filter-run", "clone-filter-run", "removed-questions", "start-seeds",
    "evidence", "evidence-points", "evidence-report", "assess", "start-controls", "choose-run",
)  # fmt: skip
OF_ANY_RUN = ("cancel-run", "resume-run", "keep-run", "delete-run")
OF_THE_STUDY = (
    "arrive", "study", "study-links", "sessions-file", "change-study", "close-study",
    "reopen-study",
)  # fmt: skip
OF_THE_REFERENCE_SET = (
    "reference-set", "change-reference-set", "delete-reference-set",
    "detect-in-reference-set",
)  # fmt: skip


OF_THE_FINE_TUNING = ("fine-tuning", "map-file", "offer-label-errors")
OF_THE_HUMAN_EVALUATION = (
    "human-evaluation", "human-evaluation-status", "human-votes-file", "answer-human",
    "key-votes", "revise-keys", "tell-correction",
)  # fmt: skip
OF_THE_HUMAN_SEAT = ("cast-human-vote", "amend-human-vote", "beat-human", "return-human")
OF_THE_HUMAN_VOTE = ("exclude-human-vote", "restore-human-vote")
OF_THE_KNOWLEDGE_SET = (
    "knowledge-set", "start-sweep", "knowledge-formulas", "put-words", "knowledge-sentences",
    "knowledge-validation", "knowledge-releases",
    "knowledge-pay",
    "knowledge-exercise",
)  # fmt: skip
OF_THE_KNOWLEDGE_QUESTION = (
    "knowledge-question", "check-knowledge", "prove-knowledge", "prove-knowledge-pair",
    "take-question", "return-question", "write-sentence", "preview-sentence",
    "knowledge-attempt",
)  # fmt: skip
OF_THE_SENTENCE = ("knowledge-sentence", "false-versions", "delete-sentence")


def addresses_of(alice: User, campaign: Campaign) -> dict[str, list[Any]]:
    """The arguments of each page; objects of a user are Alice's."""
    assignment = AssignmentFactory(worker=alice, campaign=campaign)
    twin = TwinFactory(author=alice, campaign=campaign, assignment=assignment)
    seat = SeatFactory(worker=alice, question=TwinFactory(campaign=campaign).questions.first())
    study = StudyFactory(campaign=campaign)
    session = CrowdSessionFactory(study=study, participant__worker=alice)
    reference_set = imported(is_public=True)
    return {
        **{key: [campaign.slug] for key in OF_THE_CAMPAIGN},
        **{key: [assignment.public_id] for key in OF_THE_ASSIGNMENT},
        **{key: [twin.public_id] for key in OF_THE_TWIN},
        **{key: [campaign.slug, assignment.article.public_id] for key in OF_THE_ARTICLE},
        **{key: [campaign.slug, seat.public_id] for key in OF_THE_SEAT},
        **{key: [alice.public_id] for key in OF_THE_PERSON},
        **{key: [session.public_id] for key in OF_THE_SESSION},
        **{key: [study.public_id] for key in OF_THE_STUDY},
        **{key: [campaign.slug, alice.public_id] for key in OF_THE_WORKERS_PAY},
        **_of_a_vote(alice, campaign),
        **_of_a_payout(campaign),
        "remove-member": [campaign.slug, alice.public_id],
        "votes-file": [campaign.slug, "csv"],
        "my-consent": [ConsentFactory(worker=alice).public_id],
        "revoke-invitation": [
            services.invite(role="worker", by=UserFactory(curator=True))[0].public_id
        ],
        "account_reset_password_from_key": ["1", "no-token"],
        "account_confirm_email": ["no-key"],
        **{key: ["institution"] for key in ("openid_connect_login", "openid_connect_callback")},
        **{key: [1] for key in ("mfa_edit_webauthn", "mfa_remove_webauthn")},
        "help-document": ["work"],
        "audit-file": ["csv"],
        "revoke-token": [ApiTokenFactory(user=alice).token_key],
        **_of_runs(),
        **{key: [reference_set.name] for key in OF_THE_REFERENCE_SET},
        **_of_people(alice, campaign),
        **_of_an_evaluation(),
        **_of_a_curve(),
        **of_knowledge(alice, campaign),
    }


def of_knowledge(alice: User, campaign: Campaign, name: str = "small") -> dict[str, list[Any]]:
    """A knowledge set that Alice validates, its release, and a reason."""
    of = annotating.knowledge_set(name, campaign=campaign)
    annotating.formalisation(of, annotating.formula(of))
    validation = annotating.validation(1, of=of)
    annotating.held_by(alice, validation)
    sentence = of.sentences.get(of=None)
    release = KnowledgeReleaseFactory(knowledge_set=of)
    file = KnowledgeReleaseFileFactory(release=release)
    KnowledgeReleaseFileFactory(release=release, name="croissant.json", artifact=a_description())
    reason = ReasonFactory()
    return {
        **{key: [of.name] for key in OF_THE_KNOWLEDGE_SET},
        **{key: [of.name, "t-1"] for key in OF_THE_KNOWLEDGE_QUESTION},
        **{key: [of.name, sentence.public_id] for key in OF_THE_SENTENCE},
        "end-enrolment": [validation.public_id, validation.enrolments.get(worker=alice).public_id],
        "enrol-human": [validation.public_id],
        **{
            key: [release.name]
            for key in ("knowledge-release", "evaluate-knowledge", "retract-knowledge")
        },
        "knowledge-release-file": [release.name, file.name],
        "knowledge-release-metadata": [release.name],
        "reason-figures": [reason.collection],
    }


def _of_people(alice: User, campaign: Campaign) -> dict[str, list[Any]]:
    """A human evaluation in which Alice holds a seat."""
    held = PanelSeatFactory(item__panel__campaign=campaign, worker=alice)
    evaluation = held.panel
    PanelSeatFactory(item=held.item)
    vote = PanelSeatFactory(item__panel=evaluation, worker=alice, option=1)
    return {
        **{key: [evaluation.public_id, vote.public_id] for key in OF_THE_HUMAN_VOTE},
        "human-evaluation-person": [evaluation.public_id, alice.public_id],
        "new-key-panel": [KeyPanelFactory(panel=evaluation).audit.public_id],
        **{key: [evaluation.public_id] for key in OF_THE_HUMAN_EVALUATION},
        **{key: [evaluation.public_id, held.public_id] for key in OF_THE_HUMAN_SEAT},
    }


def _of_an_evaluation() -> dict[str, list[Any]]:
    """A finished evaluation of a public set."""
    of = imported("scored", is_public=True)
    run = evaluated(of)
    ReferenceSet.objects.filter(pk=imported("later", is_public=True).pk).update(revises=of)
    data = ["reference-set", "scored", "test"]
    key = audited_key(run)
    return {
        "key-audits": data,
        "key-audit": [key.run.public_id],
        "key-map": [key.run.public_id],
        "audited-key": [key.run.public_id, key.number],
        "evaluation": [run.public_id],
        "comparison": data,
        "both-versions": data,
        "compared-items": data,
        "new-ensemble": data,
        "comparison-file": [*data, "csv"],
    }


def _of_a_curve() -> dict[str, list[Any]]:
    """A learning curve on a public set, one of its fine-tunings, and a paper's table."""
    grid = curve({20: [0.5, 0.6]}, planted_set("learned"))
    ReferenceSet.objects.filter(name="learned").update(is_public=True)
    run = grid.cells.first()
    assert run is not None
    return {
        "grid": [grid.public_id],
        "curve-file": [grid.public_id, "csv"],
        **{key: [run.public_id] for key in OF_THE_FINE_TUNING},
        **{key: ["winogrande-4"] for key in ("paper-table", "attach-paper-table")},
        "paper-table-file": ["winogrande-4", "csv"],
    }


def _of_a_vote(alice: User, campaign: Campaign) -> dict[str, list[Any]]:
    """A vote of Alice's that was excluded, on a question that is gold, and her appeal."""
    question = TwinFactory(campaign=campaign).questions.first()
    vote = VoteFactory(
        worker=alice, question=question, excluded_at=timezone.now(), exclusion_reason="Hasty."
    )
    gold = GoldQuestion.objects.create(campaign=campaign, question=question, origin="chosen")
    appeal = Appeal.objects.create(worker=alice, subject="pause", unit="1", text="Why?")
    return {
        **{key: [campaign.slug] for key in ("data", "new-data-action", "review-queue", "golds")},
        "data-file": [campaign.slug, "csv"],
        "data-question": [campaign.slug, question.public_id],
        **{
            key: [campaign.slug, _action(campaign, question).public_id]
            for key in ("data-action", "undo-data-action")
        },
        **{key: [campaign.slug] for key in ("new-data-view", "encode-data")},
        "delete-data-view": [campaign.slug, _view(campaign).public_id],
        "comment-question": [campaign.slug, question.public_id],
        "delete-data-comment": [campaign.slug, _comment(question).public_id],
        **{key: [campaign.slug, vote.public_id] for key in ("exclude-vote", "restore-vote")},
        "review-question": [campaign.slug, question.public_id],
        "exclude-work": [campaign.slug, alice.public_id],
        "retire-gold": [campaign.slug, gold.public_id],
        "answer-appeal": [appeal.public_id],
        "make-appeal": ["vote", vote.public_id],
    }


def _action(campaign: Campaign, question: Question) -> BulkAction:
    """A curator's action on one question, not yet confirmed."""
    return prepare_bulk(
        campaign=campaign, kind="valid", questions=[question.pk], by=UserFactory(curator=True)
    )


def _view(campaign: Campaign) -> SavedView:
    by = UserFactory(curator=True)
    return save_view(campaign=campaign, name="Valid ones", query="verdict=valid", by=by)


def _comment(question: Question) -> QuestionComment:
    by = UserFactory(curator=True)
    return add_comment(question=question, text="Both fit.", key=uuid.uuid4(), by=by)


def _of_a_payout(campaign: Campaign) -> dict[str, list[Any]]:
    payout = PayoutLineFactory(payout__budget=campaign.public_id).payout
    return {
        **{key: [payout.public_id] for key in OF_THE_PAYOUT},
        "payout-file": [payout.public_id, f"payout-{payout.public_id}.csv"],
    }


def a_description() -> Artifact:
    artifact: Artifact = ArtifactFactory(
        content=b'{"name": "Pairs", "description": "Pairs.", "distribution": []}'
    )
    return artifact


def _of_runs() -> dict[str, list[Any]]:
    run = FilterRunFactory(finished=True)
    release = ReleaseFactory(filter_run=run, finished=True)
    file = ReleaseFileFactory(release=release)
    ReleaseFileFactory(release=release, name="croissant.json", artifact=a_description())
    tuning = TuningFactory(finished=True)
    return {
        **{key: [tuning.public_id] for key in OF_THE_TUNING},
        **{key: [tuning.snapshot.public_id] for key in OF_THE_SNAPSHOT},
        **{key: [run.public_id] for key in OF_THE_FILTER_RUN},
        **{key: [run.encoding.public_id] for key in OF_THE_ENCODING},
        **{key: ["filterrun", run.public_id] for key in OF_ANY_RUN},
        **{key: [release.name] for key in OF_THE_RELEASE},
        "release-rows": [RowsFactory(release=release).release.name],
        "release-question": [release.name, ROW["qID"]],
        "release-report": [release.name, ReleaseReportFactory(release=release).name],
        "release-preview": [ReleasePreviewFactory().public_id],
        "detect-in-release": [release.name],
        "detection": [DetectionFactory(release=release).public_id],
        "release-file": [release.name, file.name],
        "release-metadata": [release.name],
        "release-tasks": [release.name],
        "decide-proposal": [ProposalFactory(of=release).public_id],
    }
