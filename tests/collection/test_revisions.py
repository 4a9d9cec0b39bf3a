"""A twin can be withdrawn or revised until its first vote."""

import uuid
from decimal import Decimal

import pytest

from collection.models import CrowdSession, Draft, Provenance, Question, SessionCredit, Twin
from collection.selectors.crowd import places_taken
from collection.services import TwinText, crowd
from collection.services.campaigns import pay
from tests.collection.crowd.people import come, other_sentences, worker_of, write
from tests.factories import (
    AssignmentFactory,
    ConsentFactory,
    CrowdSessionFactory,
    SeatFactory,
    StudyFactory,
    VoteFactory,
    twin_text,
)
from tests.refusals import refused
from tests.writing import revise, submit, withdraw
from validation import services as validation
from validation.models import PassedSeat, Seat, TwinReturn
from validation.selectors.reconciliation import check_ledger
from validation.services import advise_writer
from workers.models import LedgerEntry, User

BETTER = {
    "sentences": (
        "The trophy did not fit into the old brown suitcase on the bed because the _ was too wide.",
        "The trophy did not fit into the old brown suitcase on the bed because the _ was too slim.",
    )
}


@pytest.fixture
def twin() -> Twin:
    assignment = AssignmentFactory()
    return submit(assignment)


def owed(worker: User) -> Decimal:
    return LedgerEntry.objects.filter(worker=worker).total()


def test_a_withdrawn_twin_leaves_the_queue_and_the_pay(twin: Twin) -> None:
    withdraw(twin)
    withdraw(twin)

    assert not Seat.objects.exists()
    assert not Question.objects.in_campaign(twin.campaign).exists()
    amounts = [entry.amount for entry in LedgerEntry.objects.order_by("pk")]
    assert amounts == [Decimal("0.40"), Decimal("-0.40")]


def test_a_twin_with_a_vote_stays(twin: Twin) -> None:
    VoteFactory(seat__question=twin.questions.get(number=2), seat__number=9)

    with refused("already_validated"):
        withdraw(twin)
    with refused("already_validated"):
        revise(twin, **BETTER)
    twin.refresh_from_db()
    assert (twin.withdrawn_at, owed(twin.author)) == (None, Decimal("0.40"))


def test_a_revised_twin_takes_the_place_of_the_old_one(twin: Twin) -> None:
    new = revise(twin, **BETTER)

    twin.refresh_from_db()
    assert twin.withdrawn_at is not None
    assert (new.revises, new.assignment) == (twin, twin.assignment)
    assert TwinText.of(twin) == twin_text()
    assert {seat.twin for seat in Seat.objects.all()} == {new}
    assert owed(twin.author) == Decimal("0.40")


def test_a_withdrawn_twin_can_be_handed_in_again_even_as_it_was(twin: Twin) -> None:
    withdraw(twin)

    again = revise(twin)

    assert again.revises == twin
    assert owed(twin.author) == Decimal("0.40")


def test_the_text_that_stands_already_changes_nothing(twin: Twin) -> None:
    assert revise(twin) == twin
    assert Twin.objects.count() == 1


def test_the_same_revision_twice_is_one(twin: Twin) -> None:
    key = uuid.uuid4()

    assert revise(twin, **BETTER, client_key=key) == revise(twin, **BETTER, client_key=key)
    assert owed(twin.author) == Decimal("0.40")


def test_another_revision_goes_to_the_newest_twin(twin: Twin) -> None:
    new = revise(twin, **BETTER)

    with refused("already_revised"):
        revise(twin)
    assert revise(new).revises == new


def test_a_revision_that_breaks_a_rule_leaves_the_twin_with_the_validators(twin: Twin) -> None:
    with refused("rules_broken"):
        revise(twin, answers=(1, 1))

    twin.refresh_from_db()
    assert twin.withdrawn_at is None
    assert Seat.objects.count() == 6


def test_a_withdrawn_twin_is_not_submitted_again_past_its_revision(twin: Twin) -> None:
    withdraw(twin)

    with refused("twin_withdrawn"):
        submit(twin.assignment)


def test_who_has_seen_the_old_sentence_does_not_validate_the_new_one(twin: Twin, bob: User) -> None:
    Seat.objects.all().delete()
    SeatFactory(question=twin.questions.get(number=1), number=1, worker=bob, opened=True)

    new = revise(twin, **BETTER)

    assert PassedSeat.objects.get(twin=new).worker == bob
    with refused("queue_empty"):
        validation.claim_seat(worker=bob, campaign=twin.campaign)


def test_who_only_held_the_old_one_may_validate_the_new_one(twin: Twin, bob: User) -> None:
    validation.claim_seat(worker=bob, campaign=twin.campaign)

    new = revise(twin, **BETTER)

    assert validation.claim_seat(worker=bob, campaign=twin.campaign).twin == new


def test_the_same_sentences_are_free_again_once_withdrawn(twin: Twin) -> None:
    withdraw(twin)
    other = AssignmentFactory(campaign=twin.campaign)

    assert submit(other)


def test_a_withdrawn_twin_does_not_come_back_past_a_limit(twin: Twin) -> None:
    campaign = twin.campaign
    campaign.twins_per_worker_max = 1
    campaign.save()
    with_another = AssignmentFactory(worker=twin.author, campaign=campaign)
    withdraw(twin)
    submit(with_another, **BETTER)

    with refused("worker_limit"):
        revise(twin)
    assert Twin.objects.active().count() == 1


def test_an_active_twin_is_revised_at_the_limit(twin: Twin) -> None:
    twin.campaign.twins_per_worker_max = 1
    twin.campaign.save()

    assert revise(twin, **BETTER).revises == twin


def test_a_withdrawn_twin_waits_for_the_article_in_hand(twin: Twin) -> None:
    withdraw(twin)
    AssignmentFactory(worker=twin.author, campaign=twin.campaign)

    with refused("another_assignment_open"):
        revise(twin, **BETTER)


def test_a_revision_keeps_the_evidence_of_what_it_revises(twin: Twin) -> None:
    Provenance.objects.filter(twin=twin).update(
        typed_characters=10, pasted_characters=300, largest_insert=300, edits=4, active_seconds=60
    )
    Draft.objects.create(
        assignment=twin.assignment,
        evidence={"typed_characters": 5, "largest_insert": 1, "edits": 5, "active_seconds": 7},
    )

    new = revise(twin, **BETTER).provenance

    assert (new.typed_characters, new.pasted_characters) == (15, 300)
    assert (new.largest_insert, new.edits, new.active_seconds) == (300, 9, 67)
    assert not Draft.objects.exists()


def test_a_twin_keeps_the_version_of_the_guidelines_its_writer_had_accepted() -> None:
    assignment = AssignmentFactory(campaign__guidelines="Write well.")
    consent = ConsentFactory(worker=assignment.worker, guideline=assignment.campaign.guideline)
    twin = submit(assignment)

    assert revise(twin, **BETTER).provenance.guideline == consent.guideline


def test_a_twin_that_completed_a_session_is_revised_and_not_withdrawn(twin: Twin) -> None:
    session = CrowdSessionFactory(
        participant__worker=twin.author, study__campaign=twin.campaign, status="completed"
    )
    SessionCredit.objects.create(session=session, unit=twin.public_id)

    with refused("session_completed"):
        withdraw(twin)
    new = revise(twin, **BETTER)
    assert session.credits.filter(unit=new.public_id).exists()


@pytest.fixture
def session() -> CrowdSession:
    return come(StudyFactory(places=1, units=2))


def void(twin: Twin, by: User) -> None:
    pay.void_entry(
        campaign=twin.campaign,
        worker=twin.author,
        kind=LedgerEntry.Kind.TWIN,
        unit=str(twin.public_id),
        reason="A script wrote it.",
        by=by,
    )


def test_a_twin_whose_pay_is_void_is_not_revised(session: CrowdSession, dana: User) -> None:
    """Before: 0.40 was owed again, and so again after each void."""
    twin = write(session)
    void(twin, dana)
    with refused("pay_voided"):
        revise(twin, **other_sentences(1))
    with refused("pay_voided"):
        advise_writer(
            worker=twin.author,
            assignment_id=twin.assignment.public_id,
            text=twin_text(**other_sentences(1)),
        )
    assert LedgerEntry.objects.filter(worker=twin.author).total() == 0
    assert check_ledger(twin.campaign).reconciled


def test_nor_after_it_was_withdrawn_or_revised_before(session: CrowdSession, dana: User) -> None:
    newer = revise(write(session), **other_sentences(1))
    void(newer, dana)
    withdraw(newer)
    with refused("pay_voided"):
        revise(newer, **other_sentences(2))
    assert LedgerEntry.objects.filter(worker=newer.author).total() == 0


def test_scripts_that_were_voided_do_not_earn_beyond_the_places(
    session: CrowdSession, dana: User
) -> None:
    """Before: four participants of a study with one place had 0.40 each."""
    study, twins = session.study, []
    for n in range(4):
        script = session if n == 0 else come(study, f"p-{n}", f"s-{n}")
        twins.append(write(script, **other_sentences(n)))
        crowd.stop_session(worker=worker_of(script), session_id=script.public_id)
        assert places_taken(study) == 1
        void(twins[-1], dana)
        assert places_taken(study) == 0
    for n, twin in enumerate(twins):
        with refused("pay_voided"):
            revise(twin, **other_sentences(10 + n))
    assert LedgerEntry.objects.total() == 0


def test_a_curator_who_sends_it_back_gets_the_new_text_and_pays_it_once(
    session: CrowdSession, dana: User
) -> None:
    twin = write(session)
    void(twin, dana)
    TwinReturn.objects.create(twin=twin, by=dana, note="Mend it.")
    newer = revise(twin, **other_sentences(1))
    assert LedgerEntry.objects.filter(worker=newer.author).total() == Decimal("0.40")
    void(newer, dana)
    with refused("pay_voided"):
        revise(newer, **other_sentences(2))
