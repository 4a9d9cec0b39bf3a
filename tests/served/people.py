"""People at the served platform: each request is a connection of its own."""

import http.client
import json
from dataclasses import dataclass
from email.message import Message
from typing import Any

from tests.factories import UserFactory
from tests.served.sockets import TRUSTING
from workers.models import User
from workers.services import create_token

PATIENCE = 20.0  # seconds; the test fails where an answer takes longer


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message  # whose names may be written in any case
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    port: int,
    method: str,
    path: str,
    *,
    body: Any = None,
    tls: bool = False,
    host: str = "127.0.0.1",
    **headers: str,
) -> Answer:
    """Send one request; a *body* that is no bytes is sent as JSON, underscores become hyphens."""
    sent = {"Host": f"localhost:{port}"} | {k.replace("_", "-"): v for k, v in headers.items()}
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        sent["Content-Type"] = "application/json"
    connection: http.client.HTTPConnection
    if tls:
        connection = http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=TRUSTING)
    else:
        connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def token_of(user: User) -> str:
    return f"Token {create_token(user=user, name='served')[1]}"


def vote(port: int, slug: str, *, tls: bool = False) -> int:
    """Let somebody new claim a question, answer and vote; return the last status."""
    who = token_of(UserFactory())
    api = "/api/v1/"
    claimed = ask(
        port, "POST", f"{api}campaigns/{slug}/seats/", body={}, tls=tls, Authorization=who
    )
    assert claimed.status in (200, 201), claimed
    seat = f"{api}seats/{claimed.json['seat']['id']}/"
    ask(port, "POST", f"{seat}local/", body={"option": None}, tls=tls, Authorization=who)
    ballot = {"option": 1, "ambiguous": False}
    return ask(port, "POST", f"{seat}vote/", body=ballot, tls=tls, Authorization=who).status
