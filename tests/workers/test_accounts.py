"""Accounts, tokens of now and of before, pseudonyms, pauses."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import create_token_string, hash_token
from knox.settings import CONSTANTS, knox_settings
from rest_framework.test import APIClient

from tests.factories import UserFactory
from tests.old_databases import OldDatabase, latest, migrate
from winoplatform.errors import DomainError
from workers import accounts, services
from workers.accounts import ROLES, first_accounts
from workers.models import ApiToken, Pause, User
from workers.services import create_token


def test_a_new_account_is_a_workers_and_has_a_pseudonym() -> None:
    user = services.create_user(username="bob", password="long enough")
    assert user.role == User.Role.WORKER
    assert [user.is_curator, user.is_staff, user.is_superuser] == [False] * 3
    assert re.fullmatch(r"w-[0-9a-f]{12}", user.public_id)
    assert "bob" not in user.public_id


def test_the_password_is_stored_hashed() -> None:
    user = services.create_user(username="bob", password="long enough")
    assert "long enough" not in user.password
    assert user.check_password("long enough")


def test_an_account_without_a_password_cannot_sign_in_with_one() -> None:
    assert not services.create_user(username="bob", password=None).has_usable_password()


@pytest.mark.parametrize(
    ("role", "curates"), [("worker", False), ("curator", True), ("admin", True)]
)
def test_curators_and_admins_curate(role: str, curates: bool) -> None:
    user = services.create_user(username="bob", password=None, role=role)
    assert user.is_curator is curates
    assert user.is_superuser is (role == "admin")


@pytest.mark.parametrize("fields", [{"username": ""}, {"username": "bob", "role": "king"}])
def test_a_bad_name_or_role_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        services.create_user(password=None, **fields)


def test_a_name_is_given_once() -> None:
    services.create_user(username="bob", password=None)
    with pytest.raises(ValidationError):
        services.create_user(username="bob", password=None)


def test_a_tokens_text_is_shown_once_and_opens_the_account(bob: User) -> None:
    token, text = services.create_token(user=bob, name="laptop")
    assert text.startswith("wino_")
    assert text not in str(ApiToken.objects.values().get(pk=token.pk))
    assert TokenAuthentication().authenticate_credentials(text.encode())[0] == bob


def test_a_revoked_token_opens_nothing(bob: User) -> None:
    token, _ = services.create_token(user=bob, name="laptop")
    services.revoke_token(user=bob, token_key=token.token_key)
    assert not ApiToken.objects.exists()


def test_nobody_revokes_anothers_token() -> None:
    token, _ = services.create_token(user=UserFactory(), name="laptop")
    with pytest.raises(DomainError) as caught:
        services.revoke_token(user=UserFactory(), token_key=token.token_key)
    assert caught.value.code == "not_found"
    assert ApiToken.objects.exists()


def test_the_first_accounts_have_passwords_of_their_own_in_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    known = first_accounts(path)
    assert set(known) == set(ROLES)
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(json.loads(path.read_text()).values()) == [known]
    assert all(User.objects.get(username=n).check_password(p) for n, p in known.items())
    assert first_accounts(path) == known
    origins = dict(User.objects.values_list("username", "origin"))
    assert (origins["writer"], origins["validator"]) == ("invited", "invited")


def test_an_account_that_was_there_before_keeps_its_password(tmp_path: Path) -> None:
    services.create_user(username="admin", password="my own password", role=User.Role.ADMIN)
    assert "admin" not in first_accounts(tmp_path / "accounts.json")
    assert User.objects.get(username="admin").check_password("my own password")


def test_a_password_that_was_changed_is_not_named_any_more(tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    first_accounts(path)
    writer = User.objects.get(username="writer")
    writer.set_password("my own password")
    writer.save()
    assert set(first_accounts(path)) == set(ROLES) - {"writer"}


def test_the_passwords_of_one_database_outlive_a_start_on_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "accounts.json"
    known = first_accounts(path)
    with monkeypatch.context() as patch, transaction.atomic():
        patch.setattr(accounts, "_database", lambda: "another one")
        User.objects.update(username=Concat(Value("of-"), "username"))  # as if they were elsewhere
        others = first_accounts(path)
        transaction.set_rollback(True)
    assert not set(others.values()) & set(known.values())
    assert first_accounts(path) == known


def test_passwords_stored_before_they_named_their_database_are_told_where_they_open(
    tmp_path: Path,
) -> None:
    path = tmp_path / "accounts.json"
    known = first_accounts(path)
    path.write_text(json.dumps(known | {"writer": "of-another-database"}))
    assert first_accounts(path) == {k: v for k, v in known.items() if k != "writer"}


def test_a_database_is_known_by_what_no_other_has() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
        (oid,) = cursor.fetchone()
    assert re.fullmatch(rf"\d+/{oid}", accounts._database())


def test_a_kill_between_two_accounts_leaves_none_without_a_known_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, made = tmp_path / "new" / "folder" / "accounts.json", []

    def killed(**fields: str) -> None:
        made.append(services.create_user(**fields))
        raise KeyboardInterrupt

    monkeypatch.setattr("workers.accounts.create_user", killed)
    with pytest.raises(KeyboardInterrupt):
        first_accounts(path)
    (writer,) = made
    [stored] = json.loads(path.read_text()).values()
    assert writer.check_password(stored["writer"])
    monkeypatch.undo()
    known = first_accounts(path)
    assert all(User.objects.get(username=n).check_password(p) for n, p in known.items())
    assert [file.name for file in path.parent.iterdir()] == ["accounts.json"]


def test_the_flags_follow_the_role_both_ways() -> None:
    bob = services.create_user(username="bob", password=None)
    bob.role = User.Role.ADMIN
    bob.save(update_fields=["role"])
    bob.refresh_from_db()
    assert (bob.is_staff, bob.is_superuser) == (True, True)
    bob.role = User.Role.CURATOR
    bob.is_staff = True
    bob.full_clean()
    bob.save()
    bob.refresh_from_db()
    assert (bob.is_staff, bob.is_superuser) == (False, False)


def test_createsuperuser_makes_an_admin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a long pass phrase")
    call_command("createsuperuser", interactive=False, username="root", email="", verbosity=0)
    root = User.objects.get()
    assert (root.role, root.is_superuser, root.is_curator) == (User.Role.ADMIN, True, True)


def test_a_new_password_ends_the_tokens_and_other_changes_do_not() -> None:
    bob = UserFactory(password="the old one")
    services.create_token(user=bob, name="laptop")
    services.create_token(user=UserFactory(), name="another person's")
    bob.first_name = "Bob"
    bob.save()
    assert bob.auth_token_set.exists()
    bob.set_password("the new one")
    bob.save()
    assert not bob.auth_token_set.exists()
    assert ApiToken.objects.count() == 1


def test_a_pause_is_told_with_its_reason(alice: User, dana: User) -> None:
    services.pause_worker(worker=alice, reason="  Too fast. ", by=dana)
    with pytest.raises(DomainError, match=r"Too fast\.$") as refused:
        services.refuse_while_paused(worker=alice)
    assert (refused.value.code, refused.value.status) == ("worker_paused", 403)
    services.refuse_while_paused(worker=dana)


def test_a_second_pause_is_refused_and_the_first_reason_stands(alice: User, dana: User) -> None:
    services.pause_worker(worker=alice, reason="First.", by=dana)
    with pytest.raises(DomainError) as refused:
        services.pause_worker(worker=alice, reason="Second.", by=dana)
    assert refused.value.code == "already_paused"
    assert Pause.objects.get().reason == "First."


def test_a_resumed_worker_works_on_and_the_pause_stays_on_record(alice: User, dana: User) -> None:
    services.pause_worker(worker=alice, reason="First.", by=dana)
    services.resume_worker(worker=alice)
    services.refuse_while_paused(worker=alice)
    services.pause_worker(worker=alice, reason="Second.", by=dana)
    assert [pause.reason for pause in alice.pauses.all()] == ["Second.", "First."]
    assert alice.pauses.last().ended_at is not None


def test_who_is_not_paused_is_not_resumed(alice: User) -> None:
    with pytest.raises(DomainError) as refused:
        services.resume_worker(worker=alice)
    assert refused.value.code == "not_paused"


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_a_pause_needs_a_reason_that_can_be_read(reason: str, alice: User, dana: User) -> None:
    with pytest.raises(ValidationError):
        services.pause_worker(worker=alice, reason=reason, by=dana)
    assert not Pause.objects.exists()


BEFORE = ("workers", "0007_money")


@pytest.fixture
def old(old_database: OldDatabase) -> Iterator[Any]:
    with old_database([BEFORE]) as apps:
        yield apps


def old_token(old: Any, role: str, expiry: Any = None) -> str:
    """Make a token as the earlier version did; return its text."""
    users = old.get_model("workers", "User").objects
    user = users.create(
        username=f"{role}-{users.count()}", public_id=f"w-{users.count()}", role=role
    )
    text = knox_settings.TOKEN_PREFIX + create_token_string()
    old.get_model("workers", "ApiToken").objects.create(
        user=user, digest=hash_token(text), expiry=expiry,
        token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH],
    )  # fmt: skip
    return text


def status(text: str, path: str = "/api/v1/me/", method: str = "get", **body: Any) -> int:
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    return int(getattr(client, method)(path, body, format="json").status_code)


def stored(text: str) -> ApiToken:
    return ApiToken.objects.get(digest=hash_token(text))


@pytest.mark.long
def test_old_tokens_go_on_with_their_owners_scopes_and_an_end(old: Any) -> None:
    now, in_a_week = timezone.now(), timezone.now() + timedelta(days=7)
    bob, dana = old_token(old, "worker"), old_token(old, "curator")
    brief, over = old_token(old, "curator", in_a_week), old_token(old, "worker", now)
    migrate(latest())
    assert stored(bob).scopes == ["read", "work"]
    assert stored(dana).scopes == stored(brief).scopes == ["read", "work", "curate", "pay"]
    for text in (bob, dana):
        assert abs(stored(text).expiry - now - timedelta(days=90)) < timedelta(hours=1)
    assert stored(brief).expiry == in_a_week
    assert [status(text) for text in (bob, dana, brief, over)] == [200, 200, 200, 401]
    assert status(dana, "/api/v1/campaigns/", "post", slug="new", name="New") == 201
    assert status(bob, "/api/v1/campaigns/", "post", slug="other", name="Other") == 403
    # A token made after the upgrade says what it may do.
    assert create_token(user=stored(dana).user, name="new")[0].scopes == ["read", "work"]
