"""Permissions by role."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.request import Request

from winoplatform.http.bodies import read_anonymous


class Anyone(AllowAny):
    """Everyone, also without a token; the body is limited as for any anonymous request."""

    def has_permission(self, request: Request, view: Any) -> bool:
        read_anonymous(request._request)
        return True


class IsCurator(IsAuthenticated):
    """Curators and admins."""

    message = "Only curators may do this."

    def has_permission(self, request: Request, view: Any) -> bool:
        return super().has_permission(request, view) and request.user.is_curator  # type: ignore[union-attr]


class IsAdmin(IsCurator):
    """Admins alone."""

    message = "Only admins may do this."

    def has_permission(self, request: Request, view: Any) -> bool:
        return super().has_permission(request, view) and request.user.is_staff  # type: ignore[union-attr]


class ValidatorsBlind(IsAuthenticated):
    """Users who cannot look up answers and votes, which excludes curators."""

    message = "Curators can see answers and votes, so they do not validate."

    def has_permission(self, request: Request, view: Any) -> bool:
        return super().has_permission(request, view) and not request.user.is_curator  # type: ignore[union-attr]


class CuratorsChange(IsCurator):
    """All signed-in users may read; only curators may change."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method in SAFE_METHODS:
            return IsAuthenticated.has_permission(self, request, view)
        return super().has_permission(request, view)


class AnyoneReads(CuratorsChange):
    """Everyone may read what the view makes visible, also without a token; only curators change."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method in SAFE_METHODS:
            return Anyone().has_permission(request, view)
        return super().has_permission(request, view)


def asks_for_a_role(permission: Any, method: str) -> bool:
    """Return whether *permission* keeps some signed-in users from using *method*."""
    if isinstance(permission, CuratorsChange):
        return method not in SAFE_METHODS
    return isinstance(permission, (IsCurator, ValidatorsBlind))
