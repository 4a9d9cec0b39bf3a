"""Generate the OpenAPI description of operations from URLs, views and docstrings."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.text import slugify
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import SAFE_METHODS, AllowAny

from winoplatform.api.authentication import scope_of
from winoplatform.api.errors import ErrorSerializer
from winoplatform.api.permissions import asks_for_a_role

REFUSALS = {
    400: "The body or a filter is malformed, or breaks a rule; see details.",
    401: "There is no valid token or session.",
    403: "Your role may not do this.",
    404: "It does not exist, or you may not see it.",
    409: "The current state does not allow it; the code gives the reason.",
    410: "Your lease has ended, or the work is finished or withdrawn.",
    413: "The body is too large; the message gives the limit.",
    429: "Too many attempts; the header Retry-After gives the time to wait, if it is known.",
}
UNCHANGED = "The file is still the one whose ETag was sent: the SHA-256 of its content."
ACTIONS = {"POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "destroy"}
TYPES = {"text/csv": OpenApiTypes.STR, "application/json": OpenApiTypes.OBJECT}


class File(NamedTuple):
    """A download: its media type, its content, and whether it supports conditional requests."""

    media_type: str
    content: str = ""
    has_etag: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal's code, and its status."""

    code: str
    status: int = 409


class Schema(AutoSchema):
    """Describe every operation of the API.

    Derived are the operation's id (from its URL), its tag (the app, or ``TAG`` of the view's
    module), its summary and description (the docstring of the method, or of the view; the view's
    ``words`` replace placeholders), and the common errors: 400 where input is read, 401 and 403
    from the permissions, 404 where the URL identifies an object. So is the scope that a token needs
    (``winoplatform.api.authentication``).

    A view declares the rest as attributes. The first three may be a dict by method, if methods
    differ.

    ``takes``
        The serializer of the request body.
    ``gives``
        The content of a success: a serializer, a list of one, a ``File``, or None. Defaults to
        ``serializer_class``.
    ``query``
        The serializer of the query parameters, filters aside; or a list of parameters.
    ``success``
        Status codes of a successful change. Defaults to 201 for an addition to a list, 204
        without content, else 200.
    ``refuses``
        A further refusal, or a list of them: each a status code or a ``Refusal``. In a view that
        also reads, they apply to the change.
    """

    def get_operation_id(self) -> str:
        words = [slugify(part.replace(".", "-")).replace("-", "_") for part in self._literals()]
        if self.method == "GET" and self._is_list(self._given()):
            words.append("list")
        elif self._is_named_by_its_action():
            words.append(ACTIONS.get(self.method, "retrieve"))
        return "_".join(words)

    def _literals(self) -> list[str]:
        parts = self.path.removeprefix("/api/v1/").strip("/").split("/")
        return [part for part in parts if not part.startswith("{")]

    def _is_named_by_its_action(self) -> bool:
        """Return whether the id needs a verb; a URL that ends in a verb has one already."""
        ends_in_a_name = self.path.rstrip("/").endswith("}")
        adds = self.method == "POST" and re.search(r"[^u]s/$", self.path)
        return bool(ends_in_a_name or adds or len(self._literals()) == 1 or self._methods_differ)

    @property
    def _methods_differ(self) -> bool:
        return len(set(self.view.allowed_methods) - {"OPTIONS", "HEAD"}) > 1

    def get_tags(self) -> list[str]:
        module = self.view.__module__
        app = module.partition(".")[0]
        tag = getattr(self.view, "tag", None) or getattr(sys.modules[module], "TAG", app)
        return [str(tag)]

    def get_description(self) -> str:  # type: ignore[override]
        words = getattr(self.view, "words", None)
        text = super().get_description()
        return text.format(**words) if words else text

    def get_summary(self) -> str:
        first = " ".join(self.get_description().partition("\n\n")[0].split())
        return first.removesuffix(".")

    def get_auth(self) -> list[Any]:
        return [] if self._is_for_anyone() else super().get_auth()

    def _is_for_anyone(self) -> bool:
        return any(isinstance(held, AllowAny) for held in self.view.get_permissions())

    def get_extensions(self) -> dict[str, Any]:
        scope = scope_of(self.view, self.method)
        return {"x-scope": scope} if scope else {}

    def get_override_parameters(self) -> list[Any]:
        query = self._said("query")
        return query if isinstance(query, list) else [query] if query else []

    def get_request_serializer(self) -> Any:
        return None if self._only_reads else self._said("takes")

    def get_response_serializers(self) -> Any:
        return {**dict(self._successes()), **dict(self._refusals())}

    def _successes(self) -> Iterator[tuple[Any, Any]]:
        given = self._given()
        for status in self._statuses(given):
            if isinstance(given, File):
                kind = TYPES.get(given.media_type, OpenApiTypes.BINARY)
                yield (status, given.media_type), OpenApiResponse(kind, given.content)
                if given.has_etag:
                    yield 304, OpenApiResponse(None, UNCHANGED)
            else:
                yield status, given

    def _given(self) -> Any:
        given = self._said("gives", self._own_serializer)
        return given[0](many=True) if isinstance(given, list) else given

    def _own_serializer(self) -> Any:
        if self.method == "DELETE":
            return None
        view: Any = self.view
        own = view.serializer_class  # a view without one must declare `gives`
        many = self.method == "GET" and isinstance(view, ListModelMixin)
        return [own] if many else own

    def _statuses(self, given: Any) -> tuple[int, ...]:
        said = None if self._only_reads and self._methods_differ else self._said("success")
        if said is None:
            adds = self.method == "POST" and "GET" in self.view.allowed_methods
            said = 201 if adds else 204 if given is None else 200
        return said if isinstance(said, tuple) else (said,)

    def _refusals(self) -> Iterator[tuple[int, OpenApiResponse]]:
        for status in sorted({*self._derived_refusals(), *map(_status, self._said_refusals())}):
            yield status, OpenApiResponse(ErrorSerializer, self._reason(status))

    def _reason(self, status: int) -> str:
        refusals = [said for said in self._said_refusals() if isinstance(said, Refusal)]
        codes = ", ".join(f"`{each.code}`" for each in refusals if each.status == status)
        return f"{REFUSALS[status]} Codes: {codes}." if codes else REFUSALS[status]

    def _derived_refusals(self) -> Iterator[int]:
        filtered = self._is_list(self._given()) and getattr(self.view, "filterset_class", None)
        if self.get_request_serializer() or self._said("query") or filtered:
            yield 400
        if not self._is_for_anyone():
            yield 401
        if any(asks_for_a_role(held, self.method) for held in self.view.get_permissions()):
            yield 403
        if "{" in self.path:
            yield 404

    def _said_refusals(self) -> tuple[Any, ...]:
        if self._only_reads and self._methods_differ:
            return ()
        said = getattr(self.view, "refuses", ())
        return tuple(said) if isinstance(said, list | tuple) else (said,)

    def _said(self, name: str, default: Any = lambda: None) -> Any:
        """Return the view's attribute *name*, or its entry for this method."""
        said = getattr(self.view, name, _UNSAID)
        if isinstance(said, dict) and said.keys() <= {"GET", *ACTIONS}:
            said = said.get(self.method, _UNSAID)
        return default() if said is _UNSAID else said

    @property
    def _only_reads(self) -> bool:
        return self.method in SAFE_METHODS

    @staticmethod
    def _is_list(given: Any) -> bool:
        return bool(getattr(given, "many", False))


_UNSAID = object()


def _status(refusal: Any) -> int:
    return refusal.status if isinstance(refusal, Refusal) else int(refusal)
