"""Fixtures that every app's tests share."""

import inspect
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from pytest_django import DjangoDbBlocker

from collection.models import Campaign
from frontend import earnings
from tests import old_databases, shortcuts, template
from tests.cases import one_item
from tests.factories import CampaignFactory, UserFactory
from tests.kept import artifacts_in, kept_rows
from tests.races.processes import become_owner
from workers.models import User

# Their tests outside `core` have the database, each in a transaction of its own.
WITH_ROWS = {
    *("access", "api", "collection", "corpora", "evaluation", "filtering", "frontend"),
    *("knowledge", "panels", "publishing", "validation", "winoplatform", "workers"),
}

PURE = {"modeling", "stats", "tabular", "training"}

shortcuts.take()
become_owner()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--apart", action="store_true", help="make an item of each case of a test")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Item | None:
    """Make one item of a test's cases where nothing is stored."""
    if collector.config.getoption("apart") or _has_rows(collector):
        return None
    is_test = inspect.isfunction(obj) and collector.istestfunction(obj, name)
    return one_item(collector, name, obj) if is_test else None


def _has_rows(node: pytest.Item | pytest.Collector) -> bool:
    folder, *inner = node.path.relative_to(Path(__file__).parent).parts
    return not (folder in PURE or "core" in inner or node.get_closest_marker("rowless"))


def pytest_itemcollected(item: pytest.Function) -> None:
    """Mark a test by its folder; what it says of the database itself holds."""
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    has_own = item.get_closest_marker("django_db") or "old_database" in item.fixturenames
    if folder == "journeys":
        item.add_marker(pytest.mark.journey)
    elif folder == "races":
        item.add_marker(pytest.mark.race)
        item.add_marker(pytest.mark.django_db(transaction=True))
    elif folder in WITH_ROWS and _has_rows(item) and not has_own:
        item.add_marker(pytest.mark.django_db)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """Leave the real database; let each process have a copy of one that is migrated."""
    template.forget_connections()
    with django_db_blocker.unblock():
        template.provide()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """At the end, close what a killed thread or process left open: it would keep the database."""
    yield
    with django_db_blocker.unblock():
        template.end_sessions()


@pytest.fixture
def old_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> old_databases.OldDatabase:
    """A database as it was before some migrations, in place of the suite's own."""
    return partial(old_databases.old_database, django_db_blocker)


@pytest.fixture(scope="module")
def kept(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, artifacts_folders: Iterator[str]
) -> Iterator[str]:
    """Let fixtures of a module, which ask for this one, store for all its tests at once.

    What they return are keys: each test has to read the rows itself, as they were stored.
    """
    folder = next(artifacts_folders)
    with django_db_blocker.unblock(), kept_rows(), artifacts_in(folder):
        yield folder


@pytest.fixture(scope="session")
def artifacts_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Names of folders; each is made for those few tests only that store some artifacts."""
    return (str(tmp_path_factory.getbasetemp() / f"artifacts-{number}") for number in count())


@pytest.fixture
def artifacts_folder(request: pytest.FixtureRequest, artifacts_folders: Iterator[str]) -> str:
    """Where a test's artifacts lie: beside those that its module keeps, or alone."""
    if "kept" in request.fixturenames:
        return str(request.getfixturevalue("kept"))
    return next(artifacts_folders)


@pytest.fixture(autouse=True)
def own_artifacts(artifacts_folder: str) -> Iterator[None]:
    """Give each test an artifact folder of its own."""
    with artifacts_in(artifacts_folder):
        yield


@pytest.fixture
def as_processes(transactional_db: None) -> Iterator[None]:
    """Let everything in a test, its server too, have the database role of the processes."""

    def turn(*, connection: BaseDatabaseWrapper, **_: object) -> None:
        connection.connection.execute(f"SET ROLE {settings.DATABASE_ROLE or 'none'}")

    become_owner()  # closes what is open
    connection_created.connect(turn)
    yield
    connection_created.disconnect(turn)
    become_owner()


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the validators' day have begun half a day ago, also where a test runs over midnight."""
    monkeypatch.setattr(earnings, "midnight", lambda now: now - timedelta(hours=12))


@pytest.fixture
def alice(db: None) -> User:
    """She writes."""
    return UserFactory(username="alice")


@pytest.fixture
def bob(db: None) -> User:
    """He validates."""
    return UserFactory(username="bob")


@pytest.fixture
def carol(db: None) -> User:
    """She must see nothing of what the others do."""
    return UserFactory(username="carol")


@pytest.fixture
def dana(db: None) -> User:
    """The curator."""
    return UserFactory(username="dana", curator=True)


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="kitchen", name="Kitchen")
