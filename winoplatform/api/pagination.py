"""Keyset pagination: row 100,000 is found as fast as the first."""

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request


class KeysetPagination(CursorPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500
    ordering = "-pk"

    def decode_cursor(self, request: Request) -> Cursor | None:
        cursor = super().decode_cursor(request)
        # A position that no page returned would reach the database and fail there.
        if cursor is None or cursor.position is None or self.is_position(str(cursor.position)):
            return cursor
        raise NotFound(self.invalid_cursor_message)

    def is_position(self, position: str) -> bool:
        return position.isascii() and position.isdigit() and len(position) < 19
