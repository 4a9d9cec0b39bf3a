"""Texts about runs: defaults for every kind, and what features register for theirs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from winoplatform.runs.models import Run, RunStatus

R = TypeVar("R", bound=Run)


class RunWords(Generic[R]):
    """Texts and links for one kind of run, to override where the defaults do not fit.

    ``stage`` orders the kinds on a campaign's page, which omits kinds without one. ``ways`` are
    next steps: a label, and the name of a page that takes the run's public id. ``related`` are
    lookups that the texts need, besides the runs that a run needs. Runs of a brief kind end within
    seconds, or their parent is listed: they are only on their own page. ``page`` is the name of the
    page that takes a run's public id, and ``of_total`` says how much is done of how much, where
    that is not counted in questions.
    """

    stage: int | None = None
    is_brief: bool = False
    ways: tuple[tuple[Any, str], ...] = ()
    related: tuple[str, ...] = ()
    page: str = ""
    of_total: Any = None

    def about(self, run: R) -> str:
        """Return one line that distinguishes a run from others of its kind."""
        return ""

    def about_among(self, run: R, others: Sequence[Run]) -> str:
        """Return the same among the other runs of a campaign."""
        return self.about(run)

    def href(self, run: R) -> str:
        """Return the address of a run's page; empty if it has none."""
        return reverse(self.page, args=[run.public_id]) if self.page else ""

    def progress(self, run: R) -> str:
        """Describe the progress of a run that has started."""
        if self.of_total is not None:
            return str(self.of_total) % (run.done, run.total) if run.total else ""
        if run.has_ended and not run.done:
            return ""
        done, total = f"{run.done:,}", f"{run.total:,}" if run.total else ""
        if run.status == RunStatus.DONE or not total:
            return ngettext("%s question", "%s questions", run.done) % done
        return _("%s of %s questions") % (done, total)

    def figure(self, run: R) -> str:
        """Return a result's main figure with its interval, if the progress does not say it."""
        return ""

    def short(self, run: R) -> str:
        """Return a result in a few characters, for a picture; empty before there is one."""
        return ""

    def is_chosen(self, run: R) -> bool:
        """Return whether a curator has chosen the run for its campaign's pages."""
        return False

    def page_rows(self, rows: "QuerySet[R]") -> "QuerySet[R]":
        """Return the runs to list on a campaign's page; others are listed elsewhere."""
        return rows


_words: dict[type[Run], RunWords[Any]] = {}


def register(model: type[R], words: RunWords[R]) -> None:
    """Register the texts about runs of *model*."""
    _words[model] = words


def words_of(model: type[Run]) -> RunWords[Any]:
    """Return the texts of a kind, or the defaults."""
    return _words.get(model, _EVERY)


_EVERY: RunWords[Any] = RunWords()


def label(run: Run) -> str:
    """Return a curator's name for a run, or else its kind."""
    return run.caption or str(run._meta.verbose_name).capitalize()


def stages() -> list[type[Run]]:
    """Return the kinds of run that a campaign's page lists, in order."""
    staged = {model: words.stage for model, words in _words.items() if words.stage is not None}
    return sorted(staged, key=lambda model: staged[model])


def ways(run: Run) -> tuple[tuple[str, str], ...]:
    """Return a curator's next steps from a run that has a result or will have one."""
    links = () if run.ended_without_result else words_of(type(run)).ways
    return tuple((str(text), reverse(page, args=[run.public_id])) for text, page in links)


def is_left(run: Run, now: datetime) -> bool:
    """Return whether a run's worker has gone and no other worker has resumed the run."""
    if run.status != RunStatus.RUNNING or run.leased_until is None:
        return False
    return bool(run.leased_until < now)


def progress(run: Run, now: datetime) -> str:
    """Describe a run's progress in its own unit; before it starts, what it waits for."""
    if is_left(run, now):
        return _("its worker stopped; another one continues within seconds")
    if run.status == RunStatus.QUEUED:
        return _waits_for(run)
    return words_of(type(run)).progress(run)


def _waits_for(run: Run) -> str:
    waiting = [before for before in run.needed if before.status != RunStatus.DONE]
    if waiting:
        nearest = max(waiting, key=lambda before: before.created_at)
        return _("waiting for the %s") % nearest.noun
    return _("waiting for a worker")
