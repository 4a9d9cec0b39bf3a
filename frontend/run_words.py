"""What pages say of a run of any kind: what it is, how far, and where it leads."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from corpora.models import Release, Snapshot
from evaluation.models import Evaluation, StarterLoad
from filtering.models import Assessment, Encoding, FilterRun, Tuning
from frontend import run_settings, tuning_settings
from frontend.templatetags.pages import estimate
from winoplatform.runs.models import Run, RunStatus

# What leads on from a run of each kind: in words, and the page.
WAYS: dict[type[Run], tuple[tuple[Any, str], ...]] = {
    Snapshot: ((later("Tune an encoder"), "new-tuning"), (later("Encode it"), "new-encoding")),
    Tuning: ((later("Encode with it"), "encode-tuned"),),
    Encoding: ((later("Filter it"), "new-filter-run"), (later("Compare its runs"), "compare-runs")),
}


def ways(run: Run) -> tuple[tuple[str, str], ...]:
    """What a curator can go on to from a run that has a result or will have one."""
    found = () if run.can_resume else WAYS.get(type(run), ())
    return tuple((str(said), reverse(page, args=[run.public_id])) for said, page in found)


def is_left(run: Run, now: datetime) -> bool:
    """Tell whether a run's worker has gone and nobody has taken the run up yet."""
    if run.status != RunStatus.RUNNING or run.leased_until is None:
        return False
    return bool(run.leased_until < now)


def progress(run: Run, now: datetime) -> str:
    """Say how far a run is, in its own unit; before it starts, what it waits for."""
    if is_left(run, now):
        return _("its worker has gone; another one takes it up within seconds")
    if run.status == RunStatus.QUEUED:
        return _waits_for(run)
    if isinstance(run, Evaluation) and run.metrics:
        return _("accuracy %s") % estimate(run.metrics["accuracy"])
    if isinstance(run, Assessment):
        return _("%s of %s parts") % (run.done, run.total) if run.total else ""
    if isinstance(run, StarterLoad):
        return f"{run.share:.0%}" if run.total else ""
    if isinstance(run, Tuning):
        return _epochs(run)
    if run.has_ended and not run.done:
        return _("nothing removed") if _is_done_filter(run) else ""
    return _counted(run)


def _epochs(tuning: Tuning) -> str:
    if tuning.accuracy is not None:
        said = ngettext("%s epoch", "%s epochs", tuning.epochs) % tuning.epochs
        return _("%(epochs)s, %(accuracy)s right on validation") % {
            "epochs": said,
            "accuracy": f"{tuning.accuracy:.1%}",
        }
    return _("%s of %s epochs") % (tuning.done, tuning.total) if tuning.total else ""


def _waits_for(run: Run) -> str:
    waiting = [before for before in run.needed if before.status != RunStatus.DONE]
    if waiting:
        nearest = max(waiting, key=lambda before: before.created_at)
        return _("waits for the %s") % nearest.noun
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


def about(run: Run) -> str:
    """Say in a line what tells a run from others of its kind."""
    if isinstance(run, Snapshot):
        if run.n_questions is None:
            return _("the valid questions")
        return _("%(questions)s questions, %(pairs)s pairs") % {
            "questions": f"{run.n_questions:,}",
            "pairs": f"{run.n_pairs:,}",
        }
    if isinstance(run, Tuning):
        return f"{encoder_name(run)} · {tuning_settings.about(run)}"
    if isinstance(run, Encoding):
        tuned = tuning_settings.about(run.tuning) if run.tuning else ""
        dtype = "" if run.dtype == Encoding.Dtypes.FLOAT32 else run.dtype
        return " · ".join(filter(None, [encoder_name(run), tuned, dtype]))
    if isinstance(run, FilterRun):
        return run_settings.about(run)
    if isinstance(run, Assessment):
        return run_settings.about(run.filter_run)
    if isinstance(run, Release):
        return run.name
    if isinstance(run, Evaluation):
        return f"{run.get_model_display()} · {run.split}"
    return ""


def encoder_name(run: Encoding | Tuning) -> str:
    """Name an encoder in short: a package's module, or the last part of a folder or hub id."""
    if run.encoder.startswith("pkg:"):
        name = run.encoder.removeprefix("pkg:").split("/")[0]
    else:
        name = run.encoder.rstrip("/").split("/")[-1]
    return _("%s, tuned") % name if isinstance(run, Encoding) and run.tuning_id else name


def href(run: Run) -> str:
    """Return where a run is shown; empty where it has no page of its own."""
    if isinstance(run, FilterRun):
        return reverse("filter-run", args=[run.public_id])
    if isinstance(run, Tuning):
        return reverse("tuning", args=[run.public_id])
    if isinstance(run, Assessment):
        return reverse("evidence", args=[run.filter_run.public_id])
    # A release that let its name go has no page: the address is its successor's.
    release = run.release if isinstance(run, Evaluation) else run
    if isinstance(release, Release) and release.holds_name:
        return reverse("release", args=[release.name])
    return ""
