"""The database's clock, which a test moves."""

from datetime import datetime

from django.db import connection


def replace() -> None:
    """Let ``clock_timestamp()`` be what ``set_to`` says, until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE SCHEMA moved;"
            "CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql"
            " AS $$ SELECT current_setting('moved.clock')::timestamptz $$;"
            "SET LOCAL search_path = moved, pg_catalog, public"
        )


def set_to(moment: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('moved.clock', %s, true)", [moment.isoformat()])
