"""Rows and artifacts that a module's fixtures make once, for tests that each undo their changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from django.conf import settings
from django.core.files.storage import storages
from django.db import connection, transaction
from django.test import override_settings


@contextmanager
def kept_rows() -> Iterator[None]:
    """Put what is stored meanwhile below the tests' own transactions; undo it at the end.

    Only for tests that are rolled back: one that empties tables would empty these as well. Django
    closes the connection after each test, which would undo them too early.
    """
    outer = transaction.atomic()
    outer._from_testcase = True  # blocks that must be outermost may be within it, as in tests
    with outer:
        with mock.patch.object(connection, "close"):
            yield
        transaction.set_rollback(True)


@contextmanager
def artifacts_in(folder: str) -> Iterator[None]:
    backends = {name: dict(backend) for name, backend in settings.STORAGES.items()}
    backends["artifacts"]["OPTIONS"] = {"location": folder}
    with override_settings(STORAGES=backends):
        yield
    storages._storages.clear()
