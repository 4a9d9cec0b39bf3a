"""The funnel of a campaign and the filter results of its questions."""

import logging
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np
from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from collection.models import Campaign, Question, Twin
from corpora.models import Release
from filtering.core.filter_results import KEPT, FilterResults
from filtering.models import FilterRun, Phase
from filtering.selectors.questions import encoded_ids
from validation.selectors.review_queue import STAGES, active_facts
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

log = logging.getLogger(__name__)
_RELEASES = Release.objects.filter(selection=OuterRef("selection"), status=RunStatus.DONE)
_RELEASED_AT = Subquery(_RELEASES.order_by("-ended_at").values("ended_at")[:1])
_CHOSEN_FIRST = (F("choice__chosen_at").desc(nulls_last=True), "-released_at")


@dataclass(frozen=True, slots=True)
class Funnel:
    """Numbers of a campaign's questions by stage."""

    twins: int
    written: int
    validated: int
    valid: int
    filtered: int | None
    kept: int | None
    run: str | None

    def as_dict(self) -> dict[str, int | str | None]:
        return asdict(self)


def funnel(campaign: Campaign) -> Funnel:
    """Count questions by stage; the last two counts are of the chosen run."""
    return funnel_to(chosen_run(campaign), campaign)


def funnel_to(run: FilterRun | None, campaign: Campaign) -> Funnel:
    """As ``funnel``, with the chosen run given."""
    counts = active_facts().filter(campaign=campaign).aggregate(**STAGES)
    return Funnel(
        # Not counted among the facts: distinct values of 100,000 rows are sorted on disk.
        twins=Twin.objects.active().filter(campaign=campaign).count(),
        **counts,
        filtered=run.encoding.n_questions if run else None,
        kept=run.n_kept if run else None,
        run=str(run.public_id) if run else None,
    )


def chosen_run(campaign: Campaign) -> FilterRun | None:
    """Return the run that a curator chose; without a choice, that of the latest release.

    Before the first release there is none: an exploratory run changes no result that people see.
    """
    runs = _candidates().filter(encoding__snapshot__campaign=campaign)
    related = ("encoding__snapshot", "encoding__tuning", "selection", "choice__chosen_by")
    return runs.select_related(*related).order_by(*_CHOSEN_FIRST).first()


def _candidates() -> "QuerySet[FilterRun]":
    runs = FilterRun.objects.aflite().annotate(released_at=_RELEASED_AT)
    return runs.filter(Q(choice__isnull=False) | Q(released_at__isnull=False))


@dataclass(frozen=True, slots=True)
class FilterResult:
    """The result of a question in the chosen AFLite run of its campaign.

    ``in_snapshot`` is False if the run did not have the question: it was not valid when the
    snapshot was taken, or the encoder was tuned on it. It is then neither kept nor removed.
    ``phase`` is the phase that removed it, from 1.
    """

    run: str
    kept: bool
    phase: int | None
    in_snapshot: bool


def filter_results(
    questions: Iterable[Question], *, runs: Mapping[int, uuid.UUID] | None = None
) -> dict[int, FilterResult]:
    """Return results by primary key of the questions; none for campaigns without a finished run.

    *runs* are the chosen runs by primary key of the campaigns, if they are known; otherwise one
    query, provided the questions' twins are loaded. Two more queries and reading the run's files if
    this process has not cached the run. No results are returned while files cannot be read.
    """
    rows = list(questions)
    if runs is None:
        runs = _chosen_runs({question.twin.campaign_id for question in rows})
    books = {pk: (run, book) for pk, run in runs.items() if (book := _readable(run)) is not None}
    return {
        question.pk: _result(*books[question.twin.campaign_id], question.public_id)
        for question in rows
        if question.twin.campaign_id in books
    }


def _chosen_runs(campaigns: set[int]) -> dict[int, uuid.UUID]:
    rows = (
        _candidates()
        .filter(encoding__snapshot__campaign__in=campaigns)
        .order_by("encoding__snapshot__campaign", *_CHOSEN_FIRST)
    )
    latest = rows.distinct("encoding__snapshot__campaign")
    return dict(latest.values_list("encoding__snapshot__campaign", "public_id"))


def _readable(run: uuid.UUID) -> FilterResults | None:
    """Return the results of a run, or None if its files cannot be read: pages work without."""
    try:
        return _filter_results(run)
    except (OSError, EOFError, ValueError, FilterRun.DoesNotExist):
        log.exception("filter run %s: its files cannot be read; no filter results are shown", run)
        return None


def _result(run: uuid.UUID, book: FilterResults, question: str) -> FilterResult:
    phase = book.phase_of(question)
    return FilterResult(
        run=str(run), kept=phase == KEPT, phase=phase or None, in_snapshot=phase is not None
    )


@lru_cache(maxsize=8)
def _filter_results(run: uuid.UUID) -> FilterResults:
    """Read the results of a finished run, which never changes; 1 MB for 50,000 questions."""
    rows = FilterRun.objects.select_related(
        "encoding__snapshot__questions", "encoding__tuning__used"
    )
    done = rows.get(public_id=run)
    ids = encoded_ids(done.encoding)
    return FilterResults.of(
        ids, [_rows_removed(phase) for phase in done.steps.select_related("arrays")]
    )


def _rows_removed(phase: Phase) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    rows, _, _, removed = store.load_array(phase.arrays)
    return np.asarray(rows[removed == 1])
