"""JSON endpoints for the desk's script to save drafts; each refusal has its status."""

import json
import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse, JsonResponse, RawPostDataException
from django.middleware.csrf import get_token
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from collection import services
from collection.models import Draft
from collection.services.writing.assignments import own
from frontend.http import PageRequest
from winoplatform.api.errors import shape
from winoplatform.errors import DomainError
from winoplatform.ids import as_uuid

View = Callable[[PageRequest, uuid.UUID], HttpResponse]


def _in_clear(view: View) -> View:
    """Return every refusal as JSON: a script cannot read a sign-in page."""

    @wraps(view)
    def opened(request: PageRequest, /, assignment_id: uuid.UUID) -> HttpResponse:
        try:
            if not request.user.is_authenticated:
                raise DomainError("signed_out", _("You are signed out."), status=401)
            return view(request, assignment_id)
        except DomainError as error:
            body = shape(error.code, error.message, error.details)
            return JsonResponse(body, status=error.status)

    return opened


@never_cache
@require_http_methods(["GET", "POST"])
@_in_clear
def draft(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Return the saved draft with a valid CSRF token; POST saves."""
    if request.method == "POST":
        return JsonResponse(_as_dict(_save(request, assignment_id)))
    assignment = own(request.user, assignment_id)
    saved = Draft.objects.filter(assignment=assignment).first()
    fields = saved.fields if saved else {}
    return JsonResponse(_as_dict(saved) | {"fields": fields, "csrf": get_token(request)})


def _as_dict(saved: Draft | None) -> dict[str, Any]:
    if saved is None:
        return {"version": 0, "saved_at": None}
    return {"version": saved.version, "saved_at": saved.saved_at.isoformat()}


def _save(request: PageRequest, assignment_id: uuid.UUID) -> Draft:
    try:
        body = json.loads(request.body)
        fields, version, evidence = body["fields"], body["version"], body["evidence"]
    except (ValueError, KeyError, TypeError, RecursionError, RawPostDataException):
        raise DomainError("draft_invalid", _("A draft has fields, version, evidence.")) from None
    except RequestDataTooBig:
        message = _("This text is too long to be saved. Please shorten it.")
        raise DomainError("draft_too_large", message) from None
    return services.save_draft(
        worker=request.user,
        assignment_id=assignment_id,
        fields=fields,
        version=version,
        evidence=evidence,
        revises=as_uuid(request.GET.get("revises", "")),
    )
