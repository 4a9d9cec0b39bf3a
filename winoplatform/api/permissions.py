"""Who may call what, by role."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.request import Request

from winoplatform.bodies import read_anonymous


class Anyone(AllowAny):
    """Programs without a token, too; so their body is read within the limits for anonymous ones."""

    def has_permission(self, request: Request, view: Any) -> bool:
        read_anonymous(request._request)
        return True


class IsCurator(IsAuthenticated):
    """Curators and admins."""

    message = "Only curators may do this."

    def has_permission(self, request: Request, view: Any) -> bool:
        return super().has_permission(request, view) and request.user.is_curator  # type: ignore[union-attr]


class ValidatorsBlind(IsAuthenticated):
    """People who cannot look answers and votes up."""

    message = "Curators can see answers and votes, so they do not validate. Use a worker account."

    def has_permission(self, request: Request, view: Any) -> bool:
        return super().has_permission(request, view) and not request.user.is_curator  # type: ignore[union-attr]


class CuratorsChange(IsCurator):
    """Everyone signed in may read; only curators may change."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method in SAFE_METHODS:
            return IsAuthenticated.has_permission(self, request, view)
        return super().has_permission(request, view)


def asks_for_a_role(permission: Any, method: str) -> bool:
    """Tell whether *permission* lets some of those who are signed in not use *method*."""
    if isinstance(permission, CuratorsChange):
        return method not in SAFE_METHODS
    return isinstance(permission, (IsCurator, ValidatorsBlind))
