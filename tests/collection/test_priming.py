"""Articles and anchors are used evenly, and no more often than a campaign wants."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from collection import services
from collection.models import Assignment, Campaign, Twin
from collection.selectors.articles import used_up_anchors
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    TwinFactory,
    UserFactory,
)
from tests.refusals import refused
from tests.writing import submit
from validation.services import withdraw_twin
from workers.models import User


def use(campaign: Campaign, times: int, **fields: object) -> Assignment:
    """Have *times* twins written for an article; return the last assignment."""
    article = ArticleFactory(campaign=campaign)
    for _ in range(times):
        done = AssignmentFactory(campaign=campaign, article=article, status="submitted")
        TwinFactory(campaign=campaign, assignment=done, author=done.worker, **fields)
    return done


def test_the_least_used_article_comes_first(campaign: Campaign) -> None:
    use(campaign, 2)
    once = use(campaign, 1).article
    use(campaign, 3)

    given = services.request_assignment(worker=UserFactory(), campaign=campaign)

    assert given.article == once


@pytest.mark.long
def test_equally_used_articles_are_drawn_at_random(campaign: Campaign) -> None:
    ArticleFactory.create_batch(3, campaign=campaign)
    workers = UserFactory.create_batch(24)

    drawn = []
    for worker in workers:
        held = services.request_assignment(worker=worker, campaign=campaign)
        drawn.append(held.article_id)
        services.return_assignment(worker=worker, assignment_id=held.public_id)

    # By chance one of three is missed in 24 draws once in 5,600 runs.
    assert len(Counter(drawn)) == 3


def test_articles_in_writers_hands_count_until_their_leases_end(campaign: Campaign) -> None:
    AssignmentFactory(campaign=campaign, article=ArticleFactory(campaign=campaign))
    lapsed = AssignmentFactory(
        campaign=campaign, article=ArticleFactory(campaign=campaign), expired=True
    )

    given = services.request_assignment(worker=UserFactory(), campaign=campaign)
    assert given.article == lapsed.article


def test_an_article_at_its_cap_is_given_to_nobody() -> None:
    campaign = CampaignFactory(article_uses_max=1)
    done = use(campaign, 1)

    with refused("articles_used_up"):
        services.request_assignment(worker=UserFactory(), campaign=campaign)

    withdraw_twin(worker=done.worker, twin_id=Twin.objects.get().public_id)
    assert services.request_assignment(worker=UserFactory(), campaign=campaign)


def test_another_article_is_given_with_the_reason_kept(campaign: Campaign, alice: User) -> None:
    ArticleFactory.create_batch(2, campaign=campaign)
    first = services.request_assignment(worker=alice, campaign=campaign)

    second = services.another_article(
        worker=alice, assignment_id=first.public_id, reason="unclear", comment="half is missing"
    )

    assert second.article != first.article
    first.refresh_from_db()
    assert (first.status, first.return_reason) == ("returned", "unclear")
    assert first.return_comment == "half is missing"


def test_the_article_is_kept_where_there_is_no_other(campaign: Campaign, alice: User) -> None:
    ArticleFactory(campaign=campaign)
    held = services.request_assignment(worker=alice, campaign=campaign)

    with refused("articles_used_up"):
        services.another_article(worker=alice, assignment_id=held.public_id, reason="no_idea")

    held.refresh_from_db()
    assert held.status == Assignment.Status.OPEN


def test_an_anchor_at_its_cap_refuses_further_twins() -> None:
    campaign = CampaignFactory(anchor_uses_max=1)
    TwinFactory(campaign=campaign, anchor="Suitcases", anchor_key="suitcase")
    held = AssignmentFactory(campaign=campaign)

    assert used_up_anchors(campaign=campaign, article=held.article) == {"suitcase"}
    with refused("anchor_used_up"):
        submit(held, client_key=held.public_id)


def test_a_worker_who_comes_back_gets_an_article_they_have_not_had() -> None:
    campaign = CampaignFactory()
    alice = UserFactory()
    had = AssignmentFactory(
        campaign=campaign,
        article=ArticleFactory(campaign=campaign),
        worker=alice,
        status="returned",
        leased_until=timezone.now() - timedelta(days=1),
    )
    fresh = use(campaign, 5).article

    assert services.request_assignment(worker=alice, campaign=campaign).article == fresh
    assert had.article != fresh
