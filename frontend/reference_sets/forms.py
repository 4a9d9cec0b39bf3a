"""Forms of the reference sets' pages: import a set, and say who may see it."""

import re
from collections.abc import Collection
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.core.readers import FIELDS, FORMATS, READERS
from corpora.models import ReferenceSet
from frontend.forms import SLUG, exact_text
from winoplatform.api.fields import LONGEST_TEXT
from winoplatform.described import form_field
from winoplatform.errors import DomainError
from winoplatform.http.bodies import UPLOADED_BYTES

FILES = 3  # rows of the form; more splits are imported with the command or the API
# ASCII only, as slugs are: `\w` alone would match letters of every alphabet.
SPLIT = re.compile(r"\A[-\w]{1,50}(/[-\w]{1,50})?\Z", re.ASCII)

OF_PUBLISHED = _("If empty, that of the published set.")


class ImportForm(forms.Form):
    """A reference set with up to ``FILES`` files, one for each split."""

    name = form_field(
        ReferenceSet,
        "name",
        label=_("Short name"),
        error_messages=SLUG,
        help_text=_("Used in addresses; it cannot be changed later."),
        widget=exact_text(),
    )
    title = form_field(ReferenceSet, "title", required=False, help_text=OF_PUBLISHED)
    licence = form_field(ReferenceSet, "licence", help_text=OF_PUBLISHED)
    format = forms.ChoiceField(
        label=_("Format"),
        choices=lambda: [("", _("Choose a format")), *format_choices()],
        help_text=_("All files have the same format."),
    )
    columns = forms.CharField(
        label=_("Columns"),
        max_length=2000,
        required=False,
        help_text=_(
            "For the format table: one line for each field whose column has another name, such as "
            "sentence=text. Fields: %s."
        )
        % ", ".join(FIELDS),
        widget=forms.Textarea(attrs={"rows": 2, "wrap": "off"}),
    )
    source = forms.CharField(
        label=_("Source"),
        max_length=LONGEST_TEXT,
        required=False,
        help_text=_("Where it comes from, and how to cite it."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, too_large: Collection[str] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.too_large = too_large
        for number in range(1, FILES + 1):
            self.fields[f"split{number}"] = forms.RegexField(
                SPLIT,
                label=_("Name of split %d") % number,
                required=False,
                initial="test" if number == 1 else "",
                error_messages=SLUG,
                widget=exact_text(),
            )
            self.fields[f"file{number}"] = forms.FileField(
                label=_("File of split %d") % number, required=False
            )

    @property
    def about(self) -> list[forms.BoundField]:
        """The fields above the files."""
        return [self[name] for name in self.base_fields]

    @property
    def files_by_split(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each row: the name of a split, and its file."""
        return [(self[f"split{n}"], self[f"file{n}"]) for n in range(1, FILES + 1)]

    def clean_columns(self) -> dict[str, str]:
        """Return the column by field."""
        lines = [line for line in self.cleaned_data["columns"].splitlines() if line.strip()]
        pairs = [[part.strip() for part in line.split("=", 1)] for line in lines]
        if any(len(pair) < 2 or pair[0] not in FIELDS or not pair[1] for pair in pairs):
            message = now("Write one field and its column in each line, such as sentence=text.")
            raise forms.ValidationError(message + " " + now("Fields: %s.") % ", ".join(FIELDS))
        return dict(pairs)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        seen: set[str] = set()
        for number in range(1, FILES + 1):
            self._check_row(number, seen)
        if not self.errors and not seen:
            self.add_error("file1", now("Choose at least one file."))
        return data

    def _check_row(self, number: int, seen: set[str]) -> None:
        """Check that a row has a name that no other row has, and a file; or nothing at all."""
        split, place = f"split{number}", f"file{number}"
        name, file = self.cleaned_data.get(split), self.cleaned_data.get(place)
        is_given = bool(name) and name != self.fields[split].initial
        if place in self.too_large:
            message = now(
                "The files have more than %d MB together. Import them with the command "
                "manage.py import_reference_set."
            )
            self.add_error(place, message % (UPLOADED_BYTES >> 20))
        elif file and not name and split not in self.errors:
            self.add_error(split, now("Name the split that this file has, such as test."))
        elif is_given and not file and place not in self.errors:
            self.add_error(place, now("Choose the file of this split, or leave its name empty."))
        if name in seen:
            self.add_error(split, now("Another row has this name: each file needs its own."))
        if name and file:
            seen.add(name)

    def question(self) -> dict[str, Any]:
        """Return the service's arguments."""
        data = self.cleaned_data
        splits = {
            data[f"split{n}"]: data[f"file{n}"].file
            for n in range(1, FILES + 1)
            if data[f"file{n}"]
        }
        return {name: data[name] for name in self.base_fields} | {"splits": splits}

    def refuse(self, refusal: DomainError) -> None:
        """Show a refusal beside what it is about, or above all fields."""
        at_columns = refusal.code == "columns_unexpected"
        self.add_error("columns" if at_columns else self._file_of(refusal), refusal.message)

    def _file_of(self, refusal: DomainError) -> str | None:
        """Return the field of the file that a refusal is about."""
        split = (refusal.details or {}).get("split")
        rows = range(1, FILES + 1) if split else ()
        return next((f"file{n}" for n in rows if self.cleaned_data.get(f"split{n}") == split), None)


class VisibilityForm(forms.Form):
    """Who may see a set."""

    SEEN_BY: ClassVar = [
        ("all", _("all signed-in users")),
        ("curators", _("all curators")),
        ("me", _("only me")),
    ]
    seen_by = forms.ChoiceField(label=_("Seen by"), choices=SEEN_BY)

    def arguments(self) -> dict[str, bool]:
        """Return the arguments of ``services.change_reference_set``."""
        seen_by = self.cleaned_data["seen_by"]
        return {"is_public": seen_by == "all", "is_shared": seen_by != "me"}


def format_choices() -> list[tuple[str, str]]:
    """Return every format that can be imported, with what its files contain."""
    return [(name, ": ".join(filter(None, [name, FORMATS.get(name)]))) for name in sorted(READERS)]
