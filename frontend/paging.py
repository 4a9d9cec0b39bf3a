"""Pages of lists: by key, so that the last page is as fast as the first, or by number."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from winoplatform.http import cursors

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Some rows, newest first; ``older`` is the sealed key of the next page.

    ``parameter`` is the query parameter of the key, so that one page can contain several lists.
    """

    rows: list[M]
    parameter: str
    older: str | None
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
    before = _opened(request.GET.get(parameter, ""), field)
    if before is not None:
        rows = rows.filter(**{f"{field}__lt": before})
    page_rows = list(rows.order_by(f"-{field}")[: size + 1])
    last = getattr(page_rows[size - 1], field) if len(page_rows) > size else None
    older = None if last is None else cursors.seal(str(last), purpose=field)
    return Page(page_rows[:size], parameter, older, before is None)


def _opened(sealed: str, field: str) -> int | None:
    try:
        return int(cursors.unseal(sealed, purpose=field))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Numbered:
    """A page of a list by its number, from 1, and the numbers of the pages beside it."""

    rows: list[Any]
    earlier: int | None
    later: int | None


def numbered(rows: Any, number: str, size: int) -> Numbered:
    """Return a page of a sliceable list; an invalid number returns the first page."""
    page = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 1
    page = max(1, page)
    found = list(rows[(page - 1) * size : page * size + 1])
    return Numbered(
        found[:size], page - 1 if page > 1 else None, page + 1 if len(found) > size else None
    )
