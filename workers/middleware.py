"""Middleware that sets the device cookie after a successful sign-in."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from workers.devices import remember_device


class RememberDevice:
    """Set the device cookie if ``LimitedBackend`` accepted the password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "password_was_right_for", None)
        if user is not None:
            remember_device(request, response, user)
        return response
