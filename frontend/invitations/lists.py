"""Invitations for a list of people: the file is checked first, then all are invited or none."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from collection import services
from collection.models import Campaign
from frontend.http import PageRequest, curators_only
from frontend.invitations.forms import ListForm
from frontend.invitations.views import invitation_list, with_links
from frontend.lookups import campaign_for
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from winoplatform.http.bodies import SkipLarge, accept_files
from workers.services import invites_curators


@csrf_exempt  # `_invite` checks the token, after it is known who may send files
@never_cache
@curators_only("GET", "POST")
def invite_list(request: PageRequest) -> HttpResponse:
    """Show what a list contains, with the problem of each row."""
    return _invite(request, accept_files(request))


@csrf_protect
def _invite(request: PageRequest, limit: SkipLarge) -> HttpResponse:
    if request.method != "POST":
        return invitation_list(request)
    sent = request.POST, request.FILES  # what was skipped is known after the body is read
    form = ListForm(*sent, curator=request.user, too_large=bool(limit.skipped))
    if not form.is_valid():
        return invitation_list(request, list_form=form, status=400)
    text, campaign = form.cleaned_data["text"], form.cleaned_data["campaign"]
    try:
        return invitation_list(request, **_list_context(request, text, campaign))
    except DomainError as refusal:
        form.add_error("file", refusal.message)
        return invitation_list(request, list_form=form, status=400)


@never_cache
@curators_only("POST")
def invite_listed(request: PageRequest) -> HttpResponse:
    """Invite everybody on a list that was checked; curators on it need a step-up."""
    text = request.POST.get("text", "")
    campaign = campaign_for(request.user, request.POST.get("campaign", "")[:50])
    try:
        if invites_curators(text):
            step_up.ask(request)
        made = services.invite_list(campaign=campaign, text=text, by=request.user)
        return with_links(request, made)
    except DomainError as refusal:
        is_read = refusal.code == "invitations_invalid"
        context = _list_context(request, text, campaign) if is_read else {}
        return invitation_list(request, refusal=refusal, status=refusal.status, **context)


def _list_context(request: PageRequest, text: str, campaign: Campaign) -> dict[str, Any]:
    """Return what the page shows of a list: its rows, and those with a problem.

    Raises
    ------
    DomainError
        If it is no list of people.
    """
    rows = services.read_invited(campaign=campaign, text=text, by=request.user)
    wrong = [row for row in rows if row.problem]
    return {"checked": rows, "wrong": wrong, "text": text, "list_campaign": campaign}
