"""Query sets that are compiled once: what they read, store and refuse."""

from datetime import timedelta
from decimal import Decimal

from django.db.models import F
from django.utils import timezone

from collection.models import Campaign
from tests.factories import CampaignFactory, SeatFactory, UserFactory
from validation.models import Seat
from winoplatform.db.prepared import Placeholder, Prepared, insert, updating
from workers.models import LedgerEntry, User


def test_it_finds_what_the_query_set_finds_with_what_is_related() -> None:
    seat = SeatFactory(worker=UserFactory())
    mine = Seat.objects.filter(worker=Placeholder("worker")).with_campaign()
    prepared = Prepared(mine.annotate(left_by=F("worker")))
    [found] = prepared.all(worker=seat.worker_id)
    assert (found, found.question, found.twin) == (seat, seat.question, seat.twin)
    assert (found.campaign, found.left_by) == (seat.campaign, seat.worker_id)
    assert prepared.first(worker=0) is None


def test_changes_are_stored_in_what_is_found_and_shown() -> None:
    seat, until = SeatFactory(worker=UserFactory()), timezone.now() + timedelta(hours=1)
    found = Seat.objects.filter(pk=Placeholder("seat")).select_for_update(no_key=True)
    changed = Prepared(found, leased_until=Placeholder("until"))
    shown = changed.first(seat=seat.pk, until=until)
    assert shown is not None
    assert shown.leased_until == until == Seat.objects.get(pk=seat.pk).leased_until


def test_an_object_is_stored_together_with_other_statements(campaign: Campaign, bob: User) -> None:
    entry = LedgerEntry(
        worker=bob, kind="bonus", unit="bonus:1", amount=Decimal("0.10"), currency="USD"
    )
    entry.budget = campaign.public_id
    rename = updating(User.objects.filter(pk=Placeholder("user")), username=Placeholder("name"))
    insert(entry, rename.filled(user=bob.pk, name="rob"))
    bob.refresh_from_db()
    assert (LedgerEntry.objects.get(), bob.username) == (entry, "rob")
    assert not entry._state.adding


def test_a_column_that_python_converts_is_converted() -> None:
    campaign = CampaignFactory(blocking=["object_animal"])
    found = Prepared(Campaign.objects.filter(slug=Placeholder("slug"))).first(slug=campaign.slug)
    assert found is not None
    assert found.blocking == ["object_animal"]
