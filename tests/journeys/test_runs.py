"""A curator tells runs apart: by their picture, by their rows, and by their order."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from filtering.services import choose_run
from tests.factories import (
    CampaignFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    ReleaseFactory,
    SnapshotFactory,
    UserFactory,
)
from tests.journeys.test_accessibility import VIEWS, assert_clean
from winoplatform.runs.keeping import annotate


@VIEWS
def test_a_click_in_the_picture_opens_what_a_release_was_made_from(
    view: dict[str, Any], transactional_db: None, sign_in: Callable[..., Page]
) -> None:
    dana = UserFactory(username="dana", curator=True)
    campaign = CampaignFactory(slug="kitchen")
    snapshot = SnapshotFactory(campaign=campaign, finished=True, created_by=dana)
    encoding = EncodingFactory(snapshot=snapshot, finished=True, created_by=dana)
    run = FilterRunFactory(encoding=encoding, finished=True, created_by=dana)
    annotate(run, caption="First try", is_starred=True)
    choose_run(run=run, by=dana)
    release = ReleaseFactory(filter_run=run, name="kitchen-1", finished=True)
    EvaluationFactory(release=release, finished=True)
    page = sign_in(dana, **view)
    page.goto("/campaigns/kitchen/pipeline/")
    picture = page.get_by_role("group", name="What was made from what")
    expect(picture.get_by_role("link")).to_have_count(4)  # a snapshot has no page
    row = page.get_by_role("row").filter(has_text="Release").filter(has_text="kitchen-1").first
    expect(row.get_by_role("link", name="First try")).to_be_visible()
    expect(page.get_by_text("by dana").first).to_be_visible()
    assert_clean(page)
    picture.get_by_role("link", name="Filter run").click()
    expect(page).to_have_url(f"{page.url.partition('/runs/')[0]}/runs/filter/{run.public_id}/")
    table = page.get_by_role("table").filter(has_text="Meaning")
    expect(table).to_be_hidden()
    page.emulate_media(media="print")
    expect(table).to_be_visible()
    page.emulate_media(media="screen")
    page.goto("/runs/")
    page.get_by_label("Order").select_option("By name")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("table.runs tbody th").first).to_contain_text("First try")
