"""axe has seen every page there is: a route that has no place here fails the test."""

import uuid
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.urls import resolve, reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page

from collection.models import Assignment, Attribute, Campaign, Provenance, Question
from collection.services import publish_guideline, set_background
from collection.services.campaigns.pay import export_payout
from corpora.models import ReferenceSet
from filtering.models import Encoding
from frontend.urls import urlpatterns
from tests.corpora.sets import imported
from tests.evaluation.done import audited_key, evaluated
from tests.evaluation.grids import curve
from tests.evaluation.training import planted_set
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    AuditedKeyFactory,
    CampaignFactory,
    ConsentFactory,
    CrowdSessionFactory,
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    KeyAuditFactory,
    KeyPanelFactory,
    LedgerEntryFactory,
    PanelFactory,
    PanelItemFactory,
    PanelSeatFactory,
    PhaseFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    ReleasePreviewFactory,
    RowsFactory,
    SeatFactory,
    SnapshotFactory,
    StudyFactory,
    SubmissionFactory,
    TuningEpochFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.factories.runs import ROW
from tests.filtering.evidence_made import assessed_run
from tests.frontend.page_addresses import of_knowledge
from tests.journeys.test_accessibility import VIEWS, assert_buttons_can_be_read, assert_clean
from tests.journeys.test_crowd import link
from tests.knowledge.formalising import paying
from tests.validation.deciding import give
from validation.models import Appeal, GoldQuestion, QualityNotice
from validation.services.review.bulk import prepare_bulk
from validation.services.review.exclusions import exclude
from winoplatform.runs.models import RunStatus
from workers.models import User
from workers.services import approve_entries
from workers.services.audit import record

Visits = Iterator[tuple[User | None, dict[str, str]]]
# They answer with a jump to a page, with a part of one, a file or JSON.
NO_PAGES = {
    *("exclude-vote", "restore-vote", "retire-gold", "answer-appeal"),
    *("new-data-action", "undo-data-action", "data-file"),
    *(
        "new-data-view",
        "delete-data-view",
        "encode-data",
        "comment-question",
        "delete-data-comment",
    ),
    *("renew-quality", "votes-file"),
    *("import-articles", "withdraw-article", "revoke-invitation"),
    *(
        "account_logout",
        "invite-listed",
        "revoke-token",
        "revoke-all-tokens",
        "audit-file",
        "pause-worker",
        "label-person",
        "resume-worker",
        "change-status",
    ),
    *("accept-guidelines", "submit-exercise", "submit-twin", "check-twin"),
    *("return-assignment", "draft", "advise-twin", "withdraw-twin", "answer-local", "cast-vote"),
    "robots",
    *("return-seat", "cancel-run", "resume-run", "start-seeds", "release-file"),
    *("release-metadata", "release-tasks", "knowledge-release-metadata", "release-paper-kit"),
    *("keep-run", "delete-run", "choose-run", "show-latest-release"),
    *("finish-session", "stop-session"),
    *("evidence-points", "key-map", "evidence-report", "assess", "start-controls"),
    *("take-snapshot", "release-report"),
    *(
        "own-data-file",
        "my-pay-file",
        "approve-pay",
        "new-payout",
        "give-extra",
        "void-entry",
        "payout-paid",
    ),
    *("cancel-payout", "payout-file", "approve-extra", "approve-payout"),
    *("study-links", "close-study", "reopen-study", "sessions-file"),
    *("change-reference-set", "delete-reference-set"),
    "store-predictions",
    *("human-evaluation-status", "human-votes-file", "cast-human-vote", "beat-human"),
    *("comparison-file", "change-leaderboard", "retract-release", "decide-proposal"),
    *("add-erratum", "revise-keys", "tell-correction"),
    *("curve-file", "map-file", "offer-label-errors"),
    *("paper-table-file", "attach-paper-table"),
    *("start-sweep", "check-knowledge", "prove-knowledge", "take-question", "return-question"),
    *("put-words", "preview-sentence", "delete-sentence"),
    *("prove-knowledge-pair", "end-enrolment", "enrol-human"),
    *(
        "evaluate-knowledge",
        "retract-knowledge",
        "knowledge-release-file",
    ),
    *("return-human", "amend-human-vote", "exclude-human-vote", "restore-human-vote"),
    *("add-member", "remove-member", "invite-member"),
    *("train", "validate-ahead", "see-notice", "see-news", "starter", "beat", "amend-vote"),
}
# They need a passkey or an institution: `test_accounts.py`.
NO_PAGES |= {"mfa_login_webauthn", "mfa_edit_webauthn", "mfa_remove_webauthn"}
NO_PAGES |= {"mfa_reauthenticate_webauthn", "openid_connect_login", "openid_connect_callback"}
# It needs a sign-in midway, and the other is no 200.
NO_PAGES |= {"mfa_authenticate", "socialaccount_login_error"}
OPEN_TO_ALL = (
    *("account_login", "account_signup", "account_inactive", "invitation"),
    *("account_reset_password", "account_reset_password_done"),
    *("account_reset_password_from_key_done", "account_email_verification_sent"),
    "socialaccount_login_cancelled",
)
OF_AN_ACCOUNT = (
    *("account_change_password", "account_email", "usersessions_list"),
    *("account_reauthenticate", "mfa_reauthenticate", "socialaccount_connections"),
    *("mfa_index", "mfa_deactivate_totp", "mfa_view_recovery_codes"),
    *("mfa_generate_recovery_codes", "mfa_list_webauthn", "mfa_add_webauthn"),
)
EVALUATION_LISTS = ("evaluations", "new-evaluations", "new-predictions")
OF_WORKERS = {"knowledge-exercise", "knowledge-attempt"}
IN_A_CAMPAIGN = (
    "settings", "guidelines", "exercise", "attributes", "setup", "articles", "preview", "members",
)  # fmt: skip
OWN_PAGES = (
    *("home", "my-work", "my-pay", "account", "own-data"),
    *("mfa_activate_totp", "account_set_password"),
)
INVITING = ("invitations", "invite-list", "password-links")


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", min_approvals=None)
    Attribute.objects.create(campaign=campaign, name="size", pairs=[["large", "small"]])
    return ArticleFactory(campaign=campaign).campaign


@pytest.fixture
def writer(campaign: Campaign) -> User:
    """A user with a validated twin, one that can be revised, and an article."""
    writer = UserFactory(username="alice")
    validated = TwinFactory(author=writer, campaign=campaign)
    for question in validated.questions.all():
        VoteFactory(question=question)
    VerdictFactory(question=question, reasons=["local", "ambiguous"])
    Provenance.objects.create(twin=validated, typed_characters=3, pasted_characters=180)
    VoteFactory(worker=writer)
    _vote_that_can_be_undone(writer, campaign)
    LedgerEntryFactory(worker=writer, budget=campaign.public_id)
    article = campaign.articles.get()
    handed_in = AssignmentFactory(
        worker=writer, campaign=campaign, article=article, status=Assignment.Status.SUBMITTED
    )
    TwinFactory(author=writer, campaign=campaign, assignment=handed_in)
    AssignmentFactory(worker=writer, campaign=campaign, article=ArticleFactory(campaign=campaign))
    SeatFactory(worker=writer, question=TwinFactory(campaign=campaign).questions.first())
    return writer


def _vote_that_can_be_undone(writer: User, campaign: Campaign) -> None:
    """It is the newest, and nothing was answered since."""
    seat = SeatFactory(
        worker=writer,
        question=TwinFactory(campaign=campaign).questions.first(),
        local_at=timezone.now(),
        answered_at=timezone.now(),
    )
    VoteFactory(question=seat.question, worker=writer, seat=seat)


def pages_of_writers(writer: User) -> dict[str, str]:
    newest = writer.twins.order_by("-pk")[0].public_id
    vote = VoteFactory(
        worker=writer, excluded_at=timezone.now(), exclusion_reason="It was given in a second."
    )
    return {
        "my-appeals": reverse("my-appeals"),
        "make-appeal": reverse("make-appeal", args=["vote", vote.public_id]),
        "answer-human": question_of_people(writer),
        **pages_of_the_exercise(),
        **{name: reverse(name) for name in (*OWN_PAGES, "help", "glossary")},
        "help-document": reverse("help-document", args=["work"]),
        **{
            name: reverse(name, args=["kitchen"])
            for name in ("author", "validate", "validate-undo")
        },
        **{name: reverse(name, args=[newest]) for name in ("receipt", "revise-twin")},
    }


def question_of_people(worker: User) -> str:
    """A question of a human evaluation that the worker holds."""
    seat = PanelSeatFactory(worker=worker)
    return reverse("answer-human", args=[seat.panel.public_id])


def pages_of_people(campaign: Campaign) -> dict[str, str]:
    """A human evaluation with an outvoted question."""
    evaluation = PanelFactory(campaign=campaign)
    item = PanelItemFactory(panel=evaluation)
    for option in (1, 2, 2):
        worker = UserFactory()
        PanelSeatFactory(item=item, worker=worker, option=option)
    # A curator knows only of people who work in the campaign.
    campaign.memberships.create(user=worker, role="worker")
    audit = KeyAuditFactory(finished=True)
    key = AuditedKeyFactory(run=audit, source_id=item.source_id)
    KeyPanelFactory(audit=audit, panel=evaluation)
    return {
        "new-key-panel": reverse("new-key-panel", args=[key.run.public_id]),
        "key-votes": reverse("key-votes", args=[evaluation.public_id]),
        "human-evaluations": reverse("human-evaluations"),
        "new-human-evaluation": reverse("new-human-evaluation"),
        "human-evaluation": reverse("human-evaluation", args=[evaluation.public_id]),
        "human-evaluation-person": reverse(
            "human-evaluation-person", args=[evaluation.public_id, worker.public_id]
        ),
    }


def pages_of_the_exercise() -> dict[str, str]:
    of = paying(exercise=["t-1"])
    return {
        "knowledge-exercise": reverse("knowledge-exercise", args=[of.name]),
        "knowledge-attempt": reverse("knowledge-attempt", args=[of.name, "t-1"]),
    }


def pages_of_knowledge(campaign: Campaign) -> dict[str, str]:
    """A validated set with a release; a question of it refuted, and one over no validation."""
    addresses = of_knowledge(UserFactory(), campaign, "blades")
    names = addresses.keys() - NO_PAGES - OF_WORKERS
    return {
        **{name: reverse(name, args=addresses[name]) for name in names},
        **{name: reverse(name) for name in ("knowledge-sets", "new-knowledge-set", "reasons")},
    }


def pages_of_curators(campaign: Campaign, writer: User) -> dict[str, str]:
    study = StudyFactory(campaign=campaign)
    CrowdSessionFactory(study=study, status="completed")
    approve_entries(budget=campaign.public_id, by=UserFactory(curator=True))
    LedgerEntryFactory(worker=writer, budget=campaign.public_id)
    payout = export_payout(
        campaign=campaign, provider="any", client_key=uuid.uuid4(), by=UserFactory(curator=True)
    )
    names = (
        "campaign",
        "campaign-background",
        "pipeline",
        "campaign-pay",
        "progress",
        "quality",
        "pay-check",
        "review-queue",
        "golds",
        "studies",
        *(f"campaign-{part}" for part in IN_A_CAMPAIGN),
    )
    return {
        **{
            name: reverse(name) for name in ("home", "people", "new-campaign", "appeals", *INVITING)
        },
        **{name: reverse(name, args=["kitchen"]) for name in names},
        **pages_of_the_review_queue(campaign, writer),
        **pages_of_people(campaign),
        "campaign-article": reverse(
            "campaign-article", args=["kitchen", campaign.articles.all()[0].public_id]
        ),
        "person": reverse("person", args=[writer.public_id]),
        "worker-pay": reverse("worker-pay", args=["kitchen", writer.public_id]),
        "payout": reverse("payout", args=[payout.public_id]),
        "study": reverse("study", args=[study.public_id]),
        "change-study": reverse("change-study", args=[study.public_id]),
    }


def pages_of_releases(campaign: Campaign, data: ReferenceSet) -> dict[str, str]:
    """The pages of runs, from the encoder to the leaderboard."""
    run = FilterRunFactory(encoding__snapshot__campaign=campaign, status=RunStatus.RUNNING)
    for number in (1, 2):
        PhaseFactory(run=run, number=number)
    release = ReleaseFactory(finished=True)
    ReleaseFileFactory(release=release)
    RowsFactory(release=release)
    EvaluationFactory(release=release, finished=True)
    SubmissionFactory(release=release)
    detection = DetectionFactory(release=release, finished=True)
    DetectionFactory(release=release)
    EvaluationFactory(release=None, reference_set=data, finished=True)
    EvaluationFactory(release=None, reference_set=data, status=RunStatus.RUNNING)
    return {
        **{name: reverse(name) for name in ("jobs", "reference-sets", "new-reference-set")},
        "reference-set": reverse("reference-set", args=[data.name]),
        **pages_of_encoders(campaign),
        "filter-run": reverse("filter-run", args=[run.public_id]),
        "evidence": reverse("evidence", args=[assessed_run(campaign).public_id]),
        "clone-filter-run": reverse("clone-filter-run", args=[run.public_id]),
        "removed-questions": reverse("removed-questions", args=[run.public_id]),
        "new-filter-run": reverse("new-filter-run", args=[run.encoding.public_id]),
        "compare-runs": side_by_side(run.encoding),
        "release": reverse("release", args=[release.name]),
        "public-releases": reverse("public-releases"),
        "release-rows": reverse("release-rows", args=[release.name]),
        "release-question": reverse("release-question", args=[release.name, ROW["qID"]]),
        "leaderboard": reverse("leaderboard", args=[release.name]),
        "new-release": reverse("new-release", args=[release.snapshot.public_id]),
        "release-preview": reverse("release-preview", args=[ReleasePreviewFactory().public_id]),
        "detection": reverse("detection", args=[detection.public_id]),
        "publish-release": reverse("publish-release", args=[release.name]),
        "detect-in-release": reverse("detect-in-release", args=[release.name]),
        "detect-in-snapshot": reverse("detect-in-snapshot", args=[release.snapshot.public_id]),
        "detect-in-reference-set": reverse("detect-in-reference-set", args=[data.name]),
    }


def pages_of_evaluations(data: ReferenceSet) -> dict[str, str]:
    for seed in range(2):
        evaluated(data, "random", seed=seed)
    run = evaluated(data)
    ReferenceSet.objects.filter(pk=imported("later").pk).update(revises=data)
    key = audited_key(run)
    return pages_of_fine_tunings() | {
        "key-audit": reverse("key-audit", args=[key.run.public_id]),
        "audited-key": reverse("audited-key", args=[key.run.public_id, key.number]),
        **{name: reverse(name) for name in EVALUATION_LISTS},
        "evaluation": reverse("evaluation", args=[run.public_id]),
        **{
            name: reverse(name, args=["reference-set", data.name, run.split])
            for name in (
                "comparison",
                "compared-items",
                "new-ensemble",
                "both-versions",
                "key-audits",
            )
        },
    }


def pages_of_fine_tunings() -> dict[str, str]:
    """A learning curve of three sizes, and the map of one of its fine-tunings."""
    grid = curve({10: [0.5, 0.52], 20: [0.6, 0.61], 40: [0.7, 0.72]}, planted_set("winogrande-x"))
    run = grid.cells.first()
    assert run is not None
    return {
        **{name: reverse(name) for name in ("fine-tunings", "new-grid", "paper-tables")},
        "grid": reverse("grid", args=[grid.public_id]),
        "fine-tuning": reverse("fine-tuning", args=[run.public_id]),
        "paper-table": reverse("paper-table", args=["winogrande-4"]),
    }


def pages_of_encoders(campaign: Campaign) -> dict[str, str]:
    """A tuning that has two epochs behind it, and an encoding that waits for its end."""
    snapshot = SnapshotFactory(campaign=campaign, finished=True, n_questions=1830, n_pairs=915)
    tuning = TuningFactory(snapshot=snapshot, status=RunStatus.RUNNING, done=2, total=3)
    for number in (1, 2):
        TuningEpochFactory(run=tuning, number=number)
    EncodingFactory(snapshot=snapshot, tuning=tuning)
    return {
        **{name: reverse(name, args=[tuning.public_id]) for name in ("tuning", "encode-tuned")},
        **{
            name: reverse(name, args=[snapshot.public_id])
            for name in ("new-tuning", "new-encoding")
        },
    }


def side_by_side(encoding: Encoding) -> str:
    """The comparison of two runs that are done."""
    runs = [FilterRunFactory(encoding=encoding, finished=True, seed=seed) for seed in (1, 2)]
    for run in runs:
        PhaseFactory(run=run, n_before=2, n_removed=0)
    ids = "&".join(f"run={run.public_id}" for run in runs)
    return f"{reverse('compare-runs', args=[encoding.public_id])}?{ids}"


def pages_of_the_review_queue(campaign: Campaign, writer: User) -> dict[str, str]:
    """A split question with a report, a vote excluded, a gold question and an appeal."""
    question = TwinFactory(campaign=campaign, seats=3).questions.get(number=1)
    first, *_ = give(question, True, True, False, report="offensive", comment="Too rude.")
    dana = UserFactory(curator=True)
    exclude(vote_id=first.public_id, reason="Two seconds.", by=dana)
    GoldQuestion.objects.create(campaign=campaign, question=question, origin="grown")
    QualityNotice.objects.create(
        worker=writer, campaign=campaign, kind="warning", n_right=1, n_answers=5
    )
    Appeal.objects.create(worker=writer, subject="pause", unit="1", text="I was ill.")
    of_it = ["kitchen", question.public_id]
    return {
        "data": f"{reverse('data', args=['kitchen'])}?open=validator&columns=id&verdict=valid",
        "data-question": reverse("data-question", args=of_it),
        "review-question": reverse("review-question", args=of_it),
        "exclude-work": reverse("exclude-work", args=["kitchen", first.worker.public_id]),
    }


def page_of_an_action(campaign: Campaign, dana: User) -> dict[str, str]:
    """An action that waits to be confirmed."""
    keys = list(Question.objects.in_campaign(campaign).values_list("pk", flat=True))
    action = prepare_bulk(campaign=campaign, kind="invalid", questions=keys, by=dana)
    return {"data-action": reverse("data-action", args=["kitchen", action.public_id])}


def look_at(page: Page, pages: dict[str, str]) -> None:
    """Open each page and let axe see it; a jump to another page does not count as seen."""
    for name, path in pages.items():
        answer = page.goto(path)
        assert answer is not None
        assert (answer.status, resolve(urlsplit(page.url).path).url_name) == (200, name)
        assert_clean(page)
        assert_buttons_can_be_read(page)


def owner() -> User:
    """A person with a password, an authenticator app and recovery codes."""
    user = UserFactory(password="a long pass phrase")
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(user)
    return user


def seen_by_workers(campaign: Campaign, writer: User) -> Visits:
    study = StudyFactory(campaign=campaign)
    open_to_all = {name: reverse(name) for name in OPEN_TO_ALL}
    open_to_all["account_reset_password_from_key"] = "/new-password/1-no-token/"
    open_to_all["account_confirm_email"] = "/confirm-address/no-key/"
    yield None, open_to_all | {"arrive": link(study)}
    yield owner(), {name: reverse(name) for name in OF_AN_ACCOUNT}
    yield writer, pages_of_writers(writer)
    session = CrowdSessionFactory(study=study)
    visit = {"crowd-session": reverse("crowd-session", args=[session.public_id])}
    yield session.participant.worker, visit
    # Only now: guidelines that the writer has not accepted hide the pages above.
    publish_guideline(campaign=campaign, text="## Write\n\n- *well*\n", aids_policy="None.")
    joining = {
        name: reverse(name, args=["kitchen"])
        for name in ("join", "join-validate", "join-formalise")
    }
    yield UserFactory(), joining
    yield from seen_by_who_accepts(campaign)


def seen_by_who_accepts(campaign: Campaign) -> Visits:
    erin = UserFactory()
    consent = ConsentFactory(worker=erin, guideline=campaign.guideline)
    set_background(campaign=campaign, codes=["age", "other_languages"])
    here = {name: reverse(name, args=["kitchen"]) for name in ("my-background", "withdraw-consent")}
    here["my-consent"] = reverse("my-consent", args=[consent.public_id])
    yield erin, here | {"my-consents": reverse("my-consents")}


def seen_by_curators(campaign: Campaign, writer: User) -> Visits:
    dana = UserFactory(curator=True)
    yield dana, pages_of_curators(campaign, writer)
    yield dana, page_of_an_action(campaign, dana)
    admin = UserFactory(admin=True)
    record("labels_file", by=dana, account=admin, what="/api/v1/campaigns/kitchen/", format="csv")
    person = f"{reverse('erase-person')}?person={writer.public_id}"
    yield admin, {"audit-log": reverse("audit-log"), "erase-person": person}


def seen_in_results(campaign: Campaign, writer: User) -> Visits:
    data = imported()
    pages = pages_of_releases(campaign, data) | pages_of_evaluations(data)
    yield UserFactory(curator=True), pages


def seen_in_knowledge(campaign: Campaign, writer: User) -> Visits:
    yield UserFactory(curator=True), pages_of_knowledge(campaign)


PARTS = [seen_by_workers, seen_by_curators, seen_in_results, seen_in_knowledge]


@pytest.mark.long
@VIEWS
@pytest.mark.parametrize("part", PARTS)
def test_every_page_has_been_before_axe(
    part: Callable[[Campaign, User], Visits],
    view: dict[str, Any],
    campaign: Campaign,
    writer: User,
    new_context: Callable[..., BrowserContext],
    sign_in: Callable[..., Page],
) -> None:
    seen = set()
    for user, pages in part(campaign, writer):
        look_at(sign_in(user, **view) if user else new_context(**view).new_page(), pages)
        seen |= pages.keys()
    assert seen


@pytest.mark.long
def test_every_route_has_a_page_here(campaign: Campaign, writer: User) -> None:
    named = {name for part in PARTS for _, pages in part(campaign, writer) for name in pages}
    assert {pattern.name for pattern in urlpatterns} - NO_PAGES == named
