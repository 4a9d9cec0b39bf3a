"""The quality of a campaign's votes, from the rows to the stored report and back."""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collection.models import Campaign, Question, Twin
from tests.factories import (
    CampaignFactory,
    UserFactory,
    VoteFactory,
)
from tests.validation.validated import JANUARY, a_question, validated, vote
from validation.core.posteriors import Model
from validation.core.validator_figures import fit
from validation.models import QualityReport, ValidatorFigures, Vote
from validation.runner import work_out
from validation.selectors.quality import (
    advice,
    human_performance,
    months_of,
    stored_report,
    unknown_questions,
    validator_lines,
    votes_of,
    votes_on,
)
from workers.models import User


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="winter", name="Winter")


def posteriors(questions: Sequence[Question]) -> dict[int, float]:
    """How likely the authors of questions of one campaign are right, by its last report."""
    report = stored_report(questions[0].twin.campaign)
    return {key: found.posterior for key, found in advice(questions, report=report).items()}


@pytest.fixture
def validators(db: None) -> list[User]:
    return UserFactory.create_batch(3)


def test_the_columns_are_those_of_the_rows(campaign: Campaign, validators: list[User]) -> None:
    question = a_question(campaign, domain=Twin.Domain.SOCIAL)
    given = vote(
        question, validators[0], right=False, at=JANUARY, ambiguous=True, local_option=2,
        report="offensive", excluded_at=timezone.now(), exclusion_reason="hasty",
    )  # fmt: skip
    vote(a_question(CampaignFactory()), validators[0])
    found = votes_of(campaign)
    assert len(found) == 1
    assert (found.question[0], found.twin[0]) == (question.pk, question.twin_id)
    assert found.worker[0] == validators[0].pk
    assert (found.option[0], found.answer[0]) == (given.option, question.answer)
    assert (found.ambiguous[0], found.local[0], found.excluded[0]) == (True, 2, True)
    assert (found.gold[0], found.reported[0], found.domain[0]) == (False, True, 0)
    assert found.at[0] == JANUARY.timestamp()
    assert found.at[0] - found.shown_at[0] == 15
    assert len(votes_of(campaign, domain="physical")) == 0
    assert votes_on([question.pk]).at.tolist() == found.at.tolist()


def test_times_that_were_not_noted_are_left_open(campaign: Campaign) -> None:
    given = VoteFactory(question=a_question(campaign), seat__local_at=None)
    assert given.seat.claimed_at is None
    found = votes_of(campaign)
    assert np.isnan(found.shown_at).all()
    assert np.isnan(found.local_at).all()
    assert found.local.tolist() == [0]


def test_a_report_is_kept_with_a_line_for_each_validator(
    campaign: Campaign, validators: list[User]
) -> None:
    validated(campaign, validators, True, True, False, at=JANUARY)
    validated(campaign, validators, True, True, True, at=JANUARY + timedelta(minutes=1))
    report = work_out(campaign)
    assert report.n_votes == 6
    assert report.figures["human"]["majority"]["value"] == 1.0
    assert report.figures["domains"] == {"physical": report.figures["human"]}
    lines = {line.worker: line for line in validator_lines(campaign)}
    assert set(lines) == set(validators)
    assert (lines[validators[2]].n_votes, lines[validators[2]].n_author) == (2, 1)
    assert lines[validators[2]].skill < lines[validators[0]].skill
    assert lines[validators[0]].n_asked_gold == 0
    assert lines[validators[0]].gold_low is None
    assert lines[validators[0]].seconds == pytest.approx(15)


def test_working_it_out_again_replaces_the_lines(
    campaign: Campaign, validators: list[User]
) -> None:
    validated(campaign, validators, True, True, True)
    work_out(campaign)
    Vote.objects.filter(worker=validators[0]).update(
        excluded_at=timezone.now(), exclusion_reason="hasty"
    )
    work_out(campaign)
    assert QualityReport.objects.count() == 1
    line = validator_lines(campaign).get(worker=validators[0])
    assert (line.n_votes, line.n_excluded, line.skill) == (0, 1, None)


def test_a_campaign_without_votes_has_a_report_of_nothing(campaign: Campaign) -> None:
    report = work_out(campaign)
    assert report.figures["n_votes"] == 0
    assert (report.figures["model"], report.figures["class_shares"]) == (None, None)
    assert not ValidatorFigures.objects.exists()


def test_a_validator_has_one_line_in_a_report(campaign: Campaign, validators: list[User]) -> None:
    validated(campaign, validators, True)
    work_out(campaign)
    line = ValidatorFigures.objects.get()
    line.pk = None
    with pytest.raises(IntegrityError, match="one_line_a_validator"), transaction.atomic():
        line.save()


def test_agreement_is_of_the_votes_that_every_question_gets(
    campaign: Campaign, validators: list[User]
) -> None:
    validated(campaign, validators, True, True, True, at=JANUARY)
    split = validated(campaign, validators, True, False, True, at=JANUARY)
    for validator in UserFactory.create_batch(2):
        vote(split, validator, at=JANUARY + timedelta(hours=1))
    found = work_out(campaign).figures["answer"]
    assert (found["n_votes"], found["alpha"]["n"], found["kappa"]["n"]) == (6, 2, 2)
    assert found["raw"]["value"] == pytest.approx(2 / 3)
    assert found["kappa"]["value"] == pytest.approx(1 / 3)
    assert found["kappa"]["low"] < 1 / 3 < found["kappa"]["high"]
    assert (found["kappa"]["n_people"], found["kappa"]["people_low"]) == (3, None)


def test_human_performance_can_be_asked_of_any_questions(
    campaign: Campaign, validators: list[User]
) -> None:
    validated(campaign, validators, True, True, False, at=JANUARY, twin={"domain": "social"})
    validated(campaign, validators, False, False, True, at=JANUARY + timedelta(days=40))
    validated(campaign, validators[:2], True, True)  # short of a vote
    whole = human_performance(campaign)
    assert (whole.majority.value, whole.majority.n, whole.single.n) == (0.5, 2, 6)
    for one, asked in (
        (1.0, {"domain": "social"}),
        (0.0, {"since": JANUARY + timedelta(days=1)}),
        (1.0, {"until": JANUARY + timedelta(days=1)}),
        (None, {"kind": "gold"}),
        (None, {"since": JANUARY + timedelta(days=90)}),
    ):
        assert human_performance(campaign, **asked).majority.value == one, asked


def test_answers_to_gold_questions_can_stand_for_human_performance(
    campaign: Campaign, validators: list[User]
) -> None:
    question = validated(campaign, validators, True, True, True)
    others = UserFactory.create_batch(3)
    for worker, right in zip(others, (True, False, False), strict=True):
        vote(question, worker, right=right)
    Vote.objects.filter(worker__in=others).update(is_gold=True)
    assert human_performance(campaign).majority.value == 1.0
    assert human_performance(campaign, kind="gold").majority.value == 0.0


def test_a_validator_known_to_be_good_weighs_more_than_two_known_to_guess(
    campaign: Campaign,
) -> None:
    good = UserFactory.create_batch(4)
    bad = UserFactory.create_batch(2)
    for place in range(16):
        question = validated(campaign, good, True, True, True, True)
        for worker in bad:
            vote(question, worker, right=(place + worker.pk) % 2 == 0)
    asked = a_question(campaign)
    vote(asked, good[0])
    for worker in bad:
        vote(asked, worker, right=False)
    before = posteriors([asked])[asked.pk]
    work_out(campaign)
    assert before < 0.5 < posteriors([asked])[asked.pk]


def test_advice_follows_a_new_vote_at_once_and_asks_three_queries(
    campaign: Campaign, validators: list[User]
) -> None:
    questions = [validated(campaign, validators, True, False, True) for _ in range(20)]
    silent = a_question(campaign)
    work_out(campaign)
    with CaptureQueriesContext(connection) as captured:
        before = posteriors([*questions, silent])
    assert len(captured) == 3
    assert silent.pk not in before
    assert all(0 < share < 1 for share in before.values())
    vote(questions[0], UserFactory())
    assert posteriors(questions)[questions[0].pk] > before[questions[0].pk]
    assert advice([], report=None) == {}


def test_a_vote_of_a_validator_who_confirms_everything_says_nothing(campaign: Campaign) -> None:
    good, yes_sayer = UserFactory.create_batch(3), UserFactory()
    for place in range(24):
        question = validated(
            campaign, good, *[place % 4 != 0] * 3
        )  # a quarter of authors are wrong
        vote(question, yes_sayer)
    report = work_out(campaign)
    line = validator_lines(campaign).get(worker=yes_sayer)
    assert line.confirms > 0.9
    assert line.contradicts < 0.4  # six votes beside a prior of four
    assert report.figures["model"] == "dawid_skene"
    asked = validated(campaign, good[:1], False)
    vote(asked, yes_sayer)
    found = advice([asked], report=report)[asked.pk]
    assert (found.n_right, found.n_votes, found.majority) == (1, 2, 0.5)
    assert found.posterior < 0.3


@pytest.mark.long
@pytest.mark.parametrize("model", ["equal", "one_coin", "dawid_skene"])
def test_advice_is_that_of_the_reports_model(
    campaign: Campaign, validators: list[User], model: str
) -> None:
    questions = [
        validated(campaign, validators, *[(place + k) % 5 != 0 for k in range(3)])
        for place in range(12)
    ]
    report = work_out(campaign)
    report.figures["model"] = model
    report.save()
    votes = votes_of(campaign)
    found = fit(votes)
    assert found is not None
    chances = advice(questions, report=report)
    assert {one.model for one in chances.values()} == {model}
    expected = found.fits[Model(model)]
    random = abs(expected.shares.random - report.figures["random_share"])
    names = np.unique(votes.question)
    given = [chances[int(name)].posterior for name in names]
    assert np.abs(given - expected.posteriors[:, 1]).max() < 0.01 + random


def test_advice_of_a_report_of_an_older_version_goes_by_skills(
    campaign: Campaign, validators: list[User]
) -> None:
    question = validated(campaign, validators, True, True, False)
    report = work_out(campaign)
    ValidatorFigures.objects.update(confirms=None, contradicts=None)
    for name in ("model", "random_share", "usual_skill"):
        del report.figures[name]
    report.save()
    found = advice([question], report=stored_report(campaign))[question.pk]
    assert (found.majority, found.model) == (1.0, "one_coin")
    assert 0.5 < found.posterior < 1


def test_human_performance_of_named_questions_is_of_them_alone(
    campaign: Campaign, validators: list[User]
) -> None:
    right = validated(campaign, validators, True, True, False, twin={"domain": "social"})
    wrong = validated(campaign, validators, False, False, True)
    short = validated(campaign, validators[:1], True)
    named = [question.public_id for question in (right, short)]
    found = human_performance(campaign, questions=named)
    assert (found.majority.value, found.majority.n, found.n_short) == (1.0, 1, 1)
    both = [right.public_id, wrong.public_id]
    for asked, n in (
        ({}, 2),
        ({"domain": "social"}, 1),
        ({"kind": "gold"}, 0),
    ):
        assert human_performance(campaign, questions=both, **asked).majority.n == n, asked
    assert human_performance(campaign, questions=[]).majority.n == 0
    assert human_performance(CampaignFactory(), questions=both).majority.n == 0
    assert unknown_questions(campaign, [*named, "no-such-id"]) == ["no-such-id"]


def test_advice_leaves_out_gold_answers_and_votes_excluded(
    campaign: Campaign, validators: list[User]
) -> None:
    question = validated(campaign, validators, False, False, True)
    Vote.objects.filter(worker=validators[0]).update(is_gold=True)
    Vote.objects.filter(worker=validators[1]).update(
        excluded_at=timezone.now(), exclusion_reason="hasty"
    )
    assert posteriors([question])[question.pk] == pytest.approx(0.75)


def test_a_validators_months_are_counted_apart(campaign: Campaign, validators: list[User]) -> None:
    worker = validators[0]
    for at, right in ((JANUARY, True), (JANUARY, False), (JANUARY + timedelta(days=31), True)):
        vote(a_question(campaign), worker, right=right, at=at)
    first, second = months_of(worker.pk, UserFactory(admin=True))
    assert (first.begins, first.author.value, first.author.n) == ("2026-01-01", 0.5, 2)
    assert (second.begins, second.author.value) == ("2026-02-01", 1.0)
    assert second.seconds == pytest.approx(15)
    assert months_of(validators[1].pk, UserFactory(admin=True)) == []
