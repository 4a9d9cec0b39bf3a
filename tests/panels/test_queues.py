"""Human evaluations: who is asked what, what is stored and paid, and what it decides: nothing."""

import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from collection.models import Campaign, Twin
from collection.selectors.budget import committed
from corpora.core.items import Item
from corpora.models import Draw
from corpora.services import build_release
from panels import selectors, services
from panels.models import Panel, PanelSeat
from tests.corpora.sets import imported
from tests.factories import (
    CampaignFactory,
    CrowdSessionFactory,
    GuidelineFactory,
    PauseFactory,
    SeatFactory,
    UserFactory,
    VoteFactory,
)
from tests.panels.people import (
    answer_all,
    claim,
    of_a_set,
    of_twins,
    snapshot_of,
    validated_twins,
    vote,
    vote_for,
)
from tests.refusals import refusal
from validation import services as validation
from validation.models import PassedSeat, Seat, Verdict, VerdictEvent
from validation.selectors.reconciliation import check_ledger
from validation.services.validating import leases
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from workers.models import LedgerEntry, User


# -- what is asked ---------------------------------------------------------------------------------
def test_each_item_gets_numbered_seats_and_nobody_has_answered() -> None:
    evaluation = of_twins(3, votes_per_item=5)
    assert evaluation.items.count() == 6
    assert PanelSeat.objects.filter(panel=evaluation).count() == 30
    assert selectors.progress_of(evaluation) == selectors.Progress(6, 3, 0, 0, 30, 0, 0, 0)


def test_a_sample_has_whole_groups_and_is_repeated_by_its_seed(campaign: Campaign) -> None:
    validated_twins(campaign, 10)
    snapshot = snapshot_of(campaign)
    drawn = [
        services.start_human_evaluation(snapshot=snapshot, n_groups=4, seed=seed, by=None)
        for seed in (1, 1, 2)
    ]
    asked = [set(one.items.values_list("source_id", flat=True)) for one in drawn]
    assert [len(ids) for ids in asked] == [8, 8, 8]
    assert asked[0] == asked[1] != asked[2]
    for one in drawn:
        assert selectors.progress_of(one).n_groups == 4


def test_a_release_is_asked_in_its_published_ids_and_by_its_blind_split(campaign: Campaign) -> None:
    validated_twins(campaign, 10, seats=0)
    for twin in Twin.objects.filter(campaign=campaign):
        Draw.objects.create(twin=twin, split="test", origin="linked", is_pair=True)
    release = build_release(snapshot=snapshot_of(campaign), name="first", by=None)
    execute_here(release)
    release.refresh_from_db()
    evaluation = services.start_human_evaluation(release=release, split="test", by=None)
    row = evaluation.items.first()
    assert row is not None
    assert row.question is not None
    item = row.item
    assert item.id != row.question.public_id
    twin = row.question.twin
    assert item.options[(item.answer or 0) - 1] == twin.options[row.question.answer - 1]
    assert evaluation.campaign == campaign


def test_the_order_of_options_says_nothing_about_the_answer() -> None:
    evaluation = of_twins(20)
    seats = PanelSeat.objects.filter(panel=evaluation).select_related("item")
    first = [seat.order[0] == seat.item.item.answer for seat in seats]
    assert 30 < sum(first) < 90  # of 120; five standard deviations


def test_what_cannot_be_asked_is_refused() -> None:
    campaign, data = CampaignFactory(), imported()
    start = services.start_human_evaluation
    assert refusal(start, reference_set=data, by=None).code == "no_campaign"
    asked = {"reference_set": data, "campaign": campaign, "by": None}
    assert refusal(start, **asked, split="train").code == "split_unknown"
    with pytest.raises(ValidationError, match="three or five"):
        start(**asked, votes_per_item=4)
    with pytest.raises(ValidationError, match="at least one group"):
        start(**asked, n_groups=0)
    with pytest.raises(ValidationError, match="Name one"):
        start(by=None, campaign=campaign)
    unlabelled = Item(id="a", group="a", sentence="The _ fell.", options=("cup", "tray"))
    bare = imported("bare", format="items", splits={"test": [unlabelled.to_line()]})
    assert refusal(start, reference_set=bare, campaign=campaign, by=None).code == "labels_unknown"
    validated_twins(campaign, 1)
    snapshot = snapshot_of(campaign)
    assert refusal(start, snapshot=snapshot, split="dev", by=None).code == "split_unknown"
    assert (
        refusal(start, snapshot=snapshot, campaign=CampaignFactory(), by=None).code == "no_campaign"
    )


def test_too_many_questions_are_refused_before_they_are_stored(monkeypatch: Any) -> None:
    monkeypatch.setattr("panels.services.planning.MOST_ITEMS", 5)
    assert refusal(of_a_set).code == "too_many_items"
    assert not Panel.objects.exists()


# -- who is asked ----------------------------------------------------------------------------------
def test_nobody_is_asked_what_they_wrote_validated_passed_or_reviewed() -> None:
    campaign = CampaignFactory()
    wrote, validated, passed, reviewed = validated_twins(campaign, 4)
    evaluation = services.start_human_evaluation(snapshot=snapshot_of(campaign), by=None)
    bob = UserFactory()
    type(wrote).objects.filter(pk=wrote.pk).update(author=bob)
    PanelSeat.objects.filter(twin=wrote).update(author=bob)
    VoteFactory(question=validated.questions.get(number=2), worker=bob)
    PassedSeat.objects.create(twin=passed, worker=bob, blocked=True)
    VerdictEvent.objects.create(question=reviewed.questions.get(number=1), action="noted", by=bob)
    assert refusal(claim, bob, evaluation).code == "queue_empty"
    reason = selectors.why_nothing_left(bob, evaluation, now=evaluation.created_at)
    assert reason is not None
    assert reason.reason == "known_to_you"
    assert answer_all(evaluation, [UserFactory()]) == 4


def test_a_vote_is_not_fresh_if_its_twin_was_validated_since_the_claim() -> None:
    evaluation, bob = of_twins(1), UserFactory()
    seat = claim(bob, evaluation)
    assert seat.twin is not None
    VoteFactory(question=seat.twin.questions.get(number=2), worker=bob)
    assert refusal(vote, seat).code == "lease_expired"
    assert refusal(claim, bob, evaluation).code == "queue_empty"
    assert selectors.held_seat(bob, evaluation, now=clock.now()) is None
    assert not LedgerEntry.objects.filter(worker=bob, kind="evaluation").exists()


@pytest.mark.parametrize(
    ("field", "code"),
    [("votes_per_worker_max", "vote_limit"), ("votes_per_day_max", "daily_vote_limit")],
)
def test_the_campaigns_limits_hold_for_all_its_human_evaluations(field: str, code: str) -> None:
    campaign, bob = CampaignFactory(**{field: 2}), UserFactory()
    one, two = (of_a_set(name, campaign=campaign) for name in ("one", "two"))
    vote(claim(bob, one))
    held = claim(bob, two)
    assert refusal(claim, bob, one).code == code
    assert claim(bob, two) == held
    vote(held)
    assert refusal(claim, bob, two).code == code
    assert claim(UserFactory(), one).worker is not None


def test_a_worker_who_holds_the_twin_for_validation_is_not_asked_about_it(bob: User) -> None:
    evaluation = of_twins(1)
    question = PanelSeat.objects.first().item.question  # type: ignore[union-attr]
    SeatFactory(question=question, worker=bob)
    assert refusal(claim, bob, evaluation).code == "queue_empty"


def test_a_worker_answers_one_item_of_a_group_in_all_human_evaluations() -> None:
    campaign = CampaignFactory()
    validated_twins(campaign, 2)
    snapshot = snapshot_of(campaign)
    first, second = (services.start_human_evaluation(snapshot=snapshot, by=None) for _ in range(2))
    bob = UserFactory()
    assert answer_all(first, [bob]) == 2
    assert answer_all(second, [bob]) == 0
    assert answer_all(second, [UserFactory()]) == 2


def test_the_same_reference_set_is_new_once_and_another_set_is_new() -> None:
    data, bob = imported(), UserFactory()
    assert answer_all(of_a_set(data=data), [bob]) == 3
    assert answer_all(of_a_set(data=data), [bob]) == 0
    assert answer_all(of_a_set("other"), [bob]) == 3


def test_a_worker_whom_the_campaign_does_not_admit_is_refused_with_the_reason() -> None:
    evaluation = of_twins(1)
    paused = PauseFactory().worker
    assert refusal(claim, paused, evaluation).code == "worker_paused"
    GuidelineFactory(campaign=evaluation.campaign)
    assert refusal(claim, UserFactory(), evaluation).code == "guideline_not_accepted"


def test_a_participant_of_a_crowd_platform_needs_a_session_and_gets_the_credit() -> None:
    evaluation = of_twins(2)
    session = CrowdSessionFactory(
        study__campaign=evaluation.campaign, study__skill="validate", study__units=2
    )
    bob = session.participant.worker
    for _ in range(2):
        vote(claim(bob, evaluation))
    session.refresh_from_db()
    assert session.status == "completed"
    assert refusal(claim, bob, evaluation).code == "session_over"


# -- votes and pay ---------------------------------------------------------------------------------
def test_a_vote_is_stored_once_as_numbered_in_the_item_and_paid_once() -> None:
    evaluation = of_twins(1, reward=Decimal("0.07"))
    seat = claim(UserFactory(), evaluation)
    for _ in range(2):
        vote(seat, 2)
    stored = PanelSeat.objects.get(pk=seat.pk)
    assert stored.option == seat.order[1]
    entry = LedgerEntry.objects.get()
    assert (entry.kind, entry.amount, entry.unit) == (
        "evaluation", Decimal("0.07"), str(seat.public_id)
    )  # fmt: skip
    assert entry.budget == evaluation.campaign.public_id
    with pytest.raises(DomainError) as refused:
        vote(seat, 1)
    assert refused.value.code == "already_answered"
    assert refused.value.details == {"option": 2, "fails": "", "report": ""}
    assert refusal(vote, seat, 3).code == "option_unknown"
    assert refusal(vote, seat, 0).code == "option_unknown"


def test_a_second_claim_returns_the_seat_in_hand_and_a_lapsed_one_goes_to_the_next() -> None:
    evaluation = of_twins(1)
    bob = UserFactory()
    seat = claim(bob, evaluation)
    assert claim(bob, evaluation) == seat
    lapse(seat)
    assert refusal(services.beat_seat, worker=bob, seat_id=seat.public_id).code == "lease_expired"
    assert claim(UserFactory(), evaluation) == seat
    assert refusal(vote, seat).code == "not_found"
    assert refusal(services.beat_seat, worker=bob, seat_id=uuid.uuid4()).code == "not_found"


def lapse(seat: PanelSeat) -> None:
    PanelSeat.objects.filter(pk=seat.pk).update(leased_until=seat.claimed_at)


def test_a_late_vote_counts_and_is_paid_once_while_nobody_has_taken_its_seat() -> None:
    evaluation, bob = of_twins(1), UserFactory()
    seat = claim(bob, evaluation)
    lapse(seat)
    late = vote(seat)
    assert (late.answered_at, vote(seat).answered_at) == (late.answered_at, late.answered_at)
    assert LedgerEntry.objects.filter(worker=bob, kind="evaluation").count() == 1


@pytest.mark.parametrize("of", ["campaign", "evaluation", "spare"])
def test_a_late_vote_is_refused_where_its_seat_could_not_be_claimed(of: str) -> None:
    evaluation, bob = of_twins(1), UserFactory()
    seat = claim(bob, evaluation)
    lapse(seat)
    if of == "campaign":
        Campaign.objects.update(status="paused")
    elif of == "evaluation":
        services.change_panel_status(panel=evaluation, status="closed")
    else:
        PanelSeat.objects.filter(pk=seat.pk).update(spare=True)
    assert refusal(vote, seat).code == "lease_expired"
    assert not LedgerEntry.objects.filter(worker=bob, kind="evaluation").exists()


def test_a_heartbeat_extends_the_lease_and_a_returned_seat_is_free_at_once(bob: User) -> None:
    evaluation = of_twins(1)
    seat = claim(bob, evaluation)
    longer = services.beat_seat(worker=bob, seat_id=seat.public_id)
    assert longer.leased_until > seat.leased_until  # type: ignore[operator]
    for _ in range(2):
        services.return_seat(worker=bob, seat_id=seat.public_id)
    assert claim(UserFactory(), evaluation) == seat
    mine = vote(claim(bob, evaluation))
    asked = {"worker": bob, "seat_id": mine.public_id}
    assert refusal(services.return_seat, **asked).code == "already_voted"


def test_what_all_votes_cost_is_reserved_until_the_evaluation_is_closed() -> None:
    campaign = CampaignFactory(budget_cap=Decimal("0.60"))
    evaluation = of_a_set(campaign=campaign, reward=Decimal("0.03"))  # 6 items, 3 votes
    assert committed(campaign) == Decimal("0.54")
    asked = {"campaign": campaign, "data": evaluation.reference_set, "reward": Decimal("0.03")}
    assert refusal(of_a_set, **asked).code == "budget_exhausted"
    vote(claim(UserFactory(), evaluation))
    held = claim(UserFactory(), evaluation)
    assert committed(campaign) == Decimal("0.54")
    services.change_panel_status(panel=evaluation, status="closed")
    assert committed(campaign) == Decimal("0.06")
    vote(held)  # a holder may finish
    assert committed(campaign) == Decimal("0.06")
    assert check_ledger().reconciled


def test_the_ledger_check_sees_votes_without_pay_and_pay_without_votes() -> None:
    evaluation = of_a_set()
    seat = vote(claim(UserFactory(), evaluation))
    assert check_ledger(evaluation.campaign).counts == {"evaluation": 1}
    PanelSeat.objects.filter(pk=seat.pk).update(public_id=uuid.uuid4())
    assert {one.code for one in check_ledger().problems} == {"unpaid", "without_work"}


def test_a_paused_evaluation_asks_nothing_and_a_closed_one_stays_closed() -> None:
    evaluation = of_a_set()
    change = services.change_panel_status
    change(panel=evaluation, status="paused")
    assert refusal(claim, UserFactory(), evaluation).code == "evaluation_not_open"
    change(panel=evaluation, status="open")
    assert claim(UserFactory(), evaluation)
    change(panel=evaluation, status="closed")
    change(panel=evaluation, status="closed")
    assert refusal(change, panel=evaluation, status="open").code == "transition_refused"


def test_a_worker_who_leaves_frees_the_seat(bob: User) -> None:
    evaluation = of_a_set()
    seat = claim(bob, evaluation)
    leases.vacate_all(PanelSeat.objects.filter(worker=bob).in_campaign(evaluation.campaign))
    assert PanelSeat.objects.get(pk=seat.pk).worker is None


# -- what it decides: nothing ----------------------------------------------------------------------
@pytest.mark.long
def test_votes_of_an_evaluation_change_nothing_of_validation() -> None:
    evaluation = of_twins(2)
    before = list(Verdict.objects.values()), Seat.objects.count()
    answer_all(evaluation, UserFactory.create_batch(6), choose=lambda seat: 1)
    assert (list(Verdict.objects.values()), Seat.objects.count()) == before


def test_who_answered_in_an_evaluation_does_not_validate_the_twin_later(bob: User) -> None:
    evaluation = of_twins(1)
    question = vote(claim(bob, evaluation)).item.question
    SeatFactory(question=question)
    asked = {"campaign": evaluation.campaign}
    assert refusal(validation.claim_seat, worker=bob, **asked).code == "queue_empty"
    assert validation.claim_seat(worker=UserFactory(), **asked).question == question


# -- results ---------------------------------------------------------------------------------------
def test_results_count_complete_items_only() -> None:
    evaluation = of_twins(1)
    item = claim(UserFactory(), evaluation).item
    wrong = 3 - (item.item.answer or 0)
    first = PanelSeat.objects.filter(item=item, worker__isnull=False).get()
    vote_for(first, item.item.answer or 0)
    assert selectors.panel_answers(evaluation) == []
    answer_all(evaluation, UserFactory.create_batch(6), choose=lambda seat: wrong)
    scores = selectors.scores_of(selectors.panel_answers(evaluation))
    assert (scores.majority.n, scores.individual.n) == (2, 6)
    assert scores.individual.value == pytest.approx(4 / 6)  # twins have opposite answers
    assert (scores.majority.value, scores.group.value) == (0.5, 0.0)
    assert set(selectors.scores_by_domain(selectors.panel_answers(evaluation))) == {"physical"}


def test_an_item_without_opinion_of_a_majority_shares_its_credit() -> None:
    item = Item(id="a", group="a", sentence="The _ fell.", options=("x", "y", "z"), answer=1)
    data = imported("three", format="items", splits={"test": [item.to_line()]})
    evaluation = of_a_set(data=data)
    answers = iter((1, 2, 3))
    answer_all(evaluation, UserFactory.create_batch(3), choose=lambda seat: next(answers))
    [found] = selectors.panel_answers(evaluation)
    assert (found.counts, found.is_outvoted) == ((1, 1, 1), True)
    assert selectors.scores_of([found]).majority.value == pytest.approx(1 / 3)
    assert selectors.scores_by_domain([found]) == {}
