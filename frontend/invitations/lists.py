"""Invitations for a list of people: the file is checked first, then all are invited or none."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from frontend.http import PageRequest, curators_only
from frontend.invitations.forms import ListForm
from frontend.invitations.views import invitation_list, with_links
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from winoplatform.http.bodies import SkipLarge, accept_files
from workers import services


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
    form = ListForm(request.POST, request.FILES, too_large=bool(limit.skipped))
    if not form.is_valid():
        return invitation_list(request, list_form=form, status=400)
    text = form.cleaned_data["text"]
    try:
        return invitation_list(request, **_list_context(text))
    except DomainError as refusal:
        form.add_error("file", refusal.message)
        return invitation_list(request, list_form=form, status=400)


@never_cache
@curators_only("POST")
def invite_listed(request: PageRequest) -> HttpResponse:
    """Invite everybody on a list that was checked; curators on it need a step-up."""
    text = request.POST.get("text", "")
    try:
        if services.invites_curators(text):
            step_up.ask(request)
        return with_links(request, services.invite_all(text=text, by=request.user))
    except DomainError as refusal:
        context = _list_context(text) if refusal.code == "invitations_invalid" else {}
        return invitation_list(request, refusal=refusal, status=refusal.status, **context)


def _list_context(text: str) -> dict[str, Any]:
    """Return what the page shows of a list: its rows, and those with a problem.

    Raises
    ------
    DomainError
        If it is no list of people.
    """
    rows = services.read_invited(text)
    return {"checked": rows, "wrong": [row for row in rows if row.problem], "text": text}
