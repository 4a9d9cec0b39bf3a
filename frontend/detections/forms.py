"""The form that starts a search for artifacts."""

import json
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.methods.remote import REMOTE
from evaluation.models import ArtifactDetection
from evaluation.selectors import encodings_for
from filtering.models import Encoding
from frontend.detections.words import SPLITS, encoding_choice
from frontend.shell.choices import method_choices, model_choices


class EncodingChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Encoding) -> str:
        return encoding_choice(obj)


class DetectionForm(forms.Form):
    """The split, an encoding if the set has one, models that are asked, and the seed."""

    split = forms.ChoiceField(label=_("Split"))
    encoding = EncodingChoice(
        Encoding.objects.none(),
        label=_("Encoding"),
        required=False,
        empty_label=_("none"),
        help_text=_("Its features are one more detector."),
    )
    scorers = forms.MultipleChoiceField(
        label=_("Models"),
        required=False,
        help_text=_(
            "Each is asked about the texts that should not determine the answer. Its scores are "
            "used if they are there; otherwise it takes as long as four evaluations."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**63 - 1,
        initial=0,
        help_text=_("Of the folds, the relabellings and the sample of a large set."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, draft: ArtifactDetection, **options: Any) -> None:
        super().__init__(*args, **options)
        splits = _splits(draft)
        self.can_start = bool(splits)
        if draft.snapshot is None:
            self.fields["split"].choices = splits  # type: ignore[attr-defined]
        else:
            del self.fields["split"]
        encodings = encodings_for(draft)
        if encodings:
            self.fields["encoding"].queryset = encodings  # type: ignore[attr-defined]
            self.initial["encoding"] = encodings[0]
        else:
            del self.fields["encoding"]
        self.fields["scorers"].choices = scorer_choices()  # type: ignore[attr-defined]

    def clean_scorers(self) -> list[dict[str, str]]:
        return [json.loads(value) for value in self.cleaned_data["scorers"]]


def scorer_choices() -> list[tuple[str, str]]:
    """Return the methods that can look for artifacts, with the models known to fit them."""
    found, known = [], model_choices()
    for choice in method_choices():
        models = [one for one in known if one.fits(choice.method)]
        if not choice.method.detects or choice.method.name == REMOTE:
            continue
        for model in models if choice.method.has_model else [None]:
            spec, name = (model.spec, model.label) if model else ("", "")
            value = {"method": choice.method.name, "variant": choice.variant, "model": spec}
            variant = choice.method.variants.get(choice.variant, "")
            label = " · ".join(filter(None, [name, str(choice.method.title), str(variant)]))
            found.append((json.dumps(value), label))
    return found


def _splits(draft: ArtifactDetection) -> list[tuple[str, Any]]:
    """Return the splits whose labels are all known, and not those of a blind one."""
    if draft.reference_set is not None:
        rows = draft.reference_set.splits.all()
        return [(one.name, one.name) for one in rows if one.n_labelled == one.n_items]
    names = ArtifactDetection.RELEASE_SPLITS if draft.release else (draft.WHOLE,)
    return [(name, SPLITS[name]) for name in names]
