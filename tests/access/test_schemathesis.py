"""Whatever the API's description allows or forbids is sent, as every role: never a server error.

Cases are made by schemathesis from the API's description: of what each operation takes, and of
what it does not. Addresses name rows that exist, three times out of four.
"""

import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.core.signals import got_request_exception
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from rest_framework.test import APIClient
from schemathesis import GenerationMode, openapi

from tests.access.routes import Route
from tests.access.samples import NoSample, addresses, samples
from tests.access.test_participant_walk import participant
from tests.api.calls import client_of
from tests.api.description import description
from tests.blind import World, build, hold, undone
from tests.factories import UserFactory

pytestmark = pytest.mark.usefixtures("noon")
SECONDS = 240.0
MOST_CASES = 25  # of an operation, valid and invalid ones each
# Neither the database nor the time of an example matters here.
QUICK = settings(
    max_examples=MOST_CASES,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class OutOfTime(Exception):
    """The operation has had its share of the time."""


def roles(world: World) -> dict[str, APIClient]:
    users = {
        "anonymous": None,
        "worker": UserFactory(),
        "validator": world.bob,
        "participant": participant(),
        "curator": UserFactory(curator=True),
        "admin": UserFactory(admin=True),
    }
    clients = {role: client_of(user) for role, user in users.items()}
    for client in clients.values():
        client.raise_request_exception = False
    return clients


def operations() -> list[Any]:
    return [found.ok() for found in openapi.from_dict(description()).get_all_operations()]


def known_addresses(path: str, known: Any) -> list[str]:
    route = Route(path.lstrip("/").replace("{", "<").replace("}", ">"), "", None)
    try:
        return [address for address, _ in addresses(route, known)]
    except NoSample:
        return []


@contextmanager
def noting_errors() -> Iterator[list[str]]:
    """Yield where the last server errors came from."""
    found: list[str] = []

    def note(**_: Any) -> None:
        found.append(traceback.format_exc(limit=-3))

    got_request_exception.connect(note)
    try:
        yield found
    finally:
        got_request_exception.disconnect(note)


def send(client: APIClient, case: Any, address: str) -> Any:
    sent: dict[str, Any] = {}
    if isinstance(case.body, dict | list | str | int | float | bool | None):
        sent = {"data": json.dumps(case.body), "content_type": "application/json"}
    query = {name: value for name, value in (case.query or {}).items() if value is not None}
    with undone():
        answer = client.generic(case.method.upper(), address, query_params=query, **sent)
        if answer.streaming:
            b"".join(answer.streaming_content)
        return answer


def ask(operation: Any, known: list[str], clients: dict[str, APIClient], until: float) -> Counter:
    """Send cases of an operation, each as every role; count them by role and status."""
    answers: Counter[tuple[str, int]] = Counter()
    chance = random.Random(operation.label)

    def one(case: Any) -> None:
        if answers and time.monotonic() > until:
            raise OutOfTime
        of_row = known and chance.random() < 0.75
        address = chance.choice(known) if of_row else case.formatted_path
        for role, client in clients.items():
            answers[role, send(client, case, address).status_code] += 1

    for mode in GenerationMode:
        # Nothing is wrong with a request of which only the address can vary.
        with suppress(OutOfTime, Unsatisfiable):
            QUICK(seed(0)(given(operation.as_strategy(generation_mode=mode))(one)))()
    return answers


@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_operation_answers_with_a_server_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = build()
    hold(world, monkeypatch)
    known, clients = samples(world), roles(world)
    every, begun = operations(), time.monotonic()
    failed: dict[str, str] = {}
    total: Counter[str] = Counter()
    with noting_errors() as errors:
        for number, operation in enumerate(every, 1):
            until = begun + SECONDS * number / len(every)
            answers = ask(operation, known_addresses(operation.path, known), clients, until)
            for (role, status), n in answers.items():
                total[role] += n
                if status >= 500:
                    failed[f"{operation.label} as {role}: {status}"] = "".join(errors[-1:])
            errors.clear()
    with capsys.disabled():
        counts = " ".join(f"{role}={n}" for role, n in total.items())
        print(f"\nRESULT operations={len(every)} cases={total.total()} {counts} 5xx={len(failed)}")
    assert not failed, "\n".join(f"{what}\n{why}" for what, why in failed.items())
