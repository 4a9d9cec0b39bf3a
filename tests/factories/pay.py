"""Factories of how pay leaves the platform."""

import uuid
from decimal import Decimal

import factory

from tests.factories.work import Factory, LedgerEntryFactory, UserFactory
from workers.models import Payout, PayoutLine, Settlement


class PayoutFactory(Factory):
    """A payout on its way, without lines."""

    class Meta:
        model = Payout

    client_key = factory.LazyFunction(uuid.uuid4)
    budget = factory.LazyFunction(uuid.uuid4)
    currency = "USD"
    created_by = factory.SubFactory(UserFactory, curator=True)


class PayoutLineFactory(Factory):
    class Meta:
        model = PayoutLine

    payout = factory.SubFactory(PayoutFactory)
    worker = factory.SubFactory(UserFactory)
    amount = Decimal("0.03")
    n_entries = 1


class SettlementFactory(Factory):
    """An entry that is approved."""

    class Meta:
        model = Settlement

    entry = factory.SubFactory(LedgerEntryFactory)
    state = Settlement.State.APPROVED
