"""The dashboard of a campaign, against figures worked out by hand."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Question, Twin
from corpora.core.items import TwinItem
from filtering.services import choose_run
from frontend.campaigns import reads
from frontend.campaigns.alerts import AlertFacts, _agreement, alerts_of, oldest_days
from frontend.campaigns.reads import end_of
from tests.factories import (
    ArtifactFactory,
    CampaignFactory,
    FilterRunFactory,
    LedgerEntryFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.validation.deciding import a_question, give
from validation.models import QualityReport, Seat, Verdict, VerdictEvent
from validation.runner import execute_report
from validation.selectors.progress import progress_of
from validation.selectors.quality.people import is_fresh
from validation.services.quality import renew_report
from validation.services.review.adjudication import ask_one_more
from validation.services.review.bulk import confirm_verdicts
from validation.services.review.exclusions import exclude
from validation.services.verdicts.questions import revision_of

PAGE = reverse("progress", args=["kitchen"])


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
    cost = reads.spend_of(campaign, found)
    assert (cost.per_pair, cost.per_kept) == (Decimal("0.40"), None)
    page = read(as_dana)
    assert "40.0% of 10" in page
    assert "At the mean rate of the last 3 whole days, 1.3 valid pairs a day. With 95%, the" in page


def test_a_report_of_an_earlier_version_is_shown_and_renewed(
    as_dana: Client, campaign: Campaign
) -> None:
    worked(campaign, days_ago=1)
    report = renew_report(campaign=campaign)
    del report.figures["progress"]["overpaid"]
    assert reads.spend_of(campaign, report.figures["progress"]).committed == Decimal("0.40")
    report.save(update_fields=["figures"])
    assert not is_fresh(report)
    assert as_dana.get(PAGE).status_code == 200


def test_with_fewer_than_three_days_it_gives_no_forecast_and_no_chart(
    as_dana: Client, campaign: Campaign
) -> None:
    worked(campaign, days_ago=1)
    page = read(as_dana)
    assert "No forecast: it needs three whole days" in page
    assert "data-picture" not in page


@pytest.mark.long
def test_alerts_lead_to_the_page_that_helps(as_dana: Client, campaign: Campaign) -> None:
    worked(campaign, days_ago=8, pairs=7)
    FilterRunFactory(encoding__snapshot__campaign=campaign, status="failed", failure="no memory")
    waiting = TwinFactory(campaign=campaign, seats=1)
    Twin.objects.filter(pk=waiting.pk).update(created_at=datetime.now(UTC) - timedelta(days=9))
    page = read(as_dana)
    assert "1 run failed." in page
    assert f'<a href="{reverse("jobs")}?state=failed&amp;campaign=kitchen"' in page
    assert "of the budget is spent or committed" in page
    assert "An open question has waited for 9 days." in page
    first = waiting.questions.order_by("pk").first()
    assert f'href="{reverse("data-question", args=["kitchen", first.public_id])}"' in page
    assert "No question waits for votes" not in page


def a_pair(*, days_ago: int) -> list[Question]:
    """Two questions that votes found valid some days ago."""
    both = list(a_question().twin.questions.select_related("twin__campaign"))
    for question in both:
        give(question, True, True, True)
    past = datetime.now(UTC) - timedelta(days=days_ago)
    Twin.objects.update(created_at=past)
    Seat.objects.update(answered_at=past)
    Verdict.objects.update(created_at=past)
    with connection.cursor() as cursor:  # only so can the past of the audit log be made
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE validation_verdictevent DISABLE TRIGGER USER")
        VerdictEvent.objects.update(created_at=past)
        cursor.execute("ALTER TABLE validation_verdictevent ENABLE TRIGGER USER")
    return both


def test_confirming_an_old_valid_pair_does_not_move_its_day() -> None:
    both = a_pair(days_ago=5)
    shown = {question.public_id: revision_of(question) for question in both}
    assert confirm_verdicts(shown=shown, by=UserFactory(curator=True)).done == 2
    days = progress_of(both[0].twin.campaign, datetime.now(UTC))["days"]
    assert [day["pairs"] for day in days] == [1, 0, 0, 0, 0, 0]


def test_a_question_reopened_by_one_more_vote_waits_from_then_on() -> None:
    question, _ = a_pair(days_ago=9)
    dana, seen = UserFactory(curator=True), revision_of(question)
    ask_one_more(question_id=question.public_id, note="", revision=seen, by=dana)
    now = datetime.now(UTC)
    found = progress_of(question.twin.campaign, now)
    assert (found["queue"]["questions"], found["queue"]["votes"]) == (1, 1)
    assert oldest_days(found, now) == 0


def test_a_question_that_lost_its_verdict_waits_since_then(
    as_dana: Client, campaign: Campaign
) -> None:
    """It is older than the one that has waited longest."""
    question, _ = a_pair(days_ago=20)
    campaign = question.twin.campaign
    vote = question.votes.first()
    exclude(vote_id=vote.public_id, reason="Hasty.", by=UserFactory(curator=True))
    other = TwinFactory(campaign=campaign, seats=1)
    Twin.objects.filter(pk=other.pk).update(created_at=datetime.now(UTC) - timedelta(days=9))
    page = as_dana.get(reverse("progress", args=[campaign.slug])).content.decode()
    assert "An open question has waited for 9 days." in page
    longest = other.questions.order_by("pk").first()
    assert f'href="{reverse("data-question", args=[campaign.slug, longest.public_id])}"' in page
    now = datetime.now(UTC)
    Twin.objects.filter(pk=other.pk).update(created_at=now)
    found = progress_of(campaign, now + timedelta(days=8))
    assert found["queue"]["longest_waiting"] == question.public_id
    assert oldest_days(found, now + timedelta(days=8)) == 8


def test_an_outdated_report_is_read_as_of_its_own_day(as_dana: Client, campaign: Campaign) -> None:
    for days_ago in (5, 4, 3, 2):
        worked(campaign, days_ago=days_ago)
    at = datetime.now(UTC) - timedelta(days=2)
    figures = renew_report(campaign=campaign).figures | {"progress": progress_of(campaign, at)}
    QualityReport.objects.update(created_at=at, seconds=5, figures=figures)
    page = read(as_dana)
    assert "These figures are outdated." in page
    assert 'hx-trigger="every 10s"' in page
    assert "At the mean rate of the last 3 whole days, 1.0 valid pairs a day." in page
    end = at.date() + timedelta(days=6)
    assert f"{end.day} {end:%b %Y}" in page
    polled = as_dana.get(PAGE, headers={"HX-Request": "true", "HX-Target": "dashboard"})
    assert polled.status_code == 204


def test_a_report_of_an_earlier_version_is_renewed(as_dana: Client, campaign: Campaign) -> None:
    figures = renew_report(campaign=campaign).figures
    figures.pop("progress")
    QualityReport.objects.update(seconds=5, figures=figures)
    assert "The first figures are being calculated." in read(as_dana)
    execute_report(campaign.pk)
    assert "Needs attention" in read(as_dana)


def lines(questions: list[Question]) -> bytes:
    """A snapshot's file."""
    items = [
        TwinItem(
            id=each.public_id,
            group=str(each.twin.public_id),
            sentence=each.sentence,
            options=each.twin.options,
            answer=each.answer,
        )
        for each in questions
    ]
    return "".join(f"{item.to_line()}\n" for item in items).encode()


@pytest.mark.long
def test_a_kept_pair_costs_its_share_of_the_snapshot(as_dana: Client, campaign: Campaign) -> None:
    worked(campaign, days_ago=1, pairs=4)
    ours = list(Twin.objects.order_by("pk"))[:3]  # the fourth came after the snapshot
    twins = [*ours, TwinFactory(campaign=campaign, published=True)]
    questions = [question for twin in twins for question in twin.questions.order_by("number")]
    stored = ArtifactFactory(content=lines(questions))
    # The first pair and the imported one whole, and one question of the second pair.
    kept = [question.public_id for question in questions[:3] + questions[6:]]
    for ids, cost, words in (
        (kept, Decimal("1.20"), "1 kept of 3 valid on"),
        (kept[2:3], None, "0 kept of 3 valid on"),
    ):
        run = FilterRunFactory(
            encoding__snapshot__campaign=campaign,
            encoding__snapshot__questions=stored,
            finished=True,
            kept=ArtifactFactory(content="".join(f"{id}\n" for id in ids).encode()),
            n_kept=len(ids),
        )
        choose_run(run=run, by=UserFactory(curator=True))
        found = reads.spend_of(campaign, progress_of(campaign, datetime.now(UTC)))
        assert (found.per_pair, found.per_kept) == (Decimal("0.40"), cost)
        assert words in read(as_dana)


def test_a_closed_campaign_has_no_forecast(as_dana: Client, campaign: Campaign) -> None:
    for days_ago in (3, 2, 1):
        worked(campaign, days_ago=days_ago)
    Campaign.objects.update(status="closed")
    page = read(as_dana)
    assert "No forecast: the campaign is closed." in page
    assert "At the mean rate of" not in page


def test_the_interval_of_the_forecast_begins_with_the_rest_of_today(campaign: Campaign) -> None:
    today = date(2026, 3, 10)
    days = [{"day": f"2026-03-{day:02}", "pairs": 2} for day in range(1, 11)]
    end = end_of(campaign, {"pairs": 9, "days": days}, today)
    assert end is not None
    assert (end.basis.n_days, end.first, end.day) == (9, today, today)
    assert end.last >= today + timedelta(days=2)


def test_an_alert_about_agreement_goes_by_the_interval(campaign: Campaign) -> None:
    def alert(low: float, high: float) -> list[str]:
        alpha = {"value": (low + high) / 2, "low": low, "high": high}
        found = AlertFacts(campaign, {}, datetime.now(UTC), None, alpha, 0, 0, 0)
        return [one.words for one in _agreement(found)]

    assert alert(0.62, 0.6668) == alert(0.6, 0.7) == []
    assert alert(0.55, 0.65) == [
        "Validators agree too little: alpha is 0.600 (0.550 – 0.650); the whole 95% interval is "
        "below 0.667."
    ]


def test_the_pay_alert_needs_three_workers_and_says_how_many(campaign: Campaign) -> None:
    now = datetime.now(UTC)
    found = progress_of(campaign, now)
    found["queue"]["questions"] = 1
    said = []
    for n in (1, 2, 3):
        found["validating"] |= {"median": "8.00", "n": n}
        given = AlertFacts(campaign, found, now, None, {"high": None}, 0, 0, 0)
        said.append([alert.words for alert in alerts_of(given)])
    words = "The median hourly pay of 3 validators is 8.00 USD, below 9.00 USD."
    assert said == [[], [], [words]]


@pytest.mark.long
def test_a_question_in_the_review_queue_needs_attention(
    as_dana: Client, campaign: Campaign
) -> None:
    question = TwinFactory(campaign=campaign, seats=3).questions.get(number=1)
    give(question, True, True, False)
    renew_report(campaign=campaign)
    page = read(as_dana)
    assert "1 question waits in the review queue." in page
    assert f'<a href="{reverse("review-queue", args=["kitchen"])}">Review queue</a>' in page


def test_days_and_load_count_the_same_work(campaign: Campaign) -> None:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    VoteFactory(question=question)
    VoteFactory(question=question, excluded_at=datetime.now(UTC), exclusion_reason="Random.")
    VoteFactory(question=question, is_gold=True)
    TwinFactory(campaign=campaign, withdrawn_at=datetime.now(UTC))
    found = progress_of(campaign, datetime.now(UTC))
    assert [(day["twins"], day["votes"]) for day in found["days"]] == [(1, 1)]
    assert sorted((one["twins"], one["votes"]) for one in found["load"]) == [(0, 1), (1, 0)]


def test_a_campaign_without_work_says_that_its_queue_is_empty(
    as_dana: Client, campaign: Campaign
) -> None:
    page = read(as_dana)
    assert "No question waits for votes" in page
    assert "No twins and no votes yet." in page


def test_an_alert_of_the_queue_is_gone_where_nothing_can_be_written(
    as_dana: Client, campaign: Campaign
) -> None:
    Campaign.objects.update(status="closed")
    assert "Nothing needs attention." in read(as_dana)


def test_workers_do_not_see_it(client: Client, campaign: Campaign) -> None:
    client.force_login(UserFactory())
    assert client.get(PAGE).status_code == 403
