"""The page on the quality of a campaign's votes, and a validator's months."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Question
from frontend.charts import share_chart
from frontend.pictures import Mark
from frontend.quality import reads
from frontend.quality.reads import agreement_rows
from tests.factories import ConsentFactory, TwinFactory, UserFactory, VerdictFactory, VoteFactory
from tests.frontend.pages import HTMX, source, words
from validation.models import QualityReport, ValidatorFigures, Vote
from validation.runner import work_out
from validation.services import quality as service
from workers.models import User

QUALITY = "/campaigns/kitchen/quality/"


def validated(campaign: Campaign, validators: list[User], *rights: bool, **fields: Any) -> Question:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    for worker, right in zip(validators, rights, strict=True):
        VoteFactory(question=question, worker=worker, wrong=not right, **fields)
    VerdictFactory(question=question)
    return question


@pytest.fixture
def validators(campaign: Campaign) -> list[User]:
    validators = UserFactory.create_batch(3)
    validated(campaign, validators, True, True, True)
    validated(campaign, validators, True, True, False)
    return validators


def test_without_votes_it_says_what_to_do(as_dana: Client, campaign: Campaign) -> None:
    assert "No votes yet. Validators see the campaign" in words(as_dana.get(QUALITY))
    Campaign.objects.update(status=Campaign.Status.DRAFT)
    assert "Open the campaign" in words(as_dana.get(QUALITY))


def test_after_votes_it_never_says_that_there_are_none(
    as_dana: Client, campaign: Campaign, validators: list[User]
) -> None:
    Vote.objects.update(excluded_at=timezone.now(), exclusion_reason="spam")
    service.renew_report(campaign=campaign)
    assert "all 6 votes are excluded" in (page := words(as_dana.get(QUALITY)))
    assert "No votes yet" not in page


def test_a_report_from_before_the_first_vote_says_so(as_dana: Client, campaign: Campaign) -> None:
    as_dana.get(QUALITY)
    validated(campaign, UserFactory.create_batch(3), True, True, True)
    page = words(as_dana.get(QUALITY))
    assert "No votes yet" not in page


def test_figures_come_with_their_interval_their_n_and_words(
    as_dana: Client, validators: list[User]
) -> None:
    page = words(as_dana.get(QUALITY))
    assert "100.0% (34.2% – 100.0%, n = 2)" in page  # the majority
    assert "83.3% (43.6% – 97.0%, n = 6)" in page  # single validators
    assert "WinoGrande reports 94.0%" in page
    assert "Raw" in page
    assert "66.7%" in page
    assert "people like them: unknown, 3 people are too few" in page
    assert "undecided: the interval of alpha contains 0.667" in page
    assert "2 questions have fewer" not in page
    for validator in validators:
        assert validator.public_id in page


def test_agreement_is_put_into_words() -> None:
    def row(raw: float | None, low: float | None, high: float | None = None) -> str:
        part = {"raw": {"value": raw}, "alpha": {"value": low, "low": low, "high": high}}
        return agreement_rows({"answer": part, "ambiguity": part, "local": part})[0].words

    assert row(None, None) == "no question has two votes yet"
    assert row(1.0, None) == "all votes are the same: agreement beyond chance is undefined"
    ends = ((0.8, 0.9), (0.7, 0.79), (0.7, 0.81), (0.6, 0.7), (0.2, 0.66), (-0.1, 0.3))
    assert [row(0.9, *pair).split(":")[0] for pair in ends] == [
        "reliable", "tentative", "tentative or reliable", "undecided", "not reliable",
        "not reliable",
    ]  # fmt: skip
    assert row(0.1, -0.9, -0.2) == (
        "not reliable: alpha is below 0, agreement is worse than by chance"
    )
    assert row(0.9, 0.7, 0.79) == (
        "tentative: the interval of alpha lies between the usual thresholds 0.667 and 0.800"
    )
    # What is shown as 0.667 is not said to be below 0.667.
    assert row(0.9, 0.6, 0.6668).startswith("undecided")


def test_each_accuracy_of_a_validator_is_defined_where_it_stands(
    as_dana: Client, validators: list[User]
) -> None:
    page = words(as_dana.get(QUALITY))
    for definition in (
        "counted votes for the author's answer", "agree with most of the other first votes",
        "answers to control questions that are right", "The probability that a validator chooses",
    ):  # fmt: skip
        assert definition in html.unescape(page)
    assert "corrected for the number of validators" in page
    person = words(as_dana.get(f"/people/{validators[0].public_id}/"))
    assert "counted votes for the author's answer" in html.unescape(person)


@pytest.mark.long
def test_validators_can_be_ordered_and_leafed_through(
    as_dana: Client, validators: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "VALIDATORS", 4)
    for worker in UserFactory.create_batch(4):
        VoteFactory(question=validators[0].votes.first().question, worker=worker)
    first = source(as_dana.get(QUALITY))
    assert "page=2#validators" in first
    assert first.index(validators[0].public_id) < first.index("page=2#validators")
    assert validators[0].public_id not in source(as_dana.get(f"{QUALITY}?page=2"))
    lowest = source(as_dana.get(f"{QUALITY}?sort=skill"))
    table = lowest[lowest.index('id="validators"') :]
    assert table.index(validators[2].public_id) < table.index(
        "/people/", table.index("/people/") + 1
    )
    assert as_dana.get(f"{QUALITY}?sort='; --&page=x").status_code == 200


def test_a_flag_is_said_in_words_and_leads_to_the_person(
    as_dana: Client, validators: list[User], campaign: Campaign
) -> None:
    work_out(campaign)
    QualityReport.objects.update(seconds=9)
    ValidatorFigures.objects.filter(worker=validators[2]).update(flags=["fast"], n_fast=2)
    page = as_dana.get(QUALITY)
    assert "Far faster than the other validators." in words(page)
    assert "2 very fast votes" in words(page)
    assert f'href="/people/{validators[2].public_id}/"' in source(page)


def test_human_performance_of_some_questions_is_answered_on_the_page(
    as_dana: Client, validators: list[User]
) -> None:
    today = timezone.now().date()
    asked = {"domain": "physical", "since": today, "until": today, "kind": "counted"}
    page = words(as_dana.get(QUALITY, asked))
    assert page.index("These questions:") < page.rindex("100.0% (34.2% – 100.0%, n = 2)")
    yesterday = {"domain": "", "until": today - timedelta(days=1)}
    page = words(as_dana.get(QUALITY, yesterday))
    assert "Single validators –" in page[page.index("These questions:") :]
    assert "Enter a valid date." in words(as_dana.get(QUALITY, {"domain": "", "since": "soon"}))


def test_a_first_report_that_takes_long_is_waited_for_and_comes_by_itself(
    as_dana: Client, validators: list[User], campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "QUICK_VOTES", 1)
    monkeypatch.setattr(service, "_dispatch", lambda campaign: None)
    page = as_dana.get(QUALITY)
    assert "is being calculated" in words(page)
    assert 'hx-trigger="every 2s"' in source(page)
    work_out(campaign)
    part = as_dana.get(QUALITY, headers=HTMX)
    assert "hx-trigger" not in source(part)
    assert "<html" not in source(part)
    assert "Majority of three" in words(part)


def test_it_can_be_worked_out_again(
    as_dana: Client, validators: list[User], campaign: Campaign
) -> None:
    as_dana.get(QUALITY)
    QualityReport.objects.update(seconds=9)
    validated(campaign, validators, True, True, True)
    assert "from 6 votes" in words(as_dana.get(QUALITY))
    assert "from 9 votes" in words(as_dana.post(f"{QUALITY}renew/", follow=True))


def test_votes_can_be_taken_away_as_files(as_dana: Client, validators: list[User]) -> None:
    for kind in ("jsonl", "csv"):
        answer = as_dana.get(reverse("votes-file", args=["kitchen", kind]))
        assert validators[0].public_id.encode() in b"".join(answer.streaming_content)
    assert as_dana.get(reverse("votes-file", args=["kitchen", "xlsx"])).status_code == 404


def test_a_person_is_shown_month_by_month(as_dana: Client, validators: list[User]) -> None:
    page = as_dana.get(f"/people/{validators[2].public_id}/")
    assert "50.0% (9.5% – 90.5%, n = 2)" in words(page)
    newcomer = ConsentFactory().worker
    assert "No validated questions yet." in words(as_dana.get(f"/people/{newcomer.public_id}/"))


def test_a_page_asks_as_much_for_nine_validators_as_for_three(
    as_dana: Client, validators: list[User], campaign: Campaign
) -> None:
    def queries() -> int:
        work_out(campaign)
        QualityReport.objects.update(seconds=9)
        with CaptureQueriesContext(connection) as captured:
            assert as_dana.get(QUALITY).status_code == 200
        return len(captured)

    few = queries()
    for worker in UserFactory.create_batch(6):
        VoteFactory(question=validators[0].votes.first().question, worker=worker)
    assert queries() == few <= 15


def test_a_line_across_stands_at_its_share() -> None:
    chart = share_chart([0.9, 0.98], ["a", "b"], level=Mark(0.94, "known"))
    assert chart.level is not None
    assert chart.dots[0].y > chart.level.place > chart.dots[1].y
    assert share_chart([0.5], ["a"]).level is None
