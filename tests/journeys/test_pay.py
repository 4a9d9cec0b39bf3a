"""A writer finds the work behind each line of pay, and the answer to an appeal."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.factories import LedgerEntryFactory, TwinFactory, UserFactory
from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import PHONE, kitchen
from validation.models import Appeal
from validation.services.review import appeals


@pytest.mark.parametrize("view", [{"viewport": {"width": 1440, "height": 900}}, PHONE])
def test_a_line_of_pay_leads_to_its_work_and_an_answer_is_news(
    view: dict[str, object], sign_in: Callable[..., Page], transactional_db: None
) -> None:
    campaign, alice = kitchen(0), UserFactory()
    twin = TwinFactory(campaign=campaign, author=alice, withdrawn_at=timezone.now())
    for kind, amount in (("twin", "0.40"), ("adjustment", "-0.40")):
        LedgerEntryFactory(
            worker=alice,
            kind=kind,
            unit=str(twin.public_id),
            amount=Decimal(amount),
            budget=campaign.public_id,
        )
    question = TwinFactory(campaign=campaign, author=alice).questions.first()
    made = Appeal.objects.create(
        worker=alice, subject="question", unit=question.public_id, text="It is clear."
    )
    appeals.answer_appeal(
        appeal_id=made.public_id, upheld=False, answer="It is not.", by=UserFactory(curator=True)
    )
    page = sign_in(alice, **view)
    page.goto(reverse("my-pay"))
    expect(page.get_by_text("You withdrew this twin.")).to_be_visible()
    assert_clean(page)
    page.get_by_role("link", name="adjustment").click()
    expect(page.get_by_role("heading", name="This twin is withdrawn")).to_be_visible()
    page.goto("/")
    expect(page.get_by_text("Your appeal was declined: “It is not.”")).to_be_visible()
    page.get_by_role("link", name="See the appeal").click()
    expect(page.get_by_text("Your appeal: “It is clear.”")).to_be_visible()
    assert_clean(page)
