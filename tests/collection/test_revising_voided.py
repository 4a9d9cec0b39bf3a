"""A writer does not get the voided pay of a twin back by writing the twin again."""

import uuid
from decimal import Decimal
from typing import Any

import pytest

from collection.models import CrowdSession, Twin
from collection.selectors.crowd import places_taken
from collection.services import crowd
from collection.services.campaigns import pay
from tests.collection.crowd.people import come, other_sentences, worker_of, write
from tests.factories import StudyFactory, twin_text
from tests.refusals import refused
from validation.models import TwinReturn
from validation.selectors.reconciliation import check_ledger
from validation.services import advise_writer, revise_twin, withdraw_twin
from workers.models import LedgerEntry, User


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


def revise(twin: Twin, **changes: Any) -> Twin:
    return revise_twin(
        worker=twin.author,
        twin_id=twin.public_id,
        text=twin_text(**changes),
        client_key=uuid.uuid4(),
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
    withdraw_twin(worker=newer.author, twin_id=newer.public_id)
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
