"""A forgotten password: by mail, or by a link that a curator makes."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.factories import ConsentFactory, UserFactory
from tests.frontend.pages import source, words
from winoplatform.errors import DomainError
from workers.models import AuditEvent, User
from workers.services import create_token, make_password_link

OLD, NEW = "quiet-otter-7", "loud-heron-8"
BODY = {"password1": NEW, "password2": NEW}


@pytest.fixture(autouse=True)
def counted_from_nothing() -> None:
    cache.clear()


@pytest.fixture
def erin() -> User:
    return UserFactory(username="erin", password=OLD, email="erin@example.org")


def mailed(address: str = "erin@example.org") -> str:
    """Ask for a link; return the last mail."""
    answer = Client().post("/forgotten-password/", {"email": address})
    assert answer["Location"] == "/forgotten-password/sent/"
    return mail.outbox[-1].body


def link_in(text: str) -> str:
    return re.search(r"/new-password/\S+", text)[0]  # type: ignore[index]


def use(link: str, client: Client | None = None) -> Any:
    """Open a link and send a new password."""
    client = client or Client()
    opened = client.get(link)
    return client.post(opened["Location"], BODY) if opened.status_code == 302 else opened


def is_dead(link: str) -> bool:
    return "This link cannot be used" in words(use(link))


def test_a_mailed_link_sets_the_password_signs_in_and_ends_what_was_open(erin: User) -> None:
    elsewhere, here = Client(), Client()
    elsewhere.force_login(erin)
    create_token(user=erin, name="notebook")
    link = link_in(mailed())
    assert use(link, here)["Location"] == "/"
    assert here.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    assert not erin.auth_token_set.exists()
    assert User.objects.get().check_password(NEW)
    assert is_dead(link)
    assert "Sent to your address" in words(here.get("/account/"))


def change_password(user: User) -> None:
    user.set_password("third-newt-9")
    user.save()


def sign_in(user: User) -> None:
    Client().post("/sign-in/", {"login": user.username, "password": OLD})


def promote(user: User) -> None:
    User.objects.filter(pk=user.pk).update(role="curator")


def deactivate(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("end", [change_password, sign_in, promote, deactivate])
def test_an_ended_link_sets_no_password(end: Callable[[User], None], erin: User) -> None:
    links = [link_in(mailed()), make_password_link(user=erin, by=UserFactory(curator=True))]
    end(erin)
    assert [is_dead(link) for link in links] == [True, True]


def test_a_link_expires(erin: User, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    link = link_in(mailed())
    seconds = PasswordResetTokenGenerator._num_seconds
    later = settings.PASSWORD_RESET_TIMEOUT + 2
    monkeypatch.setattr(
        PasswordResetTokenGenerator, "_num_seconds", lambda self, at: seconds(self, at) + later
    )
    assert is_dead(link)


def test_the_answer_and_the_work_are_the_same_for_an_unknown_address(erin: User) -> None:
    known, unknown = (
        Client().post("/forgotten-password/", {"email": f"{name}@example.org"}, follow=True)
        for name in ("erin", "nobody")
    )
    assert words(known) == words(unknown)
    assert [message.to for message in mail.outbox] == [["erin@example.org"], ["nobody@example.org"]]
    assert "/new-password/" not in mail.outbox[1].body


def test_an_address_gets_few_mails_an_hour(erin: User) -> None:
    statuses = [
        Client().post("/forgotten-password/", {"email": "erin@example.org"}).status_code
        for _ in range(6)
    ]
    assert statuses == [302] * 5 + [429]
    assert len(mail.outbox) == 5


def test_without_a_mail_server_the_page_says_whom_to_ask(settings: Any, erin: User) -> None:
    settings.SENDS_MAIL = False
    said = Client().post("/forgotten-password/", {"email": "erin@example.org"})
    assert "This installation sends no mail" in words(said)
    assert not mail.outbox


@pytest.mark.parametrize("password", ["short", "password", "12345678901"])
def test_a_weak_password_is_refused_and_the_link_stays(password: str, erin: User) -> None:
    client, link = Client(), link_in(mailed())
    form = client.get(link)["Location"]
    weak = client.post(form, {"password1": password, "password2": password})
    assert weak.context["form"].errors
    assert client.post(form, BODY)["Location"] == "/"


def test_a_curator_makes_a_link_which_is_shown_once_and_named_to_its_owner(
    erin: User, dana: User, as_dana: Client
) -> None:
    as_dana, as_erin = as_dana, Client()
    ConsentFactory(worker=erin, guideline__shows_user_names=True)
    as_erin.force_login(erin)
    made = as_dana.post(reverse("password-links"), {"person": erin.public_id})
    link = made.context["address"].removeprefix("http://testserver")
    assert "no-store" in made["Cache-Control"]
    assert link in source(made)
    assert link not in source(as_dana.get(reverse("password-links")))
    assert f"Made by {dana.username}" in words(as_erin.get("/account/"))
    assert link.split("-", 2)[2] not in repr([*AuditEvent.objects.values_list()])
    assert use(link)["Location"] == "/"


def code_of(user: User, by: User) -> str:
    with pytest.raises(DomainError) as caught:
        make_password_link(user=user, by=by)
    return caught.value.code


@pytest.mark.parametrize("role", ["curator", "admin"])
def test_a_curator_cannot_take_over_a_curator_or_an_admin(role: str, dana: User) -> None:
    other = UserFactory(**{role: True}, password=OLD)
    assert code_of(other, dana) == "link_not_allowed"
    assert make_password_link(user=other, by=UserFactory(admin=True))


def test_a_worker_makes_no_link_an_admin_none_for_the_own_account(erin: User, dana: User) -> None:
    with pytest.raises(PermissionDenied):
        make_password_link(user=erin, by=UserFactory())
    admin = UserFactory(admin=True, password=OLD)
    assert code_of(admin, admin) == "link_not_allowed"
    assert code_of(UserFactory(), dana) == "no_password"


@pytest.mark.parametrize("body", [{"username": "no-such"}, {"person": "w-0"}, {"person": "\x00"}])
def test_an_unknown_account_is_told(body: dict[str, str], as_dana: Client) -> None:
    assert as_dana.post(reverse("password-links"), body).status_code == 400
