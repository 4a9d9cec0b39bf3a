"""Neither the image nor the repository takes secrets that lie in the checkout."""

import re
import subprocess
from configparser import ConfigParser
from pathlib import PurePosixPath

import pytest

from frontend.help.documents import names
from tests.data_dir import ROOT

SECRETS = [
    *(".env", ".env.production", ".env.local", "frontend/.env", "winoplatform/api/.env.old"),
    *("server.pem", "workers/server.key", "var/first_accounts.json", "collection/private.pem"),
    *("var.old/secret_key", "var-check/redis/dump.rdb", "evaluation/first_accounts.json"),
]
NOT_FOR_THE_IMAGE = [
    *(".git/config", "shared/data/train.jsonl", "tests/conftest.py", "benchmarks/queue.py"),
    *(".venv/bin/python", "dump.sql", "backup.tar", "notes.txt", "docker-compose.yml"),
    *(
        "workers/__pycache__/allauth_adapters.pyc",
        "docs/decisions/0001-libraries.md",
        "var/artifacts/release.jsonl",
    ),
]
NEEDED = [
    *("manage.py", "requirements/lock.txt", "requirements/weights.txt"),
    *(f"docs/{name}.md" for name in names(is_curator=True)),
]


def as_expression(pattern: str) -> re.Pattern[str]:
    """Translate a line of .dockerignore: ``*`` ends at a slash, ``**/`` is any folders or none."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    found = re.split(r"(\*\*/|\*\*|\*|\?)", pattern.strip("/"))
    return re.compile("".join(parts.get(part) or re.escape(part) for part in found))


def is_sent(path: str) -> bool:
    """Whether Docker sends *path*: the last line that matches it or a folder above it decides."""
    above = [path, *(str(folder) for folder in PurePosixPath(path).parents)][:-1]
    sent = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = as_expression(line.removeprefix("!"))
            if any(pattern.fullmatch(each) for each in above):
                sent = line.startswith("!")
    return sent


@pytest.mark.parametrize("path", [*SECRETS, *NOT_FOR_THE_IMAGE])
def test_the_image_takes_neither_secrets_nor_what_it_does_not_need(path: str) -> None:
    assert not is_sent(path)


def test_the_image_takes_everything_that_runs() -> None:
    layers = ConfigParser()
    layers.read(ROOT / ".importlinter")
    apps = layers["importlinter"]["root_packages"].split()
    tracked = subprocess.check_output(["git", "ls-files", *apps], cwd=ROOT, text=True).splitlines()
    assert [path for path in [*NEEDED, *tracked] if not is_sent(path)] == []


def is_ignored_by_git(path: str) -> bool:
    command = ["git", "check-ignore", "--quiet", "--no-index", path]
    return subprocess.run(command, cwd=ROOT).returncode == 0


@pytest.mark.parametrize("path", SECRETS)
def test_the_repository_takes_no_secrets(path: str) -> None:
    assert is_ignored_by_git(path)


def test_an_example_of_settings_may_be_published() -> None:
    assert not is_ignored_by_git(".env.example")


def test_no_file_of_the_repository_is_ignored() -> None:
    command = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.check_output(command, cwd=ROOT, text=True) == ""
