"""Computes and stores the quality report of a campaign."""

import math
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone

from collection.models import Campaign
from validation.core.quality import quality
from validation.core.validator_figures import Validators
from validation.models import QualityReport, ValidatorFigures
from validation.selectors.progress import progress_of
from validation.selectors.quality.columns import DOMAINS, votes_of
from validation.selectors.quality.people import is_fresh, stored_report


def execute_report(pk: int) -> None:
    """Compute the report of a campaign, unless it was just computed."""
    campaign = Campaign.objects.get(pk=pk)
    report = stored_report(campaign)
    if report is None or not is_fresh(report):
        work_out(campaign)


def work_out(campaign: Campaign) -> QualityReport:
    """Compute the report from the campaign's votes and replace the stored one."""
    now, start = timezone.now(), time.perf_counter()
    votes = votes_of(campaign)
    found, people = quality(votes)
    figures = asdict(found)
    figures["domains"] = {DOMAINS[place]: human for place, human in figures["domains"].items()}
    figures["progress"] = progress_of(campaign, now)
    with transaction.atomic():
        report, _ = QualityReport.objects.update_or_create(
            campaign=campaign,
            defaults={"figures": figures, "n_votes": len(votes), "seconds": 0, "created_at": now},
        )
        report.validators.all().delete()
        share = float(campaign.gold_pass_share)
        ValidatorFigures.objects.bulk_create(_lines(report, people, gold_pass_share=share))
        report.seconds = time.perf_counter() - start
        report.save(update_fields=["seconds"])
    return report


def _lines(
    report: QualityReport, people: Validators, *, gold_pass_share: float
) -> Iterator[ValidatorFigures]:
    flags = people.flags(gold_pass_share=gold_pass_share)
    columns = {"worker_id": people.workers, "skill": people.skills} | {
        name: getattr(people, name)
        for name in (
            "n_votes", "n_excluded", "n_reported", "n_ambiguous", "seconds",
            "confirms", "contradicts", "sentence_seconds", "speed", "n_fast",
        )
    }  # fmt: skip
    for name in ("author", "others", "gold"):
        share = getattr(people, name)
        columns |= {
            f"n_{name}": share.n_right,
            f"{name}_low": share.low,
            f"{name}_high": share.high,
        }
    columns |= {"n_asked_others": people.others.n, "n_asked_gold": people.gold.n}
    lists = {name: values.tolist() for name, values in columns.items()}
    for k in range(len(people.workers)):
        values = {name: _none_for_nan(column[k]) for name, column in lists.items()}
        yield ValidatorFigures(report=report, flags=[str(flag) for flag in flags[k]], **values)


def _none_for_nan(value: Any) -> Any:
    """Return None for nan: the database stores an unknown number as null."""
    return None if isinstance(value, float) and math.isnan(value) else value
