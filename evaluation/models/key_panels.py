"""Tables for fresh votes on suspected keys, and what followed from them."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import of_member
from corpora.models import ReferenceSet
from evaluation.models.key_audits import KeyAudit
from panels.models import Panel
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check
from winoplatform.runs.columns import recorded_json
from workers.models import User


class KeyPanelQuerySet(models.QuerySet["KeyPanel"]):
    def visible_to(self, user: Any) -> Self:
        """Those of a member's campaigns whose audit *user* sees."""
        audits = KeyAudit.objects.visible_to(user)
        return self.filter(of_member(user, "panel__campaign"), audit__in=audits)


class KeyPanel(models.Model):
    """A human evaluation of an audit's suspects among questions drawn at random.

    Nothing of it is in the panel, which people see: the suspects are the audit's.
    """

    audit = reference(KeyAudit, "key_panels")
    panel = models.OneToOneField(Panel, on_delete=models.CASCADE, related_name="key_panel")
    revised_at = models.DateTimeField(null=True, blank=True, editable=False)
    revised_by = optional(User, editable=False)
    outcome = recorded_json(_("Of each suspect and its group: the votes, and what followed."))
    reference_set = optional(
        ReferenceSet, "key_panels", editable=False, help_text=_("The version with its keys.")
    )

    objects = KeyPanelQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "revised_has_an_outcome",
                Q(revised_at=None, outcome=None, reference_set=None)
                | Q(revised_at__isnull=False, outcome__isnull=False),
                "A revision has a time and an outcome.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.panel} about {self.audit_id}"
