"""A campaign with a release that everyone can read, built from its votes."""

from typing import Any

from corpora import services
from corpora.models import Release
from tests.corpora.test_release_provenance import validated
from tests.filtering.stages import carried


def published(name: str = "kitchen-1", *, is_public: bool = True, **more: Any) -> Release:
    """Return a release of eight questions, of which two are in dev and two are blind."""
    campaign = more.pop("campaign", None) or validated(8, dev_share="0.25", test_share="0.25")
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    built: Release = carried(
        services.build_release(
            snapshot=snapshot,
            selection=None,
            name=name,
            by=None,
            is_public=is_public,
            **({"title": "Kitchen <b>things</b>", "authors": ["Ada Example"]} | more),
        )
    )
    return built


def lines(release: Release, name: str) -> list[dict[str, Any]]:
    """Return the lines of one of its files of JSON lines."""
    from json import loads

    from winoplatform.artifacts import store

    with store.open_artifact(release.files.get(name=name).artifact) as file:
        return [loads(line) for line in file]
