import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data_dir import ROOT


def run_check(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**kept, "VAR_DIR": str(tmp_path / "var"), **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("url", ["sqlite:///db.sqlite3", "mysql://u@localhost/d"])
def test_any_database_but_postgresql_is_refused_in_a_sentence(tmp_path: Path, url: str) -> None:
    done = run_check(tmp_path, DATABASE_URL=url)

    assert done.returncode != 0
    assert "DATABASE_URL must name a PostgreSQL database" in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PUBLIC_URL", "wino.example.org", "PUBLIC_URL must be a full address"),
        ("REDIS_URL", "amqp://localhost", "REDIS_URL must be a redis://"),
        ("RUN_LEASE_SECONDS", "1", "RUN_LEASE_SECONDS must be at least 2"),
    ],
)
def test_a_wrong_setting_is_named_at_start(
    tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    done = run_check(tmp_path, **{name: value})

    assert done.returncode != 0
    assert sentence in done.stderr


def test_a_check_starts_no_service(tmp_path: Path) -> None:
    done = run_check(tmp_path)

    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "var").iterdir()} == {"secret_key"}


def test_the_secret_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    run_check(tmp_path)
    secret = tmp_path / "var" / "secret_key"
    first = secret.read_text()
    run_check(tmp_path)

    assert secret.read_text() == first
    assert len(first) >= 50
    assert secret.stat().st_mode & 0o777 == 0o600


def test_every_variable_read_is_documented() -> None:
    source = (ROOT / "winoplatform" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"(\w+)"', source))
    documented = set(re.findall(r"^\| `(\w+)`", (ROOT / "docs" / "settings.md").read_text(), re.M))

    assert read
    assert read <= documented
