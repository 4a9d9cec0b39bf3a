"""The error format of the REST API.

::

    {"error": {"code": "lease_expired", "message": "A full sentence.", "details": {…}}}
"""

import logging
from functools import cache
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import (
    NON_FIELD_ERRORS,
    BadRequest,
    DisallowedHost,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    ValidationError,
)
from django.db import IntegrityError
from django.db.models import BaseConstraint
from django.http import Http404, JsonResponse
from psycopg.errors import UniqueViolation
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from winoplatform.errors import DomainError, unavailable
from winoplatform.processes.logs import request_id

log = logging.getLogger(__name__)
NOTHING_HERE = "There is nothing at this address, or it is not yours."
MALFORMED = "Some fields are missing or malformed."


class TooLarge(exceptions.APIException):
    """The body is larger than the server reads."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"

    def __init__(self) -> None:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        super().__init__(f"The body may have at most {limit:,} bytes. Send it in parts.")


class ErrorBody(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="Stable snake_case name of the error.")
    message = serializers.CharField(help_text="A full sentence, including what to do next.")
    details = serializers.DictField(help_text="Facts: fields, findings, times.")


class ErrorSerializer(serializers.Serializer[Any]):
    """The body of every error response."""

    error = ErrorBody()


def shape(code: str, message: str, details: Any = None) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "details": details or {}}}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response for a refused request, or None to let a server error propagate."""
    if refusal := unavailable(error):
        log.warning("%s", refusal.code, exc_info=error)
        error = refusal
    if isinstance(error, DomainError):
        return _refused(error)
    if isinstance(error, IntegrityError) and isinstance(error.__cause__, UniqueViolation):
        return _conflict(error.__cause__)
    if isinstance(error, ValidationError | exceptions.ValidationError):
        return _invalid(error)
    if isinstance(error, RequestDataTooBig):
        error = TooLarge()
    elif isinstance(error, BadRequest | SuspiciousOperation):
        error = exceptions.ParseError()
    response = exception_handler(error, context)
    if response is not None:
        response.data = shape(_code(error), _message(error))
    return response


def _refused(error: DomainError) -> Response:
    return Response(_body(error), status=error.status, headers=retry_after(error))


def _body(error: DomainError) -> dict[str, Any]:
    return shape(error.code, error.message, error.details)


def retry_after(error: DomainError) -> dict[str, str]:
    """Return the ``Retry-After`` header, if the refusal has a time."""
    wait = error.details.get("retry_after")
    return {"Retry-After": str(wait)} if wait else {}


def refusal(error: DomainError) -> JsonResponse:
    """Return the error response of a refusal, where no API view answers."""
    return JsonResponse(_body(error), status=error.status, headers=retry_after(error))


def outside(code: int, error: BaseException | None = None) -> JsonResponse:
    """Return the error response where no API view was reached, or one has failed."""
    if away := unavailable(error):
        return refusal(away)
    if isinstance(error, RequestDataTooBig):
        large = TooLarge()
        body, code = shape(large.default_code, str(large.detail)), large.status_code
    elif isinstance(error, DisallowedHost):
        body = shape("unknown_host", f"Use the platform's address: {settings.PUBLIC_URL}")
    elif code == 404:
        body = shape("not_found", NOTHING_HERE)
    elif code < 500:
        body = shape("bad_request", "The server could not read this request.")
    else:
        message = "Something went wrong on our side. Try again in a while."
        body = shape("server_error", message, {"request_id": request_id()})
    return JsonResponse(body, status=code)


def _invalid(error: ValidationError | exceptions.ValidationError) -> Response:
    """Return the errors by field; a rule about the whole object becomes the message itself."""
    fields = serializers.as_serializer_error(error)
    general = fields.pop(NON_FIELD_ERRORS, None)
    if general is not None:
        fields[api_settings.NON_FIELD_ERRORS_KEY] = general
    whole = fields.get(api_settings.NON_FIELD_ERRORS_KEY)
    message = str(whole[0]) if whole and len(fields) == 1 else MALFORMED
    body = shape("invalid", message, {"fields": fields})
    return Response(body, status=status.HTTP_400_BAD_REQUEST)


def _conflict(cause: UniqueViolation) -> Response:
    """Return the refusal of the second of two equal requests, which a constraint stopped."""
    constraint = _constraints().get(cause.diag.constraint_name or "")
    message = (
        str(constraint.get_violation_error_message())
        if constraint
        else "Another request has just stored the same; look at the list, then try again."
    )
    return Response(shape("conflict", message), status=status.HTTP_409_CONFLICT)


@cache
def _constraints() -> dict[str, BaseConstraint]:
    return {
        constraint.name: constraint
        for model in apps.get_models()
        for constraint in model._meta.constraints
    }


def _code(error: Exception) -> str:
    if isinstance(error, Http404):
        return "not_found"
    if isinstance(error, PermissionDenied):
        return "permission_denied"
    return str(getattr(error, "default_code", "error"))


def _message(error: Exception) -> str:
    if isinstance(error, Http404):
        return NOTHING_HERE
    return str(getattr(error, "detail", "You may not do this."))
