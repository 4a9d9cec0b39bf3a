"""Forms of releases: what to preview, how to publish, why to retract."""

from typing import Any

from django import forms
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.core.versions import parsed
from corpora.models import Release, Selection, Snapshot
from corpora.services.releases import MIN_PAIRS
from filtering.models import FilterRun
from frontend.runs.words import words_of
from winoplatform.api.fields import LONGEST_TEXT
from winoplatform.runs.models import Run

SLUG = {"invalid": _("Use letters a to z, digits, hyphens and underscores only, no spaces.")}


class SelectionChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Selection) -> str:
        run = getattr(obj, "filter_run", None)
        about = words_of(FilterRun).about(run) if run is not None else str(obj)
        if obj.n_kept is None:
            return now("%(about)s: not done yet") % {"about": about}
        return now("%(about)s: keeps %(n)s questions") % {"about": about, "n": f"{obj.n_kept:,}"}


class PreviewForm(forms.Form):
    """Which questions a release would have."""

    selection = SelectionChoice(
        Selection.objects.none(),
        label=_("Questions"),
        required=False,
        empty_label=_("the snapshot, unfiltered"),
        to_field_name="public_id",
        help_text=_("What a filter run keeps. The full training set has the other questions too."),
    )
    min_pairs = forms.IntegerField(
        label=_("Fewest complete pairs"),
        min_value=0,
        max_value=10**6,
        initial=MIN_PAIRS,
        help_text=_("A split with fewer gets a warning: figures on it are uncertain."),
    )

    def __init__(self, *args: Any, snapshot: Snapshot, **options: Any) -> None:
        super().__init__(*args, **options)
        found = Selection.objects.filter(snapshot=snapshot).exclude(status__in=Run.RESUMABLE)
        found = found.select_related("filter_run__encoding", "filter_run__reference")
        self.fields["selection"].queryset = found  # type: ignore[attr-defined]


class PublishForm(forms.Form):
    """How a release is called and cited, and who may read it."""

    name = forms.SlugField(
        label=_("Name"),
        max_length=50,
        error_messages=SLUG,
        help_text=_("Used in addresses and file names; it cannot be changed later."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    version = forms.CharField(
        label=_("Version"),
        max_length=30,
        help_text=_("Three numbers. The proposed one is the lowest that the changes allow."),
    )
    title = forms.CharField(label=_("Title"), max_length=200)
    authors = forms.CharField(
        label=_("Authors"),
        max_length=LONGEST_TEXT,
        required=False,
        help_text=_("One name per line, for the citation."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    licence = forms.CharField(
        label=_("Licence"), max_length=200, initial="CC-BY-4.0", help_text=_("An SPDX identifier.")
    )
    contact = forms.CharField(
        label=_("Contact"),
        max_length=200,
        required=False,
        help_text=_("Whom readers of the data set can ask; empty is “not stated”, as below."),
    )
    population = forms.CharField(
        label=_("Population"),
        max_length=500,
        required=False,
        help_text=_("Age, gender, country and first language of the people, as far as known."),
    )
    consent = forms.CharField(
        label=_("Consent"),
        max_length=500,
        required=False,
        help_text=_("What people were told, and how they consented."),
    )
    ethics_review = forms.CharField(label=_("Ethics review"), max_length=300, required=False)
    funding = forms.CharField(label=_("Funding"), max_length=300, required=False)
    is_public = forms.BooleanField(
        label=_("Public: everyone with the address can read it; otherwise only curators"),
        required=False,
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Release.objects.live().filter(name=name).exists():
            raise forms.ValidationError(_("A release with this name already exists."))
        return name

    def clean_version(self) -> str:
        version: str = self.cleaned_data["version"]
        try:
            parsed(version)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        return version

    def clean_authors(self) -> list[str]:
        return [name.strip() for name in self.cleaned_data["authors"].splitlines() if name.strip()]
