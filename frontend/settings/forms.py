"""Forms of a campaign's settings: in groups, each with its unit and default."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from collection.core.findings import ADVICE, RULES
from collection.models import Campaign
from collection.models.campaign_settings import GROUPS
from collection.models.campaigns import BLOCKABLE, SETTINGS
from collection.services.campaigns.templates import EXERCISE_LENGTH, Task
from frontend.templatetags.pages import money
from workers.models import User

PROPOSED_FLOOR = Decimal("12.00")
SECONDS_OF_TWIN, SECONDS_OF_VOTE = 300, 22
"""Assumed of a campaign that has no work of its own yet; the votes of the starter have a median of
22 seconds."""


_BLOCKING = Campaign._meta.get_field("blocking")


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    fields: tuple[Any, ...]


class CampaignForm(forms.ModelForm):
    """All settings except the slug, which cannot change."""

    blocking = forms.MultipleChoiceField(
        choices=[
            (code, sentence) for code, sentence in {**RULES, **ADVICE}.items() if code in BLOCKABLE
        ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label=_BLOCKING.verbose_name,
        help_text=_BLOCKING.help_text,
    )

    class Meta:
        model = Campaign
        fields: ClassVar[list[str]] = list(SETTINGS)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, field in self.fields.items():
            if isinstance(field, forms.DecimalField | forms.IntegerField):
                # Text inputs for all numbers; the browser’s arrow buttons change them by accident.
                field.widget = forms.TextInput(attrs={"inputmode": "decimal"})
            if name in ("name", "slug", "currency"):
                field.widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
            # Stores only fields changed on this page: another curator’s changes remain.
            field.show_hidden_initial = name != "blocking"
        origin: Any = self.fields["people_origin"]
        origin.choices = [("", _("not stated")), *User.Origin.choices]

    def groups(self) -> Iterator[Group]:
        for group in GROUPS:
            names = [field.name for field in group._meta.local_fields if field.name in self.fields]
            yield Group(str(group.TITLE), tuple(self[name] for name in names))

    def changes(self) -> dict[str, Any]:
        """Return the changed fields that can be changed."""
        known = self.cleaned_data
        return {name: known[name] for name in self.changed_data if name in known}


class NewCampaignForm(CampaignForm):
    """The settings of a new campaign: those that matter first, with what its writers write."""

    FIRST = ("name", "task")
    MATTER = (
        "reward_twin",
        "reward_vote",
        "hourly_floor",
        "votes_per_question",
        "budget_cap",
        "pay_terms",
        "asked_by",
        "contact",
        "people_origin",
    )

    class Meta(CampaignForm.Meta):
        fields: ClassVar[list[str]] = ["slug", *SETTINGS]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["task"] = forms.ChoiceField(
            label=_("Task"),
            choices=Task.choices,
            initial=Task.BOTH,
            required=False,
            help_text=_("Guidelines, test and training start from a template that you can change."),
        )
        self.fields["public_id"] = forms.UUIDField(
            initial=uuid.uuid4, widget=forms.HiddenInput, required=False
        )
        self.fields["exercise_length"].initial = EXERCISE_LENGTH
        self.fields["hourly_floor"].initial = PROPOSED_FLOOR
        self.fields["hourly_floor"].help_text = _(
            "A proposal; choose what is fair where your workers live. Curators see who earns less."
        )
        self.fields["slug"].required = False
        self.fields["slug"].help_text = _(
            "Used in addresses; empty to make it from the name. It cannot be changed later."
        )

    def clean(self) -> dict[str, Any]:
        """Make the short name from the name where it is empty."""
        data = super().clean() or self.cleaned_data
        data["task"] = data.get("task") or Task.BOTH
        data["public_id"] = data.get("public_id") or uuid.uuid4()
        if not data.get("slug") and "slug" not in self.errors:
            data["slug"] = _free_slug(data.get("name", ""))
        return data

    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in self.FIRST]

    def matter(self) -> list[forms.BoundField]:
        return [self[name] for name in self.MATTER]

    def more(self) -> Iterator[Group]:
        """Return the other settings in their groups."""
        shown = {*self.FIRST, *self.MATTER}
        for group in self.groups():
            fields = tuple(field for field in group.fields if field.name not in shown)
            if fields:
                yield Group(group.title, fields)

    def has_more_errors(self) -> bool:
        """Whether a setting that is folded away has an error."""
        return bool({*self.errors} - {*self.FIRST, *self.MATTER, NON_FIELD_ERRORS})

    def below_floor(self) -> list[str]:
        """Say which pay is expected to be below the floor, in sentences; empty if none is."""
        data = (
            self.cleaned_data if self.is_bound else {n: f.initial for n, f in self.fields.items()}
        )
        floor, currency = data.get("hourly_floor"), data.get("currency") or ""
        if floor is None:
            return []
        kinds = (
            ("reward_twin", SECONDS_OF_TWIN, _("Writing")),
            ("reward_vote", SECONDS_OF_VOTE, _("Validating")),
        )
        said = _("%(kind)s pays about %(rate)s an hour, at %(seconds)d seconds each.")
        return [
            said % {"kind": kind, "rate": money(rate, currency), "seconds": seconds}
            for name, seconds, kind in kinds
            if data.get(name) is not None and (rate := Decimal(data[name]) * 3600 / seconds) < floor
        ]


def _free_slug(name: str) -> str:
    """Return a short name that no campaign has."""
    base = slugify(name)[:40] or "campaign"
    taken = set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)


class GuidelineForm(forms.Form):
    text = forms.CharField(
        label=_("Guidelines"),
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "true", "lang": "en"}),
        help_text=_(
            "Markdown. A section whose heading begins with “For writers” or “For validators” is "
            "shown only to them; the rest is shown to both."
        ),
        error_messages={"required": _("Write the guidelines.")},
    )
    aids_policy = forms.CharField(
        label=_("Policy on writing aids"),
        max_length=50_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "true", "lang": "en"}),
        help_text=_("Markdown. Which aids writers may use; they accept it with the guidelines."),
    )


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The worker sees this text."),
        error_messages={"required": _("Enter a reason. The worker sees it.")},
    )
