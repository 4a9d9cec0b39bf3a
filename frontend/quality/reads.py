"""The quality of a campaign's votes, in the words and order of its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from collection.models import Campaign, Twin
from frontend.charts import Chart, share_chart
from frontend.findings import DECIMALS, RELIABLE, TENTATIVE
from frontend.pictures import Mark, Picture, interval_series
from frontend.templatetags.pages import estimate
from validation.core.human import PAPER
from validation.core.validator_figures import FLAGS, Flag
from validation.models import ValidatorFigures
from validation.selectors.quality import validator_lines

VALIDATORS = 25
NEWEST = 26  # weeks or months in a chart: half a year, or about two years
PARTS = (
    ("answer", gettext_lazy("Which option")),
    ("ambiguity", gettext_lazy("Ambiguous or not")),
    ("local", gettext_lazy("From the local context only")),
)
SORT_NAMES = (
    ("votes", gettext_lazy("most votes")),
    ("author", gettext_lazy("lowest agreement with author")),
    ("others", gettext_lazy("lowest agreement with others")),
    ("gold", gettext_lazy("lowest on control questions")),
    ("skill", gettext_lazy("lowest skill")),
    ("speed", gettext_lazy("fastest")),
    ("fast", gettext_lazy("most very fast votes")),
    ("excluded", gettext_lazy("most excluded")),
)


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Agreement on one part of the votes, and its interpretation."""

    part: str
    figures: Mapping[str, Any]
    code: str
    words: str


def agreement_rows(figures: Mapping[str, Any]) -> list[AgreementRow]:
    """Return the three parts of a vote with their agreement."""
    rows = []
    for key, part in PARTS:
        figures_of_key = figures[key]
        code, words = _reading(figures_of_key["alpha"], figures_of_key["raw"])
        rows.append(AgreementRow(str(part), figures_of_key, code, words))
    return rows


def verdict(figures: Mapping[str, Any], agreement: Sequence[AgreementRow]) -> str:
    """Say how often validators choose the author's answer, and whether they agree."""
    majority = figures["human"]["majority"]
    on_answer = agreement[0]
    if majority["value"] is None:
        return _("Too few votes to compare validators with authors.")
    return _(
        "The majority of three validators chooses the author’s answer on %(share)s of questions; "
        "agreement on the answer is %(agreement)s."
    ) % {"share": estimate(majority), "agreement": on_answer.words}


def _reading(alpha: Mapping[str, Any], raw: Mapping[str, Any]) -> tuple[str, str]:
    if raw["value"] is None:
        return "todo", _("no question has two votes yet")
    if alpha["value"] is None:
        return "todo", _("all votes are the same: agreement beyond chance is undefined")
    low, high = round(alpha["low"], DECIMALS), round(alpha["high"], DECIMALS)
    if low >= RELIABLE:
        return "good", _("reliable: the interval of alpha is at 0.800 or above")
    if low >= TENTATIVE:
        if high < RELIABLE:
            return "warn", _(
                "tentative: the interval of alpha lies between the usual thresholds 0.667 and 0.800"
            )
        return "warn", _("tentative or reliable: the interval of alpha contains 0.800")
    if high >= TENTATIVE:
        return "warn", _("undecided: the interval of alpha contains 0.667")
    if low > 0:
        return "bad", _("not reliable: the interval of alpha is below 0.667")
    if high >= 0:
        return "bad", _("not reliable: alpha may be 0, as by chance")
    return "bad", _("not reliable: alpha is below 0, agreement is worse than by chance")


@dataclass(frozen=True, slots=True)
class HumanRow:
    """Human performance over the questions of one domain, week or month."""

    name: str
    human: Mapping[str, Any]
    label: str = ""


def domain_rows(figures: Mapping[str, Any]) -> list[HumanRow]:
    return [
        HumanRow(str(Twin.Domain(code).label), human)
        for code, human in sorted(figures["domains"].items())
    ]


def time_rows(stretches: Sequence[Mapping[str, Any]], form: str) -> list[HumanRow]:
    """Return the newest weeks or months in chronological order, labelled by *form*."""
    rows = []
    for stretch in stretches[-NEWEST:]:
        day = date.fromisoformat(stretch["begins"])
        rows.append(HumanRow(date_format(day, "j M Y"), stretch["human"], date_format(day, form)))
    return rows


def human_chart(rows: Sequence[HumanRow]) -> Chart:
    """Chart the majority's accuracy over time, with the paper's value as a line."""
    values = [row.human["majority"]["value"] for row in rows]
    level = Mark(PAPER, _("WinoGrande: %(share)s") % {"share": f"{PAPER:.1%}"})
    return share_chart(values, [row.label for row in rows], level=level)


def validator_page(campaign: Campaign, *, sort: str, number: str) -> Page[Any]:
    """Return one page of the report's validators, each with its flags in words.

    For an invalid number it is the nearest page.
    """
    page = Paginator(validator_lines(campaign, sort=sort), VALIDATORS).get_page(number)
    for line in page.object_list:
        line.words = [_(FLAGS[Flag(code)]) for code in line.flags]  # type: ignore[attr-defined]
    return page


def validators_picture(rows: Sequence[ValidatorFigures]) -> Picture | None:
    """Return the agreement of the validators of a page, as dots with intervals."""
    series_shown = (
        (_("Agrees with author"), "author", "accent"),
        (_("Agrees with other validators"), "others", "warn"),
    )
    series = tuple(
        interval_series(
            [(row.worker.public_id, getattr(row, which)) for row in rows],
            name=name,
            colour=colour,
        )
        for name, which, colour in series_shown
    )
    return Picture("dots", series, x_format=".0%") if any(line.x for line in series) else None
