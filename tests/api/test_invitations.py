"""Invitations over HTTP: one person, a list of people, and what is shown once."""

import json
from urllib.parse import urldefrag
from uuid import uuid4

from rest_framework.test import APIClient

from tests.api.calls import API, assert_error, ok
from tests.factories import UserFactory
from workers.models import Invitation
from workers.services import accept_invitation

PATH = f"{API}invitations/"


def test_a_link_is_shown_once_and_works(as_dana: APIClient) -> None:
    body = {"id": str(uuid4()), "role": "worker"}
    made = ok(as_dana.post(PATH, body), 201)
    code = urldefrag(made["link"]).fragment
    assert_error(as_dana.post(PATH, body), 409, "invitation_made")
    [row] = ok(as_dana.get(PATH))["results"]
    assert (row["id"], row["state"]) == (body["id"], "open")
    assert code not in json.dumps(row)
    accept_invitation(code=code, username="erin", password="quiet-otter-7")
    assert ok(as_dana.get(PATH))["results"][0]["state"] == "accepted"
    assert_error(as_dana.post(f"{PATH}{body['id']}/revoke/"), 409, "invitation_accepted")


def test_everybody_on_a_list_is_invited_or_nobody(as_dana: APIClient) -> None:
    UserFactory(username="finn")
    text = "username,email,role\nerin,erin@example.org,worker\nfinn,,curator\n"
    details = assert_error(
        as_dana.post(f"{PATH}from-csv/", {"text": text}), 409, "invitations_invalid"
    )
    assert [row["line"] for row in details["rows"]] == [3]
    assert "taken" in details["rows"][0]["problem"]
    assert not Invitation.objects.exists()
    made = ok(as_dana.post(f"{PATH}from-csv/", {"text": text.replace("finn", "gwen")}), 201)
    assert [row["username"] for row in made] == ["erin", "gwen"]
    assert len({row["link"] for row in made}) == 2
    assert_error(as_dana.post(f"{PATH}from-csv/", {"text": "name\n"}), 400, "list_unreadable")


def test_a_revoked_invitation_is_said_so_however_often(as_dana: APIClient) -> None:
    made = ok(as_dana.post(PATH, {"role": "curator"}), 201)
    for _ in range(2):
        assert ok(as_dana.post(f"{PATH}{made['id']}/revoke/"))["state"] == "revoked"
    assert_error(as_dana.post(f"{PATH}{uuid4()}/revoke/"), 404, "not_found")
    assert_error(as_dana.post(PATH, {"role": "admin"}), 400, "invalid")
