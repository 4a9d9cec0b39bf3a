"""What is needed to guess a twin that is being written, and what a guess says."""

from collections.abc import Sequence

from django.utils import formats
from django.utils.translation import gettext as _

from collection.core.findings import Finding, Level
from collection.models import Campaign, Twin
from collection.selectors.advice import has_sentence, nearest_twin
from filtering.core.guess_rules import as_read, guesses_pair
from filtering.models import FilterRun, Guess
from filtering.selectors.runs import telling_run
from winoplatform.runs import liveness


def guessing_run(campaign: Campaign) -> FilterRun | None:
    """The run whose classifiers guess new twins: the one that tells, if it trained any."""
    run = telling_run(campaign)
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
        "questions": f"{run.encoding.n_questions or 0:,}",
    }
