"""The API documentation reads the stored description in a browser."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext


def test_a_stranger_reads_the_documentation(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto("/api/docs/")
    # The page shows hundreds of addresses, one group after the other.
    page.locator(".opblock").first.wait_for(timeout=60_000)
    assert page.get_by_text("Failed to load API definition").count() == 0
