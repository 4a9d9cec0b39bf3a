"""Requests for a campaign's quality report."""

import logging

from celery import current_app
from django.utils import timezone

from collection.models import Campaign
from validation.models import QualityReport, Vote
from validation.runner import work_out
from validation.selectors.quality.people import LONGEST, is_fresh, stored_report
from winoplatform.processes import broker
from winoplatform.runs.dispatch import BROKER_AWAY

log = logging.getLogger(__name__)

# How long a page may wait; a longer computation runs in the background.
QUICK_SECONDS, QUICK_VOTES = 0.1, 5000
VOID_SECONDS = 60


def quality_report(*, campaign: Campaign) -> QualityReport | None:
    """Return the campaign's report, recomputed if that is quick, else the last one.

    If an outdated report would take long, its computation is dispatched and the old one returned.
    None if the campaign's first report is not done yet.
    """
    report = stored_report(campaign)
    if report is not None and is_fresh(report):
        return report
    if _is_quick(campaign, report):
        return work_out(campaign)
    _dispatch(campaign)
    return report


def is_being_renewed(report: QualityReport) -> bool:
    """Return whether ``quality_report`` returned an outdated report and dispatched a new one."""
    return not is_fresh(report) and report.seconds > QUICK_SECONDS


def see_to_report(*, campaign: Campaign) -> QualityReport | None:
    """Return the last report of any age, for pages that show its posteriors as advice.

    If it is missing or too old, its computation is dispatched; such a page never waits for it.
    """
    report = stored_report(campaign)
    if report is None or timezone.now() - report.created_at > LONGEST:
        _dispatch(campaign)
    return report


def renew_report(*, campaign: Campaign) -> QualityReport:
    """Compute the report now, however long it takes."""
    return work_out(campaign)


def _is_quick(campaign: Campaign, report: QualityReport | None) -> bool:
    if report is not None:
        return report.seconds <= QUICK_SECONDS
    votes = Vote.objects.filter(seat__campaign=campaign).order_by()
    return votes[: QUICK_VOTES + 1].count() <= QUICK_VOTES


def _dispatch(campaign: Campaign) -> None:
    # A lost message does no harm: opening the page again dispatches again.
    try:
        broker.client().ping()  # Celery would wait for a silent broker much longer
        current_app.send_task(
            "validation.execute_report",
            args=[campaign.pk],
            queue="light",
            retry=False,
            expires=VOID_SECONDS,
        )
    except BROKER_AWAY:
        log.warning("quality of %s: no broker took the message", campaign.slug)
