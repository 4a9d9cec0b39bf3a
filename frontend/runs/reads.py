"""Lists of runs: their rows and jobs."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db.models import Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import NullIf
from django.http import Http404
from django.utils.translation import gettext as _

from collection.models import Campaign
from corpora.models import Release, ReleasePlan, ReleasePreview
from frontend.http import PageRequest, existing
from frontend.paging import numbered
from frontend.runs import words
from winoplatform import clock
from winoplatform.runs import workers_alive
from winoplatform.runs.dispatch import run_models
from winoplatform.runs.models import QUEUES, Run, RunStatus
from workers.models import User

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

    @property
    def name(self) -> str:
        """What distinguishes its buttons from those of other runs."""
        return f"{self.title} {self.about}"


def shown_run(request: PageRequest, run: Run, *, is_open: bool | None = None) -> dict[str, Any]:
    """Return what the page of one run shows of any kind; it polls while *is_open*, or the run."""
    is_waiting = not run.has_ended if is_open is None else is_open
    return {
        "run": run,
        "row": run_row(run, clock.now()),
        "workers": workers_state() if is_waiting else None,
        "is_update": bool(request.htmx),
    }


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


def open_runs(user: User, now: datetime) -> list[RunRow]:
    """Return the waiting and running runs of every kind that *user* sees, oldest first."""
    runs: list[Run] = []
    for model in _kinds_with_open_runs():
        runs += with_inputs(model).filter(model.of_member(user)).open().order_by("pk")[:RUNS_SHOWN]
    return [run_row(run, now) for run in sorted(runs, key=lambda run: run.created_at)]


def find_run(user: User, kind: str, public_id: uuid.UUID) -> Run:
    """Return a run of any kind of a member's campaigns by its public id."""
    models = {model._meta.model_name: model for model in run_models()}
    if kind not in models:
        raise Http404(_("There is no such run."))
    rows = models[kind]._default_manager.filter(models[kind].of_member(user))
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
        runs = [row.run for row in (*self.rows, *self.earlier)]
        return any(not run.has_ended for run in (*runs, *self.previews))


def pipeline(campaign: Campaign, now: datetime) -> PipelineState:
    """Return the campaign's newest chain of runs by stage, each built on the one before.

    Within a stage the newest comes first; runs on earlier snapshots are separate.
    """
    latest = {kind: _newest(kind, campaign) for kind in words.stages() if path_to_campaign(kind)}
    runs = [run for rows in latest.values() for run in rows]
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
        releases=cast(tuple[Release, ...], tuple(latest[Release])),
        previews=tuple(unbuilt_previews(campaign)[:PREVIEWS_SHOWN]),
    )


def unbuilt_previews(campaign: Campaign) -> "QuerySet[ReleasePreview]":
    """Return previews, newest first, of questions of which no later release was requested."""
    same = {"snapshot": OuterRef("snapshot"), "created_at__gt": OuterRef("created_at")}
    built = Release.objects.live().filter(**same)
    previews = ReleasePreview.objects.filter(snapshot__campaign=campaign, archived_at=None)
    previews = previews.exclude(status=RunStatus.CANCELLED).filter(~Exists(built))
    return previews.order_by("-pk")


def _latest_rows(runs: list[Run], now: datetime) -> tuple[RunRow, ...]:
    latest = sorted(runs, key=lambda run: run.created_at, reverse=True)
    return tuple(run_row(run, now) for run in latest[:RUNS_SHOWN])


def _newest(kind: type[Run], campaign: Campaign) -> list[Run]:
    path = str(path_to_campaign(kind))
    mine = with_inputs(kind).filter(**{path: campaign, "archived_at": None})
    return list(words.words_of(kind).page_rows(mine).order_by("-pk")[:RUNS_SHOWN])


@dataclass(frozen=True, slots=True)
class JobPage:
    """A page of the list of jobs: its rows, their places from 1, and the pages beside it."""

    rows: tuple[RunRow, ...]
    total: int
    first: int
    earlier: int | None
    later: int | None

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


ORDERS = {
    "oldest": ("created_at",),
    "name": ("sort_name",),
    "state": ("status",),
    "kind": ("sort_place",),
    "by": ("sort_person",),
    "starred": ("-is_starred",),
}
"""The columns of a page's keys by which it can be sorted; runs without a name come last."""


def jobs(
    user: User, chosen: Mapping[str, Any], number: str, *, size: int, now: datetime
) -> JobPage:
    """Return a page of the runs of every kind that *user* sees, newest first or as chosen.

    *chosen* are values of ``JobsForm``. Two queries, and one for each kind of run on the page.
    """
    first, *others = (
        _keys(kind, chosen)
        .filter(kind.of_member(user))
        .annotate(
            sort_place=Value(place),
            sort_name=NullIf("caption", Value("")),
            sort_person=F("created_by__username"),
        )
        .values_list(
            "created_at", "sort_place", "pk", "status", "is_starred", "sort_name", "sort_person"
        )
        for place, kind in enumerate(listed_kinds())
        if _is_asked(kind, chosen)
    )
    keys = first.union(*others, all=True)
    order = ORDERS.get(chosen.get("sort", ""), ())
    page = numbered(keys.order_by(*order, "-created_at", "-pk"), number, size)
    rows = tuple(run_row(run, now) for run in _loaded(page.rows))
    place = (page.earlier or 0) * size + 1
    return JobPage(rows, keys.count(), place, page.earlier, page.later)


def n_failed(campaign: Campaign) -> int:
    """Count the failed runs of a campaign that are not archived, in one query."""
    chosen = {"state": RunStatus.FAILED, "campaign": campaign}
    first, *others = (
        _keys(kind, chosen).values("pk") for kind in listed_kinds() if _is_asked(kind, chosen)
    )
    return int(first.union(*others, all=True).count())


def _is_asked(kind: type[Run], chosen: Mapping[str, Any]) -> bool:
    if chosen.get("kind", kind._meta.model_name) != kind._meta.model_name:
        return False
    return "campaign" not in chosen or path_to_campaign(kind) is not None


def _keys(kind: type[Run], chosen: Mapping[str, Any]) -> Any:
    rows = kind._default_manager.order_by()
    match chosen.get("kept"):
        case "starred":
            rows = rows.filter(is_starred=True)
        case "archived":
            rows = rows.filter(archived_at__isnull=False)
        case _:
            rows = rows.filter(archived_at=None)
    if "campaign" in chosen:
        rows = rows.filter(**{str(path_to_campaign(kind)): chosen["campaign"]})
    if "state" not in chosen:
        return rows
    states = Run.OPEN if chosen["state"] == "open" else (chosen["state"],)
    return rows.filter(status__in=states)


def _loaded(keys: Iterable[tuple[Any, ...]]) -> Iterator[Run]:
    """Yield the runs of a page with what their texts need, in the order of the keys."""
    order = [(kind, pk) for _created, kind, pk, *_ in keys]
    by_kind: dict[int, list[int]] = defaultdict(list)
    for kind, pk in order:
        by_kind[kind].append(pk)
    kinds = listed_kinds()
    loaded = {kind: with_inputs(kinds[kind]).in_bulk(pks) for kind, pks in by_kind.items()}
    yield from (loaded[kind][pk] for kind, pk in order if pk in loaded[kind])
