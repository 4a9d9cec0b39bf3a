"""Which scope a token needs for an operation.

A view may say it as ``scope``, for all its methods or by method. Otherwise reading needs ``read``,
a change that only curators may make ``curate``, and any other change ``work``. Reading for which a
view ``audits`` needs more, if its reader is a curator: others read only what is theirs.
"""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, AllowAny

from winoplatform.api.permissions import IsCurator
from winoplatform.http.scopes import CURATE, READ, WORK


def scope_of(view: Any, method: str, *, of_curator: bool = True) -> str | None:
    """Return the scope that a token needs; None for operations that need no token."""
    said = getattr(view, "scope", None)
    if isinstance(said, dict):
        said = said.get(method)
    if said is not None:
        return str(said) or None
    permissions = view.get_permissions()
    if any(isinstance(each, AllowAny) for each in permissions):
        return None
    if method in SAFE_METHODS:
        return CURATE if of_curator and getattr(view, "audits", None) else READ
    return CURATE if any(isinstance(each, IsCurator) for each in permissions) else WORK
