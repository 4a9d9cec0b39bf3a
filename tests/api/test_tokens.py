"""tokens/, me/, workers/ and invitations/: accounts, what people have done, pause and resume."""

import json
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urldefrag
from uuid import uuid4

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from collection.models import Campaign, Provenance
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import (
    ApiTokenFactory,
    CampaignFactory,
    ConsentFactory,
    PauseFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from workers.models import ApiToken, Invitation, Pause, User
from workers.services import accept_invitation

PASSWORD = "a long pass phrase"


@pytest.fixture
def ada(db: None) -> User:
    return UserFactory(username="ada", password=PASSWORD)


def sign_in(password: str = PASSWORD, **more: object) -> object:
    body = {"username": "ada", "password": password, **more}
    return APIClient().post(f"{API}tokens/", body)


def test_a_password_buys_a_token_that_works(ada: User) -> None:
    made = ok(sign_in(name="script"), 201)
    assert made["token"].startswith(made["token_key"])
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {made['token']}")
    assert ok(client.get(f"{API}me/")) == {
        "id": ada.public_id,
        "username": "ada",
        "role": "worker",
    }


def test_a_token_has_the_scopes_and_days_that_were_asked_for(ada: User, settings: Any) -> None:
    made = ok(sign_in(), 201)
    assert made["scopes"] == ["read", "work"]
    assert ApiToken.objects.get().expiry - timezone.now() > timedelta(days=settings.TOKEN_DAYS - 1)
    made = ok(sign_in(scopes=["read"], days=7), 201)
    expires = datetime.fromisoformat(made["expires_at"]) - timezone.now()
    assert timedelta(days=6) < expires < timedelta(days=7)
    for wrong in ({"scopes": ["pay"]}, {"days": 366}, {"scopes": []}, {"scopes": ["all"]}):
        assert_error(sign_in(**wrong), 400, "invalid")


def test_a_token_that_has_expired_is_refused(ada: User) -> None:
    client = client_of(ada)
    ApiToken.objects.update(expiry=timezone.now())
    assert_error(client.get(f"{API}me/"), 401, "authentication_failed")


def test_all_tokens_end_at_once(ada: User) -> None:
    client, other = client_of(ada), ApiTokenFactory()
    ok(client.post(f"{API}tokens/end/"), 204)
    assert_error(client.get(f"{API}me/"), 401, "authentication_failed")
    assert ApiToken.objects.get() == other


def test_a_tokens_text_and_digest_are_never_shown_again(ada: User) -> None:
    token = ApiTokenFactory(user=ada)
    response = client_of(ada).get(f"{API}tokens/")
    assert {row["token_key"] for row in ok(response)["results"]} >= {token.token_key}
    assert token.text.encode() not in response.content
    assert token.digest.encode() not in response.content


@pytest.mark.parametrize("password", ["wrong", f"{PASSWORD} ", " "])
def test_a_wrong_password_buys_nothing(ada: User, password: str) -> None:
    assert_error(sign_in(password), 401, "authentication_failed")
    assert not ApiToken.objects.exists()


def test_an_account_that_is_switched_off_gets_no_token(ada: User) -> None:
    User.objects.update(is_active=False)
    assert_error(sign_in(), 401, "authentication_failed")


def test_guessing_at_one_account_is_slowed_down(db: None) -> None:
    body = {"username": "guessed", "password": "wrong"}
    answers = [APIClient().post(f"{API}tokens/", body) for _ in range(11)]
    assert_error(answers[9], 401, "authentication_failed")
    assert_error(answers[10], 429, "throttled")
    assert int(answers[10]["Retry-After"]) > 0


def test_a_stale_token_does_not_stand_in_the_way_of_a_new_one(ada: User) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION="Token wino_gone")
    made = ok(client.post(f"{API}tokens/", {"username": "ada", "password": PASSWORD}), 201)
    assert made["token"].startswith("wino_")


def test_a_token_ends_when_its_owner_says_so(ada: User) -> None:
    client = client_of(ada)
    key = ok(client.get(f"{API}tokens/"))["results"][0]["token_key"]
    ok(client.delete(f"{API}tokens/{key}/"), 204)
    assert_error(client.get(f"{API}me/"), 401, "authentication_failed")


def test_nobody_ends_anothers_token(as_carol: APIClient, ada: User) -> None:
    token = ApiTokenFactory(user=ada)
    assert_error(as_carol.delete(f"{API}tokens/{token.token_key}/"), 404, "not_found")


@pytest.mark.parametrize("header", ["Token", "Token a b", "Token \xff\xfe", "Token x\x00y"])
def test_a_broken_header_is_refused(db: None, header: str) -> None:
    response = APIClient().get(f"{API}me/", HTTP_AUTHORIZATION=header)
    assert_error(response, 401, "authentication_failed")


def test_pages_of_tokens_hold_no_digest(ada: User) -> None:
    tokens = [ApiTokenFactory(user=ada) for _ in range(3)]
    client = client_of(ada)
    page = ok(client.get(f"{API}tokens/?page_size=2"))
    rest = ok(client.get(page["next"]))
    assert len(page["results"] + rest["results"]) == 4
    assert not any(token.digest in page["next"] for token in tokens)


def test_a_session_needs_the_csrf_token_and_an_api_token_does_not(ada: User) -> None:
    session = APIClient(enforce_csrf_checks=True)
    session.force_login(ada)
    ok(session.get(f"{API}me/"))
    assert_error(session.delete(f"{API}tokens/none/"), 403, "permission_denied")
    program = APIClient(enforce_csrf_checks=True)
    program.credentials(HTTP_AUTHORIZATION=f"Token {ApiTokenFactory(user=ada).text}")
    assert_error(program.delete(f"{API}tokens/none/"), 404, "not_found")


def test_a_worker_is_listed_with_what_they_have_done(as_dana: APIClient, alice: User) -> None:
    first, second = TwinFactory(author=alice), TwinFactory(author=alice)
    TwinFactory(author=alice, withdrawn_at=timezone.now())
    for question in first.questions.all():
        VerdictFactory(question=question)
    VerdictFactory(question=second.questions.get(number=1), reasons=["local"])
    Provenance.objects.create(twin=first, typed_characters=150, pasted_characters=50)
    VoteFactory(worker=alice)
    row = next(
        row for row in ok(as_dana.get(f"{API}workers/"))["results"] if row["id"] == alice.public_id
    )
    assert (row["twins"], row["withdrawn"], row["votes"]) == (2, 1, 1)
    assert (row["validated"], row["valid"], row["valid_share"]) == (3, 2, pytest.approx(2 / 3))
    assert (row["typed"], row["pasted"], row["pasted_share"]) == (150, 50, 0.25)
    assert row["paused"] is None
    assert ok(as_dana.get(f"{API}workers/{alice.public_id}/")) == row
    assert "alice" not in str(row)


def test_who_has_done_nothing_has_no_shares(as_dana: APIClient, alice: User) -> None:
    ConsentFactory(worker=alice)
    row = ok(as_dana.get(f"{API}workers/{alice.public_id}/"))
    assert (row["twins"], row["valid_share"], row["pasted_share"]) == (0, None, None)


def test_the_list_is_filtered_by_pause(as_dana: APIClient, alice: User, bob: User) -> None:
    PauseFactory(worker=alice)
    PauseFactory(worker=bob, ended_at=timezone.now() + timedelta(hours=1))

    def found(value: str) -> list[str]:
        rows = ok(as_dana.get(f"{API}workers/?paused={value}"))["results"]
        return [row["id"] for row in rows]

    assert found("true") == [alice.public_id]
    assert found("false") == [bob.public_id]


def test_a_paused_worker_hears_the_reason_wherever_they_ask_for_work(
    as_alice: APIClient, as_dana: APIClient, alice: User, campaign: Campaign
) -> None:
    TwinFactory(campaign=campaign, seats=3)
    ConsentFactory(worker=alice)
    there = f"{API}workers/{alice.public_id}/"
    pause = ok(as_dana.post(f"{there}pause/", {"reason": "Copied twins."}))
    assert (pause["worker"], pause["reason"], pause["ended_at"]) == (
        alice.public_id,
        "Copied twins.",
        None,
    )
    for what in ("assignments", "seats"):
        response = as_alice.post(f"{API}campaigns/winter/{what}/")
        details = assert_error(response, 403, "worker_paused")
        assert details["reason"] == "Copied twins."
    assert ok(as_dana.get(there))["paused"]["reason"] == "Copied twins."
    assert ok(as_dana.post(f"{there}resume/"))["ended_at"] is not None
    for what in ("assignments", "seats"):
        ok(as_alice.post(f"{API}campaigns/winter/{what}/"))


def test_pausing_twice_and_resuming_twice_are_refused(as_dana: APIClient, alice: User) -> None:
    ConsentFactory(worker=alice)
    there = f"{API}workers/{alice.public_id}/"
    assert_error(as_dana.post(f"{there}resume/"), 409, "not_paused")
    ok(as_dana.post(f"{there}pause/", {"reason": "One."}))
    assert_error(as_dana.post(f"{there}pause/", {"reason": "Two."}), 409, "already_paused")
    assert Pause.objects.get().reason == "One."


@pytest.mark.parametrize("reason", [None, "", "  ", "x" * 501, "a\x00b", "\ud800", ["a"]])
def test_a_reason_that_nobody_can_read_is_refused(
    reason: object, as_dana: APIClient, alice: User
) -> None:
    ConsentFactory(worker=alice)
    response = as_dana.post(f"{API}workers/{alice.public_id}/pause/", {"reason": reason})
    assert_error(response, 400, "invalid")


def test_curators_and_strangers_are_no_workers(as_dana: APIClient, dana: User) -> None:
    other = UserFactory(curator=True)
    for public_id in (other.public_id, dana.public_id, "w-none"):
        assert_error(as_dana.get(f"{API}workers/{public_id}/"), 404, "not_found")
        response = as_dana.post(f"{API}workers/{public_id}/pause/", {"reason": "x"})
        assert_error(response, 404, "not_found")


PATH = f"{API}invitations/"
TO_WINTER = f"{API}campaigns/winter/invitations/"


@pytest.fixture
def winter(db: None) -> Campaign:
    campaign: Campaign = CampaignFactory(slug="winter")
    return campaign


def test_a_link_is_shown_once_and_works(winter: Campaign, as_dana: APIClient) -> None:
    body = {"id": str(uuid4()), "role": "worker", "own_label": "desk 4"}
    made = ok(as_dana.post(TO_WINTER, body), 201)
    code = urldefrag(made["link"]).fragment
    assert_error(as_dana.post(TO_WINTER, body), 409, "invitation_made")
    [row] = ok(as_dana.get(PATH))["results"]
    assert (row["id"], row["state"]) == (body["id"], "open")
    assert code not in json.dumps(row)
    accept_invitation(code=code, username="erin", password="quiet-otter-7")
    assert ok(as_dana.get(PATH))["results"][0]["state"] == "accepted"
    assert_error(as_dana.post(f"{PATH}{body['id']}/revoke/"), 409, "invitation_accepted")


def test_a_worker_is_invited_to_a_campaign(as_dana: APIClient) -> None:
    assert_error(as_dana.post(PATH, {"role": "worker"}), 400, "invalid")
    assert not Invitation.objects.exists()


def test_everybody_on_a_list_is_invited_or_nobody(winter: Campaign, as_dana: APIClient) -> None:
    UserFactory(username="finn")
    text = "username,email,role\nerin,erin@example.org,worker\nfinn,,curator\n"
    details = assert_error(
        as_dana.post(f"{TO_WINTER}from-csv/", {"text": text}), 409, "invitations_invalid"
    )
    assert [row["line"] for row in details["rows"]] == [3]
    assert "taken" in details["rows"][0]["problem"]
    assert not Invitation.objects.exists()
    made = ok(as_dana.post(f"{TO_WINTER}from-csv/", {"text": text.replace("finn", "gwen")}), 201)
    assert [row["username"] for row in made] == ["erin", "gwen"]
    assert len({row["link"] for row in made}) == 2
    assert_error(as_dana.post(f"{TO_WINTER}from-csv/", {"text": "name\n"}), 400, "list_unreadable")


def test_a_revoked_invitation_is_said_so_however_often(as_dana: APIClient) -> None:
    made = ok(as_dana.post(PATH, {"role": "curator"}), 201)
    for _ in range(2):
        assert ok(as_dana.post(f"{PATH}{made['id']}/revoke/"))["state"] == "revoked"
    assert_error(as_dana.post(f"{PATH}{uuid4()}/revoke/"), 404, "not_found")
    assert_error(as_dana.post(PATH, {"role": "admin"}), 400, "invalid")
