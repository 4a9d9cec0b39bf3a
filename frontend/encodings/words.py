"""Tunings and encodings in words."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from filtering.models import Encoding, Tuning
from frontend.encodings import settings as tuning_settings
from frontend.names import encoder_name
from frontend.runs.words import RunWords, register


class TuningWords(RunWords[Tuning]):
    stage = 2
    ways = ((later("Encode"), "encode-tuned"),)

    def about(self, run: Tuning) -> str:
        return f"{encoder_name(run)} · {tuning_settings.about(run)}"

    def href(self, run: Tuning) -> str:
        return reverse("tuning", args=[run.public_id])

    def progress(self, run: Tuning) -> str:
        if run.accuracy is not None:
            said = ngettext("%s epoch", "%s epochs", run.epochs) % run.epochs
            return _("%(epochs)s, %(accuracy)s validation accuracy") % {
                "epochs": said,
                "accuracy": f"{run.accuracy:.1%}",
            }
        return _("%s of %s epochs") % (run.done, run.total) if run.total else ""


class EncodingWords(RunWords[Encoding]):
    stage = 3
    ways = ((later("Filter"), "new-filter-run"), (later("Compare runs"), "compare-runs"))

    def about(self, run: Encoding) -> str:
        tuned = tuning_settings.about(run.tuning) if run.tuning else ""
        dtype = "" if run.dtype == Encoding.Dtypes.FLOAT32 else run.dtype
        return " · ".join(filter(None, [encoder_name(run), tuned, dtype]))

    def short(self, run: Encoding) -> str:
        return encoder_name(run)

    def href(self, run: Encoding) -> str:
        return reverse("compare-runs", args=[run.public_id])


register(Tuning, TuningWords())
register(Encoding, EncodingWords())
