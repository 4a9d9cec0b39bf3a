"""Runs of every kind, in the words of the pages."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.models import Campaign
from evaluation.models import Evaluation
from filtering.models import Encoding, FilterRun, Release, Snapshot
from winoplatform.runs import liveness
from winoplatform.runs.models import Run
from winoplatform.runs.ring import run_models

RUNS_SHOWN = 20
QUEUES = ("light", "heavy")


@dataclass(frozen=True, slots=True)
class Workers:
    """Whether somebody is there to carry runs: ``missing`` are the queues that nobody consumes."""

    broker_answers: bool
    missing: tuple[str, ...]


def workers_state() -> Workers:
    """Ask Redis which queues live workers consume."""
    alive = liveness.alive()
    if alive is None:
        return Workers(broker_answers=False, missing=QUEUES)
    consumed = {queue for queues in alive.values() for queue in queues}
    return Workers(True, tuple(queue for queue in QUEUES if queue not in consumed))


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as the pages list it."""

    run: Run
    kind: str
    title: str
    about: str
    href: str


def run_row(run: Run) -> RunRow:
    """Say in words what a run is and where it is shown."""
    return RunRow(
        run=run,
        kind=str(run._meta.model_name),
        title=str(run._meta.verbose_name).capitalize(),
        about=_about(run),
        href=_href(run),
    )


def _about(run: Run) -> str:
    if isinstance(run, Snapshot):
        if run.n_questions is None:
            return _("the valid questions")
        return _("%(questions)s questions, %(pairs)s pairs") % {
            "questions": f"{run.n_questions:,}",
            "pairs": f"{run.n_pairs:,}",
        }
    if isinstance(run, Encoding):
        return run.encoder.split(":")[-1].split("/")[0]
    if isinstance(run, FilterRun):
        return f"n = {run.n} · m = {run.m:,} · k = {run.k:,} · τ = {run.tau:g}"
    if isinstance(run, Release):
        return run.name
    if isinstance(run, Evaluation):
        return f"{run.get_model_display()} · {run.split}"
    return ""


def _href(run: Run) -> str:
    if isinstance(run, FilterRun):
        return reverse("filter-run", args=[run.public_id])
    if isinstance(run, Release):
        return reverse("release", args=[run.name])
    return ""


def open_runs() -> list[RunRow]:
    """Return the runs of every kind that wait or run now, oldest first."""
    found: list[Run] = []
    for model in run_models():
        rows: Any = model._default_manager.get_queryset()
        found += rows.open().order_by("pk")[:RUNS_SHOWN]
    return [run_row(run) for run in sorted(found, key=lambda run: run.created_at)]


def find_run(kind: str, public_id: uuid.UUID) -> Run:
    """Return a run of any kind by its public id."""
    models = {model._meta.model_name: model for model in run_models()}
    if kind not in models:
        raise Http404(_("There is no such run."))
    run = models[kind]._default_manager.filter(public_id=public_id).first()
    if run is None:
        raise Http404(_("There is no such run."))
    return run


@dataclass(frozen=True, slots=True)
class PipelineState:
    """The newest snapshot of a campaign with all that was made from it, and all releases."""

    rows: tuple[RunRow, ...]
    releases: tuple[Release, ...]

    @property
    def is_open(self) -> bool:
        return any(not row.run.has_ended for row in self.rows)


def pipeline(campaign: Campaign) -> PipelineState:
    """Return the campaign's newest chain of runs in the order in which they build on each other."""
    snapshot = campaign.snapshots.first()
    releases = Release.objects.filter(filter_run__encoding__snapshot__campaign=campaign)
    known = list(releases.select_related("filter_run__encoding")[:RUNS_SHOWN])
    if snapshot is None:
        return PipelineState((), tuple(known))
    newest = [one for one in known if one.filter_run.encoding.snapshot_id == snapshot.pk]
    runs: list[Run] = [
        snapshot,
        *snapshot.encodings.order_by("pk")[:RUNS_SHOWN],
        *FilterRun.objects.filter(encoding__snapshot=snapshot).order_by("pk")[:RUNS_SHOWN],
        *reversed(newest),
        *Evaluation.objects.filter(release__in=newest).order_by("pk")[:RUNS_SHOWN],
    ]
    return PipelineState(tuple(run_row(run) for run in runs), tuple(known))
