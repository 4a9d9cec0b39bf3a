"""What import-linter cannot see of the layers of ``frontend``."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.data_dir import ROOT

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


def test_a_page_opens_no_transaction() -> None:
    for file in PAGES.rglob("*.py"):
        names = [
            alias.name
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.ImportFrom | ast.Import)
            for alias in node.names
        ]
        assert "transaction" not in names, file
