"""What the prover answered, and sweeps that prove everything again."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledge.models.formalisations import Formalisation
from knowledge.models.knowledge_sets import KnowledgeSet
from winoplatform.db.columns import reference
from winoplatform.db.constraints import unique
from winoplatform.runs.columns import artifact_field, done_has, recorded_text, value_constraint
from winoplatform.runs.models import Run, RunStatus, Step


class ProofQuerySet(models.QuerySet["Proof"]):
    def visible_to(self, user: Any) -> Self:
        """Those of formalisations that *user* may see."""
        visible = Formalisation.objects.visible_to(user)
        return self.filter(fingerprint__in=visible.values("fingerprint"))


class Proof(models.Model):
    """The examination of everything with one fingerprint by one version of the prover."""

    fingerprint = models.CharField(max_length=64)
    prover = models.CharField(max_length=60, help_text=_("With the version of the obligations."))
    verified = models.BooleanField()
    report = models.JSONField(help_text=_("What was found, without the claims."))
    claims = models.JSONField(help_text=_("Name, verdict and SMT-LIB script of each claim."))
    seconds = models.FloatField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ProofQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("proof")
        constraints: ClassVar = [unique("is_stored_once", ["fingerprint", "prover"])]

    def __str__(self) -> str:
        return f"{self.fingerprint[:12]} by {self.prover}"


class Sweep(Run):
    """A new proof of the newest version of every formalised question of a set.

    Which versions is fixed when it is requested, so a resumed sweep proves the same.
    """

    QUEUE = "heavy"

    knowledge_set = reference(KnowledgeSet, "sweeps")
    formalisations = models.JSONField(editable=False, help_text=_("Their keys, in order."))
    prover = recorded_text(60)
    report = artifact_field(help_text=_("JSON lines, one a formalisation."))
    n_verified = models.PositiveIntegerField(null=True, blank=True, editable=False)
    n_undecided = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("sweep")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            done_has("report", "n_verified", "n_undecided"),
            unique(
                "is_open_once_per_set",
                ["knowledge_set"],
                "A sweep of this set is under way already; use it, or wait for its end.",
                condition=Q(status__in=Run.OPEN),
            ),
        ]

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        return KnowledgeSet.of_member(user, f"{path}knowledge_set__")


class SweepStep(Step):
    """One formalisation, proved again."""

    run = models.ForeignKey(Sweep, on_delete=models.CASCADE, related_name="steps")
    formalisation = reference(Formalisation)
    verified = models.BooleanField()
    report = models.JSONField()
