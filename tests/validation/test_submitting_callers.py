"""A twin and its seats are stored, and withdrawn, by one service in one transaction."""

import ast
from pathlib import Path

import pytest
from django.apps import apps

from tests.data_dir import ROOT

SERVICE = "validation/services/writing/twins.py"
SAVING = "collection.services.writing.saving"
SEATS = "validation.services.validating.seats"
# Where else a step is offered by name.
OFFERED = {"validation/services/__init__.py"}


def sources() -> list[Path]:
    """The product's own files."""
    roots = [Path(app.path) for app in apps.get_app_configs()]
    own = [root for root in roots if root.is_relative_to(ROOT) and ".venv" not in root.parts]
    return [path for root in own for path in root.rglob("*.py")]


def importers(module: str, name: str, files: dict[str, str]) -> set[str]:
    """The files that import *name* from *module*, or *module* itself."""
    package, _, last = module.rpartition(".")
    wanted = {(module, name), (package, last)}
    return {
        path
        for path, text in files.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        if wanted & {(node.module or "", each.name) for each in node.names}
    }


def callers(name: str, files: dict[str, str]) -> set[str]:
    """The files that call *name*, also as ``services.name``."""
    calls = [
        (path, node.func)
        for path, text in files.items()
        if name in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
    ]
    named = {path for path, func in calls if isinstance(func, ast.Name) and func.id == name}
    return named | {
        path for path, func in calls if isinstance(func, ast.Attribute) and func.attr == name
    }


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sources()}


def test_only_validations_service_stores_a_twin(files: dict[str, str]) -> None:
    assert importers(SAVING, "store", files) == {SERVICE}


@pytest.mark.parametrize("step", ["open_seats", "withdraw_seats"])
def test_only_that_service_opens_and_withdraws_its_seats(files: dict[str, str], step: str) -> None:
    assert callers(step, files) == {SERVICE}
    assert importers(SEATS, step, files) <= {SERVICE, *OFFERED}


@pytest.mark.parametrize(
    "text",
    [
        f"from {SAVING} import store",
        "from collection.services.writing import saving",
        "from validation import services\nservices.open_seats(twin=None)",
    ],
)
def test_another_caller_is_found(text: str) -> None:
    other = {"frontend/writing/views.py": text}
    assert importers(SAVING, "store", other) | callers("open_seats", other) == set(other)
