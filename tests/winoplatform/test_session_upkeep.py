"""Sessions that have ended are deleted."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from winoplatform.celery import app
from winoplatform.tasks import clear_sessions


def test_ended_sessions_do_not_pile_up() -> None:
    now = timezone.now()
    for key, hours in (("ended", -1), ("lasting", 1)):
        expire_date = now + timedelta(hours=hours)
        Session.objects.create(session_key=key, session_data="", expire_date=expire_date)
    assert app.conf.beat_schedule["clear-sessions"]["task"] == clear_sessions.name
    clear_sessions()
    assert [each.session_key for each in Session.objects.all()] == ["lasting"]
