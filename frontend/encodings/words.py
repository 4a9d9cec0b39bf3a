"""Tunings and encodings, and the settings of a tuning, in words."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from filtering.models import Encoding, SentenceEncoding, Tuning
from frontend.names import encoder_name, short_float
from frontend.runs.words import RunWords, register
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


def about_tuning(tuning: Tuning) -> str:
    """Return one line that distinguishes a tuning from others."""
    said = [
        ngettext("%d epoch", "%d epochs", tuning.epochs) % tuning.epochs,
        _("rate %s") % written(tuning, "learning_rate"),
        _("seed %s") % tuning.seed,
    ]
    if tuning.n_train is not None:
        said.insert(0, _("%s training questions") % written(tuning, "n_train"))
    return " · ".join(said)


def written(tuning: Tuning, name: str) -> str:
    """Format a tuning's setting."""
    if name == "pooling":
        return tuning.pooling_used or tuning.pooling or _("the encoder’s default")
    value = getattr(tuning, name)
    if value is None:
        return _("in proportion")
    if name == "learning_rate":
        return short_float(value)
    return f"{value:,}" if name in ("n_train", "n_validation") else str(value)


class TuningWords(RunWords[Tuning]):
    stage = 2
    ways = ((later("Encode"), "encode-tuned"),)
    page = "tuning"
    of_total = later("%s of %s epochs")

    def about(self, run: Tuning) -> str:
        return f"{encoder_name(run)} · {about_tuning(run)}"

    def progress(self, run: Tuning) -> str:
        if run.accuracy is not None:
            text = ngettext("%s epoch", "%s epochs", run.epochs) % run.epochs
            return _("%(epochs)s, %(accuracy)s validation accuracy") % {
                "epochs": text,
                "accuracy": f"{run.accuracy:.1%}",
            }
        return super().progress(run)


class EncodingWords(RunWords[Encoding]):
    stage = 3
    ways = ((later("Filter"), "new-filter-run"), (later("Compare runs"), "compare-runs"))
    page = "compare-runs"

    def about(self, run: Encoding) -> str:
        tuned = about_tuning(run.tuning) if run.tuning else ""
        dtype = "" if run.dtype == Encoding.Dtypes.FLOAT32 else run.dtype
        return " · ".join(filter(None, [encoder_name(run), tuned, dtype]))

    def short(self, run: Encoding) -> str:
        return encoder_name(run)


class SentencesWords(RunWords[SentenceEncoding]):
    def about(self, run: SentenceEncoding) -> str:
        return encoder_name(run)


register(SentenceEncoding, SentencesWords())
register(Tuning, TuningWords())
register(Encoding, EncodingWords())
