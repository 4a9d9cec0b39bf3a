"""Sweeps and releases of knowledge in words."""

from django.urls import reverse
from django.utils.translation import gettext as _

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


register(Sweep, SweepWords())
register(KnowledgeRelease, KnowledgeReleaseWords())
