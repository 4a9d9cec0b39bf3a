"""Second factors: apps and recovery codes, and curators who need one."""

import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.factories import UserFactory
from tests.frontend.pages import source, words
from tests.frontend.proofs import prove
from workers.models import AuditEvent, User
from workers.services import create_token, make_password_link

PASSWORD = "a long pass phrase"
SECRET = "JBSWY3DPEHPK3PXP"
FIELDS = {"login": "dana", "password": PASSWORD}


@pytest.fixture(autouse=True)
def counted_from_nothing() -> None:
    cache.clear()


@pytest.fixture
def dana() -> User:
    return UserFactory(username="dana", password=PASSWORD, curator=True)


def code(secret: str = SECRET) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def with_password(client: Client, **more: str) -> Any:
    return client.post("/sign-in/", FIELDS | more)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_an_app_is_set_up_with_recovery_codes_that_are_shown_once(dana: User) -> None:
    client = Client()
    with_password(client)
    secret = client.get("/account/second-factor/app/").context["form"].secret
    done = client.post("/account/second-factor/app/", {"code": code(secret)}, follow=True)
    codes = done.context["unused_codes"]
    assert len(codes) == 10
    assert codes[0] in source(done)
    assert codes[0] not in source(client.get("/account/second-factor/codes/"))
    factors = {"factor": "totp"}, {"factor": "recovery_codes"}
    events = AuditEvent.objects.filter(kind="factor_added").order_by("pk")
    assert [event.facts for event in events] == [*factors]
    assert secret not in repr([*AuditEvent.objects.values_list()])


def test_the_password_alone_opens_nothing_then(dana: User) -> None:
    TOTP.activate(dana, SECRET)
    client = Client()
    assert with_password(client, next="/people/")["Location"] == "/sign-in/second-factor/"
    assert not is_in(client)
    assert client.get("/account/").status_code == 302
    before = client.session.session_key
    assert client.post("/sign-in/second-factor/", {"code": code()})["Location"] == "/people/"
    assert is_in(client)
    assert client.session.session_key != before
    event = AuditEvent.objects.filter(kind="sign_in").latest("pk")
    assert event.facts == {"proof": "password and totp"}


def test_a_code_of_the_app_works_once(dana: User) -> None:
    TOTP.activate(dana, SECRET)
    one, other, used = Client(), Client(), code()
    for client in (one, other):
        with_password(client)
        client.post("/sign-in/second-factor/", {"code": used})
    assert (is_in(one), is_in(other)) == (True, False)


def test_a_recovery_code_works_once(dana: User) -> None:
    TOTP.activate(dana, SECRET)
    used = RecoveryCodes.activate(dana).generate_codes()[0]
    one, other = Client(), Client()
    for client in (one, other):
        with_password(client)
        client.post("/sign-in/second-factor/", {"code": used})
    assert (is_in(one), is_in(other)) == (True, False)


def test_codes_cannot_be_guessed(dana: User) -> None:
    TOTP.activate(dana, SECRET)
    client = Client()
    with_password(client)
    for guess in range(10):
        client.post("/sign-in/second-factor/", {"code": f"{guess:06}"})
    said = client.post("/sign-in/second-factor/", {"code": code()})
    assert "too many attempts" in words(said)
    assert not is_in(client)
    assert AuditEvent.objects.filter(kind="sign_in_failed", account=dana).count() == 10


def test_the_password_makes_no_token_then_and_the_page_does(dana: User) -> None:
    TOTP.activate(dana, SECRET)
    body = {"username": "dana", "password": PASSWORD}
    refused = Client().post("/api/v1/tokens/", body, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "second_factor_required")


def test_the_admin_site_has_no_sign_in_of_its_own(dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(role="admin", is_staff=True, is_superuser=True)
    TOTP.activate(dana, SECRET)
    client = Client()
    fields = {"username": "dana", "password": PASSWORD, "next": "/admin/"}
    assert client.post("/admin/login/", fields)["Location"].startswith("/sign-in/?next=")
    assert not is_in(client)
    with_password(client)
    assert client.get("/admin/").status_code == 302
    client.post("/sign-in/second-factor/", {"code": code()})
    assert client.get("/admin/").status_code == 200


def test_a_link_for_a_new_password_does_not_replace_the_second_factor(dana: User) -> None:
    TOTP.activate(dana, SECRET)
    client = Client()
    form = client.get(make_password_link(user=dana, by=UserFactory(admin=True)))["Location"]
    new = {"password1": "loud-heron-8", "password2": "loud-heron-8"}
    assert client.post(form, new)["Location"] == "/sign-in/second-factor/"
    assert not is_in(client)


@pytest.mark.django_db(transaction=True)
def test_a_curator_who_needs_one_sees_nothing_else_before(dana: User, settings: Any) -> None:
    settings.CURATORS_NEED_SECOND_FACTOR = True
    client = Client()
    with_password(client)
    for page in ("/", "/people/", "/account/", "/admin/", "/api/docs/"):
        assert client.get(page)["Location"] == "/account/second-factor/"
    assert "Curators need a second factor" in words(client.get("/account/second-factor/"))
    refused = client.get("/api/v1/me/")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "second_factor_required")
    secret = client.get("/account/second-factor/app/").context["form"].secret
    client.post("/account/second-factor/app/", {"code": code(secret)})
    assert client.get("/people/").status_code == 200
    assert client.get("/api/v1/me/").status_code == 200


def test_a_session_that_has_not_shown_it_is_asked_for_it(dana: User, settings: Any) -> None:
    settings.CURATORS_NEED_SECOND_FACTOR = True
    TOTP.activate(dana, SECRET)
    client = Client()
    client.force_login(dana)
    prove(client, dana)
    asked = client.get("/people/")["Location"]
    assert asked == "/account/confirm/code/?next=%2Fpeople%2F"
    assert client.post(asked, {"code": code()})["Location"] == "/people/"
    assert client.get("/people/").status_code == 200


def test_tokens_of_a_curator_without_one_are_refused_and_workers_need_none(
    dana: User, settings: Any
) -> None:
    settings.CURATORS_NEED_SECOND_FACTOR = True
    worker = UserFactory()
    answers = []
    for user in (dana, worker):
        _, text = create_token(user=user, name="x")
        answers.append(Client().get("/api/v1/me/", headers={"Authorization": f"Token {text}"}))
    assert [answer.status_code for answer in answers] == [403, 200]
    client = Client()
    client.force_login(worker)
    assert client.get("/my-work/").status_code == 200


def test_an_admin_removes_the_factor_of_who_lost_it(dana: User) -> None:
    factor = TOTP.activate(dana, SECRET).instance
    admin, client = UserFactory(admin=True), Client()
    client.force_login(admin)
    prove(client, admin)
    page = reverse("admin:mfa_authenticator_change", args=[factor.pk])
    assert SECRET not in source(client.get(page))
    client.post(reverse("admin:mfa_authenticator_delete", args=[factor.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()
    removed = AuditEvent.objects.get(kind="factor_removed")
    assert (removed.by, removed.account) == (admin, dana)


@pytest.mark.parametrize("page", ["", "{}/delete/"])
def test_an_admin_without_one_removes_no_factor_of_others(
    page: str, dana: User, settings: Any
) -> None:
    """The names of the admin site's pages of factors begin as those of the pages to set one up."""
    settings.CURATORS_NEED_SECOND_FACTOR = True
    factor = TOTP.activate(dana, SECRET).instance
    admin, client = UserFactory(admin=True), Client()
    client.force_login(admin)
    prove(client, admin)
    address = "/admin/mfa/authenticator/" + page.format(factor.pk)
    assert client.get(address).status_code == 302
    assert client.post(address, {"post": "yes"})["Location"] == "/account/second-factor/"
    assert Authenticator.objects.get() == factor


@pytest.mark.parametrize(
    "page",
    ["second-factor/app/remove/", "second-factor/codes/new/", "passkeys/add/", "passkeys/"],
)
def test_the_password_alone_replaces_no_factor(page: str, dana: User, settings: Any) -> None:
    """A session from before the factor was set up, of a thief who knows the password."""
    settings.CURATORS_NEED_SECOND_FACTOR = True
    TOTP.activate(dana, SECRET)
    client = Client()
    client.force_login(dana)
    prove(client, dana)
    for answer in (client.get, client.post):
        asked = answer(f"/account/{page}")["Location"]
        assert asked.startswith("/account/confirm/code/?next=")
    assert Authenticator.objects.get().type == "totp"


def test_recovery_codes_end_with_the_factor_that_an_admin_removes(dana: User) -> None:
    factor = TOTP.activate(dana, SECRET).instance
    RecoveryCodes.activate(dana)
    admin, client = UserFactory(admin=True), Client()
    client.force_login(admin)
    prove(client, admin)
    client.post(reverse("admin:mfa_authenticator_delete", args=[factor.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()


def test_a_session_ends_to_count_when_its_factor_is_removed(dana: User, settings: Any) -> None:
    settings.CURATORS_NEED_SECOND_FACTOR = True
    TOTP.activate(dana, SECRET)
    client = Client()
    with_password(client)
    client.post("/sign-in/second-factor/", {"code": code()})
    assert client.get("/people/").status_code == 200
    Authenticator.objects.all().delete()
    assert client.get("/people/")["Location"] == "/account/second-factor/"
    assert client.get("/api/v1/me/").status_code == 403
