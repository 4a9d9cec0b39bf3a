"""Runs of every kind, in the words of the pages."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from collection.models import Campaign
from evaluation.models import Evaluation
from filtering.models import Assessment, Encoding, FilterRun, Release, Snapshot, Tuning
from frontend.run_settings import about
from frontend.templatetags.pages import estimate
from winoplatform.runs import liveness
from winoplatform.runs.models import QUEUES, Run, RunStatus
from winoplatform.runs.ring import run_models

RUNS_SHOWN = 20
STAGES: tuple[type[Run], ...] = (Snapshot, Tuning, Encoding, FilterRun, Release, Evaluation)


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
    progress: str
    is_left: bool
    ways: tuple[tuple[str, str], ...] = ()

    @property
    def campaign(self) -> Campaign:
        return campaign_of(self.run)


def run_row(run: Run) -> RunRow:
    """Say in words what a run is and where it is shown."""
    return RunRow(
        run=run,
        kind=str(run._meta.model_name),
        title=str(run._meta.verbose_name).capitalize(),
        about=_about(run),
        href=_href(run),
        progress=_progress(run),
        is_left=is_left(run),
        ways=_ways(run) if isinstance(run, Encoding) else (),
    )


def _ways(encoding: Encoding) -> tuple[tuple[str, str], ...]:
    """What a curator can do with an encoding."""
    if encoding.can_resume:
        return ()
    id = encoding.public_id
    return (
        (_("Filter it"), reverse("new-filter-run", args=[id])),
        (_("Compare its runs"), reverse("compare-runs", args=[id])),
    )


def is_left(run: Run) -> bool:
    """Tell whether a run's worker has gone and nobody has taken the run up yet."""
    if run.status != RunStatus.RUNNING or run.leased_until is None:
        return False
    return bool(run.leased_until < timezone.now())


def _progress(run: Run) -> str:
    """How far a run is, in its own unit; before it starts, what it waits for."""
    if is_left(run):
        return _("its worker has gone; another one takes it up within seconds")
    if run.status == RunStatus.QUEUED:
        return _waits_for(run)
    if isinstance(run, Evaluation) and run.metrics:
        return _("accuracy %s") % estimate(run.metrics["accuracy"])
    if isinstance(run, Assessment):
        return _("%s of %s parts") % (run.done, run.total) if run.total else ""
    if isinstance(run, Tuning):
        return _("%s of %s epochs") % (run.done, run.total) if run.total else ""
    if run.has_ended and not run.done:
        return _("nothing removed") if _is_done_filter(run) else ""
    return _counted(run)


def _waits_for(run: Run) -> str:
    for before in run.needed_runs:
        if before.status != RunStatus.DONE:
            return _("waits for the %s") % before._meta.verbose_name
    return _("waits for a worker")


def _is_done_filter(run: Run) -> bool:
    return isinstance(run, FilterRun) and run.status == RunStatus.DONE


def _counted(run: Run) -> str:
    removes = isinstance(run, FilterRun)
    done, total = f"{run.done:,}", f"{run.total:,}" if run.total else ""
    if run.status == RunStatus.DONE or not total:
        said = (
            ngettext("%s question removed", "%s questions removed", run.done)
            if removes
            else ngettext("%s question", "%s questions", run.done)
        )
        return said % done
    said = _("%s of at most %s questions removed") if removes else _("%s of %s questions")
    return said % (done, total)


def _about(run: Run) -> str:
    if isinstance(run, Snapshot):
        if run.n_questions is None:
            return _("the valid questions")
        return _("%(questions)s questions, %(pairs)s pairs") % {
            "questions": f"{run.n_questions:,}",
            "pairs": f"{run.n_pairs:,}",
        }
    if isinstance(run, Encoding | Tuning):
        return encoder_name(run)
    if isinstance(run, FilterRun):
        return about(run)
    if isinstance(run, Assessment):
        return about(run.filter_run)
    if isinstance(run, Release):
        return run.name
    if isinstance(run, Evaluation):
        return f"{run.get_model_display()} · {run.split}"
    return ""


def encoder_name(run: Encoding | Tuning) -> str:
    name = run.encoder.split(":")[-1].split("/")[0]
    return _("%s, tuned") % name if isinstance(run, Encoding) and run.tuning_id else name


def _href(run: Run) -> str:
    if isinstance(run, FilterRun):
        return reverse("filter-run", args=[run.public_id])
    if isinstance(run, Assessment):
        return reverse("evidence", args=[run.filter_run.public_id])
    # A release that let its name go has no page: the address is its successor's.
    release = run.release if isinstance(run, Evaluation) else run
    if isinstance(release, Release) and release.holds_name:
        return reverse("release", args=[release.name])
    return ""


def _path_to_campaign(model: type[Run]) -> str:
    """The lookup from a kind of run over all that it builds upon to its campaign."""
    steps, here = [], model
    while here.INPUT:
        steps.append(here.INPUT)
        here = cast(type[Run], here._meta.get_field(here.INPUT).related_model)
    return "__".join([*steps, "campaign"])


def _with_inputs(model: type[Run]) -> Any:
    needed = _needed_by(model)
    return model._default_manager.select_related(_path_to_campaign(model), *needed)


def _needed_by(model: type[Run], path: str = "") -> Iterator[str]:
    """The lookups of all runs that a kind of run needs, and of those that its inputs need."""
    yield from (f"{path}{field}" for field in model.needs())
    if model.INPUT:
        before = cast(type[Run], model._meta.get_field(model.INPUT).related_model)
        yield from _needed_by(before, f"{path}{model.INPUT}__")


def campaign_of(run: Run) -> Campaign:
    """Return the campaign that a run works for."""
    return snapshot_of(run).campaign


def snapshot_of(run: Run) -> Snapshot:
    """Return the snapshot that a run is or builds upon."""
    while run.input_run is not None:
        run = run.input_run
    return cast(Snapshot, run)


def open_runs() -> list[RunRow]:
    """Return the runs of every kind that wait or run now, oldest first."""
    found: list[Run] = []
    for model in run_models():
        found += _with_inputs(model).open().order_by("pk")[:RUNS_SHOWN]
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
    """The newest snapshot of a campaign with all that was made from it, and what came before.

    ``cancelled`` are runs that somebody ended, of any snapshot: they can be resumed, and are in
    the way otherwise.
    """

    rows: tuple[RunRow, ...]
    earlier: tuple[RunRow, ...]
    cancelled: tuple[RunRow, ...]
    releases: tuple[Release, ...]

    @property
    def is_open(self) -> bool:
        return any(not row.run.has_ended for row in (*self.rows, *self.earlier))


def pipeline(campaign: Campaign) -> PipelineState:
    """Return the campaign's newest chain of runs, stage by stage as they build on each other.

    Within a stage the newest comes first; runs on earlier snapshots follow apart.
    """
    found = {kind: _newest(kind, campaign) for kind in STAGES}
    runs = [run for kind in STAGES for run in found[kind]]
    cancelled = [run for run in runs if run.status == RunStatus.CANCELLED]
    live = [run for run in runs if run.status != RunStatus.CANCELLED]
    newest = max((snapshot_of(run).pk for run in live), default=None)
    earlier = [run for run in live if snapshot_of(run).pk != newest]
    chain = [run for run in live if snapshot_of(run).pk == newest]
    return PipelineState(
        rows=tuple(_telling_encodings(chain)),
        earlier=_latest_rows(earlier),
        cancelled=_latest_rows(cancelled),
        releases=cast(tuple[Release, ...], tuple(found[Release])),
    )


def _telling_encodings(chain: list[Run]) -> Iterator[RunRow]:
    """List runs; filter runs say what they are over where that could be one of several."""
    several = sum(isinstance(run, Encoding) for run in chain) > 1
    for run in chain:
        row = run_row(run)
        if several and isinstance(run, FilterRun):
            row = replace(row, about=f"{encoder_name(run.encoding)}: {row.about}")
        yield row


def _latest_rows(runs: list[Run]) -> tuple[RunRow, ...]:
    latest = sorted(runs, key=lambda run: run.created_at, reverse=True)
    return tuple(run_row(run) for run in latest[:RUNS_SHOWN])


def _newest(kind: type[Run], campaign: Campaign) -> list[Run]:
    mine = _with_inputs(kind).filter(**{_path_to_campaign(kind): campaign})
    if kind is FilterRun:
        mine = mine.filter(reference=None)  # controls are on the evidence page of their reference
    return list(mine.order_by("-pk")[:RUNS_SHOWN])
