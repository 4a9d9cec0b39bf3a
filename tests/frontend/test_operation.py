"""The state of the platform on the page of runs, for admins."""

from typing import Any

import pytest
from django.test import Client

from frontend.runs import operation as words
from frontend.runs import views
from tests.factories import SnapshotFactory, UserFactory
from validation.selectors import operation
from validation.selectors.operation import LedgerState, operation_state
from validation.services.ledger_checks import keep_ledger_check
from winoplatform.processes import broker
from workers.models import User


def page_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.get("/runs/").content.decode()


@pytest.fixture
def admin() -> Any:
    return UserFactory(username="ada", admin=True)


def test_an_admin_sees_the_state_and_a_curator_does_not(admin: User, dana: User) -> None:
    SnapshotFactory()
    keep_ledger_check()
    page = page_of(admin)
    assert "State of the platform" in page
    assert "reconciled ·" in page
    assert "Runs that wait for a worker" in page
    assert "State of the platform" not in page_of(dana)
    broker.client().delete(broker.key(operation.LEDGER_CHECK))


def test_what_is_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(words._ledger(LedgerState(0.0, {"unpaid": 2, "taken_back": 1}))).startswith(
        "3 mismatches · "
    )
    monkeypatch.setattr(operation.workers_alive, "alive", lambda: None)
    rows = dict(words.operation_rows(operation_state()))
    assert rows["Redis"] == "does not answer"
    assert rows["Runs whose worker has died"] == 0


def test_a_part_of_the_page_that_polls_does_not_ask_for_the_state(
    admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "operation_state", lambda: pytest.fail("it was asked for"))
    client = Client()
    client.force_login(admin)
    assert client.get("/runs/", headers={"HX-Request": "true"}).status_code == 200
