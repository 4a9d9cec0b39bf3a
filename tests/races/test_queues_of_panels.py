"""24 people answer a human evaluation at the same time, among them authors of its twins."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection

from panels import services
from panels.models import Panel, PanelSeat
from panels.services import seats
from tests.factories import (
    CampaignFactory,
    LedgerEntryFactory,
    SeatFactory,
    UserFactory,
    VoteFactory,
)
from tests.panels.people import (
    claim,
    next_for,
    of_a_set,
    snapshot_of,
    validated_twins,
    vote,
)
from tests.races.statements import without
from tests.races.threads import at_once
from validation import services as validation
from validation.selectors.reconciliation import check_ledger
from validation.services.validating import statements
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User

PEOPLE = 24
LOCK = 'FOR NO KEY UPDATE OF "panels_panelseat" SKIP LOCKED'


def work(worker: User, evaluation: Panel, start: Barrier) -> int:
    """Answer until nothing is left, also while others hold the last seats for a moment.

    As in a web server, a connection is returned to the pool between requests.
    """
    n, idle = 0, 0
    start.wait()
    while idle < 3:
        seat = next_for(worker, evaluation)
        connection.close()
        if seat is None:
            idle += 1
            time.sleep(0.05)
            continue
        vote(seat)
        connection.close()
        n, idle = n + 1, 0
    return n


@pytest.mark.parametrize("votes", [3, 5])
@pytest.mark.long
def test_24_people_at_once_give_each_item_its_votes_and_no_author_one(votes: int) -> None:
    campaign = CampaignFactory()
    people = UserFactory.create_batch(PEOPLE)
    for author in people[:4]:
        validated_twins(campaign, 2, author=author)
    twins = validated_twins(campaign, 2)
    for earlier in people[4:7]:
        cast = VoteFactory(question=twins[0].questions.get(number=1), worker=earlier)
        LedgerEntryFactory(worker=earlier, unit=str(cast.public_id), budget=campaign.public_id)
    evaluation = services.start_human_evaluation(
        snapshot=snapshot_of(campaign), votes_per_item=votes, by=None
    )
    start = Barrier(PEOPLE)
    with ThreadPoolExecutor(PEOPLE) as pool:
        counts = list(pool.map(partial(work, panel=evaluation, start=start), people))
    assert sum(counts) == 20 * votes
    answered = list(
        PanelSeat.objects.filter(answered_at__isnull=False).values_list(
            "item", "worker", "author", "twin"
        )
    )
    assert set(Counter(item for item, *_ in answered).values()) == {votes}
    assert len(answered) == 20 * votes
    assert all(worker != author for _, worker, author, _ in answered)
    assert max(Counter((worker, twin) for _, worker, _, twin in answered).values()) == 1
    former = {person.pk for person in people[4:7]}
    assert not former & {worker for _, worker, _, twin in answered if twin == twins[0].pk}
    assert LedgerEntry.objects.filter(kind="evaluation").count() == 20 * votes
    assert check_ledger().reconciled


def claims_that_meet(monkeypatch: pytest.MonkeyPatch, people: list[User]) -> list[Any]:
    """Claims of which each is in the middle of it when the others begin."""
    evaluation = of_a_set(n_groups=1)  # 2 items with 3 seats each
    lease_first = seats.lease_first

    def lease_slowly(*args: Any, **given: Any) -> PanelSeat | None:
        seat = lease_first(*args, **given)
        time.sleep(0.3)
        return seat

    monkeypatch.setattr(seats, "lease_first", lease_slowly)
    return at_once(*[partial(claim, worker, evaluation) for worker in people])


def test_of_nine_who_claim_at_once_six_get_a_seat_each(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = claims_that_meet(monkeypatch, UserFactory.create_batch(9))
    held = [seat.pk for seat in claims if isinstance(seat, PanelSeat)]
    assert len(held) == len(set(held)) == 6
    assert {one.code for one in claims if isinstance(one, DomainError)} == {"queue_empty"}


def test_control_without_the_lock_many_believe_to_hold_one_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(LOCK, seats.claiming("queue"), monkeypatch)
    claims = claims_that_meet(monkeypatch, UserFactory.create_batch(9))
    held = Counter(seat.pk for seat in claims if isinstance(seat, PanelSeat))
    assert max(held.values()) > 1


def test_a_person_with_many_tabs_holds_one_seat_and_is_paid_once() -> None:
    evaluation, bob = of_a_set(), UserFactory()
    held = at_once(*[partial(claim, bob, evaluation)] * 4)
    assert len({seat.pk for seat in held}) == 1
    votes = at_once(*[partial(vote, held[0])] * 4)
    assert {seat.pk for seat in votes} == {held[0].pk}
    assert LedgerEntry.objects.count() == 1


def two_claims_that_meet(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Claims of one twin by one person, for an evaluation and for validation."""
    campaign, bob = CampaignFactory(), UserFactory()
    [twin] = validated_twins(campaign, 1)
    evaluation = services.start_human_evaluation(snapshot=snapshot_of(campaign), by=None)
    for question in twin.questions.all():
        SeatFactory(question=question)

    def slowed(call: Any) -> Any:
        def slow(*args: Any, **asked: Any) -> Any:
            found = call(*args, **asked)
            time.sleep(0.3)
            return found

        return slow

    monkeypatch.setattr(seats, "lease_first", slowed(seats.lease_first))
    monkeypatch.setattr(statements, "lease", slowed(statements.lease))
    validate = partial(validation.claim_seat, worker=bob, campaign=campaign)
    return at_once(partial(claim, bob, evaluation), validate)


@pytest.mark.parametrize("n", range(3))
def test_one_twin_is_given_to_a_person_by_an_evaluation_or_by_validation(
    monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    claims = two_claims_that_meet(monkeypatch)
    [refused] = [one for one in claims if isinstance(one, Exception)]
    assert isinstance(refused, DomainError)
    assert refused.code == "queue_empty"


def test_control_without_the_lock_of_the_account_both_give_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without("FOR NO KEY UPDATE", statements._accounts(), monkeypatch)
    assert not [one for one in two_claims_that_meet(monkeypatch) if isinstance(one, Exception)]


def test_control_without_the_block_at_the_claim_validation_gives_it_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seats, "_note_shown", lambda *_: None)
    campaign, bob = CampaignFactory(), UserFactory()
    [twin] = validated_twins(campaign, 1)
    evaluation = services.start_human_evaluation(snapshot=snapshot_of(campaign), by=None)
    SeatFactory(question=twin.questions.get(number=1))
    assert claim(bob, evaluation).twin == twin
    assert validation.claim_seat(worker=bob, campaign=campaign).twin == twin


def test_curators_who_exclude_and_restore_at_once_leave_each_item_its_votes() -> None:
    evaluation, dana = of_a_set(n_groups=1), UserFactory(curator=True)
    for person in UserFactory.create_batch(6):
        vote(claim(person, evaluation))
    ids = list(evaluation.seats.values_list("public_id", flat=True))
    asked = {"reason": "Hasty.", "by": dana}
    out = [partial(services.exclude_vote, vote_id=one, **asked) for one in ids]
    assert not [one for one in at_once(*out, *out) if isinstance(one, Exception)]
    assert evaluation.seats.filter(answered_at=None).count() == 6
    back = [partial(services.restore_vote, vote_id=one, **asked) for one in ids]
    claims = [partial(claim, person, evaluation) for person in UserFactory.create_batch(6)]
    at_once(*back, *claims)
    assert evaluation.seats.counting().count() == 6
    assert evaluation.seats.filter(answered_at=None, spare=False).count() == 0


def test_of_two_different_votes_at_once_one_counts_and_the_other_is_refused() -> None:
    seat = claim(UserFactory(), of_a_set())
    said = at_once(partial(vote, seat, 1), partial(vote, seat, 2))
    [refused] = [one for one in said if isinstance(one, DomainError)]
    assert refused.code == "already_answered"
    assert LedgerEntry.objects.count() == 1


def claim_while_a_late_vote_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[PanelSeat, list[Any]]:
    """Another person claims the only seat after a late vote has read it, before it is stored."""
    evaluation = of_a_set(n_groups=1)
    seat, inside, claimed = claim(UserFactory(), evaluation), Event(), Event()
    PanelSeat.objects.exclude(pk=seat.pk).delete()
    PanelSeat.objects.update(leased_until=seat.claimed_at)
    is_free = seats._is_free

    def decide_slowly(of: PanelSeat) -> bool:
        inside.set()
        claimed.wait(1)
        return is_free(of)

    def claim_then() -> PanelSeat:
        inside.wait(5)
        try:
            return claim(UserFactory(), evaluation)
        finally:
            claimed.set()

    monkeypatch.setattr(seats, "_is_free", decide_slowly)
    results = at_once(partial(vote, seat), claim_then)
    seat.refresh_from_db()
    return seat, results


def test_a_late_vote_keeps_its_seat_from_the_next_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    seat, (voted, claimed) = claim_while_a_late_vote_is_stored(monkeypatch)
    assert isinstance(voted, PanelSeat)
    assert getattr(claimed, "code", "") == "queue_empty"
    assert seat.worker == voted.worker


def test_control_without_the_lock_a_late_vote_is_stored_in_anothers_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unlocked(worker: User, seat_id: Any) -> PanelSeat:
        return PanelSeat.objects.get(worker=worker, public_id=seat_id)

    monkeypatch.setattr(seats, "locked", unlocked)
    seat, (voted, claimed) = claim_while_a_late_vote_is_stored(monkeypatch)
    assert isinstance(claimed, PanelSeat)
    assert isinstance(voted, PanelSeat)
    assert seat.answered_at
    assert seat.worker != voted.worker


def test_evaluations_requested_at_once_do_not_share_the_last_of_the_budget() -> None:
    campaign = CampaignFactory(budget_cap="0.60")
    data = of_a_set(campaign=CampaignFactory()).reference_set
    asked = partial(of_a_set, campaign=campaign, data=data)  # 0.54 each
    made = at_once(*[asked] * 4)
    assert sum(isinstance(one, Panel) for one in made) == 1
    assert [one.code for one in made if isinstance(one, DomainError)] == ["budget_exhausted"] * 3
