"""Factories of panels."""

from datetime import timedelta
from decimal import Decimal

import factory
from django.utils import timezone

from corpora.core.items import Item
from corpora.models import ReferenceSet
from panels.models import Panel, PanelItem, PanelSeat
from tests.factories.work import OPTIONS, SENTENCES, CampaignFactory, Factory


class ReferenceSetFactory(Factory):
    class Meta:
        model = ReferenceSet

    name = factory.Sequence(lambda n: f"set-{n}")
    title = "A set"


class PanelFactory(Factory):
    """Open, of a reference set, without items."""

    class Meta:
        model = Panel

    campaign = factory.SubFactory(CampaignFactory)
    reference_set = factory.SubFactory(ReferenceSetFactory)
    split = "test"
    reward = Decimal("0.03")
    n_items = 1
    data_sha256 = "0" * 64


class PanelItemFactory(Factory):
    class Meta:
        model = PanelItem

    panel = factory.SubFactory(PanelFactory)
    number = factory.Sequence(lambda n: n + 1)
    source_id = factory.Sequence(lambda n: f"item-{n}")
    line = factory.LazyAttribute(
        lambda row: Item(
            id=row.source_id,
            group=row.source_id,
            sentence=SENTENCES[0],
            options=OPTIONS,
            answer=1,
        ).to_line()
    )


class PanelSeatFactory(Factory):
    """A free seat; ``PanelSeatFactory(worker=bob)`` is leased to Bob, ``option=1`` is his vote."""

    class Meta:
        model = PanelSeat

    item = factory.SubFactory(PanelItemFactory)
    panel = factory.SelfAttribute("item.panel")
    number = factory.Sequence(lambda n: n % 30_000 + 1)
    group_key = factory.LazyAttribute(lambda seat: f"key of {seat.item.pk}")
    order = factory.LazyFunction(lambda: [2, 1])
    worker = None
    option = None
    claimed_at = factory.LazyAttribute(lambda seat: timezone.now() if seat.worker else None)
    leased_until = factory.LazyAttribute(
        lambda seat: timezone.now() + timedelta(minutes=10) if seat.worker else None
    )
    answered_at = factory.LazyAttribute(lambda seat: timezone.now() if seat.option else None)
    reward = factory.LazyAttribute(lambda seat: seat.panel.reward if seat.worker else None)
