"""Forms of invitations: for curators, and for invited people."""

import uuid
from typing import Any

from django import forms
from django.contrib.auth.forms import SetPasswordMixin
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Membership, of_member
from frontend.forms import exact_text, with_plain_help
from tabular import decoded
from winoplatform.http.rights import Right
from workers.forms import bounded
from workers.models import User
from workers.models.person_labels import LONGEST_LABEL
from workers.services.invitations import MOST_CHARACTERS


def campaign_field(curator: User, **options: Any) -> forms.ModelChoiceField:
    """Return the choice of a campaign to which a curator may invite."""
    campaigns = Campaign.objects.filter(of_member(curator, "pk", Right.MANAGE)).order_by("name")
    return forms.ModelChoiceField(campaigns, label=_("Campaign"), to_field_name="slug", **options)


class InviteForm(forms.Form):
    """Whom a link is for: a role in a campaign, or a curator who makes campaigns."""

    public_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)
    role = forms.ChoiceField(
        label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.WORKER
    )
    days = forms.TypedChoiceField(
        label=_("The link works for"),
        coerce=int,
        choices=[(1, _("1 day")), (7, _("7 days")), (30, _("30 days"))],
        initial=7,
    )
    own_label = forms.CharField(
        label=_("Your own label for the person"),
        max_length=LONGEST_LABEL,
        required=False,
        help_text=_("Beside the pseudonym, for you alone; the person gets it with their data."),
    )

    def __init__(self, data: Any = None, *, curator: User | None = None) -> None:
        super().__init__(data, auto_id="invite-%s")
        if curator is not None:
            self.fields["campaign"] = campaign_field(
                curator,
                required=False,
                empty_label=_("choose; none for a curator who makes campaigns"),
            )
            self.order_fields(["campaign"])

    def clean(self) -> dict[str, Any]:
        """Ask for the campaign of everybody but a curator."""
        data = self.cleaned_data
        is_curator = data.get("role") == Membership.Role.CURATOR
        if "campaign" in self.fields and not data.get("campaign") and not is_curator:
            self.add_error("campaign", now("Choose the campaign that the person is invited to."))
        return data


class ListForm(forms.Form):
    file = forms.FileField(
        label=_("CSV file"),
        help_text=_(
            "The first line names the columns username, email and role, and label if you like."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv"}),
    )

    def __init__(self, *args: Any, curator: User, too_large: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["campaign"] = campaign_field(curator)
        self.order_fields(["campaign"])
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
