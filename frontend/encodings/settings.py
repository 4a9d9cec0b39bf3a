"""The settings of a tuning and of an encoding, in words."""

from dataclasses import dataclass

from django.utils.translation import gettext as now
from django.utils.translation import ngettext

from filtering.models import Tuning
from frontend.names import short_float
from winoplatform.described import column_of, label

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
        return label(Tuning, self.name)

    @property
    def meaning(self) -> str:
        return str(column_of(Tuning, self.name).help_text)


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
