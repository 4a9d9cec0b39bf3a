"""The scopes of tokens, and the refusal of a token that lacks one."""

from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from winoplatform.errors import DomainError


class Scope(TextChoices):
    """What a token may be used for, within what its owner's role may do."""

    READ = "read", _("read, without blind labels and pay files")
    WORK = "work", _("write and validate")
    CURATE = "curate", _("manage campaigns, and read labels")
    PAY = "pay", _("approve and pay out")


READ, WORK, CURATE, PAY = Scope.values


def refuse_without(token: Any, scope: str | None) -> None:
    """Refuse what *token* may not be used for; a session, which has no token, may do all.

    Raises
    ------
    DomainError
        ``scope_missing`` (403).
    """
    if token is not None and scope is not None and scope not in token.scopes:
        message = f"This token lacks the scope “{scope}”. Make a token that has it."
        raise DomainError("scope_missing", message, status=403, details={"scope": scope})
