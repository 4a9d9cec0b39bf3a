"""What writers do at the same moment as validators, or as they themselves in another tab."""

import threading
import time
import uuid
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from collection import services
from collection.models import Article, Assignment, Campaign, Twin
from collection.selectors.articles import next_article_id
from collection.services import TwinText
from collection.services.campaigns import budget
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    UserFactory,
    twin_text,
)
from tests.races.threads import at_once
from tests.writing import submit
from validation import services as validation
from validation.models import PassedSeat, Seat, Vote
from validation.services import revise_twin, submit_twin, withdraw_twin
from winoplatform.errors import DomainError
from workers.models import LedgerEntry

ROUNDS = 8


def submitted() -> Twin:
    assignment = AssignmentFactory()
    return submit(assignment)


def better() -> TwinText:
    return twin_text(
        sentences=tuple(s.replace("brown", "old brown") for s in twin_text().sentences)
    )


def ready_to_vote(twin: Twin) -> partial[Vote]:
    bob = UserFactory()
    seat = validation.claim_seat(worker=bob, campaign=twin.campaign)
    validation.answer_local(worker=bob, seat_id=seat.public_id, shown_option=None)
    return partial(
        validation.cast_vote,
        worker=bob,
        seat_id=seat.public_id,
        shown_option=1,
        ambiguous=False,
    )


def test_a_vote_and_a_withdrawal_never_both_count() -> None:
    for _ in range(ROUNDS):
        twin = submitted()
        withdraw = partial(withdraw_twin, worker=twin.author, twin_id=twin.public_id)
        results = at_once(ready_to_vote(twin), withdraw)

        assert [isinstance(result, DomainError) for result in results].count(True) == 1, results
        twin.refresh_from_db()
        votes = Vote.objects.filter(question__twin=twin).count()
        assert votes == (0 if twin.withdrawn_at else 1)
        adjusted = LedgerEntry.objects.filter(kind="adjustment", unit=str(twin.public_id)).count()
        assert adjusted == 1 - votes


def test_who_uncovers_a_sentence_while_it_is_withdrawn_is_barred() -> None:
    for _ in range(ROUNDS):
        twin, bob = submitted(), UserFactory()
        seat = validation.claim_seat(worker=bob, campaign=twin.campaign)
        results = at_once(
            partial(validation.answer_local, worker=bob, seat_id=seat.public_id, shown_option=None),
            partial(withdraw_twin, worker=twin.author, twin_id=twin.public_id),
        )

        assert isinstance(results[1], Twin), results
        blocked = PassedSeat.objects.filter(twin=twin, worker=bob, blocked=True).exists()
        assert blocked == isinstance(results[0], Seat), results


def test_a_vote_that_asks_for_one_more_and_a_revision_wait_for_each_other() -> None:
    """The vote has the question and wants the budget; the revision must not hold the budget."""
    twin, voted = submitted(), threading.Event()
    Campaign.objects.filter(pk=twin.campaign_id).update(budget_cap=100)
    twin.campaign.refresh_from_db()

    @transaction.atomic
    def vote() -> None:
        for _question in twin.questions.order_by("pk").select_for_update(no_key=True):
            voted.set()
            time.sleep(0.2)  # the revision begins meanwhile
            budget.reserve(campaign=twin.campaign, cost=budget.cost_of_vote)

    def revise() -> Twin:
        voted.wait()
        return revise_twin(
            worker=twin.author, twin_id=twin.public_id, text=better(), client_key=uuid.uuid4()
        )

    results = at_once(vote, revise)
    assert results[0] is None, results
    assert isinstance(results[1], Twin), results


def test_control_without_the_seats_locks_who_uncovered_a_sentence_may_validate_its_revision() -> (
    None
):
    twin, bob = submitted(), UserFactory()
    seat = validation.claim_seat(worker=bob, campaign=twin.campaign)
    read = threading.Event()

    def withdraw_unlocked() -> None:
        seen = list(Seat.objects.filter(twin=twin, local_at__isnull=False))
        read.set()
        time.sleep(0.2)  # the validator answers meanwhile
        assert not seen
        Seat.objects.filter(twin=twin).delete()

    def answer() -> Seat:
        read.wait()
        return validation.answer_local(worker=bob, seat_id=seat.public_id, shown_option=None)

    results = at_once(withdraw_unlocked, answer)

    assert isinstance(results[1], Seat), results
    assert not PassedSeat.objects.filter(twin=twin, worker=bob, blocked=True).exists()


def test_a_seat_that_is_returned_while_its_twin_is_withdrawn_is_told() -> None:
    for _ in range(ROUNDS):
        twin, bob = submitted(), UserFactory()
        seat = validation.claim_seat(worker=bob, campaign=twin.campaign)
        results = at_once(
            partial(validation.return_seat, worker=bob, seat_id=seat.public_id),
            partial(withdraw_twin, worker=twin.author, twin_id=twin.public_id),
        )

        assert isinstance(results[1], Twin), results
        assert results[0] is None or isinstance(results[0], DomainError), results


def test_changing_the_article_and_renewing_it_wait_for_each_other() -> None:
    for _ in range(ROUNDS):
        campaign = CampaignFactory()
        ArticleFactory.create_batch(2, campaign=campaign)
        lapsed = AssignmentFactory(
            campaign=campaign,
            article=campaign.articles.first(),
            leased_until=timezone.now() - timedelta(minutes=1),
        )
        one = {"worker": lapsed.worker, "assignment_id": lapsed.public_id}
        results = at_once(
            partial(services.another_article, **one, reason="no_idea"),
            partial(services.renew_assignment, **one),
        )
        assert all(isinstance(result, Assignment | DomainError) for result in results), results


def test_revised_in_many_tabs_at_once_is_one_new_twin() -> None:
    twin = submitted()
    results = at_once(
        *[
            partial(
                revise_twin,
                worker=twin.author,
                twin_id=twin.public_id,
                text=better(),
                client_key=uuid.uuid4(),
            )
        ]
        * 4
    )
    assert len({result.pk for result in results}) == 1, results
    assert Twin.objects.active().count() == 1
    assert Seat.objects.count() == 6


def test_the_last_use_of_an_article_goes_to_one_writer() -> None:
    for _ in range(ROUNDS):
        campaign = CampaignFactory(article_uses_max=1)
        ArticleFactory(campaign=campaign)
        asked = at_once(
            *[
                partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
                for _ in range(4)
            ]
        )
        assert sum(isinstance(result, Assignment) for result in asked) == 1, asked


def test_the_last_use_of_an_anchor_goes_to_one_writer() -> None:
    campaign = CampaignFactory(anchor_uses_max=1)
    writers = AssignmentFactory.create_batch(4, campaign=campaign)
    texts = [
        twin_text(sentences=tuple(s.replace("brown", colour) for s in twin_text().sentences))
        for colour in ("red", "blue", "green", "black")
    ]
    results = at_once(
        *[
            partial(
                submit_twin,
                worker=held.worker,
                assignment_id=held.public_id,
                text=text,
                client_key=uuid.uuid4(),
            )
            for held, text in zip(writers, texts, strict=True)
        ]
    )
    assert sum(isinstance(result, Twin) for result in results) == 1, results


def test_control_without_the_campaigns_lock_the_last_use_goes_to_several() -> None:
    campaign = CampaignFactory(article_uses_max=1)
    ArticleFactory(campaign=campaign)

    def choose_then_take() -> Assignment:
        worker, now = UserFactory(), timezone.now()
        chosen = next_article_id(campaign=campaign, worker=worker, now=now)
        time.sleep(0.2)  # the others choose meanwhile
        assert chosen is not None
        article = Article.objects.get(pk=chosen)
        return AssignmentFactory(campaign=campaign, article=article, worker=worker)

    asked = at_once(*[choose_then_take] * 4)
    assert sum(isinstance(result, Assignment) for result in asked) > 1, asked
