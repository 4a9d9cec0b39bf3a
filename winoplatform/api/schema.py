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
from rest_framework.permissions import SAFE_METHODS, AllowAny

from winoplatform.api.authentication import scope_of
from winoplatform.api.declared import declared, methods_differ, statuses, success_content
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

    A view declares the rest as attributes; see ``winoplatform.api.declared``.
    """

    def get_operation_id(self) -> str:
        words = [slugify(part.replace(".", "-")).replace("-", "_") for part in self._literals()]
        if self.method == "GET" and self._is_list(self._response_serializer()):
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
        return bool(
            ends_in_a_name or adds or len(self._literals()) == 1 or methods_differ(self.view)
        )

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
        query = self._view_attribute("query")
        return query if isinstance(query, list) else [query] if query else []

    def get_request_serializer(self) -> Any:
        return None if self._only_reads else self._view_attribute("takes")

    def get_response_serializers(self) -> Any:
        return {**dict(self._successes()), **dict(self._refusals())}

    def _successes(self) -> Iterator[tuple[Any, Any]]:
        content = self._response_serializer()
        for status in statuses(self.view, self.method):
            if isinstance(content, File):
                kind = TYPES.get(content.media_type, OpenApiTypes.BINARY)
                yield (status, content.media_type), OpenApiResponse(kind, content.content)
                if content.has_etag:
                    yield 304, OpenApiResponse(None, UNCHANGED)
            else:
                yield status, content

    def _response_serializer(self) -> Any:
        found = success_content(self.view, self.method)
        return found[0](many=True) if isinstance(found, list) else found

    def _refusals(self) -> Iterator[tuple[int, OpenApiResponse]]:
        for status in sorted({*self._derived_refusals(), *map(_status, self._said_refusals())}):
            yield status, OpenApiResponse(ErrorSerializer, self._reason(status))

    def _reason(self, status: int) -> str:
        refusals = [refusal for refusal in self._said_refusals() if isinstance(refusal, Refusal)]
        codes = ", ".join(f"`{each.code}`" for each in refusals if each.status == status)
        return f"{REFUSALS[status]} Codes: {codes}." if codes else REFUSALS[status]

    def _derived_refusals(self) -> Iterator[int]:
        filtered = self._is_list(self._response_serializer()) and getattr(
            self.view, "filterset_class", None
        )
        if self.get_request_serializer() or self._view_attribute("query") or filtered:
            yield 400
        if not self._is_for_anyone():
            yield 401
        if any(asks_for_a_role(held, self.method) for held in self.view.get_permissions()):
            yield 403
        if "{" in self.path:
            yield 404

    def _said_refusals(self) -> tuple[Any, ...]:
        if self._only_reads and methods_differ(self.view):
            return ()
        refusals = getattr(self.view, "refuses", ())
        return tuple(refusals) if isinstance(refusals, list | tuple) else (refusals,)

    def _view_attribute(self, name: str) -> Any:
        return declared(self.view, self.method, name)

    @property
    def _only_reads(self) -> bool:
        return self.method in SAFE_METHODS

    @staticmethod
    def _is_list(gives: Any) -> bool:
        return bool(getattr(gives, "many", False))


def _status(refusal: Any) -> int:
    return refusal.status if isinstance(refusal, Refusal) else int(refusal)
