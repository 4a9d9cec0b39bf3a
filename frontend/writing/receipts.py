"""A submitted twin: its receipt, withdrawal and revision."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from collection.models import Twin
from frontend.http import PageRequest, signed_in
from frontend.templatetags.shell import bar
from frontend.writing.desk import Desk, fresh_desk
from frontend.writing.forms import TwinForm
from frontend.writing.reads import own_twin, receipt_of
from frontend.writing.views import ask_about_words, keep_typed, show_desk
from validation import services
from winoplatform.errors import DomainError


@signed_in()
def receipt(request: PageRequest, twin_id: uuid.UUID) -> HttpResponse:
    """Show the writer what was stored, what it pays and what happens next."""
    receipt_shown = receipt_of(own_twin(request.user, twin_id))
    arrived = bar(request)
    over = arrived.session if arrived and not arrived.is_active else None
    context = {"receipt": receipt_shown, "twin": receipt_shown.twin, "session_over": over}
    return render(request, "frontend/writing/receipt.html", context)


@signed_in("POST")
def withdraw_twin(request: PageRequest, twin_id: uuid.UUID) -> HttpResponse:
    """Withdraw a twin; the receipt confirms it or explains why it is not possible."""
    own_twin(request.user, twin_id)
    try:
        services.withdraw_twin(worker=request.user, twin_id=twin_id)
    except DomainError as refusal:
        messages.warning(request, refusal.message)
    else:
        messages.success(request, _("The twin was withdrawn."))
    return redirect("receipt", twin_id)


@never_cache
@signed_in("GET", "POST")
def revise_twin(request: PageRequest, twin_id: uuid.UUID) -> HttpResponse:
    """Show the writing desk with a twin's text; POST replaces the text."""
    twin = own_twin(request.user, twin_id)
    state = receipt_of(twin)
    if twin.assignment is None or (not state.can_be_revised and request.method == "GET"):
        messages.warning(request, state.why_fixed or _("This twin can no longer be revised."))
        return redirect("receipt", twin_id)
    if request.method == "GET":
        return show_desk(request, fresh_desk(twin.assignment, twin))
    form = TwinForm(request.POST)
    desk = Desk(assignment=twin.assignment, form=form, twin=twin, is_submitted=True)
    if not form.is_valid():
        return show_desk(request, keep_typed(request, desk), status=400)
    question = ask_about_words(request, form.text())
    if question is not None:
        return show_desk(request, keep_typed(request, desk.refused(question)), status=409)
    return _revise(request, desk, twin)


def _revise(request: PageRequest, desk: Desk, twin: Twin) -> HttpResponse:
    try:
        newer = services.revise_twin(
            worker=request.user,
            twin_id=twin.public_id,
            text=desk.form.text(),
            client_key=desk.form.cleaned_data["client_key"],
        )
    except DomainError as refusal:
        key = keep_typed(request, desk.refused(refusal))
        return show_desk(request, key, status=refusal.status)
    return redirect("receipt", newer.public_id)
