"""A copy of a release on the Hub: all of it once, whatever dies on the way."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from corpora.models import Release
from publishing import services
from publishing.adapters.hub import Hub as HubAdapter
from publishing.models import Publication
from tests.filtering.stages import Killed, carried, lease_ends, read, rows
from tests.publishing.copies import NAME, TO, later_release, public_files, sent, sums
from tests.publishing.hub import Hub
from tests.publishing.killing import die_at
from tests.publishing.stand_in import Asked, Reply, serving
from tests.refusals import refused
from winoplatform.runs.kinds import execute_here


def test_the_repository_has_the_releases_public_files_and_no_others(
    release: Release, hub: Hub
) -> None:
    run = sent(release)
    assert sums(hub.files(NAME)) == public_files(release)
    assert hub.repositories[NAME].tags == {f"v{release.version}": run.revision}
    assert (run.address, run.visibility) == (f"{hub.url}/datasets/{NAME}", "public")
    assert {file["name"]: file["sha256"] for file in run.sent} == public_files(release)


def test_a_second_run_sends_nothing(release: Release, hub: Hub) -> None:
    run = sent(release)
    n = len(hub.log)
    assert services.publish_release(release=release, to=TO, by=None) == run
    assert len(hub.log) == n
    # Also where the platform has forgotten the first one.
    Publication.objects.all().delete()
    before = len(hub.writes)
    again = sent(release)
    assert (again.revision, len(hub.repositories[NAME].commits)) == (run.revision, 2)
    assert not any("/storage/" in line or "/commit/" in line for line in hub.writes[before:])


def test_a_copy_is_one_commit(release: Release, hub: Hub) -> None:
    """Nobody sees half a release: before the commit the repository is empty."""
    sent(release)
    assert [len(commit.files) for commit in hub.repositories[NAME].commits] == [
        1,
        len(public_files(release)) + 1,
    ]


def kill_and_go_on(
    release: Release, hub: Hub, number: int, *, is_before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Die at a request, go on, and find one whole copy."""
    name = f"our-group/twins-{number}-{is_before}"
    hub.storage.clear()
    run = services.publish_release(release=release, to=f"hub:{name}", by=None)
    with monkeypatch.context() as patch:
        die_at(patch, number, is_before=is_before)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    carried(run)
    repository = hub.repositories[name]
    assert sums(hub.files(name)) == public_files(release)
    assert len(repository.commits) == 2
    assert repository.tags == {f"v{release.version}": run.revision}
    steps = run.steps.values_list("what", flat=True)
    assert len(steps) == len(set(steps)) == len(public_files(release)) + 2


@pytest.mark.parametrize("is_before", [True, False])
def test_killed_at_a_request_that_changes_the_hub_it_ends_complete_once(
    small: Release, hub: Hub, monkeypatch: pytest.MonkeyPatch, is_before: bool
) -> None:
    sent(small)
    asked = [f"{one.method} {one.path}" for one in hub.log]
    for change in ("/repos/create", "PUT /storage/", "/commit/", "/tag/"):
        number = next(n for n, line in enumerate(asked, 1) if change in line)
        kill_and_go_on(small, hub, number, is_before=is_before, monkeypatch=monkeypatch)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_killed_at_every_request_it_ends_complete_once(
    release: Release, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(release)
    for number, is_before in product(range(1, len(hub.log) + 1), (True, False)):
        kill_and_go_on(release, hub, number, is_before=is_before, monkeypatch=monkeypatch)


def test_what_a_worker_repeats_without_its_records_would_be_two_commits(
    small: Release, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: an adapter that does not look first commits again."""
    monkeypatch.setattr(HubAdapter, "visible", lambda *_: None)
    run = services.publish_release(release=small, to=TO, by=None)
    execute_here(run)
    run.refresh_from_db()
    assert run.status == "failed"


def test_failures_of_the_hub_are_repeated(small: Release, hub: Hub) -> None:
    sent(small, "hub:our-group/other")
    n = len(hub.log)
    hub.storage.clear()
    busy, late = Reply(503), Reply(429, {}, {"Retry-After": "0"})
    hub.failures = {n + at: busy if at % 2 else late for at in range(1, 40, 11)}
    run = sent(small)
    assert len(hub.failures) < 2
    assert sums(hub.files(NAME)) == public_files(small)
    assert (run.attempt, len(hub.repositories[NAME].commits)) == (1, 2)


def test_a_hub_that_is_away_fails_the_run_which_can_be_resumed(small: Release, hub: Hub) -> None:
    hub.failures = {at: Reply(503) for at in range(1, 100)}
    run = services.publish_release(release=small, to=TO, by=None)
    execute_here(run)
    run.refresh_from_db()
    assert "The Hub answered with status 503, 6 times." in run.failure
    hub.failures = {}
    assert sent(small) == run
    assert sums(hub.files(NAME)) == public_files(small)


def test_a_token_that_is_refused_is_said_so(small: Release, hub: Hub, settings: Any) -> None:
    settings.HUB_TOKEN = "another"
    run = services.publish_release(release=small, to=TO, by=None)
    execute_here(run)
    run.refresh_from_db()
    assert run.failure.startswith("The Hub refuses the token (status 401).")


@pytest.mark.parametrize(
    "path", ["/api/datasets/our-group/twins", "/api/repos/create", "/commit/main"]
)
def test_a_redirect_is_not_followed(small: Release, hub: Hub, path: str) -> None:
    with serving(Hub()) as other:
        answer = hub.answer

        def redirecting(asked: Asked) -> Reply:
            if asked.path.endswith(path):
                return Reply(307, b"", {"Location": other.url + asked.path})
            return answer(asked)

        hub.answer = redirecting  # type: ignore[method-assign]
        run = services.publish_release(release=small, to=TO, by=None)
        execute_here(run)
        run.refresh_from_db()
        assert "The Hub redirects to another address." in run.failure
        assert other.log == []


def test_the_storage_gets_no_token(small: Release, hub: Hub) -> None:
    """Large files may go to another host, whose address the Hub signs."""
    with serving(Hub()) as storage:
        storage.storage = hub.storage
        hub.storage_url = storage.url
        sent(small)
        assert [one.method for one in storage.log] == ["PUT"]
        assert not any(one.has_token for one in storage.log)
    assert any(one.has_token for one in hub.log)


def test_a_hub_cannot_ask_for_the_token_elsewhere(small: Release, hub: Hub) -> None:
    with serving(Hub()) as other:
        batch = hub.batch

        def verify_elsewhere(asked: Asked, name: str) -> Reply:
            content = batch(asked, name).content
            for one in content["objects"]:
                one["actions"]["verify"]["href"] = f"{other.url}/verify"
            return Reply(200, content)

        hub.batch_answer = verify_elsewhere
        run = services.publish_release(release=small, to=TO, by=None)
        execute_here(run)
        run.refresh_from_db()
        assert run.failure == "The Hub asked to send the token to another address."
        assert other.log == []


def test_a_repository_of_others_is_left_alone(small: Release, hub: Hub) -> None:
    hub.made(NAME, {"README.md": b"# Another data set\n"})
    run = services.publish_release(release=small, to=TO, by=None)
    execute_here(run)
    run.refresh_from_db()
    assert "has files that this campaign did not send, such as README.md" in run.failure
    assert len(hub.repositories[NAME].commits) == 1


def test_a_private_repository_stays_private(small: Release, hub: Hub) -> None:
    hub.made(NAME).private = True
    assert sent(small).visibility == "private"


def test_the_next_release_replaces_the_files_and_the_tag_keeps_them(
    small: Release, hub: Hub
) -> None:
    first = sent(small)
    later = later_release(small)
    second = sent(later)
    assert sums(hub.files(NAME)) == public_files(later)
    assert "data/dev.parquet" not in hub.files(NAME)
    assert sums(hub.files(NAME, "v1.0.0")) == public_files(small)
    assert hub.repositories[NAME].tags == {"v1.0.0": first.revision, "v2.0.0": second.revision}
    with refused("newer_release_there"):
        services.publish_release(release=small, to=TO, by=None)


@pytest.mark.long
def test_a_stranger_loads_it_with_datasets(release: Release, hub: Hub, tmp_path: Path) -> None:
    sent(release)
    env = os.environ | {
        "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path), "HOME": str(tmp_path),
        "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0", "HF_DATASETS_OFFLINE": "0",
        "HF_HUB_DISABLE_TELEMETRY": "1",
    }  # fmt: skip
    program = (
        "import datasets, json, sys\n"
        "data = datasets.load_dataset(sys.argv[1], revision=sys.argv[2])\n"
        "print(json.dumps({name: rows.to_list() for name, rows in data.items()}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, NAME, f"v{release.version}"],
        capture_output=True, text=True, env=env, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    assert loaded.keys() == {"train", "validation", "test"}
    dev = rows(read(release.files.get(name="dev.jsonl").artifact))
    assert [row["qID"] for row in loaded["validation"]] == [row["qID"] for row in dev]
    assert {row["answer"] for row in loaded["test"]} == {""}
