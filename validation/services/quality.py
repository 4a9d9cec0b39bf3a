"""Asking for a campaign's quality report."""

import logging

from celery import current_app
from django.utils import timezone

from collection.models import Campaign
from validation.models import QualityReport, Vote
from validation.runner import work_out
from validation.selectors.quality.stored import LONGEST, is_fresh, stored_report
from winoplatform.runs.dispatch import BROKER_AWAY

log = logging.getLogger(__name__)

# What a page may wait for; beyond it a worker does it beside the page.
QUICK_SECONDS, QUICK_VOTES = 0.1, 5000
VOID_SECONDS = 60


def quality_report(*, campaign: Campaign) -> QualityReport | None:
    """Return the campaign's report: fresh where that is quick, else the last one there is.

    An old report that would take long is asked for of a worker, and shown with its age until
    that one is done. None: it is the campaign's first one, and not done yet.
    """
    report = stored_report(campaign)
    if report is not None and is_fresh(report):
        return report
    if _is_quick(campaign, report):
        return work_out(campaign)
    _dispatch(campaign)
    return report


def see_to_report(*, campaign: Campaign) -> QualityReport | None:
    """Return the last report, for pages that show its posteriors as advice, whatever its age.

    One that is missing or too old is asked for of a worker: such a page never works it out.
    """
    report = stored_report(campaign)
    if report is None or timezone.now() - report.created_at > LONGEST:
        _dispatch(campaign)
    return report


def renew_report(*, campaign: Campaign) -> QualityReport:
    """Work the report out now, however long it takes."""
    return work_out(campaign)


def _is_quick(campaign: Campaign, report: QualityReport | None) -> bool:
    if report is not None:
        return report.seconds <= QUICK_SECONDS
    votes = Vote.objects.filter(seat__campaign=campaign).order_by()
    return votes[: QUICK_VOTES + 1].count() <= QUICK_VOTES


def _dispatch(campaign: Campaign) -> None:
    # Nothing is lost with a message: whoever opens the page again dispatches again.
    try:
        current_app.send_task(
            "validation.execute_report",
            args=[campaign.pk],
            queue="light",
            retry=False,
            expires=VOID_SECONDS,
        )
    except BROKER_AWAY:
        log.warning("quality of %s: no broker took the message", campaign.slug)
