"""Links to set a new password on the pages."""

from collections.abc import Callable
from urllib.parse import urldefrag

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import UserFactory
from tests.frontend.pages import source, words
from workers.models import PasswordLink, User
from workers.services import make_password_link

pytestmark = pytest.mark.django_db
OLD, NEW = "quiet-otter-7", "loud-heron-8"
BODY = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def erin() -> User:
    return UserFactory(username="erin", password=OLD)


def test_a_link_from_the_persons_page_sets_the_password_and_the_person_sees_it(
    erin: User, dana: User, browse: Callable[[User], Client]
) -> None:
    as_dana, as_erin, forgetful = browse(dana), Client(), Client()
    as_erin.force_login(erin)
    assert erin.public_id in source(as_dana.get(reverse("person", args=[erin.public_id])))
    made = as_dana.post(reverse("password-links"), {"person": erin.public_id})
    assert "no-store" in made["Cache-Control"]
    code = urldefrag(made.context["address"]).fragment
    assert code in source(made)
    assert code not in source(as_dana.get(reverse("password-links")))
    assert f"Made by {dana.username}" in words(as_erin.get(reverse("account")))
    shown = forgetful.post(reverse("new-password"), {"code": code})
    assert "Choose a new password for the account erin" in words(shown)
    body = {"code": code, **BODY}
    done = forgetful.post(reverse("new-password"), body, follow=True)
    assert "Your new password is set" in words(done)
    assert as_erin.get(reverse("account")).status_code == 302
    assert forgetful.login(username="erin", password=NEW)
    assert Client().post(reverse("new-password"), body).status_code == 410


def test_a_curator_is_refused_a_link_for_an_admin(
    dana: User, browse: Callable[[User], Client]
) -> None:
    UserFactory(username="root", admin=True, password=OLD)
    answer = browse(dana).post(reverse("password-links"), {"username": "root"})
    assert answer.status_code == 403
    assert "Only an admin" in words(answer)
    assert not PasswordLink.objects.exists()


@pytest.mark.parametrize("body", [{"username": "no-such"}, {"person": "w-0"}, {"person": "\x00"}])
def test_an_unknown_account_is_told(
    body: dict[str, str], dana: User, browse: Callable[[User], Client]
) -> None:
    assert browse(dana).post(reverse("password-links"), body).status_code == 400


@pytest.mark.parametrize("password", ["short", "password", "12345678901"])
def test_a_weak_password_is_refused_and_the_link_stays(
    password: str, erin: User, dana: User
) -> None:
    _, code = make_password_link(user=erin, by=dana)
    body = {"code": code, "new_password1": password, "new_password2": password}
    assert Client().post(reverse("new-password"), body).status_code == 400
    assert PasswordLink.objects.get().used_at is None


def test_a_revoked_link_and_an_unknown_one_get_the_same_answer(
    erin: User, dana: User, browse: Callable[[User], Client]
) -> None:
    link, code = make_password_link(user=erin, by=dana)
    browse(dana).post(reverse("revoke-password-link", args=[link.public_id]))
    for dead in (code, "x" * 43):
        answer = Client().post(reverse("new-password"), {"code": dead, **BODY})
        assert answer.status_code == 410
        assert "erin" not in source(answer)
