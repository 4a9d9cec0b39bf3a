"""A session signs in until it ends, and as long as its account may sign in."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import UserFactory
from winoplatform.celery import app
from winoplatform.tasks import clear_sessions


def test_a_session_that_has_ended_signs_nobody_in(client: Client) -> None:
    client.force_login(UserFactory())
    assert client.get(reverse("home")).status_code == 200
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get(reverse("home")).status_code == 302


def test_a_session_of_an_account_that_is_switched_off_signs_nobody_in(client: Client) -> None:
    user = UserFactory()
    client.force_login(user)
    user.is_active = False
    user.save()
    assert client.get(reverse("home")).status_code == 302


def test_a_session_of_an_unknown_key_signs_nobody_in(client: Client) -> None:
    client.cookies["sessionid"] = "k" * 32
    assert client.get(reverse("home")).status_code == 302


def test_ended_sessions_do_not_pile_up() -> None:
    now = timezone.now()
    for key, hours in (("ended", -1), ("lasting", 1)):
        expire_date = now + timedelta(hours=hours)
        Session.objects.create(session_key=key, session_data="", expire_date=expire_date)
    assert app.conf.beat_schedule["clear-sessions"]["task"] == clear_sessions.name
    clear_sessions()
    assert [each.session_key for each in Session.objects.all()] == ["lasting"]
