"""Pages of results open with their verdict; the rest is folded."""

from playwright.sync_api import Page


def unfold(page: Page, *titles: str) -> None:
    """Open folds by their titles, as a reader does."""
    for title in titles:
        fold = page.locator("details.fold:not([open]) > summary").filter(has_text=title)
        fold.first.click()


def unfold_all(page: Page) -> None:
    page.evaluate(
        "document.querySelectorAll('details.fold').forEach((fold) => { fold.open = true })"
    )
