"""Evaluations and the load of the starter campaign in words."""

from django.urls import reverse
from django.utils.translation import gettext as _

from evaluation.models import Evaluation, StarterLoad
from frontend.evaluations.words import questions_of
from frontend.runs.words import RunWords, register
from frontend.templatetags.pages import estimate


class EvaluationWords(RunWords[Evaluation]):
    stage = 6
    related = (
        "reference_set", "snapshot__campaign", "fine_tuning__release",
        "fine_tuning__reference_set", "knowledge_release",
    )  # fmt: skip

    def about(self, run: Evaluation) -> str:
        of = run.data_name if run.is_of_statements else questions_of(run)
        return f"{run.system} · {of}"

    def progress(self, run: Evaluation) -> str:
        if run.metrics:
            return _("accuracy %s") % estimate(run.metrics["accuracy"])
        return super().progress(run)

    def short(self, run: Evaluation) -> str:
        found = (run.metrics or {}).get("accuracy") or {}
        share = found.get("value")
        return run.system if share is None else f"{share:.1%} {run.system}"

    def href(self, run: Evaluation) -> str:
        if run.knowledge_release is not None:
            return reverse("knowledge-release", args=[run.knowledge_release.name])
        if run.reasons:
            return reverse("reason-figures", args=[run.reasons])
        return reverse("evaluation", args=[run.public_id])


class StarterLoadWords(RunWords[StarterLoad]):
    def progress(self, run: StarterLoad) -> str:
        return f"{run.share:.0%}" if run.total else ""


register(Evaluation, EvaluationWords())
register(StarterLoad, StarterLoadWords())
