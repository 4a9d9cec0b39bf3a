"""Forms of releases: what to preview, how to publish, why to retract."""

from typing import Any

from django import forms
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.models import Release, Selection, Snapshot
from filtering.models import FilterRun
from frontend.forms import SLUG, exact_text
from frontend.runs.words import words_of
from winoplatform.api.fields import LONGEST_TEXT
from winoplatform.described import form_field
from winoplatform.runs.models import Run


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
    min_pairs = form_field(Release, "min_pairs")

    def __init__(self, *args: Any, snapshot: Snapshot, **options: Any) -> None:
        super().__init__(*args, **options)
        selections = Selection.objects.filter(snapshot=snapshot).exclude(status__in=Run.RESUMABLE)
        selections = selections.select_related("filter_run__encoding", "filter_run__reference")
        self.fields["selection"].queryset = selections  # type: ignore[attr-defined]


class PublishForm(forms.Form):
    """How a release is called and cited, and who may read it."""

    name = form_field(
        Release,
        "name",
        error_messages=SLUG,
        widget=exact_text(),
    )
    version = form_field(Release, "version", required=True)
    title = form_field(Release, "title", required=True)
    authors = forms.CharField(
        label=_("Authors"),
        max_length=LONGEST_TEXT,
        required=False,
        help_text=_("One name per line, for the citation."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    licence = form_field(Release, "licence")
    contact = form_field(Release, "contact")
    population = form_field(Release, "population")
    consent = form_field(Release, "consent")
    ethics_review = form_field(Release, "ethics_review")
    funding = form_field(Release, "funding")
    social_impact = form_field(Release, "social_impact")
    is_public = forms.BooleanField(
        label=_("Public: everyone can read it without an account; otherwise only members"),
        help_text=_("The public pages list it, with its card, rows and files."),
        required=False,
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Release.objects.live().filter(name=name).exists():
            raise forms.ValidationError(_("A release with this name already exists."))
        return name

    def clean_authors(self) -> list[str]:
        return [name.strip() for name in self.cleaned_data["authors"].splitlines() if name.strip()]
