"""What a campaign's pages warn of, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from collection.models import Campaign
from corpora.models import Snapshot
from frontend.findings import DECIMALS, TENTATIVE
from frontend.runs.words import RunWords, register
from frontend.templatetags.pages import coefficient
from frontend.templatetags.shell import up_to_many
from validation.selectors.rates import FEWEST_WORKERS
from workers.models import User


class SnapshotWords(RunWords[Snapshot]):
    stage = 1
    ways = (
        (later("Tune an encoder"), "new-tuning"),
        (later("Encode"), "new-encoding"),
        (later("Release"), "new-release"),
        (later("Look for artifacts"), "detect-in-snapshot"),
    )

    def about(self, run: Snapshot) -> str:
        if run.n_questions is None:
            return _("the valid questions")
        return " · ".join([_sizes(run), *_left_out(run), *_repeats(run)])

    def short(self, run: Snapshot) -> str:
        n = run.n_questions
        return "" if n is None else ngettext("%s question", "%s questions", n) % f"{n:,}"


def _sizes(run: Snapshot) -> str:
    assert run.n_questions is not None
    assert run.n_pairs is not None
    questions = ngettext("%(n)s question", "%(n)s questions", run.n_questions)
    pairs = ngettext("%(n)s pair", "%(n)s pairs", run.n_pairs)
    return ", ".join([questions % {"n": f"{run.n_questions:,}"}, pairs % {"n": f"{run.n_pairs:,}"}])


def _left_out(run: Snapshot) -> Iterator[str]:
    """Say whose twins were left out."""
    if run.without_writers:
        writers = User.objects.filter(pk__in=run.without_writers).order_by("public_id")
        yield _("without twins by %s") % ", ".join(writers.values_list("public_id", flat=True))


def _repeats(run: Snapshot) -> Iterator[str]:
    """Say how many questions repeat another one, and how many of them were left out."""
    repeats = run.repeats or {}
    if repeats.get("repeated"):
        yield _("%(n)s repeat another: %(same)s with the same answer, %(other)s with the other") % {
            "n": f"{repeats['repeated']:,}",
            "same": f"{repeats['same_answer']:,}",
            "other": f"{repeats['other_answer']:,}",
        }
    if run.without_repeats:
        yield _("%s left out") % f"{repeats.get('left_out', 0):,}"


register(Snapshot, SnapshotWords())


NEARLY_USED = 0.8  # share of the budget
WAITING_DAYS = 7


@dataclass(frozen=True, slots=True)
class Alert:
    words: str
    address: str
    link: str


@dataclass(frozen=True, slots=True)
class AlertFacts:
    """What alerts are made from.

    ``progress``, alpha and validators are those of the quality report, computed ``at`` a time;
    failed runs, the review queue, votes that nobody can give and missing validators are counted
    now.
    """

    campaign: Campaign
    progress: Mapping[str, Any]
    at: datetime
    budget_share: float | None
    alpha: Mapping[str, Any]
    n_below_golds: int
    n_failed: int
    n_in_review: int
    n_ungiven: int = 0
    n_missing: int = 0


def alerts_of(found: AlertFacts) -> list[Alert]:
    """Return the alerts, the most urgent first."""
    checks = (_failed, _ungiven, _budget, _review, _queue, _oldest, _pay, _golds, _agreement)
    return [alert for check in checks for alert in check(found)]


def _page(facts: AlertFacts, name: str) -> str:
    return reverse(name, args=[facts.campaign.slug])


def _failed(facts: AlertFacts) -> Iterator[Alert]:
    if n := facts.n_failed:
        words = ngettext("%d run failed.", "%d runs failed.", n) % n
        address = f"{reverse('jobs')}?state=failed&campaign={facts.campaign.slug}"
        yield Alert(words, address, _("Failed runs"))


def _ungiven(facts: AlertFacts) -> Iterator[Alert]:
    if n := facts.n_ungiven:
        words = ngettext(
            "%(n)s vote is wanted that nobody can give: invite %(people)d more.",
            "%(n)s votes are wanted that nobody can give: invite %(people)d more.",
            n,
        ) % {"n": f"{n:,}", "people": facts.n_missing}
        yield Alert(words, reverse("invitations"), _("Invite people"))


def _budget(facts: AlertFacts) -> Iterator[Alert]:
    share = facts.budget_share
    if share is not None and share >= NEARLY_USED:
        words = _("%(share)s of the budget is spent or committed.") % {"share": f"{share:.0%}"}
        yield Alert(words, _page(facts, "campaign-pay"), _("Pay"))


def _review(facts: AlertFacts) -> Iterator[Alert]:
    if n := facts.n_in_review:
        words = ngettext(
            "%s question waits in the review queue.", "%s questions wait in the review queue.", n
        )
        yield Alert(words % up_to_many(n), _page(facts, "review-queue"), _("Review queue"))


def _queue(facts: AlertFacts) -> Iterator[Alert]:
    is_open = facts.campaign.status == Campaign.Status.OPEN
    if is_open and not facts.progress["queue"]["questions"]:
        words = _(
            "No question waits for votes: validators have nothing to do until writers submit twins."
        )
        yield Alert(words, _page(facts, "studies"), _("Recruitment"))


def _oldest(facts: AlertFacts) -> Iterator[Alert]:
    days = oldest_days(facts.progress, facts.at)
    if days is not None and days >= WAITING_DAYS:
        words = _("An open question has waited for %d days.") % days
        yield Alert(words, _longest_waiting(facts), _("Longest waiting"))


def _longest_waiting(facts: AlertFacts) -> str:
    """Return the address of the question, or in a report without it of the open questions."""
    if question := facts.progress["queue"].get("longest_waiting"):
        return reverse("data-question", args=[facts.campaign.slug, question])
    return f"{_page(facts, 'data')}?verdict=awaiting_votes"


def oldest_days(progress: Mapping[str, Any], at: datetime) -> int | None:
    """Return how many whole days an open question had waited at most."""
    since = progress["queue"]["oldest"]
    return None if since is None else (at - datetime.fromisoformat(since)).days


def _pay(facts: AlertFacts) -> Iterator[Alert]:
    floor, currency = facts.campaign.hourly_floor, facts.campaign.currency
    kinds = (
        ("writing", _("The median hourly pay of %(n)d writers is %(median)s, below %(floor)s.")),
        (
            "validating",
            _("The median hourly pay of %(n)d validators is %(median)s, below %(floor)s."),
        ),
    )
    for kind, words in kinds:
        rate = facts.progress[kind]
        if floor is None or rate["n"] < FEWEST_WORKERS or Decimal(rate["median"]) >= floor:
            continue
        values = {
            "n": rate["n"],
            "median": f"{rate['median']} {currency}",
            "floor": f"{floor} {currency}",
        }
        yield Alert(words % values, _page(facts, "pay-check"), _("Hourly rates"))


def _golds(facts: AlertFacts) -> Iterator[Alert]:
    if n := facts.n_below_golds:
        words = ngettext(
            "%d validator answers too few control questions correctly.",
            "%d validators answer too few control questions correctly.",
            n,
        )
        address = f"{_page(facts, 'quality')}?sort=gold#validators"
        yield Alert(words % n, address, _("Validators"))


def _agreement(facts: AlertFacts) -> Iterator[Alert]:
    """Warn if the whole interval of alpha, as it is shown, allows no tentative conclusions."""
    high = facts.alpha["high"]
    if high is not None and round(high, DECIMALS) < TENTATIVE:
        words = _(
            "Validators agree too little: alpha is %(value)s (%(low)s – %(high)s); the whole 95%% "
            "interval is below 0.667."
        )
        ends = {name: coefficient(facts.alpha[name], DECIMALS) for name in ("value", "low", "high")}
        yield Alert(words % ends, _page(facts, "quality"), _("Quality"))
