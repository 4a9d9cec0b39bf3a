"""A curator goes from a snapshot over the preview to the zip file; a stranger downloads it too."""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from corpora import services
from corpora.models import Release, ReleasePreview, Snapshot
from evaluation.models import Evaluation
from filtering.models import Encoding, FilterRun
from tests.corpora.test_release_provenance import validated
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import TINY, carried, published_twins
from tests.journeys.folds import unfold
from tests.journeys.test_accessibility import VIEWS, assert_clean
from winoplatform.runs.kinds import execute_here


@pytest.fixture
def snapshot(transactional_db: None) -> Snapshot:
    campaign = validated(8, dev_share="0.25", test_share="0.25")
    snapshot: Snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    return snapshot


def downloaded(page: Page) -> bytes:
    """Follow the link to the archive."""
    with page.expect_download() as file:
        page.get_by_role("link", name="Download", exact=False).first.click()
    assert file.value.suggested_filename == "kitchen-1.zip"
    return Path(file.value.path()).read_bytes()


def assert_a_version_below_the_rule_is_refused(page: Page, preview: str) -> None:
    """The preview is older than the release: what has changed since is unknown."""
    page.goto(preview)
    page.get_by_label("Name", exact=True).fill("kitchen-2")
    page.get_by_label("Version").fill("1.0.1")
    page.get_by_role("button", name="Build the release").click()
    expect(page.get_by_text("Choose 2.0.0 or higher")).to_be_visible()
    assert Release.objects.count() == 1


@VIEWS
def test_a_release_is_previewed_built_downloaded_and_read_by_a_stranger(
    view: dict[str, Any],
    snapshot: Snapshot,
    sign_in: Callable[..., Page],
    new_context: Callable[..., BrowserContext],
) -> None:
    page = sign_in(UserFactory(curator=True), **view)
    page.goto(f"/campaigns/{snapshot.campaign.slug}/pipeline/")
    page.get_by_role("link", name=re.compile("^Release\\b")).click()
    page.get_by_label("Fewest complete pairs").fill("3")
    assert_clean(page)
    page.get_by_role("button", name="Show the preview").click()
    expect(page.get_by_role("heading", name="Preview of a release", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="Splits")).to_have_count(0)
    execute_here(ReleasePreview.objects.get())

    # The poll brings the figures and the form.
    expect(page.get_by_role("row", name="test (blind)")).to_contain_text("secret")
    expect(page.get_by_label("Version")).to_have_value("1.0.0")
    expect(page.get_by_role("heading", name="Clues to the answers")).to_be_visible()
    expect(page.get_by_text("No clue found in the sentences and options")).to_be_visible()
    assert_clean(page)
    preview = page.url
    page.get_by_label("Name", exact=True).fill("kitchen 1")
    page.get_by_label("Authors").fill("Ada Example")
    page.get_by_label("Public:").check()
    page.get_by_role("button", name="Build the release").click()
    expect(page.get_by_text("Use letters a to z, digits")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("kitchen-1")
    page.get_by_role("button", name="Build the release").click()
    expect(page.get_by_text("The release is being built.")).to_be_visible()
    execute_here(Release.objects.get())
    expect(page.get_by_role("heading", name="Splits")).to_be_visible()
    unfold(page, "Files")
    expect(page.get_by_text("opening.jsonl")).to_be_visible()
    assert_clean(page)
    archive = downloaded(page)
    assert_a_version_below_the_rule_is_refused(page, preview)
    page.goto("/releases/kitchen-1/")
    packed = zipfile.ZipFile(io.BytesIO(archive)).namelist()
    assert {"kitchen-1/train_xl.jsonl", "kitchen-1/test.jsonl"} <= set(packed)

    stranger = new_context(**view).new_page()
    stranger.goto(page.url)
    expect(stranger.get_by_text("Ada Example").first).to_be_visible()
    expect(stranger.get_by_text("opening.jsonl")).to_have_count(0)
    assert_clean(stranger)
    assert downloaded(stranger) == archive
    stranger.goto(f"/campaigns/{snapshot.campaign.slug}/")
    expect(stranger.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.long
@pytest.mark.usefixtures("transactional_db")
def test_all_runs_stop_at_the_preview_until_a_curator_builds_the_release(
    settings: Any, sign_in: Callable[..., Page]
) -> None:
    settings.ENCODER = TINY
    campaign = CampaignFactory(dev_share="0.25", test_share="0.25")
    published_twins(12, campaign=campaign)
    page = sign_in(UserFactory(curator=True))
    page.goto(f"/campaigns/{campaign.slug}/pipeline/")
    expect(page.get_by_text("12 valid pairs so far.")).to_be_visible()
    expect(
        page.get_by_text("The snapshot draws the splits of 12 pairs, permanently.")
    ).to_be_visible()
    page.get_by_role("button", name="Start all runs").click()
    expect(page.get_by_role("heading", name="Preview of a release", level=1)).to_be_visible()
    expect(page.get_by_text("waiting for the encoding")).to_be_visible()
    for run in (*Snapshot.objects.all(), *Encoding.objects.all(), *FilterRun.objects.all()):
        execute_here(run)
    for model in (Release, Evaluation):
        assert not model.objects.exists()
    page.goto(f"/campaigns/{campaign.slug}/pipeline/")
    page.get_by_text("Previews of releases:").get_by_role("link").click()
    execute_here(ReleasePreview.objects.get())
    expect(page.get_by_role("heading", name="Clues to the answers")).to_be_visible()
    expect(page.get_by_label("Licence")).to_have_value("CC-BY-4.0")
    expect(page.get_by_text("After the build the baselines are evaluated on dev.")).to_be_visible()
    page.get_by_role("button", name="Build the release").click()
    expect(page.get_by_text("The release is being built.")).to_be_visible()
    assert {run.method for run in Evaluation.objects.all()} == {"majority", "linear"}
