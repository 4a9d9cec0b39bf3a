"""What leaves as a payout: never what a crowd platform pays by itself."""

import csv
import io
import uuid
from decimal import Decimal
from typing import Any

import pytest

from collection.exports.payouts import file_named, files_of
from collection.models import Campaign, CrowdSession, SessionCredit
from collection.services.campaigns import pay
from tabular.writing import csv_lines
from tests.factories import (
    CampaignFactory,
    ConsentFactory,
    CrowdSessionFactory,
    LedgerEntryFactory,
    ParticipantFactory,
    StudyFactory,
    UserFactory,
)
from winoplatform.errors import DomainError, NotFound
from workers import services as workers
from workers.models import LedgerEntry, Payout, User

PROLIFIC = "60ffe5c8371090c7041d43f8"


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(name="=1+1")


def session(campaign: Campaign, provider: str = "prolific", **fields: Any) -> CrowdSession:
    """A session of a new participant, or of one named in another study of the campaign."""
    ids = {"prolific": PROLIFIC, "mturk": "A1B2C3D4E5"}
    first = campaign.studies.filter(provider=provider).first()
    study = first if first and "participant" not in fields else None
    study = study or StudyFactory(campaign=campaign, provider=provider)
    if "participant" not in fields:
        name = fields.pop("external", ids.get(provider, "p-1"))
        fields["participant"] = ParticipantFactory(provider=provider, external_id=name)
    return CrowdSessionFactory(study=study, **fields)


def earn(
    where: CrowdSession | Campaign, amount: str = "0.40", who: User | None = None
) -> LedgerEntry:
    """Owe a worker for a twin, which counts for the session where there is one."""
    in_session = isinstance(where, CrowdSession)
    campaign = where.study.campaign if in_session else where
    entry = LedgerEntryFactory(
        worker=who or (where.participant.worker if in_session else UserFactory()),
        kind="twin",
        amount=Decimal(amount),
        budget=campaign.public_id,
    )
    if in_session:
        SessionCredit.objects.create(session=where, unit=entry.unit)
    return entry


def export(campaign: Campaign, provider: str) -> Payout:
    dana = UserFactory(curator=True)
    pay.approve_entries(campaign=campaign, by=dana)
    return pay.export_payout(campaign=campaign, provider=provider, client_key=uuid.uuid4(), by=dana)


def paid(payout: Payout) -> dict[str, Decimal]:
    return {line.worker.public_id: line.amount for line in payout.lines.select_related("worker")}


def refused(campaign: Campaign, provider: str) -> str:
    with pytest.raises(DomainError) as caught:
        export(campaign, provider)
    return caught.value.code


def text_of(payout: Payout, place: int) -> str:
    return "".join(file_named(payout, files_of(payout)[place].name, payout.created_by)[1])


@pytest.mark.parametrize("status", ["completed", "active"])
def test_what_a_session_pays_or_may_come_to_pay_is_in_no_bonus(
    status: str, campaign: Campaign
) -> None:
    earn(session(campaign, status=status))
    for provider in ("any", "prolific"):
        assert refused(campaign, provider) == "nothing_to_pay"


@pytest.mark.parametrize("status", ["returned", "timed_out", "failed", "screened_out", "rejected"])
def test_what_no_session_pays_is_paid_as_a_bonus(status: str, campaign: Campaign) -> None:
    earned = earn(session(campaign, status=status))
    assert paid(export(campaign, "prolific")) == {earned.worker.public_id: Decimal("0.40")}


def test_a_completed_sessions_entries_are_settled_as_paid_by_the_platform(
    campaign: Campaign,
) -> None:
    done = session(campaign, status="completed")
    worker = done.participant.worker
    earn(done), earn(done, "0.30")
    earn(campaign, "0.50", worker)  # an exercise: no unit of a session
    platform = export(campaign, "platform")
    assert paid(platform) == {worker.public_id: Decimal("0.70")}
    assert paid(export(campaign, "prolific")) == {worker.public_id: Decimal("0.50")}
    workers.mark_paid(payout_id=platform.public_id, by=UserFactory(curator=True))
    assert refused(campaign, "platform") == refused(campaign, "any") == "nothing_to_pay"


def test_a_revised_twin_of_a_completed_session_is_paid_by_the_platform_once(
    campaign: Campaign,
) -> None:
    done = session(campaign, status="completed")
    old = earn(done)
    workers.take_back(worker=old.worker, kind=old.kind, unit=old.unit)
    earn(done)
    assert paid(export(campaign, "platform")) == {old.worker.public_id: Decimal("0.40")}
    assert refused(campaign, "any") == "nothing_to_pay"


def test_a_platforms_payout_holds_its_own_participants_only(campaign: Campaign) -> None:
    prolific = earn(campaign, who=session(campaign, status="returned").participant.worker)
    mturk = earn(campaign, who=session(campaign, "mturk", status="completed").participant.worker)
    own = earn(campaign)
    assert list(paid(export(campaign, "prolific"))) == [prolific.worker.public_id]
    assert list(paid(export(campaign, "mturk"))) == [mturk.worker.public_id]
    assert list(paid(export(campaign, "any"))) == [own.worker.public_id]


def test_mechanical_turk_pays_for_a_submitted_assignment_only(campaign: Campaign) -> None:
    earn(session(campaign, "mturk", status="returned"))
    assert refused(campaign, "mturk") == "nothing_to_pay"
    Campaign.objects.update(currency="EUR")
    campaign.refresh_from_db()
    assert refused(campaign, "mturk") == "currency_not_paid"


@pytest.mark.parametrize("name", ["p-1", f"{PROLIFIC},999.00", f"{PROLIFIC}\n"])
def test_an_id_that_is_none_of_the_platforms_is_in_no_file_of_it(
    name: str, campaign: Campaign
) -> None:
    earn(session(campaign, status="returned", external=name))
    assert refused(campaign, "prolific") == "nothing_to_pay"


def test_prolifics_file_is_an_id_and_an_amount_a_line_for_each_study(campaign: Campaign) -> None:
    first = session(campaign, status="returned")
    earn(first, "1.50")
    other = CrowdSessionFactory(
        study=StudyFactory(campaign=campaign, provider="prolific"),
        participant=ParticipantFactory(provider="prolific", external_id=PROLIFIC[::-1]),
        status="timed_out",
    )
    earn(other, "30.00")
    payout = export(campaign, "prolific")
    assert [file.study for file in files_of(payout)[1:]] == [first.study, other.study]
    assert text_of(payout, 1) == f"{PROLIFIC},1.50\n"
    assert text_of(payout, 2) == f"{PROLIFIC[::-1]},30.00\n"


def test_mturks_file_names_the_newest_submitted_assignment(campaign: Campaign) -> None:
    old = session(campaign, "mturk", status="completed", external_id="OLDASSIGNMENT")
    same = {"participant": old.participant}
    session(campaign, "mturk", status="completed", external_id="NEWASSIGNMENT", **same)
    session(campaign, "mturk", status="returned", external_id="GIVENBACK", **same)
    earn(campaign, "0.43", old.participant.worker)
    payout = export(campaign, "mturk")
    before = text_of(payout, 1)
    [row] = csv.DictReader(io.StringIO(before))
    assert (row["WorkerId"], row["AssignmentId"]) == ("A1B2C3D4E5", "NEWASSIGNMENT")
    assert row["BonusAmount"] == "0.43"
    assert row["Reason"]
    assert 0 < len(row["UniqueRequestToken"]) <= 64
    session(campaign, "mturk", status="completed", external_id="LATER", **same)
    assert text_of(payout, 1) == before


def test_the_table_knows_pseudonyms_and_by_what_each_person_is_paid(campaign: Campaign) -> None:
    own = earn(campaign)
    crowd = earn(session(campaign, "generic", status="returned", external="=cmd()"))
    payout = export(campaign, "any")
    rows = {row["worker"]: row for row in csv.DictReader(io.StringIO(text_of(payout, 0)))}
    assert rows[own.worker.public_id]["amount"] == "0.40"
    assert rows[own.worker.public_id]["participant"] == ""
    assert {row["username"] for row in rows.values()} == {""}, "no guidelines say so"
    assert rows[crowd.worker.public_id]["participant"] == "'=cmd()"
    assert text_of(payout, 0) == text_of(payout, 0)


def test_the_table_has_names_where_they_may_be_seen_and_the_readers_own_labels(
    campaign: Campaign,
) -> None:
    own, other = earn(campaign).worker, earn(campaign).worker
    ConsentFactory(worker=own, guideline__campaign=campaign, guideline__shows_user_names=True)
    payout = export(campaign, "any")
    workers.label_person(worker=other, text="desk 4", by=payout.created_by)
    workers.label_person(worker=other, text="of another", by=UserFactory(curator=True))
    rows = {row["worker"]: row for row in csv.DictReader(io.StringIO(text_of(payout, 0)))}
    known = {name: (row["username"], row["own_label"]) for name, row in rows.items()}
    assert known == {own.public_id: (own.username, ""), other.public_id: ("", "desk 4")}


def test_a_file_that_a_payout_has_not_is_not_found(campaign: Campaign) -> None:
    earn(campaign)
    payout = export(campaign, "any")
    for name in ("x.csv", "../../etc/passwd", f"payout-{payout.public_id}-mturk.csv"):
        with pytest.raises(NotFound):
            file_named(payout, name, payout.created_by)


def test_text_that_a_spreadsheet_would_run_is_quoted_and_numbers_are_not() -> None:
    lines = list(csv_lines(("a", "b"), [("=1+1", Decimal("-0.40")), ("-x", "@y"), ("ok", None)]))
    assert lines[1:] == ["'=1+1,-0.40\r\n", "'-x,'@y\r\n", "ok,\r\n"]
