"""The user behind a request."""

from rest_framework.request import Request

from workers.models import User


def caller(request: Request) -> User:
    """Return the user of a request that passed the permissions."""
    assert isinstance(request.user, User), "the view admits anonymous requests"
    return request.user
