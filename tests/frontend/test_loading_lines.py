"""The lines on a release's page do what they say, with the files that a stranger downloads."""

import html
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Release
from tests.frontend.published import lines, published

pytestmark = pytest.mark.long


@pytest.fixture
def release(db: None) -> Release:
    return published()


@pytest.fixture
def unpacked(release: Release, tmp_path: Path) -> Path:
    """The folder above the unpacked archive, which a stranger has downloaded."""
    address = reverse("release-file", args=[release.name, f"{release.name}.zip"])
    content = b"".join(Client().get(address).streaming_content)  # type: ignore[attr-defined]
    zipfile.ZipFile(io.BytesIO(content)).extractall(tmp_path)
    return tmp_path


def line_of(release: Release, begins: str, ends: str = "") -> str:
    """Return the line of the page that begins and ends so."""
    page = Client().get(reverse("release", args=[release.name])).content.decode()
    code = "\n".join(html.unescape(part) for part in re.findall(r"<code>(.*?)</code>", page, re.S))
    [line] = [line for line in code.splitlines() if line.startswith(begins) and line.endswith(ends)]
    return line


def printed(program: list[str], folder: Path) -> str:
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
    done = subprocess.run(
        program, cwd=folder, env={**os.environ, **offline}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_pandas_and_datasets_load_the_unpacked_folder(release: Release, unpacked: Path) -> None:
    dev = [row["qID"] for row in lines(release, "dev.jsonl")]
    pandas = f"import pandas; print([*({line_of(release, 'pandas.')})['qID']])"
    assert printed([sys.executable, "-c", pandas], unpacked) == str(dev)
    datasets = f"import datasets; print(({line_of(release, 'datasets.')})['validation']['qID'][:])"
    assert printed([sys.executable, "-c", datasets], unpacked) == str(dev)


def test_the_scorer_scores_and_the_harness_and_inspect_find_their_tasks(
    release: Release, unpacked: Path
) -> None:
    rows = lines(release, "dev.jsonl")
    (unpacked / "predictions.lst").write_text("".join(f"{row['answer']}\n" for row in rows))
    program = line_of(release, f"python {release.name}/score.py").split()[1:]
    assert '"acc-xl": 1.0' in printed([sys.executable, *program], unpacked)
    for last in (release.name, "--apply_chat_template"):
        words = line_of(release, "lm_eval", last).split()
        task, folder = (words[words.index(name) + 1] for name in ("--tasks", "--include_path"))
        assert f'task: "{task}"' in (unpacked / folder / f"{task}.yaml").read_text()
    assert (unpacked / line_of(release, "inspect eval").split()[2]).is_file()
