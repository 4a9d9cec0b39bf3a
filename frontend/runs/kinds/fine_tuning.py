"""Fine-tunings and grids in words."""

from django.urls import reverse
from django.utils.translation import gettext as _

from evaluation.models import FineTuning, Grid
from frontend.fine_tunings.words import grid_title
from frontend.runs.words import RunWords, register
from frontend.templatetags.pages import estimate


class FineTuningWords(RunWords[FineTuning]):
    is_brief = True  # a grid lists its cells
    related = (
        "reference_set", "before__release", "before__reference_set", "before__before",
    )  # fmt: skip

    def about(self, run: FineTuning) -> str:
        return _("%(system)s · seed %(seed)d") % {"system": run.system, "seed": run.seed}

    def href(self, run: FineTuning) -> str:
        return reverse("fine-tuning", args=[run.public_id])

    def progress(self, run: FineTuning) -> str:
        if run.dev_metrics:
            return _("accuracy on dev %s") % estimate(run.dev_metrics["accuracy"])
        return super().progress(run)


class GridWords(RunWords[Grid]):
    def about(self, run: Grid) -> str:
        return grid_title(run)

    def href(self, run: Grid) -> str:
        return reverse("grid", args=[run.public_id])

    def progress(self, run: Grid) -> str:
        return _("%s of %s cells and evaluations") % (run.done, run.total) if run.total else ""


register(FineTuning, FineTuningWords())
register(Grid, GridWords())
