"""The sign-in forms of the pages and of the admin site."""

from copy import deepcopy
from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator

from winoplatform.errors import DomainError

LONGEST_PASSWORD = 4096
LONGEST_NAME = 150  # as of the account's column


def bounded(field: Any, longest: int = LONGEST_PASSWORD) -> Any:
    """Return a field of Django's forms with a longest text."""
    field.max_length = longest
    field.validators.append(MaxLengthValidator(longest))
    return field


class SignInForm(AuthenticationForm):
    """A sign-in form that reports too many attempts as a form error."""

    username = bounded(deepcopy(AuthenticationForm.base_fields["username"]), LONGEST_NAME)
    password = bounded(deepcopy(AuthenticationForm.base_fields["password"]))

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except DomainError as error:
            raise ValidationError(error.message, code=error.code) from error


class AdminSignInForm(SignInForm, AdminAuthenticationForm):
    pass
