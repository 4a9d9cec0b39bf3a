"""What carries each kind of run: an app's ``runner`` says it, once per kind.

Models are known to every process; what carries them, and the libraries it loads, to workers only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from winoplatform.runs.frame import Attempt, execute
from winoplatform.runs.helping import help_with
from winoplatform.runs.models import Run

R = TypeVar("R", bound=Run)
Work = Callable[[Attempt[R]], None]


@dataclass(frozen=True, slots=True)
class RunKind:
    """A kind of run: ``work`` carries one to its end, ``help`` does a part of it beside that.

    ``work`` resumes from recorded steps and must call ``finish``; where ``help`` is None, other
    workers have nothing to do for a run.
    """

    model: type[Run]
    work: Work[Any]
    help: Work[Any] | None = None


_kinds: dict[str, RunKind] = {}


def register(model: type[R], work: Work[R], *, help: Work[R] | None = None) -> None:
    """Say what carries the runs of *model*."""
    _kinds[model._meta.label_lower] = RunKind(model, work, help)


def kind_named(label: str) -> RunKind:
    """Return the kind of run with a model's label, such as ``filtering.encoding``."""
    app = apps.get_model(label)._meta.app_config
    if label not in _kinds and module_has_submodule(app.module, "runner"):
        import_module(f"{app.name}.runner")
    if label not in _kinds:
        raise LookupError(f"No runner of {app.name} carries {label}.")
    return _kinds[label]


def execute_here(run: Run) -> None:
    """Execute *run* in this process, as a worker would, unless another worker executes it."""
    execute_run(run._meta.label_lower, run.pk)


def execute_run(label: str, pk: int) -> None:
    """Execute the run *pk* of a kind to its end, unless another worker executes it."""
    kind = kind_named(label)
    execute(kind.model, pk, kind.work)


def help_run(label: str, pk: int) -> None:
    """Do a part of the run *pk* of a kind, while somebody executes it."""
    kind = kind_named(label)
    if kind.help is not None:
        help_with(kind.model, pk, kind.help)
