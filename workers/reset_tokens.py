"""Tokens of links to set a new password, by mail or made by a curator."""

from typing import Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator


class ResetTokens(PasswordResetTokenGenerator):
    """As Django's; a link also ends when its account gets another role, or is deactivated.

    A token that was used ends with the password, and any sign-in ends it.
    """

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{user.role}{user.is_active}"
