"""One word has one meaning: names that were replaced do not come back."""

import io
import re
import subprocess
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.data_dir import ROOT

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
