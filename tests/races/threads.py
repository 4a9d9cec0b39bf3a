"""Calls made at the same moment, each from a thread with a connection of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Start all calls together; return what each returned or raised."""
    start = threading.Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            start.wait()
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))
