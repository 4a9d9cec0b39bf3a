"""What a view declares of its operations, for their description and for their responses.

The first three may be a dict by method, if methods differ.

``takes``
    The serializer of the request body.
``gives``
    The content of a success: a serializer, a list of one, a ``File``, or None. Defaults to
    ``serializer_class``.
``query``
    The serializer of the query parameters, filters aside; or a list of parameters.
``success``
    Status codes of a successful change. Defaults to 201 for an addition to a list, 204 without
    content, else 200.
``refuses``
    A further refusal, or a list of them: each a status code or a ``Refusal``. In a view that also
    reads, they apply to the change.
"""

from typing import Any

from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import SAFE_METHODS

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_UNDECLARED = object()


def declared(view: Any, method: str, name: str, default: Any = None) -> Any:
    """Return the view's attribute *name*, or its entry for a method."""
    value = getattr(view, name, _UNDECLARED)
    if isinstance(value, dict) and value.keys() <= METHODS:
        value = value.get(method, _UNDECLARED)
    return default if value is _UNDECLARED else value


def success_content(view: Any, method: str) -> Any:
    """Return the content of a success."""
    content = declared(view, method, "gives", _UNDECLARED)
    return _own_serializer(view, method) if content is _UNDECLARED else content


def _own_serializer(view: Any, method: str) -> Any:
    own = None if method == "DELETE" else view.serializer_class  # without one, declare ``gives``
    return [own] if method == "GET" and isinstance(view, ListModelMixin) else own


def methods_differ(view: Any) -> bool:
    return len(set(view.allowed_methods) - {"OPTIONS", "HEAD"}) > 1


def statuses(view: Any, method: str) -> tuple[int, ...]:
    """Return the statuses of a success."""
    only_reads = method in SAFE_METHODS
    status = None if only_reads and methods_differ(view) else declared(view, method, "success")
    if status is None:
        adds = method == "POST" and "GET" in view.allowed_methods
        status = 201 if adds else 204 if success_content(view, method) is None else 200
    return status if isinstance(status, tuple) else (status,)
