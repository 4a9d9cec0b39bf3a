"""The registry of kinds of runs: each app's ``runner`` registers what executes them.

All processes know the models, but only workers import the runners and the libraries they load.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from winoplatform.runs.attempts import Attempt, execute
from winoplatform.runs.helping import help_with
from winoplatform.runs.models import Run

R = TypeVar("R", bound=Run)
Work = Callable[[Attempt[R]], None]


@dataclass(frozen=True, slots=True)
class RunKind:
    """A kind of run: ``work`` executes one to its end, ``help`` does a part of it in parallel.

    ``work`` resumes from recorded steps and must call ``finish``. If ``help`` is None, other
    workers cannot help with a run.
    """

    model: type[Run]
    work: Work[Any]
    help: Work[Any] | None = None


_kinds: dict[str, RunKind] = {}


def register(model: type[R], work: Work[R], *, help: Work[R] | None = None) -> None:
    """Register what executes the runs of *model*."""
    _kinds[model._meta.label_lower] = RunKind(model, work, help)


def import_runners() -> None:
    """Import every app's runner, and with them the libraries that they load."""
    for app in apps.get_app_configs():
        if module_has_submodule(app.module, "runner"):
            import_module(f"{app.name}.runner")


def kind_named(label: str) -> RunKind:
    """Return the kind of run with a model's label, such as ``filtering.encoding``."""
    app = apps.get_model(label)._meta.app_config
    if label not in _kinds and module_has_submodule(app.module, "runner"):
        import_module(f"{app.name}.runner")
    if label not in _kinds:
        raise LookupError(f"No runner of {app.name} executes {label}.")
    return _kinds[label]


def execute_here(run: Run) -> None:
    """Execute *run* in this process, as a worker would, unless a worker executes it already."""
    execute_run(run._meta.label_lower, run.pk)


def execute_run(label: str, pk: int) -> None:
    """Execute the run *pk* of a kind to its end, unless another worker executes it."""
    kind = kind_named(label)
    execute(kind.model, pk, kind.work)


def help_run(label: str, pk: int) -> None:
    """Do a part of the run *pk* of a kind while another worker executes it."""
    kind = kind_named(label)
    if kind.help is not None:
        help_with(kind.model, pk, kind.help)
