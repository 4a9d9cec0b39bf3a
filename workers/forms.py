"""The sign-in forms of the pages and of the admin site."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from winoplatform.errors import DomainError


class SignInForm(AuthenticationForm):
    """A sign-in form that reports too many attempts as a form error."""

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except DomainError as error:
            raise ValidationError(error.message, code=error.code) from error


class AdminSignInForm(SignInForm, AdminAuthenticationForm):
    pass
