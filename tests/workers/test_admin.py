"""The admin site shows what happened and changes none of it."""

import pytest
from django.contrib import admin
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from corpora.models import BlindSentence, Draw, DrawTable
from filtering.models import AssessmentPart
from knowledge.models import KnowledgeSet, LexiconEntry, Reason
from tests.corpora.sets import imported
from tests.factories import (
    AssessmentFactory,
    AssignmentFactory,
    AttemptFactory,
    AuditedKeyFactory,
    ConsentFactory,
    CrowdSessionFactory,
    DetectionFactory,
    EvaluationFactory,
    ExerciseItemFactory,
    FineTuningFactory,
    FormalisingTaskFactory,
    FormulaFactory,
    GridFactory,
    KeyPanelFactory,
    KnowledgeEvaluationFactory,
    KnowledgeReleaseFileFactory,
    LedgerEntryFactory,
    PanelSeatFactory,
    ParticipantFactory,
    PauseFactory,
    PayoutFactory,
    PhaseFactory,
    ProofFactory,
    ProposalFactory,
    ReleaseFileFactory,
    ReleasePreviewFactory,
    ReleaseReportFactory,
    SentenceEncodingFactory,
    SettlementFactory,
    StarterLoadFactory,
    SubmissionFactory,
    SweepStepFactory,
    TuningEpochFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.frontend.conftest import signed_in_now
from tests.knowledge.annotating import validation
from validation.models import Appeal, GoldQuestion, VerdictEvent
from workers.models import ApiToken, LedgerEntry, User

OURS = {
    *("workers", "collection", "validation", "corpora", "panels", "filtering"),
    *("knowledge", "evaluation"),
}
SHOWN = [model for model in admin.site._registry if model._meta.app_label in OURS]
READ_ONLY = [model for model in SHOWN if model is not User]


@pytest.fixture(scope="module")
def rows_kept(kept: str) -> None:
    """A row of everything."""
    EvaluationFactory(finished=True)
    KeyPanelFactory(audit=AuditedKeyFactory().run)
    DetectionFactory(finished=True)
    PanelSeatFactory()
    PhaseFactory()
    TuningEpochFactory()
    part = {"number": 1, "attempt": 1, "seconds": 0.5, "name": "filter_results", "figures": {}}
    AssessmentPart.objects.create(run=AssessmentFactory(finished=True), **part)
    ReleaseFileFactory()
    ReleasePreviewFactory(finished=True)
    BlindSentence.objects.create(key="k", is_published=True, release=ReleaseReportFactory().release)
    DrawTable.objects.create(sha256="0" * 64, n_twins=1)
    AssignmentFactory()
    CrowdSessionFactory()
    ConsentFactory()
    ExerciseItemFactory()
    AttemptFactory()
    PauseFactory()
    Draw.objects.create(twin=TwinFactory(), split="test", origin="linked", is_pair=True)
    LedgerEntryFactory()
    SettlementFactory()
    PayoutFactory()
    ProposalFactory()
    question = VerdictFactory(question=VoteFactory().question).question
    VerdictEvent.objects.create(question=question, action="votes", after={"valid": True})
    GoldQuestion.objects.create(campaign=question.twin.campaign, question=question, origin="grown")
    Appeal.objects.create(worker=UserFactory(), subject="pause", unit="1", text="Why?")
    SentenceEncodingFactory()
    StarterLoadFactory()
    SubmissionFactory()
    SweepStepFactory()
    KnowledgeReleaseFileFactory()
    FormulaFactory()
    FormalisingTaskFactory()
    ProofFactory()
    FineTuningFactory()
    GridFactory()
    KnowledgeEvaluationFactory()
    validation(n_pairs=1)
    LexiconEntry.objects.create(
        knowledge_set=KnowledgeSet.objects.first(), name="late", positive="{x} is late"
    )
    Reason.objects.create(
        collection="mine", question=0, number=0, source="human", n_accepted=1, n_votes=5
    )
    imported()


@pytest.fixture
def site(rows_kept: None, db: None) -> Client:
    """An admin's browser, with a row of everything to look at."""
    return signed_in_now(UserFactory(admin=True))


def address(model: type, page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", SHOWN)
def test_every_table_can_be_listed_and_searched(site: Client, model: type) -> None:
    assert site.get(address(model, "changelist")).status_code == 200
    assert site.get(address(model, "changelist"), {"q": "a"}).status_code == 200


@pytest.mark.parametrize("model", READ_ONLY)
def test_a_row_is_shown_whole_and_cannot_be_changed(site: Client, model: type) -> None:
    row = model._default_manager.first()
    page = site.get(address(model, "change", row.pk))
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert site.post(address(model, "change", row.pk), {}).status_code == 403
    assert site.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert site.get(address(model, "add")).status_code == 403


def test_tables_are_named_in_english_and_no_groups_stand_beside_the_roles(site: Client) -> None:
    page = site.get(reverse("admin:index")).content.decode()
    assert "Ledger entries" in page
    assert "Studies" in page
    for wrong in ("entrys", "Studys", "Groups"):
        assert wrong not in page


def test_a_browser_that_looks_for_an_icon_finds_one(client: Client) -> None:
    found = client.get("/favicon.ico")
    assert (found.status_code, found["Location"]) == (302, "/static/frontend/icon.svg")
    assert finders.find("frontend/icon.svg")


def test_a_releases_key_and_the_tokens_are_not_shown(site: Client) -> None:
    release = ReleaseFileFactory().release
    page = site.get(address(type(release), "change", release.pk))
    assert release.key.encode() not in page.content
    assert ApiToken not in admin.site._registry


def test_an_admin_makes_an_account_and_gives_it_a_role(site: Client) -> None:
    password = "a long pass phrase"
    form = {"username": "eve", "usable_password": "true"}
    form |= {"password1": password, "password2": password}
    assert site.post(address(User, "add"), form).status_code == 302
    eve = User.objects.get(username="eve")
    page = site.get(address(User, "change", eve.pk))
    assert eve.public_id.encode() in page.content
    assert b'name="role"' in page.content
    assert b'name="is_superuser"' not in page.content
    form = {"username": "eve", "role": "admin", "is_active": "on", "date_joined_0": "2026-01-01"}
    form |= {"date_joined_1": "12:00:00"}
    assert site.post(address(User, "change", eve.pk), form).status_code == 302
    eve.refresh_from_db()
    assert (eve.role, eve.is_superuser) == ("admin", True)
    assert site.post(address(User, "delete", eve.pk), {"post": "yes"}).status_code == 403


def test_workers_and_curators_do_not_enter(db: None) -> None:
    for user in (UserFactory(), UserFactory(curator=True)):
        client = Client()
        client.force_login(user)
        assert client.get(address(LedgerEntry, "changelist")).status_code == 302


def test_a_studys_secrets_are_not_shown(site: Client) -> None:
    study = CrowdSessionFactory(study__event_secret="from the platform").study
    page = site.get(address(type(study), "change", study.pk)).content.decode()
    assert study.completion_code in page
    assert study.secret not in page
    assert study.event_secret not in page


def test_an_admin_reads_why_a_crowd_participant_becomes_no_curator(site: Client) -> None:
    worker = ParticipantFactory().worker
    form = {"username": worker.username, "role": "curator", "is_active": "on"}
    form |= {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}

    page = site.post(address(User, "change", worker.pk), form)

    assert page.status_code == 200
    assert "must stay a worker" in str(page.context["adminform"].form.errors["role"])
    worker.refresh_from_db()
    assert worker.role == User.Role.WORKER
    saved = site.post(address(User, "change", worker.pk), form | {"role": "worker"})
    assert saved.status_code == 302


def test_an_admins_session_opens_accounts_only_after_a_proof_and_keeps_no_password(
    db: None,
) -> None:
    client, eve = Client(), UserFactory()
    client.force_login(UserFactory(admin=True, password="a long pass phrase"))
    for page in (address(User, "change", eve.pk), f"/admin/workers/user/{eve.pk}/password/"):
        assert client.post(page, {"role": "admin", "password1": "planted"})["Location"] == page
        assert client.get(page)["Location"].startswith("/account/confirm/?next=")
    assert "planted" not in repr([*client.session.items()])
    eve.refresh_from_db()
    assert eve.role == User.Role.WORKER
