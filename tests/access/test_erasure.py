"""An erased person is found nowhere, and everything that counts them still adds up."""

import subprocess
import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from collection.models import Assignment, CrowdSession, Participant, Provenance, Twin
from evaluation.core.verify import Outcome
from tests.access.planted import World, mark, planted_world
from tests.evaluation.bundles import findings, store_bundle
from tests.factories import LedgerEntryFactory, TwinFactory, UserFactory, VoteFactory
from tests.races.processes import database_url
from tests.refusals import refused
from validation.models import Seat, VerdictEvent, Vote
from validation.selectors.reconciliation import check_ledger
from winoplatform.embedded import postgres
from winoplatform.personal.mentions import mentions
from winoplatform.processes import broker
from workers import services
from workers.models import AuditEvent, LedgerEntry, User

KINDS = ("writer", "validator", "curator", "participant")


def dump(folder: Path) -> str:
    """Return a fresh dump of the database, as an operator makes one."""
    file = folder / "dump.sql"
    program = postgres.program("pg_dump")
    address = database_url(is_owner=True)
    subprocess.run([program, "--file", file, address], check=True, capture_output=True)
    return file.read_text()


def artifacts() -> bytes:
    folder = Path(settings.STORAGES["artifacts"]["OPTIONS"]["location"])
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def redis() -> str:
    client = broker.client()
    return repr([(key, client.dump(key)) for key in client.scan_iter(match=broker.key("*"))])


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_erased_people_are_found_nowhere_and_releases_verify(
    as_processes: None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    world = planted_world(releases=["old-1", "old-2", "old-3"])
    before = dump(tmp_path)
    assert {kind: before.count(mark(kind)) > 10 for kind in KINDS} == dict.fromkeys(KINDS, True)
    pay = [*LedgerEntry.objects.order_by("pk").values_list("pk", "worker", "amount")]
    caplog.clear()
    erase(world)
    assert mentions(world.marks.values()) == []
    after, logged = dump(tmp_path), caplog.text + redis()
    for text in world.marks.values():
        assert text not in after
        assert text not in logged
        assert text.encode() not in artifacts()
    assert check_ledger().problems == ()
    assert [*LedgerEntry.objects.order_by("pk").values_list("pk", "worker", "amount")] == pay
    for release in world.releases:
        folder = tmp_path / release.name
        folder.mkdir()
        store_bundle(release, folder)
        results = findings(folder / f"{release.name}.zip", folder / "opened")
        assert [result for result in results if result.outcome is Outcome.WRONG] == []


def erase(world: World) -> None:
    admin = UserFactory(admin=True)
    for account in world.people.values():
        services.erase_person(account=account, by=admin, pay=services.SETTLE)


def test_everything_that_an_erased_person_held_is_free_and_what_they_made_stays() -> None:
    world = planted_world()
    writer, validator = world.people["writer"], world.people["validator"]
    made = Twin.objects.filter(author=writer).count(), Vote.objects.filter(worker=validator).count()
    erase(world)
    assert not Seat.objects.filter(worker=validator, answered_at=None).exists()
    assert not Assignment.objects.filter(worker=writer, status="open").exists()
    assert not CrowdSession.objects.active().exists()
    assert made == (
        Twin.objects.filter(author=writer).count(),
        Vote.objects.filter(worker=validator).count(),
    )
    assert not Provenance.objects.exclude(typed_characters=0, active_seconds=0).exists()
    assert Participant.objects.get().external_id.startswith("erased-")


@pytest.mark.long
def test_an_erasure_that_is_repeated_changes_nothing() -> None:
    world = planted_world()
    erase(world)
    names = dict(User.objects.values_list("pk", "username"))
    other = UserFactory(admin=True)
    events = AuditEvent.objects.count()
    for account in world.people.values():
        again = services.erase_person(account=account, by=other)
        assert again.changed == {}
    assert {pk: User.objects.get(pk=pk).username for pk in names} == names
    assert AuditEvent.objects.count() == events


def test_an_erased_account_cannot_be_used_again() -> None:
    account = UserFactory(username="anna", password="a long password", email="anna@example.org")
    former = account.public_id
    services.erase_person(account=account, by=UserFactory(admin=True))
    account.refresh_from_db()
    assert not User.objects.filter(public_id=former).exists()
    assert not account.check_password("a long password")
    for change in ({"is_active": True}, {"email": "a@example.org"}, {"role": "curator"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=account.pk).update(**change)


def test_pay_is_never_forgotten() -> None:
    admin, worker = UserFactory(admin=True), UserFactory()
    LedgerEntryFactory(worker=worker, amount="0.40")
    with refused("pay_open") as caught:
        services.erase_person(account=worker, by=admin)
    assert caught.value.details == {"USD": "0.40"}
    assert User.objects.get(pk=worker.pk).erased_at is None
    services.erase_person(account=worker, by=admin, pay=services.VOID)
    assert services.open_pay(worker) == {}
    assert {row.settlement.state for row in worker.ledger.all()} == {"void"}


def test_pay_on_its_way_is_waited_for() -> None:
    admin, worker = UserFactory(admin=True), UserFactory()
    entry = LedgerEntryFactory(worker=worker, amount="0.40")
    asked = {"budget": entry.budget, "by": admin}
    services.approve_entries(**asked)
    payout = services.export_payout(
        currency="USD", provider="any", client_key=uuid.uuid4(),
        entries=LedgerEntry.objects.all(), **asked,
    )  # fmt: skip
    with refused("pay_under_way"):
        services.erase_person(account=worker, by=admin, pay=services.SETTLE)
    services.mark_paid(payout_id=payout.public_id, by=admin)
    services.erase_person(account=worker, by=admin)


def test_nobody_erases_themselves() -> None:
    admin = UserFactory(admin=True)
    with refused("own_account"):
        services.erase_person(account=admin, by=admin)


CHANGES = (
    "UPDATE workers_ledgerentry SET note = ''",
    "UPDATE workers_ledgerentry SET note = 'other' WHERE worker_id = %(erased)s",
    "UPDATE workers_ledgerentry SET amount = 5, note = '' WHERE worker_id = %(erased)s",
    "DELETE FROM workers_ledgerentry WHERE worker_id = %(erased)s",
    "SELECT workers_ledgerentry_forget(%(other)s)",
    "UPDATE workers_auditevent SET address = '', kind = 'labels' WHERE account_id = %(erased)s",
    "SELECT workers_auditevent_forget(%(other)s)",
    "SELECT workers_auditevent_forget_before(now() + interval '1 hour')",
    "UPDATE validation_verdictevent SET reason = 'other'",
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_history_changes_for_nothing_else_than_an_erasure(change: str) -> None:
    people = {"erased": UserFactory(), "other": UserFactory()}
    for person in people.values():
        LedgerEntryFactory(worker=person, note="for Anna", amount=0)
        AuditEvent.objects.create(kind="sign_in", account=person, address="192.0.2.7")
        question = TwinFactory(author=person).questions.first()
        VerdictEvent.objects.create(question=question, action="returned", reason="for Anna")
    services.erase_person(account=people["erased"], by=UserFactory(admin=True))
    keys = {name: person.pk for name, person in people.items()}
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change, keys)
    assert people["other"].ledger.get().note == "for Anna"
    assert people["erased"].ledger.get().note == ""


def test_a_table_of_the_same_name_does_not_stand_for_an_account(as_processes: None) -> None:
    worker = UserFactory()
    AuditEvent.objects.create(kind="sign_in", account=worker, address="192.0.2.7")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE workers_user AS SELECT * FROM workers_user")
        cursor.execute("UPDATE pg_temp.workers_user SET erased_at = now()")
        with pytest.raises(IntegrityError):
            cursor.execute("SELECT workers_auditevent_forget(%s)", [worker.pk])
        cursor.execute("DROP TABLE pg_temp.workers_user")


def test_an_erasure_that_is_killed_changes_nothing_and_the_next_one_is_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vote = VoteFactory(comment="I am Anna")
    account, admin = vote.worker, UserFactory(admin=True)
    former = account.username

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("workers.services.audit.record", killed)
        with pytest.raises(KeyboardInterrupt):
            services.erase_person(account=account, by=admin)
    account.refresh_from_db()
    vote.refresh_from_db()
    assert (account.username, account.erased_at, vote.comment) == (former, None, "I am Anna")
    services.erase_person(account=account, by=admin)
    assert mentions([former, "I am Anna"]) == []
