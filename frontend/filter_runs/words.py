"""Filter runs and their assessments in words."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from filtering.models import Assessment, Encoding, FilterRun
from frontend.filter_runs import settings as run_settings
from frontend.names import encoder_name
from frontend.runs.words import RunWords, register, words_of
from frontend.templatetags.pages import estimate
from winoplatform.runs.models import Run, RunStatus


class FilterRunWords(RunWords[FilterRun]):
    stage = 4
    related = ("choice", "selection")

    def about(self, run: FilterRun) -> str:
        return run_settings.about(run)

    def about_among(self, run: FilterRun, others: Sequence[Run]) -> str:
        """Include the encoder if the campaign has several encodings.

        By its short name, or in full if several encoders share the short name.
        """
        encodings = [one for one in others if isinstance(one, Encoding)]
        if len(encodings) < 2:
            return self.about(run)
        is_short = len({encoder_name(one) for one in encodings}) == len(encodings)
        name = encoder_name if is_short else words_of(Encoding).about
        return f"{name(run.encoding)}: {self.about(run)}"

    def href(self, run: FilterRun) -> str:
        return reverse("filter-run", args=[run.public_id])

    def progress(self, run: FilterRun) -> str:
        is_done = run.status == RunStatus.DONE
        if run.has_ended and not run.done:
            return _("nothing removed") if is_done else ""
        if is_done or not run.total:
            return (
                ngettext("%s question removed", "%s questions removed", run.done) % f"{run.done:,}"
            )
        return _("%s of at most %s questions removed") % (f"{run.done:,}", f"{run.total:,}")

    def figure(self, run: FilterRun) -> str:
        kept = ((run.fresh_models or {}).get("kept") or {}).get("grouped") or {}
        found = kept.get("accuracy") or {}
        if run.status != RunStatus.DONE or found.get("low") is None:
            return ""
        return _("fresh models after: %s") % estimate(found)

    def short(self, run: FilterRun) -> str:
        return "" if run.n_kept is None else _("%s kept") % f"{run.n_kept:,}"

    def is_chosen(self, run: FilterRun) -> bool:
        return hasattr(run, "choice")

    def listed(self, rows: "QuerySet[FilterRun]") -> "QuerySet[FilterRun]":
        return rows.filter(reference=None)  # controls are on the evidence page of their reference


class AssessmentWords(RunWords[Assessment]):
    def about(self, run: Assessment) -> str:
        return run_settings.about(run.filter_run)

    def href(self, run: Assessment) -> str:
        return reverse("evidence", args=[run.filter_run.public_id])

    def progress(self, run: Assessment) -> str:
        return _("%s of %s parts") % (run.done, run.total) if run.total else ""


register(FilterRun, FilterRunWords())
register(Assessment, AssessmentWords())
