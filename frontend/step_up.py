"""Ask for the password again before a form with which a stolen session could do lasting harm."""

from functools import wraps
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from frontend.http import P, PageRequest, View
from frontend.kept import TOKEN, page_of_form
from winoplatform import step_up
from winoplatform.errors import DomainError
from workers import sign_in_throttle
from workers.models import AuditEvent
from workers.services import audit

FIELD = "password_again"


class PasswordForm(forms.Form):
    password_again = forms.CharField(
        label=_("Your password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )


def password_asked(view: View[P], /) -> View[P]:
    """Take a form only after the password was asked lately; the page that asks keeps the form."""

    @wraps(view)
    def guarded(request: PageRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        page = asks(request) if request.method == "POST" else None
        return page or view(request, *args, **kwargs)

    return guarded


def asks(request: PageRequest) -> HttpResponse | None:
    """Return the page that asks for the password; None if that is not needed, or it was right."""
    form = PasswordForm(request.POST if FIELD in request.POST else None)
    if form.is_bound and form.is_valid() and _is_right(request, form):
        step_up.confirm(request)
    elif form.is_bound or not step_up.is_recent(request):
        return _page(request, form)
    return None


def _is_right(request: PageRequest, form: PasswordForm) -> bool:
    try:
        sign_in_throttle.count_own(request.user)
    except DomainError as refusal:
        form.add_error(FIELD, refusal.message)
        return False
    is_right = request.user.check_password(form.cleaned_data[FIELD])
    kind = AuditEvent.Kind.CONFIRMED if is_right else AuditEvent.Kind.CONFIRM_FAILED
    audit.record(kind, account=request.user, what=request.path)
    if not is_right:
        form.add_error(FIELD, now("The password is wrong."))
    return is_right


def _page(request: PageRequest, form: PasswordForm) -> HttpResponse:
    names = [name for name in request.POST if name not in (TOKEN, FIELD)]
    fields: list[tuple[str, Any]] = [
        (name, value) for name in names for value in request.POST.getlist(name)
    ]
    minutes = step_up.SECONDS // 60
    context = {"form": form, "fields": fields, "minutes": minutes, "back": page_of_form(request)}
    return render(request, "frontend/parts/step_up.html", context, status=403)
