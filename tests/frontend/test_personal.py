"""A person's own data, and the erasure by an admin."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from time import perf_counter

import pytest
from django.test import Client
from django.urls import reverse

from tests.access.planted import planted_world
from tests.factories import (
    GuidelineFactory,
    LedgerEntryFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.frontend.pages import words
from validation.models import GoldQuestion, VerdictEvent, Vote
from workers import services
from workers.models import AuditEvent, LedgerEntry, User

PAGE = "/people/erase/"
Browse = Callable[[User], Client]


def own_data(client: Client) -> zipfile.ZipFile:
    response = client.get(reverse("own-data-file"))
    assert response.status_code == 200
    return zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]


def table(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(archive.read(f"{name}.csv").decode()))]


@pytest.mark.long
def test_a_person_gets_what_they_wrote_voted_and_were_paid_and_nothing_of_others(
    browse: Browse,
) -> None:
    world = planted_world()
    for kind in ("writer", "validator", "participant"):
        archive = own_data(browse(world.people[kind]))
        text = "".join(archive.read(name).decode() for name in archive.namelist())
        assert text.count(world.marks[kind]) > 10
        others = {mark for other, mark in world.marks.items() if other not in (kind, "curator")}
        assert not any(mark in text for mark in others)
        people = User.objects.exclude(pk=world.people[kind].pk)
        assert not any(f'"{key}"' in text for key in people.values_list("public_id", flat=True))
    votes = table(own_data(browse(world.people["validator"])), "validation_vote")
    assert len(votes) == Vote.objects.filter(worker=world.people["validator"]).count()
    assert {"option", "comment", "sentence"} <= votes[0].keys()


@pytest.mark.long
def test_json_and_csv_have_the_same_rows(as_alice: Client, alice: User) -> None:
    TwinFactory(author=alice)
    archive = own_data(as_alice)
    everything = json.loads(archive.read("data.json"))
    assert {f"{name}.csv" for name in everything} | {"README.txt", "data.json"} == {
        *archive.namelist()
    }
    for name, rows in everything.items():
        assert len(rows) == len(table(archive, name))
    assert len(everything["collection_question"]) == 2


@pytest.mark.long
def test_control_questions_look_like_others(as_bob: Client, bob: User) -> None:
    gold = GoldQuestion.objects.create(
        campaign=(twin := TwinFactory()).campaign,
        question=twin.questions.get(number=1),
        origin="chosen",
    )
    seat = SeatFactory(
        question=gold.question, worker=bob, gold=gold, number=None, opened=True,
        answered_at="2026-01-01T00:00:00Z",
    )  # fmt: skip
    votes = [VoteFactory(worker=bob, seat=seat, is_gold=True), VoteFactory(worker=bob)]
    for vote, kind in zip(votes, ("gold", "vote"), strict=True):
        LedgerEntryFactory(worker=bob, kind=kind, unit=str(vote.public_id))
    everything = json.loads(own_data(as_bob).read("data.json"))
    assert [row["kind"] for row in everything["workers_ledgerentry"]] == ["vote", "vote"]
    gold_row, row = everything["validation_vote"]
    assert gold_row.keys() == row.keys()
    assert "gold" not in json.dumps(everything)


@pytest.mark.long
def test_a_formula_is_no_formula_in_a_spreadsheet(as_bob: Client, bob: User) -> None:
    VoteFactory(worker=bob, comment="=1+1")
    archive = own_data(as_bob)
    assert table(archive, "validation_vote")[0]["comment"] == "'=1+1"
    assert json.loads(archive.read("data.json"))["validation_vote"][0]["comment"] == "=1+1"


@pytest.mark.long
def test_the_page_tells_what_is_kept_and_the_download_is_logged(
    as_alice: Client, alice: User
) -> None:
    text = words(as_alice.get(reverse("own-data")))
    assert "votes on questions, with a comment and a report" in text
    assert "backups and write-ahead logs of PostgreSQL" in text
    own_data(as_alice)
    event = AuditEvent.objects.get(kind=AuditEvent.Kind.PEOPLE_FILE)
    assert (event.by, event.what) == (alice, "own data")


@pytest.fixture
def as_admin(browse: Browse) -> Client:
    return browse(UserFactory(username="root", admin=True))


@pytest.mark.long
def test_an_admin_erases_a_person_after_typing_the_pseudonym(as_admin: Client, alice: User) -> None:
    VoteFactory(worker=alice, comment="I am Alice")
    led = as_admin.get(PAGE, {"who": alice.username})
    assert led["Location"] == f"{PAGE}?person={alice.public_id}"
    text = words(as_admin.get(led["Location"]))
    assert "votes on questions, with a comment and a report" in text
    assert "texts and names emptied, the rest stays" in text
    wrong = as_admin.post(PAGE, {"person": alice.public_id, "confirm": alice.username})
    assert wrong.status_code == 400
    assert User.objects.get(pk=alice.pk).erased_at is None
    done = as_admin.post(PAGE, {"person": alice.public_id, "confirm": alice.public_id})
    assert "The person was erased" in words(done)
    assert Vote.objects.get(worker=alice).comment == ""
    event = AuditEvent.objects.get(kind=AuditEvent.Kind.ERASED)
    assert (event.by.username, event.account_id) == ("root", alice.pk)
    gone = as_admin.get(PAGE, {"person": alice.public_id})
    assert gone.status_code == 404


@pytest.mark.long
def test_open_pay_has_to_be_decided(as_admin: Client, alice: User) -> None:
    LedgerEntryFactory(worker=alice, amount="0.40")
    fields = {"person": alice.public_id, "confirm": alice.public_id}
    assert "still owed" in words(as_admin.get(PAGE, {"person": alice.public_id}))
    refused = as_admin.post(PAGE, fields)
    assert refused.status_code == 409
    assert "This person is still owed 0.40 USD" in words(refused)
    as_admin.post(PAGE, fields | {"pay": services.SETTLE})
    assert User.objects.get(pk=alice.pk).erased_at
    assert alice.ledger.get().settlement.state == "paid"


def test_an_erasure_needs_a_proof_of_who_asks(alice: User) -> None:
    client = Client()
    client.force_login(UserFactory(admin=True))
    asked = client.post(PAGE, {"person": alice.public_id, "confirm": alice.public_id})
    assert User.objects.get(pk=alice.pk).erased_at is None
    assert asked.status_code in (302, 403)


def test_where_a_name_still_stands_is_listed(as_admin: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(email="alice.liddell@example.org")
    GuidelineFactory(contact="Alice, alice.liddell@example.org")
    done = as_admin.post(PAGE, {"person": alice.public_id, "confirm": alice.public_id})
    assert "collection_guideline.contact : 1" in words(done)


def test_curators_erase_nobody(as_dana: Client, alice: User) -> None:
    fields = {"person": alice.public_id, "confirm": alice.public_id}
    assert as_dana.get(PAGE).status_code == 403
    assert as_dana.post(PAGE, fields).status_code == 403
    assert User.objects.get(pk=alice.pk).erased_at is None


@pytest.mark.long
def test_ten_thousand_entries_are_exported_within_a_minute(as_bob: Client, bob: User) -> None:
    question = TwinFactory().questions.get(number=1)
    entries = (LedgerEntryFactory.build(worker=bob, note="x" * 99) for _ in range(10_000))
    LedgerEntry.objects.bulk_create(entries, batch_size=2_000)
    event = {"question": question, "action": "noted", "by": bob, "reason": "y" * 99}
    VerdictEvent.objects.bulk_create(VerdictEvent(**event) for _ in range(10_000))
    begun = perf_counter()
    archive = own_data(as_bob)
    assert perf_counter() - begun < 30
    assert len(table(archive, "workers_ledgerentry")) == 10_000
    assert len(json.loads(archive.read("data.json"))["validation_verdictevent"]) == 10_000
