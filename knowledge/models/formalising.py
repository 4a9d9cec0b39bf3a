"""The table for questions that workers formalise for pay."""

from decimal import Decimal
from typing import Any, ClassVar, Self

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledge.models.formalisations import Formalisation
from knowledge.models.knowledge_sets import KnowledgeSet
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from workers.models import LedgerEntry, PromisedPay, PromisedPayQuerySet, User


class FormalisingTaskQuerySet(PromisedPayQuerySet["FormalisingTask"]):
    def visible_to(self, user: Any) -> Self:
        """All of the sets of curators, their own for workers."""
        if not isinstance(user, User):
            return self.none()
        mine = Q(worker=user)
        return self.filter(mine | KnowledgeSet.of_member(user, "knowledge_set__"))


class FormalisingTask(PromisedPay):
    """One question that a worker has taken to formalise, and what it pays once verified.

    ::

        held ──verified──▶ paid
         └─ returned, or lease ended: another worker may take the question
    """

    CAMPAIGN, DONE_AT = "knowledge_set__campaign", "verified_at"
    KIND = LedgerEntry.Kind.FORMALISATION

    knowledge_set = reference(KnowledgeSet, "formalising_tasks", db_index=False)
    question = models.CharField(
        max_length=200, help_text=_("Its id in the release or reference set.")
    )
    worker = reference(User, "formalising_tasks")
    reward = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_("As promised when the question was taken."),
    )
    leased_until = models.DateTimeField()
    verified_at = models.DateTimeField(null=True, blank=True)
    formalisation = optional(Formalisation, help_text=_("The version that was verified."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = FormalisingTaskQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("question to formalise")
        constraints: ClassVar = [
            unique(
                "is_taken_once",
                ["knowledge_set", "question", "worker"],
                "A worker takes a question once.",
            ),
            unique(
                "question_is_paid_once",
                ["knowledge_set", "question"],
                "A formalised question is paid once.",
                condition=Q(verified_at__isnull=False),
            ),
            check(
                "verified_has_a_formalisation",
                Q(verified_at=None, formalisation=None)
                | Q(verified_at__isnull=False, formalisation__isnull=False),
                "A verified question has a formalisation.",
            ),
            check("pays_no_less_than_zero", Q(reward__gte=0), "An amount cannot be negative."),
        ]

    def __str__(self) -> str:
        return f"{self.question} of {self.knowledge_set_id}"
