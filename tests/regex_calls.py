"""The regular expressions of the code, as it gives them to ``re``."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.data_dir import ROOT

APPS = (
    "collection", "corpora", "evaluation", "filtering", "frontend", "knowledge", "modeling",
    "stats", "tabular", "training", "validation", "winoplatform", "workers",
)  # fmt: skip
ANCHORED = {"match", "fullmatch"}
CALLS = ANCHORED | {"compile", "search", "sub", "subn", "split", "findall", "finditer"}


@dataclass(frozen=True, slots=True)
class Call:
    """A call of ``re``; `pattern` is None where it is made of values at run time."""

    place: str
    pattern: str | None
    flags: int
    is_searched: bool


@cache
def sources() -> dict[Path, ast.Module]:
    files = (path for app in APPS for path in (ROOT / app).rglob("*.py"))
    return {path: ast.parse(path.read_text()) for path in files if "migrations" not in path.parts}


def calls() -> Iterator[Call]:
    for path, tree in sources().items():
        assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
        names = {id(node.value): _name(node) for node in assigned}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (called := _called(node)):
                yield _call(path, node, called, names.get(id(node), ""))


def _name(node: ast.stmt) -> str:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return targets[0].id if targets and isinstance(targets[0], ast.Name) else ""


def _called(node: ast.Call) -> str:
    of = node.func
    is_re = isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name) and of.value.id == "re"
    return of.attr if isinstance(of, ast.Attribute) and is_re and of.attr in CALLS else ""


def _call(path: Path, node: ast.Call, called: str, name: str) -> Call:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    place = f"{module}.{name or ast.unparse(node.args[0])[:80]}"
    if name:
        found = getattr(import_module(module), name)
        pattern = found.pattern if isinstance(found.pattern, str) else found.pattern.decode()
        return Call(place, pattern, found.flags & ~re.UNICODE, name not in _anchored(path))
    literal = node.args[0]
    text = literal.value if isinstance(literal, ast.Constant) else None
    pattern = text.decode() if isinstance(text, bytes) else text
    assert pattern is None or isinstance(pattern, str)
    return Call(place, pattern, 0, called not in ANCHORED)


@cache
def _anchored(path: Path) -> set[str]:
    """Return the names of patterns that are only matched at a place, here and elsewhere."""
    tree = sources()[path]
    module = path.relative_to(ROOT).with_suffix("").parts
    names = {_name(node) for node in tree.body}
    matched = [
        node.value for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ANCHORED
    ]  # fmt: skip
    at_places = {id(node) for node in matched}
    names_read = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    searched = {
        node.id for node in names_read
        if isinstance(node.ctx, ast.Load) and id(node) not in at_places
    }  # fmt: skip
    return {name for name in names - searched if (".".join(module), name) not in _imported()}


@cache
def _imported() -> set[tuple[str | None, str]]:
    return {
        (node.module, alias.name)
        for tree in sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
