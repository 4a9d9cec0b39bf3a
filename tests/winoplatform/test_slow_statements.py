"""Statements that take long are logged, without what people wrote."""

from typing import Any

import pytest
from django.db import connection

from tests.factories import UserFactory
from winoplatform.db import prepared
from winoplatform.db.slow import VALUE
from workers.models import User


def statements(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.facts["statement"] for r in caplog.records if r.name == "winoplatform.slow"]


def test_a_slow_statement_is_logged_without_its_values(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SLOW_STATEMENT_SECONDS = 0.05
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.06), %s, 'it''s a secret'", ["the trophy"])
    prepared.rows("SELECT pg_sleep(%s), %s::text", [0.06, "the suitcase"])
    assert statements(caplog) == ["SELECT pg_sleep(0.06), %s, '…'", "SELECT pg_sleep(%s), %s::text"]


def test_a_failed_one_is_logged_too(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.SLOW_STATEMENT_SECONDS = 1e-9
    UserFactory(username="the-name")
    assert User.objects.filter(username="the-name").exists()
    assert statements(caplog)
    assert "the-name" not in str(statements(caplog))


@pytest.mark.parametrize("seconds", [0, 60])
def test_others_are_not(settings: Any, caplog: pytest.LogCaptureFixture, seconds: float) -> None:
    settings.SLOW_STATEMENT_SECONDS = seconds
    User.objects.count()
    assert not statements(caplog)


@pytest.mark.rowless
def test_values_with_quotes_and_backslashes_are_whole() -> None:
    assert VALUE.sub("'…'", r"SELECT 'it''s', E'a\\''b', \"c\"") == r"SELECT '…', E'…', \"c\""
