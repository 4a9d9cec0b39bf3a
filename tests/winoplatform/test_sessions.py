"""A session signs in until it ends, and as long as its account may sign in."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import UserFactory


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
