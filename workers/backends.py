"""The authentication backend of all sign-ins; allauth's adapter limits the attempts."""

from django.contrib.auth.backends import ModelBackend

from winoplatform.db.prepared import Placeholder, Prepared, once
from workers.models import User


@once
def _accounts() -> Prepared[User]:
    return Prepared(User.objects.filter(pk=Placeholder("user")))


class PreparedBackend(ModelBackend):
    """Django's accounts and passwords, read by a prepared query."""

    def get_user(self, user_id: int) -> User | None:
        """Return who has signed in, as every request does that comes with a session."""
        user = _accounts().first(user=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
