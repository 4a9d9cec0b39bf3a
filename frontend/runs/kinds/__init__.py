"""What pages say of each kind of run: a module for each app that has some."""

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Let every module of this package register its words."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


load()
