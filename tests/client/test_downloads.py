"""Downloads of the client: continued where they were interrupted, and checked."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from winoplatform_client import (
    ApiError,
    ChecksumError,
    Connection,
    InterruptedDownload,
    connection,
)
from winoplatform_client.downloads import EMPTY_ATTEMPTS, download

from tests.client.broken import BreakingServer, breaking_server


@pytest.fixture
def server() -> Iterator[BreakingServer]:
    with breaking_server() as server:
        yield server


def get(server: BreakingServer, target: Path, sha256: str = "") -> Path:
    with Connection(server.url) as platform:
        return download(platform, "file", target, sha256=sha256 or server.sha256, pause=0)


def test_an_interrupted_download_continues_where_it_was(
    server: BreakingServer, tmp_path: Path
) -> None:
    server.breaks = 3
    target = get(server, tmp_path / "folder" / "file")
    assert target.read_bytes() == server.content
    assert server.asked == ["", "bytes=10000-", "bytes=20000-", "bytes=30000-"]
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_a_later_call_continues_what_an_earlier_one_gave_up(
    server: BreakingServer, tmp_path: Path
) -> None:
    server.breaks, server.after = EMPTY_ATTEMPTS, 0
    (tmp_path / "file.part").write_bytes(server.content[:500])
    with pytest.raises(InterruptedDownload, match="interrupted at byte 500"):
        get(server, tmp_path / "file")
    assert not (tmp_path / "file").exists()
    assert get(server, tmp_path / "file").read_bytes() == server.content
    assert set(server.asked) == {"bytes=500-"}


@pytest.mark.parametrize("status", [429, 503])
def test_a_download_waits_as_long_as_the_platform_asks(
    server: BreakingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(connection, "time", SimpleNamespace(sleep=waits.append))
    server.busy, server.busy_status, server.retry_after = 2, status, "7"
    (tmp_path / "file.part").write_bytes(server.content[:500])
    assert get(server, tmp_path / "file").read_bytes() == server.content
    assert waits == [7.0, 7.0]
    assert server.asked == ["bytes=500-"] * 3
    server.busy = connection.ATTEMPTS
    with pytest.raises(ApiError, match=str(status)):
        get(server, tmp_path / "other")
    assert (server.busy, len(waits)) == (0, 2 + connection.ATTEMPTS - 1)


def test_a_part_of_another_content_is_not_continued(server: BreakingServer, tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(b"of an earlier file")
    with pytest.raises(ChecksumError, match="has the SHA-256"):
        get(server, tmp_path / "file")
    assert list(tmp_path.iterdir()) == []
    assert get(server, tmp_path / "file").read_bytes() == server.content


def test_a_server_without_ranges_sends_all_of_it_again(
    server: BreakingServer, tmp_path: Path
) -> None:
    server.breaks, server.knows_ranges = 2, False
    assert get(server, tmp_path / "file").read_bytes() == server.content


def test_what_is_there_is_kept_if_its_sum_is_right_and_else_replaced(
    server: BreakingServer, tmp_path: Path
) -> None:
    target = get(server, tmp_path / "file")
    get(server, target)
    assert len(server.asked) == 1
    target.write_bytes(b"changed")
    assert get(server, target).read_bytes() == server.content


def test_an_answer_that_is_not_of_the_platform_is_an_error_too(server: BreakingServer) -> None:
    server.content = b"<h1>Bad gateway</h1>"
    with Connection(server.url) as platform, pytest.raises(ApiError, match="501"):
        platform.send("PUT", "file")


@pytest.mark.parametrize(
    ("url", "message"),
    [("ftp://example.org", "http:// or https://"), ("http://example.org", "by https only")],
)
def test_a_token_is_not_sent_unencrypted(url: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Connection(url, "wino_x")
