"""Who calls."""

from rest_framework.request import Request

from workers.models import User


def caller(request: Request) -> User:
    """Return the person behind a request that the permissions let through."""
    assert isinstance(request.user, User), "the view lets strangers in"
    return request.user
