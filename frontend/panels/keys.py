"""Curators' pages: fresh votes on suspected keys, and the next version with what they say."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from collection.models import Campaign
from collection.services.campaigns import budget
from corpora.core.items import Item
from corpora.models import Erratum, ReferenceSet, Release
from evaluation.core.key_votes import LEAST, USUAL_SKILL, Act, Decision
from evaluation.models import KeyAudit, KeyPanel
from evaluation.selectors.key_audits import audited_items
from evaluation.selectors.key_panels import AskedKey, asked_keys, release_with_keys
from evaluation.services import key_revisions
from evaluation.services.key_panels import (
    FILLERS,
    MOST_FILLERS,
    VOTES,
    plan_key_panel,
    start_key_panel,
)
from frontend.forms import SLUG
from frontend.http import REFUSALS, REVIEW, PageRequest, curators_only, existing, refusal_of
from frontend.items import pieces_of
from frontend.marks import Piece
from frontend.panels.reads import campaign_choices
from panels.models import Panel
from winoplatform.db.money import AmountFormField
from winoplatform.described import form_field
from winoplatform.errors import DomainError
from winoplatform.http.rights import reader
from workers.models import AuditEvent
from workers.services.audit import audits

DECISIONS = {
    Decision.WRONG: lazy("key confirmed wrong"),
    Decision.RIGHT: lazy("key confirmed right"),
    Decision.SPLIT: lazy("people split"),
    None: lazy("votes missing"),
}
ACTS = {
    Act.CORRECTED: lazy("corrected in the next version"),
    Act.QUEUED: lazy("in the review queue"),
    Act.LEFT_OUT: lazy("left out of the next version"),
    Act.KEPT: lazy("kept"),
}


def _campaigns() -> list[tuple[str, str]]:
    """Return what to choose from; the only campaign is chosen."""
    choices = campaign_choices()
    return choices if len(choices) == 1 else [("", _("Choose a campaign")), *choices]


class NewKeyPanelForm(forms.Form):
    """How often suspects are asked, among how many others, and what a vote pays."""

    campaign = forms.ChoiceField(
        label=lazy("Campaign"),
        choices=_campaigns,
        help_text=lazy("Its validators answer, and its budget pays."),
    )
    votes_per_item = forms.TypedChoiceField(
        label=lazy("Votes for each question"),
        choices=[(3, "3"), (5, "5")],
        coerce=int,
        initial=VOTES,
    )
    reward = AmountFormField(
        label=lazy("Pay for each vote"),
        required=False,
        max_digits=8,
        help_text=lazy("Empty for what the campaign pays for a validated question."),
    )
    fillers = forms.IntegerField(
        label=lazy("Other questions, in percent"),
        min_value=0,
        max_value=round(100 * MOST_FILLERS),
        initial=round(100 * FILLERS),
        help_text=lazy("The share of groups without a suspected key, drawn at random."),
    )
    seed = forms.IntegerField(
        label=lazy("Seed of the draw"), min_value=0, max_value=2**63 - 1, initial=0
    )

    def __init__(self, sent: Any, *, audit: KeyAudit) -> None:
        super().__init__(sent)
        if audit.reference_set is None:
            del self.fields["campaign"]  # the questions have their own

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of ``plan_key_panel``."""
        data = self.cleaned_data
        slug = data.get("campaign")
        campaign = Campaign.objects.visible_to(reader()).get(slug=slug) if slug else None
        return data | {"fillers": data["fillers"] / 100, "campaign": campaign}


class CreditForm(forms.Form):
    """Who found the errors, and whether they agree to be named."""

    credit = forms.CharField(
        label=lazy("Found by"),
        max_length=key_revisions.LONGEST_CREDIT,
        required=False,
        help_text=lazy("Named in the public erratum. Leave empty to name nobody."),
    )
    agreed = forms.BooleanField(label=lazy("They agree to be named"), required=False)


class NextVersionForm(CreditForm):
    """The next version of a reference set."""

    name = form_field(
        ReferenceSet, "name", label=lazy("Name of the next version"), error_messages=SLUG
    )
    leave_out = forms.BooleanField(
        label=lazy("Leave out questions on which people split"), required=False, initial=True
    )


@curators_only("GET", "POST")
def new_key_panel(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show the form; POST shows what it costs to find a wrong key, and with ``start`` starts it."""
    audit = existing(
        KeyAudit.objects.visible_to(request.user).select_related(
            "release__snapshot__campaign", "snapshot__campaign", "reference_set"
        ),
        _("There is no such audit."),
        public_id=public_id,
    )
    form = NewKeyPanelForm(request.POST if request.method == "POST" else None, audit=audit)
    context: dict[str, Any] = {"audit": audit, "form": form, "skill": USUAL_SKILL}
    status = 200
    if form.is_bound and not form.is_valid():
        status = 400
    elif form.is_bound:
        try:
            asked = {"audit": audit, "by": request.user, **form.arguments()}
            if "start" in request.POST:
                row = start_key_panel(**asked)
                return redirect("key-votes", row.panel.public_id)
            plan = plan_key_panel(**asked)
            context |= {"plan": plan, "left": budget.state(plan.panel.campaign).left}
        except REFUSALS as error:
            context["refusal"] = refusal_of(error)
            status = context["refusal"].status
    return render(request, "frontend/panels/new_key_panel.html", context, status=status)


STATES = {Decision.WRONG: "bad", Decision.RIGHT: "good", Decision.SPLIT: "warn", None: "todo"}


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A suspected key, or one of its group, in words."""

    asked: AskedKey
    item: Item

    @property
    def pieces(self) -> list[Piece]:
        return pieces_of(self.item)

    @property
    def decision(self) -> Any:
        return DECISIONS[self.asked.decision]

    @property
    def state(self) -> str:
        return STATES[self.asked.decision]

    @property
    def act(self) -> Any:
        return ACTS[self.asked.act] if self.asked.act else ""


def _row(request: PageRequest, public_id: uuid.UUID) -> KeyPanel:
    rows = KeyPanel.objects.visible_to(request.user).select_related(
        "panel__campaign", "panel__release", "panel__snapshot", "panel__reference_set",
        "audit__release__snapshot__campaign", "audit__reference_set", "reference_set",
    )  # fmt: skip
    missing = _("There is no such evaluation of suspected keys.")
    return existing(rows, missing, panel__public_id=public_id)


@audits(AuditEvent.Kind.LABELS)
@curators_only(needs=REVIEW)
def key_votes(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show what people say of each suspected key, and what can follow."""
    return _page(request, _row(request, public_id))


def _page(request: PageRequest, row: KeyPanel, refusal: DomainError | None = None) -> HttpResponse:
    audit, is_sent = row.audit, request.method == "POST"
    form: forms.Form = NextVersionForm() if audit.reference_set else CreditForm()
    if is_sent:
        form = type(form)(request.POST)
    keys, release = asked_keys(row), audit.release
    items = {item.id: item for item in audited_items(audit)}
    is_open = row.panel.status != Panel.Status.CLOSED
    later = release_with_keys(release) if release and row.revised_at else None
    context = {
        "row": row,
        "audit": audit,
        "panel": row.panel,
        "campaign": row.panel.campaign,
        "keys": [KeyRow(asked, items[asked.key.source_id]) for asked in keys],
        "n_waiting": sum(asked.said is None for asked in keys) if is_open else 0,
        "least": LEAST,
        "form": form,
        "later": later,
        "told": _erratum_about(row, later) if later else None,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "frontend/panels/key_votes.html", context, status=status)


def _erratum_about(row: KeyPanel, after: Release) -> Erratum | None:
    """Return the erratum about what a later release has corrected, if it was added."""
    return Erratum.objects.filter(public_id=key_revisions.erratum_key(row, after)).first()


@curators_only("POST", needs=REVIEW)
def revise_keys(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Correct the keys that the votes found wrong, for the next version."""
    row = _row(request, public_id)
    form = NextVersionForm(request.POST) if row.audit.reference_set else forms.Form(request.POST)

    def revise() -> None:
        key_revisions.revise_keys(row=row, by=request.user, **_sent(form))
        if row.reference_set is None:
            messages.success(request, _("The keys were revised. The next release has them."))

    return _done(request, row, revise)


@curators_only("POST")
def tell_correction(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Add the erratum to the audited release."""
    row = _row(request, public_id)

    def tell() -> None:
        sent = _sent(CreditForm(request.POST))
        key_revisions.tell_correction(row=row, by=request.user, **sent)
        messages.success(request, _("The erratum was added."))

    return _done(request, row, tell)


def _sent(form: forms.Form) -> dict[str, Any]:
    """Return the values of a form, or refuse it with what is wrong."""
    if form.is_valid():
        return form.cleaned_data
    problems = (str(message) for errors in form.errors.values() for message in errors)
    raise DomainError("invalid", " ".join(problems))


def _done(request: PageRequest, row: KeyPanel, act: Callable[[], None]) -> HttpResponse:
    try:
        act()
    except REFUSALS as error:
        row.refresh_from_db(fields=["outcome", "revised_at", "revised_by", "reference_set"])
        return _page(request, row, refusal_of(error))
    return redirect("key-votes", row.panel.public_id)
