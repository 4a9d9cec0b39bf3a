"""Forms of invitations: for curators, and for invited people."""

import uuid
from typing import Any

from django import forms
from django.contrib.auth.forms import SetPasswordMixin
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from frontend.forms import exact_text, with_plain_help
from tabular import decoded
from workers.forms import bounded
from workers.models import Invitation, User
from workers.services.invitations import MOST_CHARACTERS


class InviteForm(forms.Form):
    public_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)
    role = forms.ChoiceField(
        label=_("Role"),
        choices=Invitation.Role.choices,
        help_text=_("Workers write and validate; curators manage campaigns and see all answers."),
    )


class ListForm(forms.Form):
    file = forms.FileField(
        label=_("CSV file"),
        help_text=_("The first line names the columns username, email and role."),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv"}),
    )

    def __init__(self, *args: Any, too_large: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.too_large = too_large

    def clean(self) -> dict[str, Any]:
        """Read the file as text."""
        file = self.cleaned_data.get("file")
        if self.too_large or (file is not None and file.size > MOST_CHARACTERS):
            self.add_error("file", now("The file is larger than %d KB.") % (MOST_CHARACTERS >> 10))
        elif file is not None:
            try:
                self.cleaned_data["text"] = decoded(file.read())
            except ValueError as error:
                self.add_error("file", str(error))
        return self.cleaned_data


class AccountForm(SetPasswordMixin, forms.Form):
    """The account that an invited person makes."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        help_text=_("Letters, digits and @ . + - _. Exports contain a pseudonym instead."),
        widget=exact_text(autocomplete="username"),
    )
    password1, password2 = map(bounded, SetPasswordMixin.create_password_fields())

    def __init__(self, *args: Any, username: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        with_plain_help(self, "password1")
        if username:
            self.fields["username"].initial = username
            self.fields["username"].disabled = True

    def clean(self) -> dict[str, Any]:
        """Check the password as Django's own forms do."""
        self.validate_passwords()
        self.validate_password_for_user(User(username=self.cleaned_data.get("username", "")))
        super().clean()
        return self.cleaned_data
