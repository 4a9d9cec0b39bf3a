"""Forms of the curators' campaign pages."""

import re

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.models import Release
from workers.models import User


class StatusForm(forms.Form):
    status = forms.ChoiceField(choices=Campaign.Status.choices)


class ReleaseForm(forms.Form):
    release_name = forms.SlugField(
        label=_("Release name"),
        max_length=50,
        error_messages={
            "invalid": _("Use letters a to z, digits, hyphens and underscores only, no spaces.")
        },
        help_text=_(
            "Letters, digits, hyphens and underscores. The name of a built release cannot be "
            "changed."
        ),
    )

    without_repeats = forms.BooleanField(
        label=_("Leave out twins that repeat a question of another twin"), required=False
    )

    def clean_release_name(self) -> str:
        name: str = self.cleaned_data["release_name"]
        if Release.objects.live().filter(name=name).exists():
            raise forms.ValidationError(_("A release with this name already exists."))
        return name


class SnapshotForm(forms.Form):
    without_repeats = forms.BooleanField(
        label=_("Leave out twins that repeat a question of another twin"), required=False
    )
    without_writers = forms.CharField(
        label=_("Leave out twins by"),
        required=False,
        max_length=1000,
        help_text=_("Pseudonyms or user names of writers, to see what their twins do to the set."),
    )

    def clean_without_writers(self) -> list[User]:
        names = re.split(r"[,;\s]+", self.cleaned_data["without_writers"].strip())
        found = User.objects.filter(Q(public_id__in=names) | Q(username__in=names))
        known = {name for user in found for name in (user.public_id, user.username)}
        if missing := [name for name in names if name and name not in known]:
            raise forms.ValidationError(
                _("There is no writer %(names)s."), params={"names": ", ".join(missing)}
            )
        return list(found)
