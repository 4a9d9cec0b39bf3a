"""Clients that never read what they asked for stop nobody."""

import time
from pathlib import Path

import pytest

from collection.models import Campaign
from corpora.models import ReleaseFile
from tests.factories import (
    ArtifactFactory,
    CampaignFactory,
    ReleaseFileFactory,
    TwinFactory,
    UserFactory,
)
from tests.journeys.servers import STATIC, Server
from tests.served.people import ask, token_of, vote
from tests.served.sockets import get, idle_readers
from winoplatform.artifacts import store

MANY = 40  # the server has sixteen threads
LARGE = 16 * 1024 * 1024  # more than the kernel keeps for a client


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory()
    for _ in range(3):
        TwinFactory(campaign=campaign, seats=3)
    return campaign


@pytest.fixture
def file(transactional_db: None, web: Server, monkeypatch: pytest.MonkeyPatch) -> ReleaseFile:
    """A large file of a release, in the folder of the server."""
    artifact = ArtifactFactory(content=b"x" * LARGE)
    stored = store.local_path(artifact.sha256)
    there = web.folder / "artifacts" / artifact.sha256[:2] / artifact.sha256
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_bytes(Path(stored).read_bytes())
    return ReleaseFileFactory(artifact=artifact)


def plotly() -> str:
    (found,) = STATIC.glob("plotly/plotly.min.*.js")
    return f"/static/plotly/{found.name}"


@pytest.mark.long
def test_readers_of_static_files_hold_no_thread(web: Server, campaign: Campaign) -> None:
    with idle_readers(MANY, web.port, get(plotly())):
        assert vote(web.port, campaign.slug) == 201


@pytest.mark.long
def test_readers_of_a_large_download_leave_threads_and_are_cut_off(
    web: Server, campaign: Campaign, file: ReleaseFile
) -> None:
    curator = token_of(UserFactory(curator=True))
    address = f"/api/v1/releases/{file.release.public_id}/files/{file.name}"
    with idle_readers(MANY, web.port, get(address, f"Authorization: {curator}\r\n")):
        time.sleep(0.5)
        refused = ask(web.port, "GET", address, Authorization=curator)
        assert vote(web.port, campaign.slug) == 201
        assert (refused.status, refused.json["error"]["code"]) == (503, "busy_try_again")
        assert refused.headers["retry-after"] == "2"
        # The readers still hold their connections; after SEND_SECONDS theirs are broken.
        end = time.monotonic() + 30
        while (again := ask(web.port, "GET", address, Authorization=curator)).status == 503:
            assert time.monotonic() < end
            time.sleep(0.5)
    assert len(again.body) == LARGE
