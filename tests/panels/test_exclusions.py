"""Excluded votes of human evaluations: paid, not used, and replaced, so that n votes remain."""

import uuid
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from collection.models import Campaign
from collection.selectors.budget import committed
from panels import selectors, services
from panels.exports import votes_csv
from panels.models import Panel, PanelSeat, PanelVoteEvent
from panels.services import exclusions
from tests.factories import CampaignFactory, UserFactory
from tests.panels.people import answer_all, claim, next_for, of_a_set, vote, vote_for
from tests.refusals import refusal
from validation.models import QualityNotice
from validation.selectors.reconciliation import check_ledger
from workers.models import LedgerEntry, User


def exclude(seat: PanelSeat, by: User, reason: str = "Two seconds.") -> PanelSeat:
    return services.exclude_vote(vote_id=seat.public_id, reason=reason, by=by)


def restore(seat: PanelSeat, by: User) -> PanelSeat:
    return services.restore_vote(vote_id=seat.public_id, reason="Honest.", by=by)


def answered() -> Panel:
    """A human evaluation of two questions, with all votes, all of them right."""
    evaluation = of_a_set(n_groups=1)
    answer_all(evaluation, UserFactory.create_batch(6))
    return evaluation


def used(evaluation: Panel) -> list[int]:
    seats = PanelSeat.objects.filter(panel=evaluation).counting()
    return sorted(Counter(seats.values_list("item", flat=True)).values())


def test_another_person_is_asked_and_the_vote_stays_paid(dana: User) -> None:
    evaluation = answered()
    seat = evaluation.seats.first()
    assert seat is not None
    before = set(LedgerEntry.objects.values_list("pk", "amount"))
    exclude(seat, dana)
    assert used(evaluation) == [2, 3]
    progress = selectors.progress_of(evaluation)
    assert (progress.n_votes, progress.n_wanted, progress.n_complete) == (5, 6, 1)
    assert [one.item.id for one in selectors.panel_answers(evaluation)] != [seat.item.source_id]
    assert next_for(seat.worker, evaluation) is None  # type: ignore[arg-type]
    assert answer_all(evaluation, [UserFactory()]) == 1
    assert used(evaluation) == [3, 3]
    assert before < set(LedgerEntry.objects.values_list("pk", "amount"))
    assert check_ledger().reconciled


def test_the_worker_reads_why_and_the_audit_log_names_the_curator(dana: User) -> None:
    seat = answered().seats.first()
    assert seat is not None
    for _ in range(2):
        exclude(seat, dana)
    notice = QualityNotice.objects.get()
    assert (notice.worker, notice.unit, notice.text) == (
        seat.worker, str(seat.public_id), "Two seconds."
    )  # fmt: skip
    restore(seat, dana)
    assert not QualityNotice.objects.exists()
    log = PanelVoteEvent.objects.order_by("pk").values_list("action", "by", "reason")
    assert list(log) == [("excluded", dana.pk, "Two seconds."), ("restored", dana.pk, "Honest.")]


def test_a_restored_vote_counts_and_the_seat_in_its_place_goes(dana: User) -> None:
    evaluation = answered()
    seat = evaluation.seats.first()
    assert seat is not None
    exclude(seat, dana)
    for _ in range(2):
        restore(seat, dana)
    assert (evaluation.seats.count(), used(evaluation)) == (6, [3, 3])


def test_a_vote_cast_in_the_place_of_a_restored_one_is_paid_and_spare(dana: User) -> None:
    evaluation = answered()
    seat = evaluation.seats.first()
    assert seat is not None
    exclude(seat, dana)
    held = claim(UserFactory(), evaluation)
    restore(seat, dana)
    vote(held)
    held.refresh_from_db()
    assert (held.spare, used(evaluation)) == (True, [3, 3])
    assert LedgerEntry.objects.filter(unit=str(held.public_id)).exists()
    assert next_for(UserFactory(), evaluation) is None
    exclude(seat, dana, "After all.")
    assert (evaluation.seats.count(), used(evaluation)) == (7, [3, 3])  # the spare vote counts
    assert check_ledger().reconciled


def test_a_spare_seat_that_is_left_is_not_offered_or_reserved(dana: User) -> None:
    evaluation = answered()
    seat = evaluation.seats.first()
    assert seat is not None
    exclude(seat, dana)
    held = claim(UserFactory(), evaluation)
    restore(seat, dana)
    services.return_seat(worker=held.worker, seat_id=held.public_id)  # type: ignore[arg-type]
    assert next_for(UserFactory(), evaluation) is None
    assert committed(evaluation.campaign) == Decimal("0.18")


@pytest.mark.long
def test_all_votes_of_a_worker_go_in_pieces(dana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation, spammer = of_a_set(), UserFactory()
    assert answer_all(evaluation, [spammer], choose=lambda seat: 1) == 3
    answer_all(evaluation, UserFactory.create_batch(6))
    monkeypatch.setattr(exclusions, "AT_ONCE", 2)
    asked: dict[str, Any] = {"worker": spammer, "panel": evaluation, "by": dana}
    for expected in [(2, 1), (1, 0), (0, 0)]:
        done = services.exclude_votes_of(**asked, reason="A program.")
        assert (done.done, done.left) == expected
    answer_all(evaluation, UserFactory.create_batch(6))
    assert used(evaluation) == [3] * 6
    scores = selectors.scores_of(selectors.panel_answers(evaluation))
    assert (scores.individual.value, scores.individual.n) == (1.0, 18)


def test_without_money_no_seat_is_opened_until_there_is_some(dana: User) -> None:
    campaign = CampaignFactory(budget_cap=Decimal("0.18"))
    evaluation = of_a_set(n_groups=1, campaign=campaign)
    answer_all(evaluation, UserFactory.create_batch(6))
    seat = evaluation.seats.first()
    assert seat is not None
    exclude(seat, dana)
    assert evaluation.seats.count() == 6
    Campaign.objects.update(budget_cap=Decimal("0.21"))
    exclude(seat, dana)
    assert evaluation.seats.count() == 7
    assert committed(Campaign.objects.get()) == Decimal("0.21")


def test_a_closed_evaluation_asks_nobody_else(dana: User) -> None:
    evaluation = answered()
    services.change_panel_status(panel=evaluation, status="closed")
    seat = evaluation.seats.first()
    assert seat is not None
    exclude(seat, dana)
    assert (evaluation.seats.count(), len(selectors.panel_answers(evaluation))) == (6, 1)


def test_only_votes_can_be_excluded_and_only_with_a_reason(dana: User) -> None:
    evaluation = of_a_set()
    held = claim(UserFactory(), evaluation)
    assert refusal(exclude, held, dana).code == "not_found"
    assert refusal(services.restore_vote, vote_id=uuid.uuid4(), reason="", by=dana).code == (
        "not_found"
    )
    assert refusal(exclude, vote(held), dana, reason=" ").code == "reason_missing"
    rows = PanelSeat.objects.filter(pk=held.pk)
    with pytest.raises(IntegrityError, match="has_a_vote_and_a_reason"), transaction.atomic():
        rows.update(exclusion_reason="Why?")
    with pytest.raises(IntegrityError, match="action_is_known"), transaction.atomic():
        PanelVoteEvent.objects.create(seat=held, action="lost", by=dana)


def test_the_file_says_which_votes_are_used(dana: User) -> None:
    evaluation = of_a_set(n_groups=1)
    seat = vote_for(claim(UserFactory(), evaluation), 1)
    exclude(seat, dana)
    lines = b"".join(votes_csv(evaluation)).decode().splitlines()  # type: ignore[arg-type]
    row = dict(zip(lines[0].split(","), lines[1].split(","), strict=True))
    assert (row["used"], row["exclusion_reason"]) == ("false", "Two seconds.")
