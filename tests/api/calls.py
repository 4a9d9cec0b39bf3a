"""How tests call the interface: with a real token, and one assertion for every refusal."""

import json
from typing import Any

from rest_framework.test import APIClient

from tests.factories import ApiTokenFactory
from workers.models import User

API = "/api/v1/"


class Client(APIClient):
    """Sends anything that JSON can spell, also half a character."""

    def _encode_data(self, data: Any, format: Any = None, content_type: Any = None) -> Any:
        if data is None or content_type is not None:
            return super()._encode_data(data, format, content_type)
        return json.dumps(data).encode(), "application/json"


def client_of(user: User | None) -> Client:
    """Return a client that sends the user's own token, or nothing."""
    client = Client()
    if user is not None:
        client.credentials(HTTP_AUTHORIZATION=f"Token {ApiTokenFactory(user=user).text}")
    return client


def assert_error(response: Any, status: int, code: str) -> dict[str, Any]:
    """Assert that an answer has the one error shape, and return its details."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/json"
    body = response.json()
    assert set(body) == {"error"}
    error = body["error"]
    assert set(error) == {"code", "message", "details"}
    assert error["code"] == code, error
    assert error["message"]
    assert error["message"][0].isupper() or not error["message"][0].isalpha()
    assert isinstance(error["details"], dict)
    return error["details"]


def ok(response: Any, status: int = 200) -> Any:
    """Assert the status of a success and return its body."""
    assert response.status_code == status, response.content
    return response.json() if response.content else None
