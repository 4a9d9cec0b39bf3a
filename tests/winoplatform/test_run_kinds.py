"""A new kind of run is six files: no list, view, address, task or page names it elsewhere."""

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings
from django.urls import clear_url_caches
from rest_framework.test import APIClient

import frontend
import winoplatform.urls
from frontend.runs import words as run_words
from frontend.urls import load_words
from tests.data_dir import ROOT
from tests.factories import UserFactory
from winoplatform.api import runs
from winoplatform.runs import attempts, dispatch, kinds
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.models import Run, RunStatus
from winoplatform.tasks import execute_run
from workers.models import User

FOLDER = ROOT / "tests" / "toyruns"
LABEL = "toyruns.toy"
API = "/api/v1/toys/"
MOST_FILES = 6


def read_addresses_again() -> None:
    clear_url_caches()
    importlib.reload(winoplatform.urls)


@pytest.fixture
def toy(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Install the app of toys with its tables, and lay its words beside the others.

    All that it registers is found; nothing is imported by name.
    """
    monkeypatch.setattr(frontend, "__path__", [*frontend.__path__, str(FOLDER / "pages")])
    with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, "tests.toyruns"]):
        model = apps.get_model(LABEL)
        with connection.schema_editor() as editor:
            editor.create_model(model)
            editor.create_model(apps.get_model("toyruns.square"))
        load_words()
        read_addresses_again()
        yield model
    forget(model)
    read_addresses_again()


def forget(model: Any) -> None:
    run_words._words.pop(model)
    kinds._kinds.pop(LABEL, None)
    runs._resources.pop("toys")
    for name in ("tests.toyruns.runner", "tests.toyruns.api.runs", "frontend.toys.words"):
        sys.modules.pop(name, None)


@pytest.fixture
def api(toy: Any, dana: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(dana)
    return client


@pytest.fixture
def pages(dana: User) -> Client:
    client = Client()
    client.force_login(dana)
    return client


def asked(api: APIClient, size: int = 3) -> dict[str, Any]:
    response = api.post(API, {"size": size}, format="json")
    assert response.status_code == 201
    return response.json()


def carried(run: Run) -> Run:
    """Hand the run to the one task of all kinds."""
    execute_run(LABEL, run.pk)
    run.refresh_from_db()
    return run


def test_a_kind_of_run_is_six_files_at_most() -> None:
    written = [file for file in FOLDER.rglob("*.py") if file.read_text().strip()]
    assert len(written) + len(["migration"]) <= MOST_FILES


def test_a_toy_is_asked_for_executed_and_shown(api: APIClient, toy: Any, dana: User) -> None:
    run = asked(api)
    assert (run["status"], run["size"], run["created_by"]) == ("queued", 3, dana.public_id)
    assert carried(toy.objects.get()).status == RunStatus.DONE
    shown = api.get(f"{API}{run['id']}/").json()
    assert (shown["sum"], [step["value"] for step in shown["steps"]]) == (14, [1, 4, 9])
    assert [row["id"] for row in api.get(API, {"status": "done"}).json()["results"]] == [run["id"]]
    assert api.get(API, {"status": "queued"}).json()["results"] == []


def test_toys_are_for_curators(toy: Any) -> None:
    client = APIClient()
    client.force_authenticate(UserFactory())
    assert client.get(API).status_code == 403
    assert client.post(API, {"size": 1}, format="json").status_code == 403


def test_a_toy_is_ended_and_continues_after_its_last_step(
    api: APIClient, toy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"{API}{asked(api)['id']}"
    original = Attempt.record

    def wishing(self: Attempt[Any], step: Any, **options: Any) -> None:
        if step.number == 2:
            attempts.request_cancel(toy.objects.get())
        original(self, step, **options)

    with monkeypatch.context() as scope:
        scope.setattr(Attempt, "record", wishing)
        assert carried(toy.objects.get()).status == RunStatus.CANCELLED
    assert api.post(f"{address}/cancel/").status_code == 409
    assert api.post(f"{address}/resume/").json()["status"] == "queued"
    assert carried(toy.objects.get()).sum == 14
    steps = toy.objects.get().steps.values_list("number", "attempt")
    assert list(steps) == [(1, 1), (2, 2), (3, 2)]
    assert api.post(f"{address}/resume/").json()["error"]["code"] == "run_done"


def test_a_run_chooses_its_queue(
    api: APIClient, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[tuple[str, str]] = []
    monkeypatch.setattr(
        dispatch.current_app, "send_task", lambda name, *, queue, **_: sent.append((name, queue))
    )
    with django_capture_on_commit_callbacks(execute=True):
        asked(api)
        asked(api, size=101)
    assert sent == [(dispatch.EXECUTE, "light"), (dispatch.EXECUTE, "heavy")]


def test_pages_list_toys_in_their_own_words_and_end_them(
    pages: Client, api: APIClient, toy: Any
) -> None:
    run = asked(api)
    assert "up to 3" in pages.get("/").content.decode()
    page = f"/runs/toy/{run['id']}"
    assert pages.post(f"{page}/cancel/").status_code == 302
    assert toy.objects.get().status == RunStatus.CANCELLED
    assert pages.post(f"{page}/resume/").status_code == 302
    assert toy.objects.get().status == RunStatus.QUEUED


@pytest.mark.long
def test_toys_are_described(toy: Any, tmp_path: Any) -> None:
    made = tmp_path / "openapi.yaml"
    call_command("spectacular", fail_on_warn=True, file=str(made))
    paths = yaml.safe_load(made.read_text())["paths"]
    ids = {
        operation["operationId"]: operation
        for address, methods in paths.items()
        if address.startswith(API)
        for operation in methods.values()
    }
    assert set(ids) == {
        "toys_list", "toys_create", "toys_retrieve", "toys_update", "toys_destroy", "toys_cancel",
        "toys_resume",
    }  # fmt: skip
    assert ids["toys_create"]["summary"] == "Square numbers"
    assert set(ids["toys_create"]["responses"]) == {"201", "400", "401", "403", "409"}
    assert all(operation["tags"] == ["toyruns"] for operation in ids.values())


def test_an_unknown_kind_is_said_with_its_name() -> None:
    with pytest.raises(LookupError, match=r"No runner of workers executes workers\.user"):
        kinds.execute_run("workers.user", 1)


def test_every_kind_of_run_is_executed_by_somebody() -> None:
    for model in dispatch.run_models():
        assert kinds.kind_named(model._meta.label_lower).model is model
