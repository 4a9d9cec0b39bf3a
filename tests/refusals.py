"""How tests say that a service or the database refuses."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from winoplatform.errors import DomainError


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[DomainError]]:
    """Expect a ``DomainError`` of this code, and no other."""
    with pytest.raises(DomainError) as caught:
        yield caught
    assert caught.value.code == code, caught.value


def refusal(call: Callable[..., Any], *args: Any, **options: Any) -> DomainError:
    """Return what a call refuses with."""
    with pytest.raises(DomainError) as caught:
        call(*args, **options)
    return caught.value


def again(factory: Callable[..., Any], *same: str, **fields: Any) -> None:
    """Make a row, and another one that is the same in the fields named."""
    first = factory(**fields)
    factory(**(fields | {name: getattr(first, name) for name in same}))
