import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data_dir import ROOT
from winoplatform.celery import app

LEFT_OUT = {"DATABASE_URL", "REDIS_URL", "DJANGO_ALLOW_ASYNC_UNSAFE"}


def run_check(
    tmp_path: Path, *command: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in LEFT_OUT}
    return subprocess.run(
        [sys.executable, "manage.py", *(command or ("check",))],
        cwd=ROOT,
        env={**kept, "VAR_DIR": str(tmp_path / "var"), **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("url", ["sqlite:///db.sqlite3", "mysql://u@localhost/d", "garbage"])
def test_any_database_but_postgresql_is_refused_in_a_sentence(tmp_path: Path, url: str) -> None:
    done = run_check(tmp_path, DATABASE_URL=url)

    assert done.returncode != 0
    assert "DATABASE_URL must name a PostgreSQL database" in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PUBLIC_URL", "wino.example.org", "PUBLIC_URL must be a full address"),
        ("REDIS_URL", "amqp://localhost", "REDIS_URL must be a redis://"),
        ("REDIS_URL", "unix:///run/redis.sock", "REDIS_URL must be a redis://"),
        ("RUN_LEASE_SECONDS", "1", "RUN_LEASE_SECONDS must be at least 2"),
        ("RUN_RING_SECONDS", "0", "RUN_RING_SECONDS must be at least 1"),
        ("DATABASE_POOL_SIZE", "1", "DATABASE_POOL_SIZE must be at least 2"),
        ("TOKEN_DAYS", "-1", "TOKEN_DAYS must be at least 0"),
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


def test_https_binds_this_host_only_and_the_deployment_check_is_clean(tmp_path: Path) -> None:
    https = {"PUBLIC_URL": "https://wino.example.org"}
    done = run_check(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **https)
    assert done.returncode == 0, done.stderr
    code = (
        "from django.test import Client\n"
        "print(Client().get('/static/x', secure=True)['Strict-Transport-Security'])"
    )
    done = run_check(tmp_path, "shell", "-v0", "-c", code, **https)
    assert done.stdout.strip() == "max-age=31536000", done.stderr


def test_tokens_end_after_the_days_set(tmp_path: Path) -> None:
    code = "from knox.settings import knox_settings as s; print(s.TOKEN_TTL)"
    assert run_check(tmp_path, "shell", "-v0", "-c", code).stdout.strip() == "None"
    done = run_check(tmp_path, "shell", "-v0", "-c", code, TOKEN_DAYS="90")
    assert done.stdout.strip() == "90 days, 0:00:00"


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


def test_a_broker_that_stays_silent_is_not_waited_for() -> None:
    options = app.conf.broker_transport_options
    assert options["socket_connect_timeout"] <= 1
    assert options["socket_timeout"] <= 5
