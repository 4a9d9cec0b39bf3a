"""Forms of a campaign's settings: in groups, each with its unit and default."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.db.models import TextField
from django.utils.translation import gettext_lazy as _

from collection.core.findings import ADVICE, RULES
from collection.models import Campaign, Guideline
from collection.models.campaign_settings import GROUPS
from collection.models.campaigns import BLOCKABLE, SETTINGS
from collection.models.guidelines import IN_VERSION
from workers.models import Proposal, User


def _ticks(name: str, choices: Iterable[tuple[str, Any]]) -> forms.MultipleChoiceField:
    """Return the field of a setting that is a list of some of *choices*."""
    column: Any = Campaign._meta.get_field(name)
    return forms.MultipleChoiceField(
        choices=[*choices],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label=column.verbose_name,
        help_text=column.help_text,
    )


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    fields: tuple[Any, ...]


class CampaignForm(forms.ModelForm):
    """All settings except the slug, which cannot change."""

    second_person = _ticks("second_person", Proposal.Kind.choices)
    blocking = _ticks(
        "blocking", [(c, said) for c, said in {**RULES, **ADVICE}.items() if c in BLOCKABLE]
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
            field.show_hidden_initial = not isinstance(field, forms.MultipleChoiceField)
        origin: Any = self.fields["people_origin"]
        origin.choices = [("", _("not stated")), *User.Origin.choices]

    def groups(self) -> Iterator[Group]:
        for group in GROUPS:
            names = [field.name for field in group._meta.local_fields if field.name in self.fields]
            yield Group(str(group.TITLE), tuple(self[name] for name in names))

    def changes(self) -> dict[str, Any]:
        """Return the changed fields that can be changed."""
        data = self.cleaned_data
        return {name: data[name] for name in self.changed_data if name in data}


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

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in IN_VERSION:
            column: Any = Guideline._meta.get_field(name)
            self.fields[name] = column.formfield()
            if isinstance(column, TextField):
                self.fields[name] = forms.CharField(
                    label=column.verbose_name,
                    max_length=50_000,
                    required=False,
                    widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "true"}),
                    help_text=column.help_text,
                )
