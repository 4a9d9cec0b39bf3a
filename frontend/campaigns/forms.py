"""Forms of the curators' campaign pages."""

import re

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from workers.models import User


class StatusForm(forms.Form):
    status = forms.ChoiceField(choices=Campaign.Status.choices)


class PrepareForm(forms.Form):
    """What a release is prepared from; its name, authors and licence follow its preview."""

    without_repeats = forms.BooleanField(
        label=_("Leave out twins that repeat a question of another twin"), required=False
    )


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
