"""How tests say that a service refuses."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from winoplatform.errors import DomainError


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect a ``DomainError`` of this code, and no other."""
    with pytest.raises(DomainError) as caught:
        yield
    assert caught.value.code == code, caught.value
