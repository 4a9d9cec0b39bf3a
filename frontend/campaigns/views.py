"""The pages of a campaign."""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection import services as collection
from collection.models import Campaign
from collection.selectors.background import background_of
from collection.services.campaigns.campaigns import MOVES
from corpora import selectors
from corpora import services as corpora
from corpora.services.releases import MIN_PAIRS
from evaluation import services as evaluation
from filtering.core.leaks import LEAST_ROWS
from filtering.selectors import chosen_run, funnel_to
from frontend.campaigns.reads import reason_counts, verdict
from frontend.http import OVERVIEW, REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.items import twin_states, with_questions
from frontend.lookups import campaign_for, rights_here
from frontend.paging import page_of
from frontend.runs.lineage import lineage
from frontend.runs.reads import pipeline, workers_state
from frontend.shell.proposals import waiting_for
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.http.rights import Right
from workers.models import AuditEvent, User
from workers.services.audit import audits


class StatusForm(forms.Form):
    status = forms.ChoiceField(choices=Campaign.Status.choices)


class PrepareForm(forms.Form):
    """What a release is prepared from; its name, authors and licence follow its preview."""

    without_repeats = forms.BooleanField(
        label=later("Leave out twins that repeat a question of another twin"), required=False
    )


class SnapshotForm(forms.Form):
    without_repeats = forms.BooleanField(
        label=later("Leave out twins that repeat a question of another twin"), required=False
    )
    without_writers = forms.CharField(
        label=later("Leave out twins by"),
        required=False,
        max_length=1000,
        help_text=later("Pseudonyms of writers, to see what their twins do to the set."),
    )

    def __init__(self, data: Any = None, *, campaign: Campaign) -> None:
        super().__init__(data)
        self.campaign = campaign

    def clean_without_writers(self) -> list[User]:
        names = re.split(r"[,;\s]+", self.cleaned_data["without_writers"].strip())
        writers = User.objects.filter(pk__in=self.campaign.twins.values("author"))
        users = writers.filter(public_id__in=names)
        names_of_users = {user.public_id for user in users}
        if missing := [name for name in names if name and name not in names_of_users]:
            raise forms.ValidationError(
                later("There is no writer %(names)s."), params={"names": ", ".join(missing)}
            )
        return list(users)


TWINS = 15


@audits(AuditEvent.Kind.LABELS)
@curators_only(needs=OVERVIEW)
def campaign(request: PageRequest, slug: str) -> HttpResponse:
    return _overview(request, _campaign(request, slug))


def _campaign(request: PageRequest, slug: str) -> Campaign:
    return campaign_for(
        request.user, slug, n_articles=Count("articles", filter=Q(articles__retired_at=None))
    )


def _overview(
    request: PageRequest,
    campaign: Campaign,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    rights = rights_here(request, campaign)
    may_read, may_manage = Right.DATA in rights, Right.MANAGE in rights
    twins = with_questions(campaign.twins.all() if may_read else campaign.twins.none())
    page = page_of(twins, request, parameter="twins", size=TWINS)
    moves = MOVES[Campaign.Status(campaign.status)]
    run = chosen_run(campaign)
    funnel = funnel_to(run, campaign)
    context = {
        "campaign": campaign,
        "background": background_of(campaign),
        "refusal": refusal,
        "waiting": waiting_for(request.user, campaign.public_id) if may_manage else [],
        "funnel": funnel,
        "shown_run": run,
        "verdict": verdict(funnel),
        "may_read": may_read,
        "reasons": reason_counts(campaign) if may_read else None,
        "twins": page,
        "states": twin_states(page.rows, runs={campaign.pk: run.public_id} if run else {}),
        "moves": [choice for choice in Campaign.Status if choice in moves] if may_manage else [],
    }
    return render(request, "frontend/campaigns/campaign.html", context, status=status)


@curators_only("POST", needs=OVERVIEW)
def change_status(request: PageRequest, slug: str) -> HttpResponse:
    """Change the campaign's status."""
    campaign = _campaign(request, slug)
    form = StatusForm(request.POST)
    if not form.is_valid():
        return _overview(request, campaign, status=400)
    try:
        moved = collection.change_status(campaign=campaign, status=form.cleaned_data["status"])
    except DomainError as refusal:
        stored = _campaign(request, slug)
        return _overview(request, stored, refusal=refusal, status=refusal.status)
    messages.success(
        request, _("The campaign is now %(status)s.") % {"status": moved.get_status_display()}
    )
    return redirect("campaign", slug)


@curators_only("GET", "POST")
def pipeline_page(request: PageRequest, slug: str) -> HttpResponse:
    """Show the runs; POST queues snapshot, encoding, AFLite and the preview of a release."""
    campaign = campaign_for(request.user, slug)
    if request.method == "GET":
        return _pipeline(request, campaign)
    form = PrepareForm(request.POST)
    if not form.is_valid():
        return _pipeline(request, campaign, form=form, status=400)
    try:
        preview = evaluation.prepare_release(
            campaign=campaign, by=request.user, **form.cleaned_data
        )
    except REFUSALS as error:
        refusal = refusal_of(error)
        return _pipeline(request, campaign, form=form, refusal=refusal, status=refusal.status)
    messages.success(request, _("The runs are queued. You can leave this page."))
    return redirect("release-preview", preview.public_id)


def _pipeline(
    request: PageRequest,
    campaign: Campaign,
    *,
    form: PrepareForm | None = None,
    snapshot_form: SnapshotForm | None = None,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    state = pipeline(campaign, clock.now())
    context: dict[str, Any] = {
        "campaign": campaign,
        "refusal": refusal,
        "here": reverse("pipeline", args=[campaign.slug]),
        "pipeline": state,
        "workers": workers_state(),
        "lineage": lineage(state.rows),
        "form": form or PrepareForm(),
        "snapshot_form": snapshot_form or SnapshotForm(campaign=campaign),
        "is_update": request.htmx and not state.is_open,
    }
    if not request.htmx:
        context |= _readiness(campaign)
    return show(request, "frontend/campaigns/pipeline.html", context, part="live", status=status)


def _readiness(campaign: Campaign) -> dict[str, Any]:
    """Read whether there are enough valid pairs for a release, and for certain figures on it."""
    expected = selectors.expected_pairs(campaign)
    splits = [(name, expected.of(name)) for name, share in expected.shares.items() if share]
    return {
        "expected": expected,
        **{f"expected_{name}": expected.of(name) for name in ("train", "dev", "test")},
        "min_pairs": MIN_PAIRS,
        "few": [(name, n) for name, n in splits if n < MIN_PAIRS],
        "needed": expected.needed(1),
        "wanted": expected.needed(MIN_PAIRS),
        "too_few_to_filter": 2 * expected.total < LEAST_ROWS,
        "least_questions": LEAST_ROWS,
    }


@curators_only("POST")
def take_snapshot(request: PageRequest, slug: str) -> HttpResponse:
    """Create a snapshot only; the curator starts the later steps one by one."""
    campaign = campaign_for(request.user, slug)
    form = SnapshotForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return _pipeline(request, campaign, snapshot_form=form, status=400)
    try:
        corpora.take_snapshot(campaign=campaign, by=request.user, **form.cleaned_data)
    except REFUSALS as error:
        refusal = refusal_of(error)
        return _pipeline(request, campaign, refusal=refusal, status=refusal.status)
    messages.success(request, _("The snapshot is being created."))
    return redirect("pipeline", slug)
