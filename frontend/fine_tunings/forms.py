"""The form that starts a grid: what to train on, which model, which preset, and limits."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import DEV, INDEX
from corpora.models import ReferenceSet, Release
from evaluation import services
from evaluation.models import FineTuning, Grid
from evaluation.services import Plan, SplitOf
from frontend.forms import exact_text
from frontend.http import REFUSALS, refusal_of
from frontend.shell.choices import NEWEST, DataChoice, data_choices
from modeling.specs import DEFAULT_ENCODER, ModelSpec
from training.core.presets import PRESETS
from training.core.transfer import SETTINGS
from training.models import TRAIN
from winoplatform.described import form_field
from winoplatform.http.rights import reader
from winoplatform.runs.models import RunStatus
from workers.models import User

SHORT = "train"  # splits whose names begin with it are offered to train on


def train_choices() -> dict[str, tuple[str, SplitOf]]:
    """Return the sets that can be trained on, by the value of a choice, with their titles."""
    choices = {}
    releases = Release.objects.filter(
        Release.of_member(reader()), status=RunStatus.DONE, files__name=INDEX
    ).distinct()
    for release in releases.order_by("-pk")[:NEWEST]:
        value = f"release:{release.name}:{TRAIN}"
        choices[value] = (f"{release.name} · {TRAIN}", SplitOf(TRAIN, release=release))
    rows = (
        ReferenceSet.objects.visible_to(reader())
        .prefetch_related("splits")
        .order_by("-pk")[:NEWEST]
    )
    for row in rows:
        for split in row.splits.all():
            if split.n_labelled and (split.name.startswith(SHORT) or split.name == DEV):
                title = f"{row.title} · {split.name} ({split.n_labelled:,})"
                value = f"reference-set:{row.name}:{split.name}"
                choices[value] = (title, SplitOf(split.name, reference_set=row))
    return choices


def target_choices() -> dict[str, DataChoice]:
    """Return what cells can be scored on: labelled splits of releases and reference sets."""
    return {choice.value: choice for choice in data_choices() if choice.kind != "snapshot"}


class GridForm(forms.Form):
    """A grid, a learning curve, the same training on less text, or published transfers."""

    kind = forms.ChoiceField(label=_("What to start"), choices=Grid.Kinds.choices)
    train = forms.ChoiceField(label=_("Train on"))
    model = forms.CharField(
        label=_("Model"),
        max_length=300,
        initial=DEFAULT_ENCODER,
        help_text=_("A hub id such as roberta-large, a folder, or pkg:module/folder."),
        widget=exact_text(),
    )
    preset = forms.ChoiceField(
        label=_("Preset"),
        choices=[(preset.name, preset.title) for preset in PRESETS.values()],
        help_text=_("The settings that are tried, and the rule by which one is chosen."),
    )
    sizes = forms.CharField(
        label=_("Sizes of a learning curve"),
        required=False,
        max_length=200,
        help_text=_("xs s m l xl, or numbers of questions; empty for all published ones."),
        widget=exact_text(),
    )
    settings = forms.MultipleChoiceField(
        label=_("Transfers"),
        required=False,
        choices=[(setting.name, setting.title) for setting in SETTINGS.values()],
        help_text=_("What is trained on and then scored, as published; only for transfer."),
        widget=forms.SelectMultiple(attrs={"size": 5}),
    )
    targets = forms.MultipleChoiceField(
        label=_("Score on"),
        required=False,
        help_text=_("Besides dev; transfers have their own."),
        widget=forms.SelectMultiple(attrs={"size": 5}),
    )
    dtype = form_field(FineTuning, "dtype")
    most_seconds = form_field(Grid, "most_seconds", label=_("Stop after seconds of work"))
    patience = form_field(Grid, "patience", label=_("Stop after cells without progress"))

    def __init__(self, sent: QueryDict, *, by: User, is_sent: bool = False) -> None:
        self.by = by
        self.of_train, self.of_targets = train_choices(), target_choices()
        super().__init__(sent if is_sent or "kind" in sent else self._first())
        self.fields["train"].choices = [  # type: ignore[attr-defined]
            (value, title) for value, (title, _split) in self.of_train.items()
        ]
        self.fields["targets"].choices = [  # type: ignore[attr-defined]
            (value, f"{choice.label} ({choice.about})") for value, choice in self.of_targets.items()
        ]

    def _first(self) -> QueryDict:
        """Return the choices before anything is chosen, so that the page can show their cost."""
        first = QueryDict(mutable=True)
        first["kind"], first["preset"] = Grid.Kinds.GRID.value, next(iter(PRESETS))
        first["train"] = next(iter(self.of_train), "")
        first["model"], first["dtype"] = DEFAULT_ENCODER, FineTuning.Dtypes.FLOAT32.value
        return first

    def clean_model(self) -> str:
        name: str = self.cleaned_data["model"].strip()
        try:
            ModelSpec.parse(name)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        return name

    def plan(self) -> Plan | None:
        """Return what the choices ask for; None, with errors in the form, if it is refused."""
        if not self.is_valid():
            return None
        found = dict(self.cleaned_data)
        if found["kind"] == Grid.Kinds.TRANSFER and not found["settings"]:
            self.add_error(None, now("Choose at least one transfer."))
            return None
        found["train"] = self.of_train[found["train"]][1]
        found["targets"] = [SplitOf(**self.of_targets[value].asked) for value in found["targets"]]
        found["sizes"] = found["sizes"].replace(",", " ").split()
        try:
            return services.plan(by=self.by, **found)
        except REFUSALS as error:
            self.add_error(None, refusal_of(error).message)
            return None
