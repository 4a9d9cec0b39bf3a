"""Snapshots in words."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from corpora.models import Snapshot
from frontend.runs.words import RunWords, register
from workers.models import User


class SnapshotWords(RunWords[Snapshot]):
    stage = 1
    ways = (
        (later("Tune an encoder"), "new-tuning"),
        (later("Encode"), "new-encoding"),
        (later("Release"), "new-release"),
        (later("Look for artifacts"), "detect-in-snapshot"),
    )

    def about(self, run: Snapshot) -> str:
        if run.n_questions is None:
            return _("the valid questions")
        return " · ".join([_sizes(run), *_left_out(run), *_repeats(run)])

    def short(self, run: Snapshot) -> str:
        n = run.n_questions
        return "" if n is None else ngettext("%s question", "%s questions", n) % f"{n:,}"


def _sizes(run: Snapshot) -> str:
    assert run.n_questions is not None
    assert run.n_pairs is not None
    questions = ngettext("%(n)s question", "%(n)s questions", run.n_questions)
    pairs = ngettext("%(n)s pair", "%(n)s pairs", run.n_pairs)
    return ", ".join([questions % {"n": f"{run.n_questions:,}"}, pairs % {"n": f"{run.n_pairs:,}"}])


def _left_out(run: Snapshot) -> Iterator[str]:
    """Say whose twins were left out."""
    if run.without_writers:
        writers = User.objects.filter(pk__in=run.without_writers).order_by("public_id")
        yield _("without twins by %s") % ", ".join(writers.values_list("public_id", flat=True))


def _repeats(run: Snapshot) -> Iterator[str]:
    """Say how many questions repeat another one, and how many of them were left out."""
    found = run.repeats or {}
    if found.get("repeated"):
        yield _("%(n)s repeat another: %(same)s with the same answer, %(other)s with the other") % {
            "n": f"{found['repeated']:,}",
            "same": f"{found['same_answer']:,}",
            "other": f"{found['other_answer']:,}",
        }
    if run.without_repeats:
        yield _("%s left out") % f"{found.get('left_out', 0):,}"


register(Snapshot, SnapshotWords())
