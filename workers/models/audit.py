"""The audit log: who did what, from where, of the acts by which data, money or access leave."""

from typing import Any, ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.columns import optional
from workers.models.accounts import User


class AuditEvent(models.Model):
    """One act. It names what was read or made, never its content: no secret and no label.

    Append-only: a database trigger refuses changes and deletions. It lets only the address be
    emptied, of events of people who were erased, and of old ones.
    """

    class Kind(models.TextChoices):
        SIGN_IN = "sign_in", _("signed in")
        SIGN_IN_FAILED = "sign_in_failed", _("sign-in failed")
        SIGN_OUT = "sign_out", _("signed out")
        CONFIRMED = "confirmed", _("identity confirmed")
        CONFIRM_FAILED = "confirm_failed", _("identity not confirmed")
        PASSWORD = "password", _("password changed")
        FACTOR_ADDED = "factor_added", _("second factor added")
        FACTOR_REMOVED = "factor_removed", _("second factor removed")
        ADDRESS = "address", _("e-mail address changed")
        INSTITUTION = "institution", _("sign-in of an institution connected or removed")
        SESSIONS_ENDED = "sessions_ended", _("other sessions ended")
        TOKEN_MADE = "token_made", _("token made")
        TOKEN_ENDED = "token_ended", _("token ended")
        INVITED = "invited", _("invitation made")
        INVITATION_REVOKED = "invitation_revoked", _("invitation revoked")
        INVITATION_ACCEPTED = "invitation_accepted", _("invitation accepted")
        LINK_MADE = "link_made", _("password link made")
        LINK_REVOKED = "link_revoked", _("password link revoked")
        LINK_USED = "link_used", _("password link used")
        MEMBER = "member", _("member of a campaign changed")
        ADMIN_ACCESS = "admin_access", _("campaign opened by an admin who is no member")
        STUDY_LINKS = "study_links", _("participants’ links made")
        ACCOUNT = "account", _("account with rights made or changed")
        ERASED = "erased", _("person erased")
        LABELS = "labels", _("labels read")
        LABELS_FILE = "labels_file", _("file with labels downloaded")
        PEOPLE_FILE = "people_file", _("file about people downloaded")
        PAY_FILE = "pay_file", _("pay file downloaded")
        PAY_APPROVED = "pay_approved", _("pay approved")
        PAY_SECOND = "pay_second", _("large pay approved by a second curator")
        PAY_EXTRA = "pay_extra", _("bonus or adjustment written")
        PAY_VOID = "pay_void", _("pay voided")
        PAYOUT_MADE = "payout_made", _("payout made")
        PAYOUT_PAID = "payout_paid", _("payout marked as paid")
        PAYOUT_CANCELLED = "payout_cancelled", _("payout cancelled")
        PROPOSED = "proposed", _("second person asked for")
        DECIDED = "decided", _("proposal confirmed, declined or withdrawn")
        PUBLISHED = "published", _("made public")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ADMINISTRATION = "administration", _("administration opened")
        AUDIT_LOG = "audit_log", _("audit log read")

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    kind = models.CharField(max_length=24, choices=Kind)
    by = optional(
        User,
        db_index=False,
        help_text=_("Who did it; empty if nobody was signed in, or a command did it."),
    )
    account = optional(User, db_index=False, help_text=_("The account that it was done to."))
    what = models.CharField(max_length=200, blank=True, help_text=_("The address, or the object."))
    facts = models.JSONField(default=dict, blank=True)
    via = models.CharField(
        max_length=40, blank=True, help_text=_("The session or the token, by a name of its own.")
    )
    address = models.CharField(max_length=64, blank=True)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [
            models.Index(name="workers_audit_by", fields=["by", "id"]),
            models.Index(name="workers_audit_account", fields=["account", "id"]),
            models.Index(name="workers_audit_kind", fields=["kind", "id"]),
            models.Index(name="workers_audit_at", fields=["created_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} · {self.what}"

    @property
    def facts_in_words(self) -> str:
        facts: dict[str, Any] = self.facts
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts.items())
