"""The pages for addresses that lead nowhere and for faults of our own."""

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", {"message": _sentence(exception)}, status=404)


def _sentence(exception: Exception) -> str:
    """Return the sentence a page raised, not the resolver's list of patterns."""
    message = exception.args[0] if exception.args else ""
    return message if isinstance(message, str) else ""


def server_error(request: HttpRequest) -> HttpResponse:
    """Show a page that needs neither database nor session, as those may be what failed."""
    return HttpResponseServerError(loader.get_template("500.html").render())
