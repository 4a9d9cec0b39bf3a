"""Erase a person, for admins: who, what it would do, and the confirmation."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from collection import services as collection
from collection.selectors.known_people import campaigns_for_a_second
from frontend.forms import exact_text
from frontend.http import PageRequest, admins_only, existing
from frontend.shell.proposals import waiting
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from winoplatform.personal import Holding, identity
from winoplatform.personal.erasing import Counts, counts_of, rows_by_table
from winoplatform.personal.mentions import mentions
from workers import services
from workers.models import Proposal, User

TEMPLATE = "frontend/personal/erase.html"
PAY = {
    services.SETTLE: _("It was paid outside of the platform: record it as paid."),
    services.VOID: _("It is not paid any more: cancel it."),
}


class WhoForm(forms.Form):
    who = forms.CharField(
        label=_("User name or pseudonym"),
        max_length=150,
        widget=exact_text(autocomplete="off"),
    )


class ErasureForm(forms.Form):
    """The confirmation, and what becomes of open pay."""

    person = forms.CharField(max_length=32, widget=forms.HiddenInput)
    pay = forms.ChoiceField(
        label=_("Open pay"),
        choices=[*PAY.items()],
        widget=forms.RadioSelect,
        required=False,
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For the second person."),
    )
    confirm = forms.CharField(
        label=_("Pseudonym, to confirm"),
        max_length=32,
        widget=exact_text(autocomplete="off"),
        help_text=_("Nobody can undo it."),
    )

    def clean_confirm(self) -> str:
        typed: str = self.cleaned_data["confirm"].strip()
        if typed != self.cleaned_data.get("person"):
            raise forms.ValidationError(now("This is not the pseudonym of this person."))
        return typed


@never_cache
@admins_only("GET", "POST")
def erase_person(request: PageRequest) -> HttpResponse:
    """Ask whom, show what would be erased, and erase."""
    if request.method == "POST":
        return _erase(request)
    if "who" in request.GET:
        return _choose(request)
    if person := request.GET.get("person", ""):
        account = _account(person)
        return _page(request, account, ErasureForm(initial={"person": account.public_id}))
    return render(request, TEMPLATE, {"who": WhoForm()})


def _choose(request: PageRequest) -> HttpResponse:
    form = WhoForm(request.GET)
    if form.is_valid():
        named = Q(username=form.cleaned_data["who"]) | Q(public_id=form.cleaned_data["who"])
        account = User.objects.filter(named, erased_at=None).first()
        if account is not None:
            return redirect(_address(account))
        form.add_error("who", now("There is no account with this name."))
    return render(request, TEMPLATE, {"who": form}, status=400)


def _address(account: User) -> str:
    return f"{reverse('erase-person')}?{urlencode({'person': account.public_id})}"


def _account(person: str) -> User:
    accounts = User.objects.filter(erased_at=None)
    return existing(accounts, now("There is no such person."), public_id=person)


@step_up.with_step_up
def _erase(request: PageRequest) -> HttpResponse:
    form = ErasureForm(request.POST)
    account = _account(request.POST.get("person", "")[:32])
    if not form.is_valid():
        return _page(request, account, form, status=400)
    asked = {name: form.cleaned_data[name] for name in ("pay", "reason")}
    try:
        erasure = collection.erase_person(account=account, by=request.user, **asked)
    except DomainError as refusal:
        return _page(request, account, form, refusal=refusal, status=refusal.status)
    if isinstance(erasure, Proposal):
        messages.success(request, now("It is proposed: a second person has to confirm it."))
        return redirect(_address(account))
    context = {
        "erased": erasure,
        "rows": _table(erasure.changed),
        "mentions": mentions(erasure.person.names),
        "backups": settings.KEEP_BACKUPS_DAYS,
    }
    return render(request, TEMPLATE, context)


def _page(
    request: PageRequest, account: User, form: ErasureForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    open_pay = services.open_pay(account)
    if not open_pay:
        del form.fields["pay"]
    campaigns = campaigns_for_a_second(account)
    if not campaigns:
        del form.fields["reason"]
    context = {
        "account": account,
        "form": form,
        "open_pay": open_pay,
        "campaigns": campaigns,
        "waiting": waiting(request.user, account=account),
        "rows": _table(counts_of(identity(account.pk))),
        "backups": settings.KEEP_BACKUPS_DAYS,
    }
    return render(request, TEMPLATE, context | more, status=status)


def _table(counts: Counts) -> list[tuple[Holding, int, Any]]:
    return [(holding, n, _outcome(holding)) for holding, n in rows_by_table(counts)]


def _outcome(holding: Holding) -> Any:
    if holding.is_deleted:
        return _("deleted")
    if not holding.emptied:
        return _("stays, without a name")
    return _("texts and names emptied, the rest stays")
