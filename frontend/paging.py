"""Keyset pagination: the last page is as fast as the first, and rows are not counted."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Some rows, newest first; ``older`` is the key of the next page.

    ``parameter`` is the query parameter of the key, so that one page can contain several lists.
    """

    rows: list[M]
    parameter: str
    older: int | None
    is_first: bool


def page_of(rows: "QuerySet[Any]", request: HttpRequest, *, parameter: str, size: int) -> Page[Any]:
    """Return the page of *rows* in the address; an invalid key returns the first page."""
    return _page_by("pk", rows, request, parameter, size)


def place_page_of(
    rows: "QuerySet[Any]", request: HttpRequest, *, parameter: str, size: int
) -> Page[Any]:
    """As ``page_of``, for rows ordered by ``place``, highest first."""
    return _page_by("place", rows, request, parameter, size)


def _page_by(
    field: str, rows: "QuerySet[Any]", request: HttpRequest, parameter: str, size: int
) -> Page[Any]:
    key = request.GET.get(parameter, "")
    before = int(key) if key.isascii() and key.isdigit() and len(key) < 18 else None
    if before is not None:
        rows = rows.filter(**{f"{field}__lt": before})
    found = list(rows.order_by(f"-{field}")[: size + 1])
    older = getattr(found[size - 1], field) if len(found) > size else None
    return Page(found[:size], parameter, older, before is None)
