"""Every address of an installation, as Django's own resolver knows it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.api.decided import DECIDED
from tests.frontend.roles import GETS, POSTS

API = "api/v1/"
METHODS = ("get", "post", "put", "patch", "delete")
FUNCTION_METHODS = ("get", "post")
ADMIN = "admin/"
ELSEWHERE = {
    "api/v1/<rest>": "everybody: says in the API's shape that there is nothing",
    "api/schema/": "everybody: the description of the API",
    "api/docs/": "everybody: shows that description",
    "health/": "everybody: whether the database answers",
    "live/": "everybody: that the process answers",
    "metrics/": "those with the token of METRICS_TOKEN: figures that name nobody",
    "favicon.ico": "everybody: leads to the icon",
}
"""The addresses that belong to neither the API, the pages nor the admin site."""


@dataclass(frozen=True)
class Route:
    """One address: its path with ``<parameter>`` in place of values, and what answers there."""

    path: str
    name: str
    answers: Any

    @property
    def methods(self) -> tuple[str, ...]:
        view = getattr(self.answers, "view_class", None)
        if view is None:
            return FUNCTION_METHODS
        return tuple(method for method in METHODS if hasattr(view, method))

    @property
    def is_decided(self) -> bool:
        """Whether a table of the tests says who may have what this address answers."""
        if self.path.startswith(ADMIN):
            return True  # for admins, all of it: test_sign_in_limits.py
        if self.path in ELSEWHERE:
            return True
        if self.path.startswith(API):
            path = self.path.removeprefix(API)
            return all(f"{method.upper()} {path}" in DECIDED for method in self.methods)
        return self.name in GETS and self.name in POSTS


def every_route(urlconf: Any = None) -> list[Route]:
    return list(_routes(get_resolver(urlconf).url_patterns, ""))


def _routes(patterns: Iterable[URLPattern | URLResolver], before: str) -> Iterator[Route]:
    for pattern in patterns:
        path = before + _plain(str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, path)
        else:
            yield Route(path, pattern.name or "", pattern.callback)


def _plain(pattern: str) -> str:
    """Return a pattern with its parameters' names alone: ``<uuid:id>/`` is ``<id>/``."""
    pattern = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", pattern)
    return re.sub(r"<\w+:(\w+)>", r"<\1>", pattern).strip("^$")
