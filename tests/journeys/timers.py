"""The pages' timers run faster than a clock: nobody has to watch a journey.

The journeys of `test_kept_text.py` have a browser of their own, and keep the time that people have.
"""

from playwright.sync_api import Page

QUICKER = 5
QUICK_TIMERS = """(() => {
    for (const name of ["setTimeout", "setInterval"]) {
        const usual = window[name];
        window[name] = (call, wait = 0, ...rest) => usual(call, wait / QUICKER, ...rest);
    }
})()""".replace("QUICKER", str(QUICKER))
IMPATIENT = """(() => {
    const usual = AbortSignal.timeout;
    AbortSignal.timeout = (wait) => usual.call(AbortSignal, wait / QUICKER);
})()""".replace("QUICKER", str(QUICKER))


def wait(page: Page, milliseconds: int) -> None:
    """Wait until the page's timers have come so far."""
    page.wait_for_timeout(milliseconds / QUICKER)


def be_impatient(page: Page) -> None:
    """Let the page give up a request that much sooner; others have real time for their answers."""
    page.evaluate(IMPATIENT)
