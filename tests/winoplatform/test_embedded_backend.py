"""Django on the embedded PostgreSQL, in commands of their own with settings of their own."""

from pathlib import Path

import pytest

from tests.winoplatform.test_embedded import empty, folder, none_is_left, run, used

__all__ = ["empty", "folder", "used"]

SETTINGS = """
import django
from django.conf import settings
settings.configure(
    DATABASES={"default": {"ENGINE": "winoplatform.embedded.backend", "NAME": "winoplatform",
                           "OPTIONS": {"pool": {"min_size": 1, "max_size": 4, "timeout": 20}}}},
    INSTALLED_APPS=["django.contrib.contenttypes"],
    VAR_DIR=folder,
)
django.setup()
from django.core.management import call_command
from django.db import connection
def name():
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        return cursor.fetchone()[0]
"""


def test_checks_and_missing_connections_start_nothing(empty: Path) -> None:
    code = "call_command('check'); print(connection.vendor, folder.exists())"
    assert run(empty, SETTINGS + code)[-2:] == ["postgresql", "False"]


@pytest.mark.long
def test_queries_and_test_databases_work_through_the_pool(folder: Path) -> None:
    code = """
connection.creation.create_test_db(verbosity=0, serialize=False)
print(name())
connection.creation.destroy_test_db("winoplatform", verbosity=0)
print(name(), connection.pool is not None)
"""
    assert run(folder, SETTINGS + code) == ["test_winoplatform", "winoplatform", "True"]
    assert none_is_left(folder)


@pytest.mark.long
def test_dbshell_reaches_the_server(folder: Path) -> None:
    code = "call_command('dbshell', '--', '-Atc', 'SELECT current_database()')"
    assert run(folder, SETTINGS + code) == ["winoplatform"]
    assert none_is_left(folder)


@pytest.mark.long
def test_data_of_an_earlier_version_get_the_role_of_the_processes(folder: Path) -> None:
    earlier = """
with connection.cursor() as cursor:
    cursor.execute("DROP OWNED BY wino; DROP ROLE wino; CREATE TABLE kept (id int)")
print("made")
"""
    later = """
settings.DATABASES["default"]["USER"] = "wino"
with connection.cursor() as cursor:
    cursor.execute("INSERT INTO kept VALUES (1)")
    try:
        cursor.execute("TRUNCATE kept")
    except Exception as error:
        print(error)
"""
    assert run(folder, SETTINGS + earlier) == ["made"]
    assert none_is_left(folder)
    assert " ".join(run(folder, SETTINGS + later)) == "permission denied for table kept"
