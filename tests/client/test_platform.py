"""The client with a live server: releases, votes, evaluations, predictions and the notebook."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from winoplatform_client import ApiError, Connection, Platform, RunFailed, connect
from winoplatform_client.connection import API

from corpora.models import Release
from evaluation.models import Evaluation
from tests.client.broken import BreakingTransport
from tests.corpora.test_full_agreement import validated
from tests.corpora.test_release_provenance import release_of
from tests.data_dir import ROOT
from tests.factories import ApiTokenFactory, UserFactory
from tests.frontend.pages import words
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus
from workers.models import User

NOTEBOOK = ROOT / "client" / "notebooks" / "from-sign-in-to-a-figure.ipynb"
BUILT = ROOT / "client" / ".venv" / "bin" / "python"
needs_client = pytest.mark.skipif(not BUILT.exists(), reason="make client builds it")


@pytest.fixture
def curator(transactional_db: None) -> User:
    user: User = UserFactory(role=User.Role.ADMIN)
    return user


@pytest.fixture
def release(transactional_db: None) -> Release:
    campaign, _ = validated(8, dev_share="0.5", test_share="0.25")
    return release_of(campaign)


@pytest.fixture
def wino(live_server: Any, curator: User) -> Platform:
    return connect(str(live_server), ApiTokenFactory(user=curator).text)


def waiting(number: int) -> Thread:
    """Execute runs in the background until a number of them are done, as a worker does."""

    def work() -> None:
        done = 0
        while done < number:
            for run in Evaluation.objects.filter(status=RunStatus.QUEUED):
                execute_here(run)
                done += 1
        connection.close()

    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_a_release_is_read_with_every_vote_on_its_open_questions_and_by_a_stranger_if_public(
    wino: Platform, release: Release, live_server: Any, tmp_path: Path
) -> None:
    found = wino.release(release.name)
    votes = found.votes()
    published = {*found.questions("dev")["qID"], *found.questions("train_xl")["qID"]}
    assert set(votes["qID"]) == published
    assert (votes.groupby("qID")["validator"].nunique() == 3).all()
    assert set(found.questions("test")["answer"]) == {""}
    # Every file arrives over a connection that breaks again and again, with its sum.
    broken = BreakingTransport(7000)
    with Connection(str(wino.connection.http.base_url), transport=broken) as slow:
        slow.http.headers = wino.connection.http.headers
        files = Platform(slow).release(release.name).download(tmp_path)
    assert broken.n_broken > 0
    assert len(files) == len(found.files())
    assert not list(tmp_path.rglob("*.part"))
    for file in release.files.select_related("artifact"):
        assert (tmp_path / file.name).stat().st_size == file.artifact.size
    stranger = connect(str(live_server))
    with pytest.raises(ApiError) as refused:
        stranger.release(release.name)
    assert (refused.value.status, refused.value.code) == (404, "not_found")
    assert refused.value.request_id
    Release.objects.update(is_public=True)
    public = stranger.release(release.name)
    assert public.votes().equals(votes)
    assert not public.files()["restricted"].any()
    with pytest.raises(ValueError, match="no file test-labels"):
        public.download(tmp_path, ["test-labels.lst"])


@pytest.mark.long
def test_evaluations_are_started_awaited_and_uploaded(
    wino: Platform, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = waiting(2)
    run = wino.evaluate(release=release.name, method="majority", split="dev").wait(every=0.1)
    dev = wino.release(release.name).questions("dev")
    file = tmp_path / "answers.jsonl"
    lines = dev.rename(columns={"answer": "prediction"})[["qID", "prediction"]]
    file.write_text(lines.to_json(orient="records", lines=True))
    mine = {"release": release.name, "split": "dev", "system_name": "The key"}
    uploaded = wino.upload_predictions(file, **mine).wait(every=0.1)
    worker.join()
    assert uploaded.metrics["accuracy"]["value"] == 1
    assert list(run.predictions()["qID"]) == list(dev["qID"])
    table = wino.comparison(release.name, "dev", margin=0.05)
    assert list(table["margin"]) == [0.05, 0.05]
    assert (table["n_agreed"] < table["n"]).all()
    # Lists have pages: one row a page.
    monkeypatch.setattr("winoplatform_client.connection.LARGEST_PAGE", 1)
    assert set(wino.rows("evaluations/")["id"]) == {run.id, uploaded.id}
    with pytest.raises(ApiError, match="method") as refused:
        wino.evaluate(release=release.name, method="none", split="dev")
    assert "method" in refused.value.details["fields"]
    waits = wino.evaluate(release=release.name, method="random", split="dev", seed=4)
    with pytest.raises(TimeoutError):
        waits.wait(timeout=0)
    wino.connection.post(f"evaluations/{waits.id}/cancel/")
    with pytest.raises(RunFailed, match="cancelled"):
        waits.wait()


def test_a_request_is_repeated_after_the_wait_that_the_platform_asks_for() -> None:
    answers = iter([429, 503, 200])

    def answer(request: httpx.Request) -> httpx.Response:
        status = next(answers)
        assert request.headers["Authorization"] == "Token wino_x"
        return httpx.Response(status, headers={"Retry-After": "0"}, json={"results": []})

    with Connection("https://x.org", "wino_x", transport=httpx.MockTransport(answer)) as one:
        assert one.get("me/") == {"results": []}


def test_the_token_stays_with_its_host_where_a_page_names_another() -> None:
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        following = None if "cursor" in str(request.url) else f"http://evil.org{API}x/?cursor=2"
        return httpx.Response(200, json={"results": [{"n": len(asked)}], "next": following})

    with Connection("https://x.org", "wino_x", transport=httpx.MockTransport(answer)) as one:
        assert [row["n"] for row in one.pages("x/")] == [1, 2]
    assert asked == ["https://x.org/api/v1/x/?page_size=500", "https://x.org/api/v1/x/?cursor=2"]


def figures_of(client: Client, release: Release) -> str:
    path = reverse("comparison", args=["release", release.name, "dev"])
    return words(client.get(path, {"margin": "3"}))  # type: ignore[arg-type]


def shown(row: Any) -> str:
    low, high = row["accuracy_low"], row["accuracy_high"]
    return f"{row['accuracy']:.1%} ({low:.1%} – {high:.1%}, n = {row['n']})"


@pytest.fixture
def environment(
    live_server: Any, curator: User, release: Release, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], str]:
    token = ApiTokenFactory(user=curator).text
    for name, value in (("URL", live_server), ("TOKEN", token), ("RELEASE", release.name)):
        monkeypatch.setenv(f"WINO_{name}", str(value))

    def page() -> str:
        client = Client()
        client.force_login(curator)
        return figures_of(client, release)

    return page


@pytest.mark.long
def test_the_notebook_has_the_figures_of_the_page(environment: Callable[[], str]) -> None:
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    sources = [
        "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == "code" and "figure" not in cell["metadata"].get("tags", ())
    ]
    worker = waiting(2)
    names: dict[str, Any] = {}
    for source in sources:
        exec(compile(source, str(NOTEBOOK), "exec"), names)
    worker.join()
    text = environment()
    assert len(names["table"]) == 2
    for _, row in names["table"].iterrows():
        assert shown(row) in text
    assert set(names["agreement"]) == {1.0, 2 / 3}


RUN = """
import sys, nbclient, nbformat
book = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
last = book.cells[-1].outputs
print(any("image/png" in output.get("data", {}) for output in last))
print(book.cells[-3].outputs[-1]["data"]["text/plain"])
"""


@pytest.mark.long
@needs_client
def test_the_notebook_runs_in_its_own_environment_and_draws(
    environment: Callable[[], str], tmp_path: Path
) -> None:
    worker = waiting(2)
    command = [str(BUILT), "-c", RUN, str(NOTEBOOK)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=280,
        env=os.environ | {"HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    worker.join()
    drawn, table = done.stdout.split("\n", 1)
    assert drawn == "True"
    assert "most frequent answer" in table
    assert "most frequent answer" in environment()


GENERATED = """
import sys
from winoplatform_client import connect
from winoplatform_client.generated.api.corpora import releases_list
platform = connect(sys.argv[1], sys.argv[2])
print(*[one.name for one in releases_list.sync(client=platform.generated).results])
"""


@pytest.mark.long
@needs_client
def test_the_generated_part_speaks_with_the_server(
    live_server: Any, curator: User, release: Release
) -> None:
    command = [str(BUILT), "-c", GENERATED, str(live_server), ApiTokenFactory(user=curator).text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [release.name]
