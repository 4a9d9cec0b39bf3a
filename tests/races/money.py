"""Campaigns with a cap, and work in them, for the races over money."""

from decimal import Decimal

from collection import services
from collection.models import Campaign, Twin
from tests.factories import ArticleFactory, UserFactory
from tests.writing import submit

TWIN = Decimal("0.58")  # 0.40 for the twin, six votes of 0.03


def capped(twins: int) -> Campaign:
    return ArticleFactory(campaign__budget_cap=twins * TWIN).campaign


def written(campaign: Campaign) -> Twin:
    held = services.request_assignment(worker=UserFactory(), campaign=campaign)
    return submit(held)
