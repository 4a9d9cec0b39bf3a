"""Forms of a new campaign, and of a campaign's articles."""

import uuid
from collections.abc import Iterator
from decimal import Decimal
from itertools import count
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import slugify
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from collection.imports.articles import LONGEST_TEXT
from collection.imports.uploads import MOST_BYTES
from collection.models import Article, Campaign, Guideline
from collection.models.campaigns import SETTINGS
from collection.services.campaigns.templates import EXERCISE_LENGTH, Task
from frontend.setup.settings_forms import CampaignForm, Group
from frontend.templatetags.pages import money
from winoplatform.http.rights import reader

MOST_FILES = 100


class ArticleForm(forms.ModelForm):
    """A corrected article; the service decides whether it is valid, as of an import."""

    text = forms.CharField(
        label=_("Text"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 16, "lang": "en"}),
    )

    class Meta:
        model = Article
        fields = ("title", "category", "text")


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One or more files."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        files = data if isinstance(data, list | tuple) else [data]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(now("Choose at most %d files.") % MOST_FILES)
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


class ArticlesForm(forms.Form):
    """Files with articles, or another campaign that has some."""

    file = FilesField(
        label=_("Files"),
        required=False,
        widget=FilesInput(
            attrs={
                "accept": ".csv,.tsv,.jsonl,.ndjson,.json,.txt,.md",
                "data-drop": "#drop-articles",
            }
        ),
        help_text=_(
            "Drop files here or choose them: .txt or .md (one article, title in the first line), "
            ".csv or .tsv (columns title and text), .jsonl or .json."
        ),
    )
    source = forms.ModelChoiceField(
        label=_("Or the articles of a campaign"),
        queryset=Campaign.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("none"),
    )

    def __init__(
        self, *args: Any, campaign: Campaign, too_large: bool = False, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.too_large = too_large
        others = Campaign.objects.visible_to(reader()).filter(
            pk__in=Article.objects.values("campaign")
        )
        field: Any = self.fields["source"]
        field.queryset = others.exclude(pk=campaign.pk).order_by("name")

    def clean(self) -> dict[str, Any]:
        """Require one of the two."""
        data = self.cleaned_data
        data["file"] = [file for file in data.get("file") or [] if file]
        if self.too_large:
            message = now("The files have more than %d MB.") % (MOST_BYTES >> 20)
            self.add_error("file", message)
        elif not self.errors and bool(data["file"]) == bool(data.get("source")):
            self.add_error("file", now("Choose files, or a campaign."))
        return data


PROPOSED_FLOOR = Decimal("12.00")

SECONDS_OF_TWIN, SECONDS_OF_VOTE = 300, 22
"""Assumed of a campaign that has no work of its own yet; the votes of the starter have a median of
22 seconds."""


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
        for name in ("asked_by", "contact"):
            field: Any = Guideline._meta.get_field(name)
            self.fields[name] = field.formfield()
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
        names = {*self.FIRST, *self.MATTER}
        for group in self.groups():
            fields = tuple(field for field in group.fields if field.name not in names)
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
        message = _("%(kind)s pays about %(rate)s an hour, at %(seconds)d seconds each.")
        return [
            message % {"kind": kind, "rate": money(rate, currency), "seconds": seconds}
            for name, seconds, kind in kinds
            if data.get(name) is not None and (rate := Decimal(data[name]) * 3600 / seconds) < floor
        ]


def _free_slug(name: str) -> str:
    """Return a short name that no campaign has."""
    base = slugify(name)[:40] or "campaign"
    taken = set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)
