"""Forms of a campaign's articles."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from collection.imports.uploads import MOST_BYTES
from collection.models import Article, Campaign

MOST_FILES = 100


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
        others = Campaign.objects.filter(pk__in=Article.objects.values("campaign"))
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
