"""What every answer passes: the cookie of a browser in which a password was right."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from workers.devices import remember_device


class RememberDevice:
    """Set the device cookie where ``LimitedBackend`` found the password right."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "password_was_right_for", None)
        if user is not None:
            remember_device(request, response, user)
        return response
