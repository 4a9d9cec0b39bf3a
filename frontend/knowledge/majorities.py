"""The form that chooses the evaluations whose majority is counted, each with words of its own."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext as now

from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from frontend.shell.ensembles import EnsembleForm
from knowledge.models import KnowledgeRelease
from winoplatform.runs.models import RunStatus


def majority_form(release: KnowledgeRelease, data: Any = None) -> EnsembleForm:
    """Return the form with the evaluations of a release whose answers can be counted."""
    done = Evaluation.objects.filter(knowledge_release=release, status=RunStatus.DONE)
    runs = {str(run.public_id): run for run in done.exclude(method=ENSEMBLE).order_by("pk")}
    return EnsembleForm(data, of_members=runs, labels=labels(runs.values()))


def labels(runs: Iterable[Evaluation]) -> dict[str, str]:
    """Return the method and model of each run by public id; and what else tells them apart."""
    alike = defaultdict(list)
    for run in runs:
        alike[run.method, run.model].append(run)
    return {key: label for group in alike.values() for key, label in _told_apart(group)}


def _told_apart(group: Sequence[Evaluation]) -> Iterator[tuple[str, str]]:
    every = [_details(run) for run in group]
    differs = [len(set(values)) > 1 for values in zip(*every, strict=True)]
    for run, details in zip(group, every, strict=True):
        title = str(METHODS[run.method].title)
        yield str(run.public_id), " · ".join([title, run.model, *compress(details, differs)])


def _details(run: Evaluation) -> tuple[str, ...]:
    """Return what else can differ: how it was computed, and to the second when."""
    whole, linear = now("whole model trained"), now("linear layer trained")
    return (
        run.dtype,
        now("learns from %s") % run.trained_on,
        now("rates of %s") % run.rates_of,
        linear if run.is_frozen else whole,
        now("seeds %s") % ", ".join(map(str, run.seeds)),
        format_date(timezone.localtime(run.created_at), "j M Y, H:i:s T"),
    )
