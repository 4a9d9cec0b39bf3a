"""The forms that ask for a password: on the sign-in page and before the administration."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from winoplatform.errors import DomainError


class SignInForm(AuthenticationForm):
    """Says that there were too many attempts instead of failing on it."""

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except DomainError as error:
            raise ValidationError(error.message, code=error.code) from error


class AdminSignInForm(SignInForm, AdminAuthenticationForm):
    pass
