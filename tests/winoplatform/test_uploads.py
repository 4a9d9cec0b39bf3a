"""The places that take files are those that docs/architecture.md lists."""

import ast
import re

from collection.imports.uploads import MOST_BYTES
from tests.data_dir import ROOT
from winoplatform.http.bodies import UPLOADED_BYTES
from workers.services.invitations import MOST_CHARACTERS

UPLOADS = (ROOT / "docs/architecture.md").read_text().split("### Uploads")[1]
LIMITS = {
    "frontend/setup/articles.py": f"{MOST_BYTES >> 20} MB",
    "frontend/invitations/lists.py": f"{MOST_CHARACTERS >> 10} kB",
}


def listed() -> dict[str, tuple[str, str]]:
    """Who may send files to each place, and how much."""
    rows = re.findall(r"^\| `([\w/.]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|", UPLOADS, re.M)
    return {place: (who, most) for place, who, most in rows}


def taking_files() -> dict[str, bool]:
    """Whether only curators may, for each module that lets a request send files."""
    apps = [folder.parent for folder in ROOT.glob("*/apps.py")]
    sources = {path: path.read_text() for app in apps for path in app.rglob("*.py")}
    return {
        str(path.relative_to(ROOT)): "curator" in _guard(source).lower()
        for path, source in sources.items()
        if re.search(r"(?<!def )accept_files\(", source)
    }


def _guard(source: str) -> str:
    """The decorators of the view, or what it inherits from."""
    (view,) = (
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and "accept_files(" in ast.unparse(node)
    )
    guards = [*view.decorator_list, *(view.bases if isinstance(view, ast.ClassDef) else [])]
    return " ".join(map(ast.unparse, guards))


def test_the_document_lists_every_place_that_takes_files() -> None:
    assert len(listed()) == len(re.findall(r"^\| `", UPLOADS, re.M)) > 0
    assert listed().keys() == taking_files().keys()


def test_the_document_says_who_may_send_them_and_how_much() -> None:
    for place, only_curators in taking_files().items():
        who, most = listed()[place]
        assert (who == "curators") == only_curators, place
        assert most == LIMITS.get(place, f"{UPLOADED_BYTES >> 20} MB"), place
