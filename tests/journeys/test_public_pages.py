"""A stranger comes from the address of the platform to a frame, without an account or a script."""

import os
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest
from django.core.files.storage import storages
from playwright.sync_api import Browser, BrowserContext, Page, expect

from corpora.models import Release
from tests.frontend.published import lines, published
from tests.journeys.servers import Server
from tests.journeys.test_accessibility import VIEWS, assert_buttons_can_be_read, assert_clean
from validation.models import Case

SECONDS = 120
"""From the address to a frame."""
WEIGHT, PAINT = 100_000, 2500
"""Bytes before the first paint, and milliseconds until it."""
# Asked once: the pages' policy forbids what a browser's driver would ask again and again.
FIRST_PAINT = """new Promise((done) =>
  new PerformanceObserver((list) => {
    for (const one of list.getEntriesByName("first-contentful-paint")) done(one.startTime);
  }).observe({ type: "paint", buffered: true }))"""
# Chromium's "Fast 3G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms, each less what the browser adds.
FAST_3G = {
    "offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375,
}  # fmt: skip


@pytest.fixture
def release(transactional_db: None) -> Release:
    return published(title="Kitchen things")


def seen(page: Page, name: str) -> None:
    """Keep a picture, for people who look at the pages."""
    if folder := os.environ.get("PICTURES"):
        width = page.viewport_size["width"]  # type: ignore[index]
        page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)


@VIEWS
def test_a_stranger_finds_searches_reports_and_loads(
    view: dict[str, Any],
    release: Release,
    new_context: Callable[..., BrowserContext],
    tmp_path: Path,
) -> None:
    began = time.monotonic()
    page = new_context(**view, java_script_enabled=False).new_page()
    page.goto("/")
    seen(page, "list")
    page.get_by_role("link", name="Kitchen things").click()
    expect(page.get_by_role("heading", name="kitchen-1", level=1)).to_be_visible()
    with page.expect_download() as file:
        page.get_by_role("link", name="Download").first.click()
    zipfile.ZipFile(file.value.path()).extractall(tmp_path)
    frame = pandas.read_parquet(tmp_path / "kitchen-1/data/dev.parquet")
    assert time.monotonic() - began < SECONDS
    assert list(frame["qID"]) == [row["qID"] for row in lines(release, "dev.jsonl")]

    page.get_by_role("link", name="Search all questions").click()
    page.get_by_label("Split").select_option("dev")
    page.get_by_label("Words").fill("cup")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name="dev: 2 questions")).to_be_visible()
    seen(page, "rows")
    page.get_by_role("link", name="The cup").first.click()
    expect(page.get_by_text("votes are for this answer")).to_be_visible()
    page.get_by_label("What should be looked at").fill("Two cups fell.")
    seen(page, "question")
    page.get_by_role("button", name="Send the report").click()
    expect(page.get_by_text("Thank you.")).to_be_visible()
    assert Case.objects.filter(reports=1).count() == 1


@pytest.mark.long
@VIEWS
def test_axe_finds_nothing_on_pages_for_strangers(
    view: dict[str, Any], release: Release, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(**view).new_page()
    qid = lines(release, "dev.jsonl")[0]["qID"]
    of = f"/releases/{release.name}/"
    for address in ("/releases/", of, f"{of}rows/", f"{of}questions/{qid}/", f"{of}leaderboard/"):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        if address == of:
            seen(page, "release")
        assert_clean(page)
        assert_buttons_can_be_read(page)


@pytest.mark.long
def test_public_pages_are_light_and_painted_soon(
    release: Release, browser: Browser, tmp_path: Path
) -> None:
    files = storages["artifacts"].location  # type: ignore[attr-defined]
    (tmp_path / "artifacts").symlink_to(files)
    server = Server(tmp_path)
    server.start()
    try:
        qid = lines(release, "dev.jsonl")[0]["qID"]
        of = f"/releases/{release.name}/"
        for address in ("/releases/", of, f"{of}rows/", f"{of}questions/{qid}/"):
            weight, paint = _first_paint(browser, server.address + address)
            print(f"{address}: {weight:,} bytes, {paint:.0f} ms")
            assert weight <= WEIGHT, address
            assert paint <= PAINT, address
    finally:
        server.kill()


def _first_paint(browser: Browser, address: str) -> tuple[int, float]:
    """Return the bytes that had come when a page was painted first, and the milliseconds."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    client = context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", FAST_3G)
    received: list[tuple[float, int]] = []

    def note(said: dict[str, Any], size: int) -> None:
        received.append((said["timestamp"], size))

    client.on("Network.requestWillBeSent", lambda said: note(said, 0))
    client.on(
        "Network.responseReceived", lambda said: note(said, said["response"]["encodedDataLength"])
    )
    client.on("Network.dataReceived", lambda said: note(said, said["encodedDataLength"]))
    answer = page.goto(address, wait_until="load")
    assert answer is not None
    assert answer.ok
    paint = float(page.evaluate(FIRST_PAINT))
    context.close()
    began = received[0][0]
    return sum(size for at, size in received if at <= began + paint / 1000), paint
