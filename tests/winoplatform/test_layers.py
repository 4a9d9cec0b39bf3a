"""Layers that import-linter cannot see, light imports, and names that do not come back."""

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.data_dir import ROOT

pytestmark = pytest.mark.rowless

NOT_IN_THE_PRODUCT = {"tests", "benchmarks"}


def contracts() -> ConfigParser:
    read = ConfigParser()
    read.read(ROOT / ".importlinter")
    return read


def test_every_package_of_the_repository_is_linted() -> None:
    packages = {file.parent.name for file in ROOT.glob("*/__init__.py")} - NOT_IN_THE_PRODUCT
    assert set(contracts()["importlinter"]["root_packages"].split()) == packages


def test_every_package_has_its_place_among_the_apps() -> None:
    read = contracts()
    apps = read["importlinter:contract:apps"]["layers"].replace("|", " ").split()
    assert sorted(apps) == sorted(read["importlinter"]["root_packages"].split())


@pytest.mark.parametrize(("module", "is_placed"), [("services", True), ("stray", False)])
def test_a_module_without_a_layer_fails(module: str, is_placed: bool, tmp_path: Path) -> None:
    read = contracts()
    only = ConfigParser()
    only["importlinter"] = {"root_package": "toyapp"}
    only["importlinter:contract:files"] = read["importlinter:contract:files"]
    only["importlinter:contract:files"]["containers"] = "toyapp"
    package = tmp_path / "toyapp"
    package.mkdir()
    for name in ("__init__", module):
        (package / f"{name}.py").touch()
    with (tmp_path / ".importlinter").open("w") as file:
        only.write(file)
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    linted = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (linted.returncode == 0) is is_placed
    assert ("toyapp.stray" in linted.stdout) is not is_placed


def test_no_package_has_the_name_of_a_librarys() -> None:
    """One that had would hide the library, or be hidden by it: such as `datasets`."""
    ours = set(contracts()["importlinter"]["root_packages"].split())
    assert not ours & packages_distributions().keys()
    assert "datasets" not in ours


PAGES = ROOT / "frontend"
TEMPLATES = PAGES / "templates" / "frontend"
BELOW = {"parts", "runs", "shell"}


def included(file: Path) -> Iterator[str]:
    """Yield the folders of the templates that a file names."""
    yield from re.findall(r'"frontend/(\w+)/\w+\.html"', file.read_text())


def test_a_feature_shows_no_template_of_another_one() -> None:
    crossing = {
        (own, other)
        for root, kind in ((TEMPLATES, "html"), (PAGES, "py"))
        for file in root.glob(f"*/**/*.{kind}")
        if (own := file.relative_to(root).parts[0]) != "templatetags"
        for other in included(file)
        if other not in {own, *BELOW}
    }
    assert not crossing


@pytest.mark.long
def test_a_page_opens_no_transaction() -> None:
    for file in PAGES.rglob("*.py"):
        names = [
            alias.name
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.ImportFrom | ast.Import)
            for alias in node.names
        ]
        assert "transaction" not in names, file


PROCESSES = {
    "web": "from django.urls import get_resolver; get_resolver().url_patterns",
    "beat": "from winoplatform.celery import app; app.loader.import_default_modules()",
}
LOADED = """
import sys, django
django.setup()
{}
print(sorted({{"torch", "sklearn", "scipy.stats"}} & set(sys.modules)))
"""


@pytest.mark.long
@pytest.mark.parametrize("process", PROCESSES)
def test_processes_that_execute_no_runs_load_no_slow_libraries(process: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", LOADED.format(PROCESSES[process])],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "winoplatform.settings", "VAR_DIR": "var/test", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert said.stdout.strip() == "[]"


RETIRED = tomllib.loads((Path(__file__).parent / "retired.toml").read_text())
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Where a name may be a retired one: finding these places is far quicker than reading tokens.
_PARTS = "|".join(RETIRED["parts"])
CANDIDATE = re.compile(
    rf"(?<![a-z])(?:{_PARTS})(?![a-z])|(?:{_PARTS.title()})(?![a-z])|{_PARTS.upper()}|"
    + "|".join(RETIRED["identifiers"])
)
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
# An attribute of HTML, a selector or a name in JavaScript; the text of a page is ordinary English.
MARKUP = re.compile(
    r"""(?:class|id|name|for|data-[a-z-]+)="([^"]*)"|[{]%\s*\w+ ['"]?([^%]*?)['"]?\s*%[}]"""
)
# Names of others.
OF_OTHERS = {"winoplatform/processes/supervisor.py": {"freeze"}, "modeling/loading.py": {"bars"}}


@cache
def files() -> tuple[Path, ...]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return tuple(Path(name) for name in listed if (ROOT / name).is_file())


def identifiers(path: Path) -> Iterator[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    if not CANDIDATE.search(text):
        return
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME:
                yield token.string
    elif path.suffix == ".css":
        yield from (
            name for found in re.findall(r"[.#]([\w-]+)", text) for name in found.split("-")
        )
    elif path.suffix == ".js":
        code = re.sub(r"//.*|`[^`]*`", "", text)
        yield from IDENTIFIER.findall(code)
    elif path.suffix == ".html":
        for found in MARKUP.findall(re.sub(r"[{]% (block)?trans.*?%[}]", "", text)):
            yield from IDENTIFIER.findall(" ".join(found))


def retired_in(name: str) -> set[str]:
    parts = {part.lower() for part in PART.findall(name)}
    return (parts & RETIRED["parts"].keys()) | ({name} & RETIRED["identifiers"].keys())


def test_a_retired_name_is_found() -> None:
    assert retired_in("JudgedTwinSerializer") == {"judged"}
    assert retired_in("sent_back") == {"sent_back"}
    assert retired_in("_fate_sentence") == {"fate"}
    assert retired_in("restoring") == retired_in("string") == set()


@pytest.mark.parametrize("suffix", [".py", ".js", ".css", ".html"])
def test_no_identifier_is_a_retired_name(suffix: str) -> None:
    found = {
        f"{path}: {name}"
        for path in files()
        if path.suffix == suffix
        for name in set(identifiers(path)) - OF_OTHERS.get(str(path), set())
        if retired_in(name)
    }
    assert found == set()


def test_no_file_has_a_retired_name() -> None:
    found = {
        str(path)
        for path in files()
        if path.suffix not in (".json", ".jsonl")
        and path.stem.removeprefix("test_") in RETIRED["basenames"]
    }
    assert found == set()


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def test_no_address_has_a_retired_part() -> None:
    found = {
        route
        for route in routes(get_resolver().url_patterns)
        for part in RETIRED["urls"]
        if re.search(rf"(^|/){re.escape(part)}", route)
    }
    assert found == set()
