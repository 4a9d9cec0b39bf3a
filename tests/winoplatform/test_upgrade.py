"""An installation of the last version in the changelog, with data, becomes one of this version."""

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.data_dir import ROOT

pytestmark = [pytest.mark.long, pytest.mark.rowless]
[LAST] = re.findall(
    r"^## 0\.1\.0\n\nUp to commit `(\w+)`", (ROOT / "CHANGELOG.md").read_text(), re.M
)
LEFT_OUT = {"DATABASE_URL", "REDIS_URL", "REDIS_KEY_PREFIX", "DJANGO_SETTINGS_MODULE"}
# By the code of that version: a seat in a validator's hands, an article in a writer's, its draft.
LEAVE_OPEN = """
from tests.factories import AssignmentFactory, SeatFactory, UserFactory
from collection.models import Draft
SeatFactory(worker=UserFactory())
Draft.objects.create(assignment=AssignmentFactory(), fields={"options_0": "the trophy"})
"""
STAY = {
    "seats": "SELECT public_id, worker_id, question_id, number, answered_at, leased_until, reward"
    " FROM validation_seat ORDER BY public_id",
    "votes": "SELECT seat_id, option FROM validation_vote ORDER BY seat_id",
    "pay": "SELECT worker_id, kind, unit, amount, currency, budget FROM workers_ledgerentry"
    " ORDER BY id",
    "drafts": "SELECT assignment_id, fields::text FROM collection_draft ORDER BY id",
    "files": "SELECT release_id, name, artifact_id FROM corpora_releasefile ORDER BY id",
}
TELL = """
import hashlib, json, os
from django.db import connection
with connection.cursor() as cursor:
    for name, query in json.loads(os.environ["STAY"]).items():
        cursor.execute(query)
        rows = cursor.fetchall()
        print("STAYS", name, len(rows), hashlib.sha256(repr(rows).encode()).hexdigest())
"""
ANSWER = """
from django.test import Client
client = Client(SERVER_NAME="localhost")
print([client.get(path).status_code for path in ("/health/", "/sign-in/", "/releases/")])
"""


def manage(checkout: Path, folder: Path, *arguments: str) -> str:
    """Run a command of a version on the installation in *folder*; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=checkout,
        env=kept | {"VAR_DIR": str(folder), "STAY": json.dumps(STAY), "LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def facts(checkout: Path, folder: Path) -> list[str]:
    said = manage(checkout, folder, "shell", "-c", TELL)
    return [line for line in said.splitlines() if line.startswith("STAYS")]


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """The code of the last version."""
    archive = subprocess.run(["git", "archive", LAST], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip(f"there is no history with {LAST}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(tmp_path / "earlier", filter="data")
    return tmp_path / "earlier"


def test_an_installation_of_the_last_version_is_upgraded_with_all_that_it_had(
    earlier: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    folder = tmp_path / "var"
    assert "release" in manage(earlier, folder, "demo")
    manage(earlier, folder, "shell", "-c", LEAVE_OPEN)
    ledger = manage(earlier, folder, "check_ledger")
    before = facts(earlier, folder)
    assert len(before) == len(STAY)
    began = time.monotonic()
    manage(ROOT, folder, "migrate", "--verbosity", "0")
    record_property("seconds", time.monotonic() - began)
    assert facts(ROOT, folder) == before
    assert manage(ROOT, folder, "check_ledger") == ledger
    assert "[200, 200, 200]" in manage(ROOT, folder, "shell", "-c", ANSWER)
    manage(ROOT, folder, "export_release", "starter-1", str(tmp_path / "starter-1"))
    said = manage(ROOT, folder, "verify", str(tmp_path / "starter-1"))
    assert "Everything that can be recomputed is as the release says." in said
