"""Documents that are made from code: `make docs` writes them, and a test compares."""

from collections.abc import Iterator
from itertools import groupby

from django.apps import apps
from django.db.models import Model

from frontend.glossary import in_order
from tests.data_dir import ROOT

OWN_APPS = (
    "winoplatform", "workers", "collection", "validation", "corpora", "panels", "filtering",
    "knowledge", "evaluation",
)  # fmt: skip
TABLES = """# Tables

Each table once, by app from the ground up, with the first line of its model's docstring.
`make docs` writes this page.
"""
GLOSSARY = """# Glossary

Each word has one meaning here, in the code and on the pages. `make docs` writes this page from
`frontend/glossary.py`, which pages and tooltips use too.
"""


def models() -> Iterator[type[Model]]:
    """Return the tables of our own, without those that only join two others."""
    for label in OWN_APPS:
        if apps.is_installed(label):
            yield from apps.get_app_config(label).get_models()


def tables() -> str:
    parts = [TABLES]
    for label, own in groupby(models(), key=lambda model: model._meta.app_label):
        parts.append(f"\n## {label}\n\n| table | a row is |\n| --- | --- |\n")
        parts += [f"| `{model.__name__}` | {_first_line(model)} |\n" for model in own]
    return "".join(parts)


def _first_line(model: type[Model]) -> str:
    lines = (model.__doc__ or "").strip().splitlines()
    return lines[0].replace("``", "`").replace("|", "\\|") if lines else ""


def glossary() -> str:
    return GLOSSARY + "".join(f"\n## {term.name}\n\n{term.meaning}\n" for _, term in in_order())


MADE = {"tables.md": tables, "glossary.md": glossary}


def write() -> None:
    for name, make in MADE.items():
        (ROOT / "docs" / name).write_text(make())
