"""Texts about each kind of run: one module per app that has runs."""

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Import the modules of this package, so that each registers its texts."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


load()
