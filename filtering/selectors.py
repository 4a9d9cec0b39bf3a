"""Reads that span tables: which questions are valid, how far they and their campaign have come."""

import logging
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import formats
from django.utils.translation import gettext as _

from collection.core.findings import Finding, Level
from collection.core.origin import Origin, origin_flag
from collection.models import Campaign, Question, Twin
from collection.selectors.advice import has_sentence, nearest_twin
from filtering.core.fates import KEPT, FateBook
from filtering.core.guess_rules import as_read, guesses_pair
from filtering.core.questions import FrozenQuestion
from filtering.models import FilterRun, Guess, Phase, Release, ReleaseFile, Snapshot
from validation.models import VerdictEvent
from winoplatform.artifacts import store
from winoplatform.runs import liveness
from winoplatform.runs.models import RunStatus
from workers.models import User

log = logging.getLogger(__name__)

# Questions found valid by their judges here, or published after judging elsewhere.
VALID = Q(verdict__valid=True) | Q(twin__origin=Twin.Origin.PUBLISHED)
JUDGED = Q(verdict__isnull=False) | Q(twin__origin=Twin.Origin.PUBLISHED)
COUNTED = ("typed_characters", "pasted_characters", "largest_insert", "active_seconds")


def valid_questions(campaign: Campaign, *, at: datetime | None = None) -> QuerySet[Question]:
    """A campaign's valid questions: all, or those that were valid at a time.

    A question judged here is valid from its verdict on, one published elsewhere from its import.
    A verdict that was turned since then counts as it was: the first event behind that time tells.
    """
    if at is None:
        return Question.objects.in_campaign(campaign).filter(VALID)
    stood = Q(twin__withdrawn_at=None) | Q(twin__withdrawn_at__gt=at)
    questions = Question.objects.filter(stood, twin__campaign=campaign)
    later = VerdictEvent.objects.filter(question=OuterRef("pk"), created_at__gt=at)
    turned = later.exclude(action__in=VerdictEvent.ABOUT_VOTES).order_by("pk")
    unturned = Q(~Exists(turned), verdict__valid=True, verdict__created_at__lte=at)
    was_valid = Q(pk__in=_valid_before(campaign, at))
    published = Q(twin__origin=Twin.Origin.PUBLISHED, created_at__lte=at)
    return questions.filter(unturned | was_valid | published)


def _valid_before(campaign: Campaign, at: datetime) -> "QuerySet[VerdictEvent, Any]":
    """Questions whose verdict was made anew since then, and was valid before that."""
    later = VerdictEvent.objects.filter(question__twin__campaign=campaign, created_at__gt=at)
    first = later.exclude(action__in=VerdictEvent.ABOUT_VOTES).order_by("question_id", "pk")
    firsts = VerdictEvent.objects.filter(pk__in=first.distinct("question_id").values("pk"))
    return firsts.filter(before__valid=True).values("question")


def frozen_questions(snapshot: Snapshot) -> Iterator[FrozenQuestion]:
    """Stream what was valid when *snapshot* was asked for, in the order of (random) ids.

    One query, so that one moment of the database answers, however long the reading takes.
    """
    rows = (
        valid_questions(snapshot.campaign, at=snapshot.created_at)
        .order_by("public_id")
        .values_list(
            "public_id",
            "twin__public_id",
            "sentence",
            "twin__option1",
            "twin__option2",
            "answer",
            "twin__domain",
        )
    )
    for id, twin, sentence, option1, option2, answer, domain in rows.iterator(chunk_size=5000):
        yield FrozenQuestion(id, str(twin), sentence, option1, option2, answer, domain)


def load_questions(snapshot: Snapshot) -> list[FrozenQuestion]:
    """Read a snapshot's questions, in the row order of all that is made from it."""
    assert snapshot.questions is not None
    with store.open_artifact(snapshot.questions) as file:
        return [FrozenQuestion.from_line(line.decode()) for line in file]


def origins(ids: Sequence[str]) -> dict[str, Origin]:
    """Say by public id how the text of each question came to be, where anything was counted."""
    found = {}
    for start in range(0, len(ids), 5000):
        batch = ids[start : start + 5000]
        rows = Question.objects.filter(public_id__in=batch, twin__provenance__isnull=False)
        counts = rows.values_list("public_id", *(f"twin__provenance__{name}" for name in COUNTED))
        for id, *numbers in counts:
            found[id] = origin_flag(**dict(zip(COUNTED, numbers, strict=True)))
    return found


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many of a campaign's questions came how far."""

    twins: int
    written: int
    judged: int
    valid: int
    filtered: int | None
    kept: int | None

    def as_dict(self) -> dict[str, int | None]:
        return asdict(self)


def funnel(campaign: Campaign) -> Funnel:
    """Count written → valid → kept; the last two by the latest finished filter run."""
    run = latest_filter_run(campaign)
    counts = Question.objects.in_campaign(campaign).aggregate(
        twins=Count("twin", distinct=True),
        written=Count("pk"),
        judged=Count("pk", filter=JUDGED),
        valid=Count("pk", filter=VALID),
    )
    return Funnel(
        **counts,
        filtered=run.encoding.snapshot.n_questions if run else None,
        kept=run.n_kept if run else None,
    )


def latest_filter_run(campaign: Campaign) -> FilterRun | None:
    runs = FilterRun.objects.filter(encoding__snapshot__campaign=campaign, status=RunStatus.DONE)
    return runs.select_related("encoding__snapshot").order_by("-ended_at").first()


def releases_visible_to(user: User, releases: QuerySet[Release]) -> QuerySet[Release]:
    """Curators see every release, everybody else those that are done."""
    return releases if user.is_curator else releases.filter(status=RunStatus.DONE)


def release_files(release: Release, *, user: User) -> QuerySet[ReleaseFile]:
    """The files of a release that *user* may have: blind labels are for curators only."""
    files = release.files.select_related("artifact")
    return files if user.is_curator else files.filter(restricted=False)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a question in the latest finished filter run of its campaign.

    ``in_snapshot`` is False where it was not valid yet when the run's snapshot was taken; then it
    is neither kept nor removed. ``phase`` is the phase that removed it, from 1.
    """

    run: str
    kept: bool
    phase: int | None
    in_snapshot: bool


def fates(questions: Iterable[Question]) -> dict[int, Fate]:
    """Say by primary key what became of each question; none of campaigns without a finished run.

    One query where the questions' twins are loaded with them; two more and a reading of the run's
    files where this process has not met the run yet. While they cannot be read there are none.
    """
    found = list(questions)
    runs = _latest_filter_runs({question.twin.campaign_id for question in found})
    books = {pk: (run, book) for pk, run in runs.items() if (book := _readable(run)) is not None}
    return {
        question.pk: _fate(*books[question.twin.campaign_id], question.public_id)
        for question in found
        if question.twin.campaign_id in books
    }


def _latest_filter_runs(campaigns: set[int]) -> dict[int, uuid.UUID]:
    rows = FilterRun.objects.filter(
        encoding__snapshot__campaign__in=campaigns, status=RunStatus.DONE
    ).order_by("encoding__snapshot__campaign", "-ended_at", "-pk")
    latest = rows.distinct("encoding__snapshot__campaign")
    return dict(latest.values_list("encoding__snapshot__campaign", "public_id"))


def _readable(run: uuid.UUID) -> FateBook | None:
    """Return the book of a run; None while its files are away: a page can do without."""
    try:
        return _fate_book(run)
    except (OSError, EOFError, ValueError, FilterRun.DoesNotExist):
        log.exception("filter run %s: its files cannot be read; no fates are shown", run)
        return None


def _fate(run: uuid.UUID, book: FateBook, question: str) -> Fate:
    phase = book.phase_of(question)
    return Fate(
        run=str(run), kept=phase == KEPT, phase=phase or None, in_snapshot=phase is not None
    )


@lru_cache(maxsize=8)
def _fate_book(run: uuid.UUID) -> FateBook:
    """Read a run that is done, and so never changes; 1 MB for 50,000 questions."""
    done = FilterRun.objects.select_related("encoding__snapshot__questions").get(public_id=run)
    ids = [question.id for question in load_questions(done.encoding.snapshot)]
    return FateBook.of(ids, [_rows_removed(phase) for phase in done.steps.select_related("arrays")])


def _rows_removed(phase: Phase) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    rows, _, _, removed = store.load_array(phase.arrays)
    return np.asarray(rows[removed == 1])


def guessing_run(campaign: Campaign) -> FilterRun | None:
    """The run whose classifiers guess new twins: the latest that is done, if it trained any."""
    run = latest_filter_run(campaign)
    return run if run is not None and run.steps.exists() else None


def guesses_are_served() -> bool:
    """Tell whether a live worker takes the queue on which guesses wait."""
    workers = liveness.alive() or {}
    return any("light" in queues for queues in workers.values())


def is_known_text(
    sentences: Sequence[str], *, campaign: Campaign, leave_out: Twin | None = None
) -> bool:
    """Tell whether a sentence is one of the campaign's questions, or a near-duplicate of one.

    The classifiers learned the answer of such a question, which may be a label that the release
    holds back; and the writer is advised of a near-duplicate anyway.
    """
    forms = {form for sentence in sentences for form in (sentence, as_read(sentence))}
    if has_sentence(forms, campaign=campaign, leave_out=leave_out):
        return True
    return any(
        nearest_twin(campaign=campaign, sentence=form, leave_out=leave_out) for form in forms
    )


def guess_finding(guess: Guess) -> Finding | None:
    """Advise against a twin both of whose answers the run's own threshold calls guessed."""
    run = guess.filter_run
    if guess.right1 is None or guess.right2 is None:
        return None
    if not guesses_pair((guess.right1, guess.right2), n=run.n, tau=run.tau):
        return None
    message = _(
        "A simple model of this campaign already guesses both answers, without understanding "
        "the sentences. Try another trigger, or another situation."
    )
    return Finding(
        code="machine_guesses",
        level=Level.WARNING,
        message=message,
        value=round((guess.right1 + guess.right2) / (2 * run.n), 2),
        example=_guess_example(run),
    )


def _guess_example(run: FilterRun) -> str:
    # Not how many get which sentence right: that would tell of each sentence by itself.
    return _("The filter of %(date)s learned from %(questions)s questions.") % {
        "date": formats.date_format(run.ended_at or run.created_at, "DATE_FORMAT"),
        "questions": f"{run.encoding.snapshot.n_questions or 0:,}",
    }
