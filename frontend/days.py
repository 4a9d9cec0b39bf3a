"""Days in forms: each begins and ends in the reader's own time zone."""

from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone


def day_begins(day: date | None) -> datetime | None:
    """Return the moment at which *day* begins; for the first day of the calendar, the minimum."""
    if day is None:
        return None
    if day == date.min:  # east of Greenwich, its midnight is before the earliest datetime
        return datetime.min.replace(tzinfo=UTC)
    return timezone.make_aware(datetime.combine(day, time.min))


def day_ends(day: date | None) -> datetime | None:
    """Return the moment at which *day* ends; None for the last day of the calendar."""
    return None if day is None or day == date.max else day_begins(day + timedelta(days=1))
