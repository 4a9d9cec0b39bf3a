"""Days as forms ask for them: each begins and ends in the reader's own time zone."""

from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone


def day_begins(day: date | None) -> datetime | None:
    """The moment at which *day* begins; of the calendar's first day, the beginning of time."""
    if day is None:
        return None
    if day == date.min:  # its midnight lies before time itself, east of Greenwich
        return datetime.min.replace(tzinfo=UTC)
    return timezone.make_aware(datetime.combine(day, time.min))


def day_ends(day: date | None) -> datetime | None:
    """The moment at which *day* is over; the calendar's last day never ends."""
    return None if day is None or day == date.max else day_begins(day + timedelta(days=1))
