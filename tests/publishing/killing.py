"""A process that dies between two requests: before one is sent, or after its answer has come."""

from itertools import count
from typing import Any

import httpx2
import pytest
import urllib3

from tests.filtering.stages import Killed


def die_at(patch: pytest.MonkeyPatch, number: int, *, is_before: bool) -> None:
    """Die at the request of this number, from 1, of either client."""
    numbers = count(1)
    for client, name in (
        (httpx2.Client, "_send_single_request"),
        (urllib3.PoolManager, "request"),
    ):
        patch.setattr(client, name, _dying(getattr(client, name), numbers, number, is_before))


def _dying(send: Any, numbers: "count[int]", number: int, is_before: bool) -> Any:
    def dying(*args: Any, **options: Any) -> Any:
        is_last = next(numbers) == number
        if is_last and is_before:
            raise Killed
        answer = send(*args, **options)
        if is_last:
            if hasattr(answer, "read"):
                answer.read()
            raise Killed
        return answer

    return dying
