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
_UNSAID = object()


def declared(view: Any, method: str, name: str, default: Any = None) -> Any:
    """Return the view's attribute *name*, or its entry for a method."""
    said = getattr(view, name, _UNSAID)
    if isinstance(said, dict) and said.keys() <= METHODS:
        said = said.get(method, _UNSAID)
    return default if said is _UNSAID else said


def success_content(view: Any, method: str) -> Any:
    """Return the content of a success."""
    return declared(view, method, "gives", _own_serializer(view, method))


def _own_serializer(view: Any, method: str) -> Any:
    own = None if method == "DELETE" else getattr(view, "serializer_class", None)
    return [own] if method == "GET" and isinstance(view, ListModelMixin) else own


def methods_differ(view: Any) -> bool:
    return len(set(view.allowed_methods) - {"OPTIONS", "HEAD"}) > 1


def statuses(view: Any, method: str) -> tuple[int, ...]:
    """Return the statuses of a success."""
    only_reads = method in SAFE_METHODS
    said = None if only_reads and methods_differ(view) else declared(view, method, "success")
    if said is None:
        adds = method == "POST" and "GET" in view.allowed_methods
        said = 201 if adds else 204 if success_content(view, method) is None else 200
    return said if isinstance(said, tuple) else (said,)
