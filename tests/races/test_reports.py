"""Two curators ask for the same quality report at once."""

from functools import partial

from django.db import IntegrityError, transaction

from collection.models import Campaign
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VoteFactory
from tests.races.threads import at_once
from validation.core.validator_figures import validators
from validation.models import QualityReport, ValidatorFigures
from validation.runner import _lines, work_out
from validation.selectors.quality import votes_of


def a_campaign() -> Campaign:
    campaign = CampaignFactory()
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    for worker in UserFactory.create_batch(3):
        VoteFactory(question=question, worker=worker)
    return campaign


def replace_unlocked(campaign: Campaign) -> None:
    """The control: the lines replaced without the report's row between the two."""
    report = QualityReport.objects.get(campaign=campaign)
    people = validators(votes_of(campaign))
    with transaction.atomic():
        ValidatorFigures.objects.filter(report=report).delete()
        ValidatorFigures.objects.bulk_create(_lines(report, people, gold_pass_share=0.7))


def test_reports_at_once_all_succeed_and_leave_one_line_a_validator() -> None:
    for _ in range(5):
        campaign = a_campaign()
        found = at_once(*[partial(work_out, campaign)] * 6)
        assert all(isinstance(report, QualityReport) for report in found), found
        assert ValidatorFigures.objects.filter(report=campaign.pk).count() == 3


def test_without_the_reports_row_between_them_some_fail() -> None:
    failed = 0
    for _ in range(5):
        campaign = a_campaign()
        QualityReport.objects.create(campaign=campaign, figures={}, n_votes=0, seconds=0)
        found = at_once(*[partial(replace_unlocked, campaign)] * 6)
        failed += sum(isinstance(error, IntegrityError) for error in found)
    assert failed
