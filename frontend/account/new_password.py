"""A new password, for the person who got a link."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from frontend.forms import CodeForm, with_plain_help
from frontend.http import PageRequest, refused
from winoplatform.errors import DomainError
from workers import services, sign_in_throttle

TEMPLATE = "frontend/account/new_password.html"


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest) -> HttpResponse:
    """Ask for the code, which is in the link after ``#``; then for the password."""
    if request.user.is_authenticated:
        return render(request, TEMPLATE, {"is_signed_in": True})
    if request.method != "POST":
        return render(request, TEMPLATE, {"code_form": CodeForm()})
    try:
        sign_in_throttle.count_code(sign_in_throttle.address_of(request))
    except DomainError as error:
        return refused(cast(PageRequest, request), error)
    form = CodeForm(request.POST)
    if not form.is_valid():
        return render(request, TEMPLATE, {"code_form": form}, status=400)
    try:
        return _set(request, form.cleaned_data["code"])
    except DomainError as refusal:
        context = {"code_form": CodeForm(), "refusal": refusal}
        return render(request, TEMPLATE, context, status=refusal.status)


def _set(request: HttpRequest, code: str) -> HttpResponse:
    link = services.open_password_link(code)
    form = SetPasswordForm(link.user, request.POST if "new_password1" in request.POST else None)
    with_plain_help(form, "new_password1")
    if form.is_valid():
        services.use_password_link(code=code, password=form.cleaned_data["new_password1"])
        messages.success(request, _("Your new password is set. Sign in with it."))
        return redirect("sign-in")
    context = {"form": form, "code": code, "link": link}
    return render(request, TEMPLATE, context, status=400 if form.errors else 200)
