"""The platform as it is served: the real web server, with and without the real proxy."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import DjangoDbBlocker

from tests.journeys.servers import STATIC, Server
from tests.served.proxy import Proxy
from tests.winoplatform.ports import free_port

SEND_SECONDS = 3


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Other tests arrive from the same address."""
    cache.clear()


@pytest.fixture(scope="module")
def web(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Server]:
    """The web server alone, as `make run` starts it."""
    server = Server(tmp_path_factory.mktemp("web"), SEND_SECONDS=str(SEND_SECONDS))
    with django_db_blocker.unblock():
        server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Proxy]:
    """The web server behind the proxy, with HTTPS."""
    folder, https = tmp_path_factory.mktemp("site"), free_port()
    server = Server(folder, public=f"https://localhost:{https}")
    with django_db_blocker.unblock():
        server.start()
    (folder / "nginx").mkdir()
    proxy = Proxy(folder / "nginx", web=server.port, files=STATIC, http=free_port(), https=https)
    proxy.start()
    yield proxy
    proxy.stop()
    server.kill()
