"""Forms of the curators' tuning and encoding pages."""

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from filtering.models import Encoding, Tuning
from frontend.forms import exact_text, settings_form
from modeling.batches import POOLINGS
from winoplatform.described import column_of, form_field

POOLING_NAMES: dict[str, Any] = {
    "": _("the encoder’s default"),
    "mean": _("mean of all words"),
    "cls": _("first word"),
    "last": _("last word"),
}


class EncoderForm(forms.ModelForm):
    """The encoder and its pooling; if empty, the installation's default encoder and pooling."""

    encoder = form_field(Tuning, "encoder", required=False)
    pooling = forms.ChoiceField(
        required=False,
        choices=[(name, POOLING_NAMES[name]) for name in ("", *POOLINGS)],
        help_text=column_of(Tuning, "pooling").help_text,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        settings_form(self)
        if "encoder" in self.fields:
            self.fields["encoder"].widget = exact_text(placeholder=settings.ENCODER)


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
