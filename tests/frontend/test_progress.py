"""The dashboard of a campaign, against figures worked out by hand."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Twin
from frontend.campaigns import progress
from tests.factories import (
    CampaignFactory,
    FilterRunFactory,
    LedgerEntryFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from validation.models import Seat, Verdict
from validation.services.quality import renew_report

pytestmark = pytest.mark.django_db
PAGE = reverse("progress", args=["kitchen"])


@pytest.fixture
def as_dana(client: Client) -> Client:
    client.force_login(UserFactory(curator=True))
    return client


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(
        slug="kitchen",
        status="open",
        goal_pairs=10,
        budget_cap=Decimal("3.00"),
        hourly_floor=Decimal("9.00"),
    )


def worked(campaign: Campaign, *, days_ago: int, pairs: int = 1) -> None:
    """Let *pairs* twins be written, voted on and found valid on one day."""
    day = datetime.now(UTC).replace(hour=12) - timedelta(days=days_ago)
    for _ in range(pairs):
        twin = TwinFactory(campaign=campaign)
        for question in twin.questions.all():
            VoteFactory(question=question)
            VerdictFactory(question=question)
        Twin.objects.filter(pk=twin.pk).update(created_at=day)
        Seat.objects.filter(twin=twin).update(answered_at=day)
        Verdict.objects.filter(question__twin=twin).update(created_at=day)
        LedgerEntryFactory(worker=twin.author, budget=campaign.public_id, amount=Decimal("0.40"))


def read(client: Client) -> str:
    return " ".join(client.get(PAGE).content.decode().split())


def test_its_figures_are_those_worked_out_by_hand(as_dana: Client, campaign: Campaign) -> None:
    for days_ago, pairs in ((3, 1), (2, 2), (1, 1)):
        worked(campaign, days_ago=days_ago, pairs=pairs)
    # One question of this twin is valid: no pair.
    VerdictFactory(question=TwinFactory(campaign=campaign).questions.first())
    found = renew_report(campaign=campaign).figures["progress"]
    assert [(day["twins"], day["votes"], day["pairs"]) for day in found["days"]] == [
        (1, 2, 1), (2, 4, 2), (1, 2, 1), (1, 0, 0)
    ]  # fmt: skip
    assert (found["pairs"], found["owed"]) == (4, "1.60")
    spend = progress.spend_of(campaign, found)
    assert (spend.per_pair, spend.per_kept) == (Decimal("0.40"), None)
    page = read(as_dana)
    assert "40.0% of 10" in page
    assert "At the rate of the last 3 whole days, 1.3 valid pairs a day." in page


def test_with_fewer_than_three_days_it_gives_no_forecast_and_no_chart(
    as_dana: Client, campaign: Campaign
) -> None:
    worked(campaign, days_ago=1)
    page = read(as_dana)
    assert "No forecast: it needs three whole days" in page
    assert "data-picture" not in page


def test_alerts_lead_to_the_page_that_helps(as_dana: Client, campaign: Campaign) -> None:
    worked(campaign, days_ago=8, pairs=7)
    FilterRunFactory(encoding__snapshot__campaign=campaign, status="failed", failure="no memory")
    waiting = TwinFactory(campaign=campaign, seats=1)
    Twin.objects.filter(pk=waiting.pk).update(created_at=datetime.now(UTC) - timedelta(days=9))
    page = read(as_dana)
    assert "1 run failed." in page
    assert f'<a href="{reverse("jobs")}?state=failed&amp;campaign=kitchen"' in page
    assert "of the budget is spent or committed" in page
    assert "The oldest open question has waited for 9 days." in page
    assert "?verdict=awaiting_votes&amp;sort=oldest" in page
    assert "The queue is empty" not in page


def test_a_campaign_without_work_says_that_its_queue_is_empty(
    as_dana: Client, campaign: Campaign
) -> None:
    page = read(as_dana)
    assert "The queue is empty" in page
    assert "No twins and no votes yet." in page


def test_an_alert_of_the_queue_is_gone_where_nothing_can_be_written(
    as_dana: Client, campaign: Campaign
) -> None:
    Campaign.objects.update(status="closed")
    assert "Nothing needs attention." in read(as_dana)


def test_workers_do_not_see_it(client: Client, campaign: Campaign) -> None:
    client.force_login(UserFactory())
    assert client.get(PAGE).status_code == 403
