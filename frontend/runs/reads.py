"""Runs of every kind, as the pages list them."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db.models import Exists, OuterRef, QuerySet, Value
from django.http import Http404
from django.utils.translation import gettext as _

from collection.models import Campaign
from corpora.models import Release, ReleasePlan, ReleasePreview
from frontend.http import existing
from frontend.runs import words
from winoplatform.runs import workers_alive
from winoplatform.runs.dispatch import run_models
from winoplatform.runs.models import QUEUES, Run, RunStatus

RUNS_SHOWN = 20
PREVIEWS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Workers:
    """Whether workers are running: ``missing`` are the queues without a worker."""

    broker_answers: bool
    missing: tuple[str, ...]


def workers_state() -> Workers:
    """Ask Redis which queues have a running worker."""
    alive = workers_alive.alive()
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
    figure: str = ""
    """The main figure with its interval, where the progress does not say it."""
    sources: tuple[tuple[str, str], ...] = ()
    """What it was made from: names, and the addresses of their pages or nothing."""
    by: str = ""
    """Who started it; empty for the platform itself."""
    is_chosen: bool = False

    @property
    def campaign(self) -> Campaign | None:
        return campaign_of(self.run)


def run_row(run: Run, now: datetime, *, others: Sequence[Run] = ()) -> RunRow:
    """Describe a run and link to its page; *others* are runs of its campaign.

    *now* is by the database's clock.
    """
    own = words.words_of(type(run))
    return RunRow(
        run=run,
        kind=str(run._meta.model_name),
        title=str(run._meta.verbose_name).capitalize(),
        about=own.about_among(run, others),
        href=own.href(run),
        progress=words.progress(run, now),
        is_left=words.is_left(run, now),
        ways=words.ways(run),
        figure=own.figure(run),
        sources=tuple(
            (words.label(one), words.words_of(type(one)).href(one)) for one in made_from(run)
        ),
        by=_by(run),
        is_chosen=own.is_chosen(run),
    )


def _by(run: Run) -> str:
    """Return who started a run, if that was loaded with it."""
    is_loaded = run._meta.get_field("created_by").is_cached(run)  # type: ignore[union-attr]
    return run.created_by.username if is_loaded and run.created_by else ""


def made_from(run: Run) -> list[Run]:
    """Return the runs that a run was made from, the nearest first.

    A release is made from a filter run, whose selection it has, rather than from the snapshot.
    """
    selection = getattr(run, "selection", None) if isinstance(run, ReleasePlan) else None
    if selection is not None and hasattr(selection, "filter_run"):
        return [selection.filter_run]
    return [run.input_run] if run.input_run is not None else []


def path_to_campaign(model: type[Run]) -> str | None:
    """Return the lookup from a kind of run through its inputs to its campaign, if it has one."""
    steps, here = [], model
    while here.INPUT:
        steps.append(here.INPUT)
        here = cast(type[Run], here._meta.get_field(here.INPUT).related_model)
    has_one = any(field.name == "campaign" for field in here._meta.get_fields())
    return "__".join([*steps, "campaign"]) if has_one else None


def with_inputs(model: type[Run]) -> Any:
    """Return the runs of a kind, loaded with what their texts need."""
    path = path_to_campaign(model)
    needed = [*_needed_by(model), *words.words_of(model).related, *([path] if path else [])]
    needed.append("created_by")
    rows = model._default_manager.all()
    return rows.select_related(*needed)


def _needed_by(model: type[Run], path: str = "") -> Iterator[str]:
    """Return the lookups of all runs that a kind of run needs, directly or through its inputs."""
    yield from (f"{path}{field}" for field in model.needs())
    if model.INPUT:
        before = cast(type[Run], model._meta.get_field(model.INPUT).related_model)
        yield from _needed_by(before, f"{path}{model.INPUT}__")


def campaign_of(run: Run) -> Campaign | None:
    """Return the campaign of a run; None if it has none, or none yet."""
    return getattr(origin_of(run), "campaign", None)


def origin_of(run: Run) -> Run:
    """Return the first run in a run's chain of inputs; the run itself if it has no input."""
    while run.input_run is not None:
        run = run.input_run
    return run


def listed_kinds() -> list[type[Run]]:
    """Return the kinds of run that lists show."""
    return [kind for kind in run_models() if not words.words_of(kind).is_brief]


def _kinds_with_open_runs() -> list[type[Run]]:
    """Return the kinds of which a run is open; one query, as most kinds have none."""
    listed = listed_kinds()
    first, *others = (
        kind._default_manager.open().order_by().values_list(Value(number), flat=True).distinct()
        for number, kind in enumerate(listed)
    )
    return [listed[number] for number in sorted(first.union(*others))]


def open_runs(now: datetime) -> list[RunRow]:
    """Return the waiting and running runs of every kind, oldest first."""
    found: list[Run] = []
    for model in _kinds_with_open_runs():
        found += with_inputs(model).open().order_by("pk")[:RUNS_SHOWN]
    return [run_row(run, now) for run in sorted(found, key=lambda run: run.created_at)]


def find_run(kind: str, public_id: uuid.UUID) -> Run:
    """Return a run of any kind by its public id."""
    models = {model._meta.model_name: model for model in run_models()}
    if kind not in models:
        raise Http404(_("There is no such run."))
    rows = models[kind]._default_manager.all()
    return existing(rows, _("There is no such run."), public_id=public_id)


@dataclass(frozen=True, slots=True)
class PipelineState:
    """A campaign's newest snapshot with all runs built on it, and earlier runs.

    ``cancelled`` are cancelled runs of any snapshot: they can be resumed, but are listed apart.
    """

    rows: tuple[RunRow, ...]
    earlier: tuple[RunRow, ...]
    cancelled: tuple[RunRow, ...]
    releases: tuple[Release, ...]
    previews: tuple[ReleasePreview, ...] = ()
    """The newest previews of which no release has been built."""

    @property
    def is_open(self) -> bool:
        shown = [row.run for row in (*self.rows, *self.earlier)]
        return any(not run.has_ended for run in (*shown, *self.previews))


def pipeline(campaign: Campaign, now: datetime, *, with_previews: bool = False) -> PipelineState:
    """Return the campaign's newest chain of runs by stage, each built on the one before.

    Within a stage the newest comes first; runs on earlier snapshots are separate.
    """
    found = {kind: _newest(kind, campaign) for kind in words.stages() if path_to_campaign(kind)}
    runs = [run for rows in found.values() for run in rows]
    cancelled = [run for run in runs if run.status == RunStatus.CANCELLED]
    live = [run for run in runs if run.status != RunStatus.CANCELLED]
    origins = {run: origin_of(run) for run in live}  # rows are equal by model and key
    newest = max(origins.values(), key=lambda run: (run.created_at, run.pk), default=None)
    earlier = [run for run in live if origins[run] != newest]
    chain = [run for run in live if origins[run] == newest]
    return PipelineState(
        rows=tuple(run_row(run, now, others=chain) for run in chain),
        earlier=_latest_rows(earlier, now),
        cancelled=_latest_rows(cancelled, now),
        releases=cast(tuple[Release, ...], tuple(found[Release])),
        previews=tuple(unbuilt_previews(campaign)[:PREVIEWS_SHOWN]) if with_previews else (),
    )


def unbuilt_previews(campaign: Campaign) -> "QuerySet[ReleasePreview]":
    """Return previews, newest first, of questions of which no later release was requested."""
    same = {"snapshot": OuterRef("snapshot"), "created_at__gt": OuterRef("created_at")}
    built = Release.objects.live().filter(**same)
    found = ReleasePreview.objects.filter(snapshot__campaign=campaign, archived_at=None)
    found = found.exclude(status=RunStatus.CANCELLED).filter(~Exists(built))
    return found.order_by("-pk")


def _latest_rows(runs: list[Run], now: datetime) -> tuple[RunRow, ...]:
    latest = sorted(runs, key=lambda run: run.created_at, reverse=True)
    return tuple(run_row(run, now) for run in latest[:RUNS_SHOWN])


def _newest(kind: type[Run], campaign: Campaign) -> list[Run]:
    path = str(path_to_campaign(kind))
    mine = with_inputs(kind).filter(**{path: campaign, "archived_at": None})
    return list(words.words_of(kind).listed(mine).order_by("-pk")[:RUNS_SHOWN])
