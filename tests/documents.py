"""Documents that are made from code: `make docs` writes them, and a test compares."""

from collections.abc import Iterator
from itertools import groupby

from django.apps import apps
from django.db.models import Model

from frontend.glossary import in_order
from tests.data_dir import ROOT
from winoplatform.personal import Holding, holdings
from winoplatform.personal.places import PLACES, how_long, period_of

OWN_APPS = (
    "winoplatform", "workers", "collection", "validation", "corpora", "publishing", "panels",
    "filtering", "knowledge", "evaluation",
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


DATA_MAP = """# Data map

What the platform holds about people: in which table or file, about whom, why and how long, and
what the erasure does with it. `make docs` writes this page from `personal_data.py` of each app; a
table, a reference to an account or a column of text that is declared nowhere fails a test. Days are
those of the [settings](settings.md) without any change.

*About* names the column that leads to the person a row is about; *by*, to who wrote a text of it or
did something to it. A key that stays leads to an account without name, address and former
pseudonym.
"""
HEAD = """
| table | holds | of | why | how long | erasure |
| --- | --- | --- | --- | --- | --- |
"""
ELSEWHERE = """
## Outside of the tables

| place | holds | why | how long |
| --- | --- | --- | --- |
"""
NOBODY = """
## Tables without people

| table | holds |
| --- | --- |
"""


def data_map() -> str:
    personal = [holding for holding in holdings() if holding.is_personal]
    parts = [DATA_MAP]
    for label in OWN_APPS:
        own = [holding for holding in personal if holding.app == label]
        parts += [f"\n## {label}\n{HEAD}", *map(_line, own)] if own else []
    parts += [ELSEWHERE, *(_cells(p.name, p.what, p.why, how_long(p)) for p in PLACES)]
    rest = [holding for holding in holdings() if not holding.is_personal]
    parts += [NOBODY, *(_cells(f"`{holding.table}`", holding.what) for holding in rest)]
    return "".join(parts)


def _line(holding: Holding) -> str:
    of = [f"about `{path}`" for path in holding.about]
    of += [f"by `{path}`" for path in (*holding.wrote, *holding.did)]
    return _cells(
        f"`{holding.table}`",
        holding.what,
        ", ".join(of) or "who signed in",
        holding.why,
        period_of(holding),
        _erasure_of(holding),
    )


def _erasure_of(holding: Holding) -> str:
    if holding.is_deleted:
        return "deleted"
    kinds = {
        "emptied": holding.blank,
        "“(erased)”": holding.word,
        "random": (*holding.random, *holding.renewed),
        "0": holding.zeroed,
    }
    done = [f"{kind}: {_named(names)}" for kind, names in kinds.items() if names]
    done += [f"stays: {_named(names)} ({why})" for why, names in holding.stays.items() if names]
    return "; ".join(done) or "the key stays"


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cells(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |\n"


MADE = {"tables.md": tables, "glossary.md": glossary, "data-map.md": data_map}


def write() -> None:
    for name, make in MADE.items():
        (ROOT / "docs" / name).write_text(make())
