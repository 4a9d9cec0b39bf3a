"""What a member of a campaign may do there, and which of it an address needs."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from winoplatform.processes import logs


class Right(TextChoices):
    """One thing that the roles of a campaign's members allow or not."""

    SEE = "see", _("see that the campaign exists, its settings and its members")
    DATA = "data", _("read questions, labels, votes and results")
    DECIDE = "decide", _("review questions, and decide about votes and people")
    MANAGE = "manage", _("change settings, start runs and publish")
    PAY = "pay", _("see pay, approve it and pay out")
    OWN = "own", _("choose the members")


def needed(right: str) -> None:
    """State the right that the current request needs; reads of rows ask for it."""
    request = logs.current_request.get()
    if request is not None:
        request.right = right  # type: ignore[attr-defined]


def right_needed() -> str:
    """Return the right that the current request needs; outside a request, that to read data."""
    right: str = getattr(logs.current_request.get(), "right", Right.DATA)
    return right


def reader() -> Any:
    """Return who sends the current request; an admin outside a request, as in a command."""
    request = logs.current_request.get()
    if request is None:
        return get_user_model()(role="admin", is_superuser=True)
    return getattr(request, "user", None) or AnonymousUser()
