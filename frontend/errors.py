"""Error pages for unknown addresses and server errors.

Programs get the error format of the REST interface instead.
"""

import sys

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader
from django.views import defaults

from winoplatform.api import errors
from winoplatform.errors import unavailable
from winoplatform.processes.logs import request_id


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _from_a_program(request):
        return errors.outside(404)
    return render(request, "404.html", {"message": _sentence(exception)}, status=404)


def _sentence(exception: Exception) -> str:
    """Return the message that a page raised, not the resolver's list of patterns."""
    message = exception.args[0] if exception.args else ""
    return message if isinstance(message, str) else ""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _from_a_program(request):
        return errors.outside(400, exception)
    if isinstance(exception, RequestDataTooBig):
        return render(request, "413.html", status=413)
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Show a page that needs neither database nor session, as those may have failed."""
    error = sys.exception()
    if _from_a_program(request):
        return errors.outside(500, error)
    refusal = unavailable(error)
    page = loader.get_template("500.html").render({"refusal": refusal, "request_id": request_id()})
    if refusal is None:
        return HttpResponseServerError(page)
    return HttpResponse(page, status=refusal.status, headers=errors.retry_after(refusal))


def _from_a_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
