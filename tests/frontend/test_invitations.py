"""Invitations and passwords on the pages: who may, what is shown once, what is in no log."""

import base64
import logging
from datetime import timedelta
from io import BytesIO
from typing import Any
from urllib.parse import urldefrag
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Membership
from tests.factories import CampaignFactory, UserFactory
from tests.frontend.conftest import signed_in_now
from tests.frontend.pages import source, words
from workers.models import Invitation, User
from workers.services import create_token, create_user, invite, make_password_link

PASSWORD = "quiet-otter-7"
ACCOUNT = {"username": "erin", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(slug="otters")


def sent(text: bytes) -> dict[str, Any]:
    file = BytesIO(text)
    file.name = "people.csv"
    return {"file": file, "campaign": "otters"}


def link_for_a_worker(**more: Any) -> dict[str, Any]:
    return {"role": "worker", "days": 7, "campaign": "otters", "public_id": uuid4(), **more}


def code_in(page: object) -> str:
    return urldefrag(page.context["links"][0].address).fragment  # type: ignore[attr-defined]


def test_a_link_is_shown_once_and_makes_one_account(campaign: Campaign, as_dana: Client) -> None:
    made = as_dana.post(reverse("invitations"), link_for_a_worker(own_label="desk 4"))
    code = code_in(made)
    assert "no-store" in made["Cache-Control"]
    assert code in source(made)
    assert code not in source(as_dana.get(reverse("invitations")))
    person = Client()
    shown = person.post(reverse("invitation"), {"code": code})
    assert "Choose a password" in words(shown)
    accepted = person.post(reverse("invitation"), {"code": code, **ACCOUNT}, follow=True)
    assert accepted.context["request"].user.username == "erin"
    again = Client().post(reverse("invitation"), {"code": code, **ACCOUNT, "username": "x"})
    assert again.status_code == 410
    assert "cannot be used" in words(again)
    listed = words(as_dana.get(reverse("invitations")))
    erin = User.objects.get(username="erin")
    assert f"{erin.public_id} desk 4" in listed
    assert "accepted" in listed
    assert "erin" not in listed


def test_a_worker_is_invited_to_a_campaign_and_a_curator_to_none(
    campaign: Campaign, as_dana: Client
) -> None:
    nowhere = link_for_a_worker(campaign="")
    refused = as_dana.post(reverse("invitations"), nowhere)
    assert "Choose the campaign" in words(refused)
    assert not Invitation.objects.exists()
    as_dana.post(reverse("invitations"), nowhere | {"role": "curator"})
    assert Invitation.objects.get().role == "curator"


def test_another_owner_does_not_read_whom_a_link_is_for(campaign: Campaign, dana: User) -> None:
    made = {"by": dana, "campaign": campaign.public_id, "member_role": "worker"}
    invite(role="worker", username="hidden-otter", email="otter@example.org", **made)
    for curator, reads in ((dana, True), (UserFactory(curator=True), False)):
        client = signed_in_now(curator)
        page = source(client.get(reverse("invitations")))
        listed = client.get("/api/v1/invitations/").json()["results"]
        assert len(listed) == 1
        assert [name in text for text in (page, str(listed)) for name in ("hidden-", "@exa")] == [
            reads
        ] * 4


def test_only_an_owner_invites_others_than_workers(campaign: Campaign) -> None:
    erin = UserFactory(curator=True)
    Membership.objects.filter(user=erin).update(role="curator")
    client = signed_in_now(erin)
    assert client.post(reverse("invitations"), link_for_a_worker(role="viewer")).status_code == 403
    rows = {"text": "username,email,role\nfinn,,viewer\n", "campaign": "otters"}
    refused = client.post(reverse("invite-listed"), rows)
    assert "The role must be one of: worker." in words(refused)
    assert client.post(reverse("invitations"), link_for_a_worker()).status_code == 200
    assert Invitation.objects.get().member_role == "worker"


def test_a_reload_makes_no_second_invitation(campaign: Campaign, as_dana: Client) -> None:
    page = as_dana.get(reverse("invitations"))
    body = link_for_a_worker(public_id=page.context["form"]["public_id"].value())
    made = as_dana.post(reverse("invitations"), body)
    again = as_dana.post(reverse("invitations"), body)
    assert (made.status_code, again.status_code) == (200, 409)
    assert "was made already" in words(again)
    assert Invitation.objects.count() == 1
    fresh = again.context["form"]["public_id"].value()
    assert as_dana.post(reverse("invitations"), body | {"public_id": fresh}).status_code == 200


def test_no_code_and_no_password_is_logged(dana: User, caplog: pytest.LogCaptureFixture) -> None:
    _, code = invite(role="worker", by=dana)
    with caplog.at_level(logging.DEBUG):
        Client().post(reverse("invitation"), {"code": code, **ACCOUNT})
        Client().post(reverse("invitation"), {"code": code, **ACCOUNT})
    assert code not in caplog.text
    assert PASSWORD not in caplog.text


@pytest.mark.parametrize("end", ["expired", "revoked", "unknown"])
def test_an_outsider_learns_nothing_from_a_dead_link(end: str, dana: User) -> None:
    made, code = invite(role="curator", by=dana, username="secret-name")
    now = timezone.now()
    changes = {"expires_at": now - timedelta(days=1)} if end == "expired" else {"revoked_at": now}
    if end == "unknown":
        code = "x" * 43
    else:
        Invitation.objects.filter(pk=made.pk).update(**changes)
    for body in ({"code": code}, {"code": code, **ACCOUNT}):
        answer = Client().post(reverse("invitation"), body)
        assert answer.status_code == 410
        assert "secret-name" not in source(answer)
    assert not User.objects.filter(username="erin").exists()


def test_a_taken_name_is_said_beside_its_field_and_the_invitation_stays(dana: User) -> None:
    _, code = invite(role="worker", by=dana)
    answer = Client().post(reverse("invitation"), {"code": code, **ACCOUNT, "username": "Dana"})
    assert (answer.status_code, "This user name is taken." in words(answer)) == (400, True)
    assert Client().post(reverse("invitation"), {"code": code, **ACCOUNT}).status_code == 302


@pytest.mark.parametrize("password", ["short", "password", "12345678901"])
def test_a_weak_password_is_refused_and_the_invitation_stays(password: str, dana: User) -> None:
    _, code = invite(role="worker", by=dana)
    body = {"code": code, "username": "erin", "password1": password, "password2": password}
    assert Client().post(reverse("invitation"), body).status_code == 400
    assert Invitation.objects.open(timezone.now()).exists()


def test_a_signed_in_user_makes_no_second_account(as_dana: Client, dana: User) -> None:
    _, code = invite(role="curator", by=dana)
    answer = as_dana.post(reverse("invitation"), {"code": code, **ACCOUNT})
    assert "sign out first" in words(answer)
    assert not User.objects.filter(username="erin").exists()


@pytest.mark.parametrize("name", ["invitations", "invite-list"])
def test_a_worker_cannot_invite(name: str, as_alice: Client) -> None:
    body = {"role": "curator", "text": "username,email,role\nmallory,,curator\n"}
    assert as_alice.post(reverse(name), body).status_code == 403
    assert not Invitation.objects.exists()


def test_a_list_is_previewed_then_invited_and_downloaded(
    campaign: Campaign, as_dana: Client
) -> None:
    text = "username,email,role,label\n+erin,erin@example.org,worker,desk 4\nfinn,,curator,\n"
    preview = as_dana.post(reverse("invite-list"), sent(text.encode()))
    assert "2 people on the list" in words(preview)
    assert not Invitation.objects.exists()
    made = as_dana.post(reverse("invite-listed"), {"text": text, "campaign": "otters"})
    assert len(made.context["links"]) == 2
    rows = base64.b64decode(made.context["links_file"].partition(",")[2]).decode()
    assert "'+erin,erin@example.org,worker,desk 4,http" in rows


def test_a_list_with_one_bad_row_invites_nobody(campaign: Campaign, as_dana: Client) -> None:
    text = "username,email,role\nerin,,worker\n=cmd(),,king\n"
    preview = as_dana.post(reverse("invite-list"), sent(text.encode()))
    assert "1 row has a problem" in words(preview)
    assert "<textarea" not in source(preview)
    refused = as_dana.post(reverse("invite-listed"), {"text": text, "campaign": "otters"})
    assert refused.status_code == 409
    assert "1 row has a problem" in words(refused)
    assert "<textarea" not in source(refused)
    assert not Invitation.objects.exists()


def test_a_name_that_was_taken_after_the_check_is_named(
    campaign: Campaign, as_dana: Client
) -> None:
    text = "username,email,role\nerin,,worker\nfinn,,worker\n"
    as_dana.post(reverse("invite-list"), sent(text.encode()))
    UserFactory(username="finn")
    refused = as_dana.post(reverse("invite-listed"), {"text": text, "campaign": "otters"})
    assert refused.status_code == 409
    assert [row.username for row in refused.context["wrong"]] == ["finn"]
    assert "This user name is taken" in words(refused)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"x" * 10 * 1024 * 1024, "larger than"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"name;mail\n", "first line"),
    ],
    ids=["10 MB", "binary", "columns"],
)
def test_a_hostile_file_is_refused(
    content: bytes, told: str, campaign: Campaign, as_dana: Client
) -> None:
    answer = as_dana.post(reverse("invite-list"), sent(content))
    assert answer.status_code == 400
    assert told in words(answer)


def test_a_revoked_invitation_no_longer_works(as_dana: Client, dana: User) -> None:
    made, code = invite(role="worker", by=dana)
    as_dana.post(reverse("revoke-invitation", args=[made.public_id]))
    assert Client().post(reverse("invitation"), {"code": code}).status_code == 410


def test_a_new_password_ends_other_sessions_and_tokens() -> None:
    user = create_user(username="erin", password=PASSWORD)
    _, token = create_token(user=user, name="notebook")
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        client.post(reverse("account_login"), {"login": "erin", "password": PASSWORD})
    body = {"oldpassword": PASSWORD, "password1": "loud-heron-8", "password2": "loud-heron-8"}
    changed = here.post(reverse("account_change_password"), body)
    assert changed["Location"] == reverse("account")
    assert here.get(reverse("account")).status_code == 200
    assert elsewhere.get(reverse("account")).status_code == 302
    answer = Client().get("/api/v1/me/", headers={"Authorization": f"Token {token}"})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("old", "new"), [("wrong", "loud-heron-8"), (PASSWORD, "short"), (PASSWORD, "12345678901")]
)
def test_a_password_is_changed_only_with_the_old_one_and_to_a_good_one(old: str, new: str) -> None:
    user = create_user(username="erin", password=PASSWORD)
    client = Client()
    client.force_login(user)
    body = {"oldpassword": old, "password1": new, "password2": new}
    assert client.post(reverse("account_change_password"), body).context["form"].errors
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_the_old_password_cannot_be_guessed_with_a_session() -> None:
    client = Client()
    client.force_login(UserFactory(password=PASSWORD))
    body = {"oldpassword": "guess", "password1": "loud-heron-8"}
    statuses = [client.post(reverse("account_change_password"), body).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]


@pytest.mark.parametrize("page", ["invitation", "password link", "own password", "admin site"])
def test_a_password_like_the_user_name_is_refused_everywhere(page: str, dana: User) -> None:
    like = "erin.winograd1"
    user = create_user(username="erin.winograd", password=PASSWORD)
    own = {"oldpassword": PASSWORD, "password1": like, "password2": like}
    client = Client()
    if page == "invitation":
        _, code = invite(role="worker", by=dana, username="erin.winograds")
        body = {"code": code, "password1": like, "password2": like}
        said = client.post(reverse("invitation"), body)
    elif page == "password link":
        opened = client.get(make_password_link(user=user, by=dana))
        said = client.post(opened["Location"], own)
    elif page == "own password":
        client.force_login(user)
        said = client.post(reverse("account_change_password"), own)
    else:
        client = signed_in_now(UserFactory(admin=True))
        address = reverse("admin:auth_user_password_change", args=[user.pk])
        body = {"password1": like, "password2": like, "usable_password": "true"}
        said = client.post(address, body)
    assert "too similar to the username" in words(said)
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
