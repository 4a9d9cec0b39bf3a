"""Keyset pagination: row 100,000 is found as fast as the first."""

from typing import Any

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from winoplatform.http import cursors

COUNTED = 10_000
"""Rows of a list that are counted: counting more would take longer than a page."""


class KeysetPagination(CursorPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500
    ordering = "-pk"

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        # Without annotations and order, so that the database need not compute them.
        n_rows = queryset.order_by().values("pk")[: COUNTED + 1].count()
        self.count, self.count_is_exact = min(n_rows, COUNTED), n_rows <= COUNTED
        return super().paginate_queryset(queryset, request, view)

    def get_page_size(self, request: Request) -> int:
        size = request.query_params.get("page_size")
        if size is None:
            return self.page_size
        digits = size.isascii() and size.isdigit() and len(size) < 9
        if not digits or not 1 <= int(size) <= self.max_page_size:
            raise ValidationError({"page_size": f"A number from 1 to {self.max_page_size}."})
        return int(size)

    def get_paginated_response(self, data: Any) -> Response:
        links = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        counted = {"count": self.count, "count_is_exact": self.count_is_exact}
        return Response(counted | links | {"results": data})

    def get_paginated_response_schema(self, schema: Any) -> Any:
        response_schema = super().get_paginated_response_schema(schema)
        counted = {
            "count": {
                "type": "integer",
                "example": 120,
                "description": f"Rows of the whole list, at most {COUNTED:,}.",
            },
            "count_is_exact": {
                "type": "boolean",
                "example": True,
                "description": f"False if the list has more than {COUNTED:,} rows.",
            },
        }
        response_schema["properties"] = counted | response_schema["properties"]
        response_schema["required"] = ["count", "count_is_exact", "results"]
        return response_schema

    def decode_cursor(self, request: Request) -> Cursor | None:
        sealed = request.query_params.get(self.cursor_query_param)
        if sealed is None:
            return None
        try:
            text = cursors.unseal(sealed, purpose="".join(self.ordering))
        except ValueError as error:
            raise NotFound(self.invalid_cursor_message) from error
        offset, reverse, position = text.split("|", 2)
        # The stubs take a position for a number.
        return Cursor(int(offset), reverse == "1", position or None)  # type: ignore[arg-type]

    def encode_cursor(self, cursor: Cursor) -> str:
        text = f"{cursor.offset}|{int(cursor.reverse)}|{cursor.position or ''}"
        sealed = cursors.seal(text, purpose="".join(self.ordering))
        return replace_query_param(str(self.base_url), self.cursor_query_param, sealed)
