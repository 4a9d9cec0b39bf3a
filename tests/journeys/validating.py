"""What the journeys of validators share: a campaign, validators, and the page's steps."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from collection.models import Campaign
from tests.factories import CampaignFactory, TwinFactory, UserFactory
from validation import services
from validation.models import Seat
from workers.models import User

VALIDATE = "/campaigns/kitchen/validate/"
RECORDED = "Your vote is recorded."
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def kitchen(twins: int, **fields: Any) -> Campaign:
    """A campaign with so many twins whose seats are all open."""
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", **fields)
    for _ in range(twins):
        TwinFactory(campaign=campaign, seats=3)
    return campaign


def settled(page: Page) -> None:
    """Wait until the keys count for the step that is shown."""
    expect(page.locator("[data-settling]")).to_have_count(0)


def begin(sign_in: Callable[..., Page], worker: User, **options: Any) -> Page:
    """Open the page and take the first question.

    Votes that fail are sent again at the page's own pace: between two of them a test has its turn.
    """
    page = sign_in(worker, quick=False, **options)
    page.goto(reverse("validate", args=["kitchen"]))
    page.get_by_role("button", name="Get a question").click()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    return page


def open_sentence(page: Page, answer: str = "Cannot tell") -> None:
    settled(page)
    page.get_by_role("button", name=answer).click()
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()


def vote(page: Page, option: int = 1, clarity: str = "No, clearly one") -> None:
    settled(page)
    page.locator(f"input[name=option][value='{option}']").check()
    page.get_by_role("button", name=clarity).click()


def answer_of(worker: User, *, right: bool = True) -> int:
    """The number that stands on the author's answer, or on the other, on the validator's page."""
    seat = Seat.objects.filter(worker=worker, answered_at=None).order_by("claimed_at", "pk")[0]
    answer = seat.question.answer if right else 3 - seat.question.answer
    return services.as_shown(seat, answer)


def receipt(page: Page) -> Locator:
    return page.locator("[data-receipt]")


def taken_over(seat: Seat) -> None:
    """End the lease of a seat, and let another validator claim it."""
    then = timezone.now() - timedelta(minutes=1)
    Seat.objects.filter(pk=seat.pk).update(leased_until=then)
    other = UserFactory()
    assert services.claim_seat(worker=other, campaign=seat.campaign).pk == seat.pk


def two_in_hand(worker: User) -> Callable[[], bool]:
    return lambda: Seat.objects.filter(worker=worker, answered_at=None).count() == 2


def until(is_so: Callable[[], bool], page: Page) -> None:
    """Wait for what the page does without showing it."""
    for _ in range(300):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came to be so")


def hide(page: Page, is_hidden: bool) -> None:
    """Put the tab behind another one, or in front again."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )
