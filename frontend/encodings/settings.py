"""The settings of a tuning and of an encoding, in words."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from filtering.models import Tuning
from frontend.names import short_float

TITLES: dict[str, Any] = {
    "encoder": _("Encoder"),
    "pooling": _("Pooling"),
    "n_train": _("Training questions"),
    "n_validation": _("Validation questions"),
    "epochs": _("Epochs"),
    "batch_size": _("Questions in a batch"),
    "learning_rate": _("Learning rate"),
    "seed": _("Seed"),
    "features": _("Features"),
    "dtype": _("Numbers"),
}
MEANINGS: dict[str, Any] = {
    "encoder": _("A model hub id, a local folder or pkg:module/folder."),
    "pooling": _("How the word vectors of a sentence are combined into one."),
    "n_train": _("Whole twins, drawn at random."),
    "n_validation": _(
        "Drawn in the same way and not used for training: they decide which epoch is best."
    ),
    "epochs": _("Passes over the training questions. WinoGrande’s models used 3 to 8."),
    "batch_size": _("Larger batches need more memory. WinoGrande’s models used 8 or 16."),
    "learning_rate": _(
        "The peak rate, reached after a tenth of all batches, such as 1e-5, 3e-5 or 5e-5."
    ),
    "seed": _("Fixes which questions are drawn, their order and all random choices in training."),
    "features": _("How a question’s feature vector is made from the vectors of its two options."),
    "dtype": _(
        "Number format for the computation. bfloat16 is about three times as fast on processors "
        "and GPUs that support it; the features then have an error of about 5% of their norm."
    ),
}
# The meaning of an empty field.
EMPTY: dict[str, Any] = {
    "encoder": _("Empty: the default encoder."),
    "n_train": _("Empty: 5,000 of 53,000, in proportion."),
    "n_validation": _("Empty: 1,000 of 53,000, in proportion."),
}
SHOWN = (
    "encoder", "pooling", "n_train", "n_validation", "epochs", "batch_size", "learning_rate",
    "seed",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TuningSetting:
    name: str
    value: str

    @property
    def title(self) -> str:
        return str(TITLES[self.name])

    @property
    def meaning(self) -> str:
        return str(MEANINGS[self.name])


def settings_of(tuning: Tuning) -> tuple[TuningSetting, ...]:
    return tuple(TuningSetting(name, written(tuning, name)) for name in SHOWN)


def about(tuning: Tuning) -> str:
    """Return one line that distinguishes a tuning from others."""
    said = [
        ngettext("%d epoch", "%d epochs", tuning.epochs) % tuning.epochs,
        now("rate %s") % written(tuning, "learning_rate"),
        now("seed %s") % tuning.seed,
    ]
    if tuning.n_train is not None:
        said.insert(0, now("%s training questions") % written(tuning, "n_train"))
    return " · ".join(said)


def written(tuning: Tuning, name: str) -> str:
    """Format a tuning's setting."""
    if name == "pooling":
        return tuning.pooling_used or tuning.pooling or now("the encoder’s default")
    value = getattr(tuning, name)
    if value is None:
        return now("in proportion")
    if name == "learning_rate":
        return short_float(value)
    return f"{value:,}" if name in ("n_train", "n_validation") else str(value)
