"""The authentication backend; every sign-in uses it, so one limit covers them all."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from winoplatform.errors import DomainError
from winoplatform.prepared import Given, Prepared, once
from workers import devices, sign_in_throttle
from workers.models import User


@once
def _accounts() -> Prepared[User]:
    return Prepared(User.objects.filter(pk=Given("user")))


class LimitedBackend(ModelBackend):
    """Django's accounts and passwords, with a limit on the number of attempts."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> User | None:
        """Return the user, or None; raise ``DomainError`` after too many attempts."""
        if username is None or password is None:
            return None
        address = sign_in_throttle.address_of(request)
        device = devices.known_device(request, username)
        sign_in_throttle.count(username=username, address=address, device=device)
        try:
            user = super().authenticate(request, username=username, password=password, **more)
        except DomainError:  # too many at once: the password was not checked
            sign_in_throttle.forget(username=username, address=address, device=device)
            raise
        if user is not None:
            sign_in_throttle.forget(username=username, address=address, device=device)
            if request is not None:
                request.password_was_right_for = user  # type: ignore[attr-defined]
        return user

    def get_user(self, user_id: int) -> User | None:
        """Return who has signed in, as every request does that comes with a session."""
        user = _accounts().first(user=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
