"""The progress of a campaign and what it has spent, as pages show it."""

import logging
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.http import HttpResponse
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from collection.models import Campaign, Twin
from collection.selectors.able_people import validators_missing
from corpora.selectors import kept_ids, question_groups
from filtering.models import FilterRun
from filtering.selectors import chosen_run
from frontend.campaigns.alerts import AlertFacts, alerts_of, oldest_days
from frontend.charts import Chart, bar_chart
from frontend.findings import reason_sentence
from frontend.http import PageRequest, curators_only, show
from frontend.lookups import campaign_for, rights_here
from frontend.pictures import TREND, Mark, Picture, Series
from frontend.runs.reads import n_failed, workers_state
from validation.core.forecast import Forecast, forecast
from validation.core.validator_figures import Flag
from validation.models import QualityReport, ValidatorFigures
from validation.selectors.free_seats import ungiven_votes
from validation.selectors.review_queue import active_facts, n_waiting
from validation.services.quality import is_being_renewed, quality_report
from winoplatform.http.rights import Right


def verdict(funnel: Any) -> str:
    """Say how many of a campaign's questions are valid, and how many wait for votes."""
    if not funnel.written:
        return _("No question has been written yet.")
    text = _(
        "%(valid)s of %(written)s questions are valid, %(invalid)s are not, and %(waiting)s wait "
        "for votes."
    )
    return text % {
        "valid": f"{funnel.valid:,}",
        "written": f"{funnel.written:,}",
        "invalid": f"{funnel.validated - funnel.valid:,}",
        "waiting": f"{funnel.written - funnel.validated:,}",
    }


def reason_counts(campaign: Campaign) -> list[tuple[str, int]]:
    """Count the failed questions by reason, the most frequent first."""
    failed = active_facts().filter(campaign=campaign).exclude(reasons=[])
    counts: Counter[str] = Counter()
    for reasons, number in failed.values_list("reasons").annotate(Count("pk")):
        counts.update(dict.fromkeys(reasons, number))
    return [(reason_sentence(code), number) for code, number in counts.most_common()]


log = logging.getLogger(__name__)
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class KeptPairs:
    """Pairs written here in the snapshot of the chosen filter run, and how many it kept whole.

    Imported pairs cost nothing here, so they are not counted.
    """

    pairs: int
    kept: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Spend:
    """Money owed and committed, and what a pair has cost; None without pairs.

    A kept pair has cost its share of all pairs of the snapshot, each at the cost of a valid pair
    now: later pairs, which the run has not seen, do not make it more expensive.
    """

    owed: Decimal
    committed: Decimal
    share: float | None
    per_pair: Decimal | None
    kept: KeptPairs | None
    per_kept: Decimal | None


def spend_of(campaign: Campaign, found: Mapping[str, Any]) -> Spend:
    owed = Decimal(found["owed"])
    # A report of an earlier version has no overpaid sum; it is shown until the next one is ready.
    committed = owed + Decimal(found.get("overpaid", 0)) + Decimal(found["promised"])
    cap, pairs = campaign.budget_cap, found["pairs"]
    spend = kept_pairs(campaign)
    return Spend(
        owed=owed,
        committed=committed,
        share=None if cap is None else float(committed / cap) if cap else 1.0,
        per_pair=_each(owed, pairs),
        kept=spend,
        per_kept=None if spend is None else _each(owed * spend.pairs, pairs * spend.kept),
    )


def _each(amount: Decimal, number: int) -> Decimal | None:
    return (amount / number).quantize(CENT) if number else None


def kept_pairs(campaign: Campaign) -> KeptPairs | None:
    """Return the pairs of the chosen filter run; None without one, or if its files are lost."""
    run = chosen_run(campaign)
    if run is None:
        return None
    try:
        return _kept_pairs(run.public_id)
    except (OSError, EOFError, ValueError):
        log.exception("filter run %s: its files cannot be read; no cost is shown", run.public_id)
        return None


@lru_cache(maxsize=64)
def _kept_pairs(public_id: UUID) -> KeptPairs:
    """Count the pairs of a finished run, which never changes."""
    run = FilterRun.objects.select_related("encoding__snapshot", "selection").get(
        selection__public_id=public_id
    )
    snapshot = run.encoding.snapshot
    imported = Twin.objects.filter(campaign=snapshot.campaign_id, origin=Twin.Origin.PUBLISHED)
    left_out = {str(twin) for twin in imported.order_by().values_list("public_id", flat=True)}
    ids = kept_ids(run.selection)
    twins: dict[str, list[bool]] = defaultdict(list)
    for id, group in question_groups(snapshot).items():
        if group not in left_out:
            twins[group].append(id in ids)
    pairs = [both for both in twins.values() if len(both) == 2]
    return KeptPairs(len(pairs), sum(map(all, pairs)), snapshot.created_at)


SHOWN_DAYS = 30


@dataclass(frozen=True, slots=True)
class End:
    """When the goal will be reached at the rate of the latest days, and the interval of the day."""

    basis: Forecast
    day: date
    first: date
    last: date


@curators_only()
def progress(request: PageRequest, slug: str) -> HttpResponse:
    """Show the dashboard; while its first or newer figures are computed, the page polls."""
    campaign = campaign_for(request.user, slug)
    report = quality_report(campaign=campaign)
    figures = report and report.figures.get("progress")
    renewing = bool(report and figures and is_being_renewed(report))
    if renewing and request.htmx.target == "dashboard":
        return HttpResponse(status=204)  # htmx then leaves the page as it is, and asks again
    context: dict[str, Any] = {"campaign": campaign, "report": figures and report}
    if report and figures:
        may_see_pay = Right.PAY in rights_here(request, campaign)
        context |= {"renewing": renewing, "may_see_pay": may_see_pay}
        context |= _figures(campaign, report, figures, may_see_pay=may_see_pay)
    if renewing or not figures:
        context["workers"] = workers_state()
    return show(request, "frontend/campaigns/progress.html", context, part="dashboard")


def _figures(
    campaign: Campaign, report: QualityReport, found: Mapping[str, Any], *, may_see_pay: bool
) -> dict[str, Any]:
    figures, days, at = report.figures, found["days"], report.created_at
    answer, spend = figures["answer"], spend_of(campaign, found)
    ungiven, end = ungiven_votes(campaign), end_of(campaign, found, at.astimezone(UTC).date())
    golds = ValidatorFigures.objects.filter(report=report, flags__contains=[Flag.GOLD])
    alerts = AlertFacts(
        campaign=campaign,
        progress=found,
        at=at,
        budget_share=spend.share if may_see_pay else None,
        alpha=answer["alpha"],
        n_below_golds=golds.count(),
        n_failed=n_failed(campaign),
        n_in_review=n_waiting([campaign]).get(campaign.pk, 0),
        n_ungiven=ungiven,
        n_missing=validators_missing([campaign])[campaign.pk] if ungiven else 0,
    )
    return {
        "verdict": progress_verdict(campaign, found, end),
        "alerts": alerts_of(alerts),
        "progress": found,
        "figures": figures,
        "goal_share": campaign.goal_pairs and min(1.0, found["pairs"] / campaign.goal_pairs),
        "end": end,
        "spend": spend,
        "oldest_days": oldest_days(found, at),
        "ungiven": ungiven,
        "pay": _pay(campaign, found),
        "charts": charts_of(days) if len(days) >= TREND else {},
        "so_far": so_far(campaign, found) if len(days) >= TREND else None,
        "days": [
            {**day, "day": date.fromisoformat(day["day"])} for day in reversed(days[-SHOWN_DAYS:])
        ],
    }


def progress_verdict(campaign: Campaign, found: Mapping[str, Any], end: End | None) -> str:
    """Say how many pairs are valid, of which goal, and when it will be reached."""
    pairs, goal = found["pairs"], campaign.goal_pairs
    parts = [ngettext("%s valid pair so far", "%s valid pairs so far", pairs) % f"{pairs:,}"]
    if goal:
        parts.append(_("the goal is %s") % f"{goal:,}")
    if end:
        ends = {"first": date_format(end.first, "j M Y"), "last": date_format(end.last, "j M Y")}
        parts.append(_("with 95%%, it will be reached between %(first)s and %(last)s") % ends)
    return "; ".join(parts) + "."


def end_of(campaign: Campaign, found: Mapping[str, Any], today: date) -> End | None:
    """Return when the goal will be reached, from the figures of *today*.

    None without a goal, with too few days to say, and where no work is done: the campaign is not
    open.
    """
    if campaign.status != Campaign.Status.OPEN:
        return None
    left = (campaign.goal_pairs or 0) - found["pairs"]
    # Today is not over: the first day to come is the rest of it, or at the latest tomorrow.
    counts = [day["pairs"] for day in found["days"] if day["day"] < today.isoformat()]
    basis = forecast(counts, left=left) if left > 0 else None
    if basis is None:
        return None
    return End(
        basis,
        day=_after(today, basis.days),
        first=_after(today, basis.fewest - 1),
        last=_after(today, basis.most),
    )


def _after(today: date, days: float) -> date:
    """Return the day after some days; one in the far future stays a date."""
    return today + timedelta(days=min(round(days), 100 * 365))


def _pay(campaign: Campaign, figures: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    rows = ((_("Writing"), figures["writing"]), (_("Validating"), figures["validating"]))
    money = ("median", "low", "high")
    return [
        (name, {**rate, **{key: rate[key] and Decimal(rate[key]) for key in money}})
        for name, rate in rows
    ]


def charts_of(days: Sequence[Mapping[str, Any]]) -> dict[str, Chart]:
    """Chart the twins, votes and valid pairs of the latest days."""
    latest = days[-SHOWN_DAYS:]
    labels = [_label(row) for row in latest]
    nouns = {"twins": _("twins"), "votes": _("votes"), "pairs": _("valid pairs")}
    return {
        kind: bar_chart([row[kind] for row in latest], labels, noun=noun)
        for kind, noun in nouns.items()
    }


def _label(row: Mapping[str, Any]) -> str:
    return date_format(date.fromisoformat(row["day"]), "j M")


def so_far(campaign: Campaign, found: Mapping[str, Any]) -> Picture:
    """Return the valid pairs so far by day, with the goal as a line."""
    days, total = found["days"], found["pairs"]
    counts: list[int] = []
    for row in reversed(days):
        counts.append(total)
        total -= row["pairs"]
    goal = campaign.goal_pairs
    series = Series("", [_label(one) for one in days], counts[::-1])
    level = Mark(goal, _("goal: %s") % f"{goal:,}") if goal else None
    return Picture("line", (series,), y_title=_("valid pairs"), y_format=",.0f", level=level)
