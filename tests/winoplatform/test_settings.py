import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.checks import Error, run_checks

from tests.data_dir import ROOT
from winoplatform.celery import app

KEY = "".join(chr(letter) for letter in range(48, 110) if chr(letter).isalnum())
SET_UP = "import django; django.setup()\n"
LEFT_OUT = {"DATABASE_URL", "REDIS_URL", "DJANGO_ALLOW_ASYNC_UNSAFE"}


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python on the platform's settings, as read from *environment*."""
    kept = {k: v for k, v in os.environ.items() if k not in LEFT_OUT}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            **kept,
            "DJANGO_SETTINGS_MODULE": "winoplatform.settings",
            "VAR_DIR": str(folder / "var"),
            **environment,
        },
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:///db.sqlite3",
        pytest.param("mysql://u@localhost/d", marks=pytest.mark.long),
        pytest.param("garbage", marks=pytest.mark.long),
    ],
)
def test_any_database_but_postgresql_is_refused_in_a_sentence(tmp_path: Path, url: str) -> None:
    done = run(tmp_path, "manage.py", "check", DATABASE_URL=url)

    assert done.returncode != 0
    assert "DATABASE_URL must name a PostgreSQL database" in done.stderr


@pytest.mark.long
def test_an_address_that_is_none_is_named_at_start(tmp_path: Path) -> None:
    done = run(tmp_path, "manage.py", "check", PUBLIC_URL="wino.example.org")

    assert done.returncode != 0
    assert "PUBLIC_URL must be a full address" in done.stderr


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a start with all these mistakes at once says under the heading of errors."""
    wrong = {
        "RUN_LEASE_SECONDS": "1",
        "RUN_DISPATCH_SECONDS": "0",
        "DATABASE_POOL_SIZE": "1",
        "TOKEN_DAYS": "0",
        "REDIS_URL": "unix:///run/redis.sock",
    }
    done = run(tmp_path_factory.mktemp("wrong"), "manage.py", "check", **wrong)
    assert done.returncode != 0
    return done.stderr.partition("ERRORS:\n")[2].partition("\n\n")[0]


@pytest.mark.long
@pytest.mark.parametrize(
    "sentence",
    [
        "REDIS_URL must be a redis://",
        "RUN_LEASE_SECONDS must be at least 2",
        "RUN_DISPATCH_SECONDS must be at least 1",
        "DATABASE_POOL_SIZE must be at least 2",
        "TOKEN_DAYS must be at least 1",
    ],
)
def test_a_wrong_setting_is_named_at_start(errors: str, sentence: str) -> None:
    assert sentence in errors


def test_a_broker_of_another_kind_is_named_at_start(settings: Any) -> None:
    settings.REDIS_URL = "amqp://localhost"
    (error,) = run_checks()
    assert isinstance(error, Error)
    assert "REDIS_URL must be a redis://" in error.msg


@pytest.mark.long
def test_a_check_starts_no_service(tmp_path: Path) -> None:
    done = run(tmp_path, "manage.py", "check")

    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "var").iterdir()} == {"secret_key"}


@pytest.mark.long
def test_https_binds_this_host_only_and_the_deployment_check_is_clean(tmp_path: Path) -> None:
    code = (
        "from django.core.management import call_command\n"
        "from django.test import Client\n"
        "call_command('check', deploy=True, fail_level='WARNING')\n"
        "print(Client().get('/static/x', secure=True)['Strict-Transport-Security'])"
    )
    https = {"PUBLIC_URL": "https://wino.example.org"}
    done = run(tmp_path, "manage.py", "shell", "-v0", "-c", code, **https)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "max-age=31536000"


@pytest.mark.long
def test_tokens_end_after_the_days_set(tmp_path: Path) -> None:
    code = "from knox.settings import knox_settings as s; print(s.TOKEN_TTL)"
    assert run(tmp_path, "-c", code).stdout.strip() == "90 days, 0:00:00"
    assert run(tmp_path, "-c", code, TOKEN_DAYS="30").stdout.strip() == "30 days, 0:00:00"
    wrong = run(tmp_path, "manage.py", "check", TOKEN_DAYS="30", TOKEN_DAYS_MAX="7")
    assert "TOKEN_DAYS must not exceed TOKEN_DAYS_MAX." in wrong.stderr


@pytest.mark.long
def test_the_secret_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    first, again = (run(tmp_path, "-c", code).stdout.strip() for _ in range(2))
    secret = tmp_path / "var" / "secret_key"

    assert first == again == secret.read_text().strip()
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


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("SECRET_KEY", "short"),
        pytest.param("SECRET_KEY", "a" * 60, marks=pytest.mark.long),
        pytest.param("SECRET_KEY_FALLBACKS", "short", marks=pytest.mark.long),
        pytest.param("SECRET_KEY_FALLBACKS", "a" * 60, marks=pytest.mark.long),
    ],
)
def test_a_weak_secret_key_is_refused(tmp_path: Path, name: str, key: str) -> None:
    done = run(tmp_path, "manage.py", "check", **{name: key})
    assert done.returncode != 0
    assert "winoplatform.E005" in done.stderr
    assert key not in done.stderr


@pytest.mark.long
def test_earlier_secret_keys_are_read(tmp_path: Path) -> None:
    keys = [f"{number}{KEY}" for number in range(2)]
    code = "from django.conf import settings; print(*settings.SECRET_KEY_FALLBACKS)"
    done = run(tmp_path, "-c", code, SECRET_KEY=KEY, SECRET_KEY_FALLBACKS=", ".join(keys))
    assert done.stdout.split() == keys


@pytest.mark.long
def test_no_model_of_the_hub_is_permitted_by_default(tmp_path: Path) -> None:
    code = "from django.conf import settings; print(settings.ENCODER_HUB_IDS)"
    assert run(tmp_path, "-c", code).stdout.strip() == "[]"


@pytest.mark.long
def test_the_database_password_of_the_production_setup_may_have_any_character(
    tmp_path: Path,
) -> None:
    app = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]
    given = app["environment"]
    assert given["DATABASE_PASSWORD"].startswith("${DATABASE_PASSWORD")
    address = str(given["DATABASE_URL"])
    assert "$" not in address
    code = (
        "from django.db import connection\n"
        "parameters = connection.get_connection_params()\n"
        "print(parameters['password'], parameters['host'], end='')"
    )
    hard = r"a@b:/c%d $x\'"
    done = run(tmp_path, "-c", SET_UP + code, DATABASE_URL=address, DATABASE_PASSWORD=hard)
    assert done.stdout == f"{hard} postgres", done.stderr
