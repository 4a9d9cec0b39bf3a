"""Forms of the curators' tuning and encoding pages."""

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from filtering.models import Encoding, Tuning
from frontend.encodings.settings import EMPTY, MEANINGS, TITLES
from frontend.forms import explain
from modeling.batches import POOLINGS

POOLING_NAMES: dict[str, Any] = {
    "": _("the encoder’s default"),
    "mean": _("mean of all words"),
    "cls": _("first word"),
    "last": _("last word"),
}


class EncoderForm(forms.ModelForm):
    """The encoder and its pooling; if empty, the installation's default encoder and pooling."""

    encoder = forms.CharField(max_length=300, required=False)
    pooling = forms.ChoiceField(
        required=False, choices=[(name, POOLING_NAMES[name]) for name in ("", *POOLINGS)]
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        explain(self, TITLES, MEANINGS)
        for name in EMPTY.keys() & self.fields.keys():
            self.fields[name].help_text = f"{MEANINGS[name]} {EMPTY[name]}"
        if "encoder" in self.fields:
            typed = {"placeholder": settings.ENCODER, "autocapitalize": "none"}
            self.fields["encoder"].widget.attrs |= typed | {"spellcheck": "false"}


class TuningForm(EncoderForm):
    class Meta:
        model = Tuning
        fields: ClassVar[list[str]] = [
            "n_train", "n_validation", "epochs", "batch_size", "learning_rate", "seed", "encoder",
            "pooling",
        ]  # fmt: skip


class EncodingForm(EncoderForm):
    """Has no encoder fields if the instance has a tuning, which sets encoder and pooling."""

    class Meta:
        model = Encoding
        fields: ClassVar[list[str]] = ["features", "encoder", "pooling", "dtype"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.tuning_id:
            del self.fields["encoder"], self.fields["pooling"]
