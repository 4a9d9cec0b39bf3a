"""Sweeps, releases and evaluations of knowledge in words."""

from django.urls import reverse
from django.utils.translation import gettext as _

from evaluation.models import KnowledgeEvaluation
from frontend.runs.words import RunWords, register
from knowledge.models import KnowledgeRelease, Sweep
from winoplatform.runs.models import RunStatus


class SweepWords(RunWords[Sweep]):
    related = ("knowledge_set",)

    def about(self, run: Sweep) -> str:
        return run.knowledge_set.name

    def href(self, run: Sweep) -> str:
        return reverse("knowledge-set", args=[run.knowledge_set.name])

    def progress(self, run: Sweep) -> str:
        if run.status == RunStatus.DONE:
            said = _("%(verified)d of %(n)d verified, %(undecided)d undecided")
            n = len(run.formalisations)
            found = {"verified": run.n_verified, "undecided": run.n_undecided}
            return said % {"n": n, **found}
        return super().progress(run)


class KnowledgeReleaseWords(RunWords[KnowledgeRelease]):
    related = ("knowledge_set",)

    def about(self, run: KnowledgeRelease) -> str:
        return run.name

    def href(self, run: KnowledgeRelease) -> str:
        return reverse("knowledge-release", args=[run.name])


class KnowledgeEvaluationWords(RunWords[KnowledgeEvaluation]):
    def about(self, run: KnowledgeEvaluation) -> str:
        data = run.reasons if run.release is None else run.release.name
        return f"{run.system} · {data}"

    def progress(self, run: KnowledgeEvaluation) -> str:
        return f"{run.share:.0%}" if run.total else ""

    def href(self, run: KnowledgeEvaluation) -> str:
        if run.release is None:
            return reverse("reason-figures", args=[run.reasons])
        return reverse("knowledge-release", args=[run.release.name])


register(Sweep, SweepWords())
register(KnowledgeRelease, KnowledgeReleaseWords())
register(KnowledgeEvaluation, KnowledgeEvaluationWords())
