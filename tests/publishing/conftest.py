"""A public release that is built once, and stand-ins of the Hub and of Zenodo."""

from collections.abc import Iterator
from typing import Any

import pytest

from corpora.models import Release
from publishing import runner
from tests.filtering.stages import carried, filtered, frozen
from tests.publishing.copies import small_release
from tests.publishing.hub import Hub
from tests.publishing.stand_in import TOKEN, serving
from tests.publishing.zenodo import Zenodo


@pytest.fixture(scope="module")
def first(kept: str) -> int:
    """The key of a release that everyone may read."""
    return built("twins-1").pk


def built(name: str, pairs: int = 30, **fields: Any) -> Release:
    from corpora.services import build_release

    run = filtered(frozen(pairs=pairs))
    asked = {"is_public": True, "authors": ["Ada Group"], "by": None} | fields
    release = build_release(
        snapshot=run.encoding.snapshot, selection=run.selection, name=name, **asked
    )
    return carried(release)  # type: ignore[no-any-return]


@pytest.fixture
def release(first: int) -> Release:
    return Release.objects.get(pk=first)


@pytest.fixture
def small(db: None) -> Release:
    """A release with few files, which is not built."""
    return small_release()


@pytest.fixture
def hub(settings: Any) -> Iterator[Hub]:
    with serving(Hub()) as service:
        settings.HF_ENDPOINT, settings.HUB_TOKEN = service.url, TOKEN
        yield service


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no step pause before it is repeated."""
    monkeypatch.setattr(runner, "PAUSES", (0.0,) * 5)


@pytest.fixture
def zenodo(settings: Any) -> Iterator[Zenodo]:
    with serving(Zenodo()) as service:
        settings.ZENODO_URL, settings.ZENODO_TOKEN = service.url, TOKEN
        yield service
