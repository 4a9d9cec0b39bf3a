"""The words of the platform, each with one definition: for tooltips, the page and the document.

`make docs` writes ``docs/glossary.md`` from here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Term:
    """A word as pages have it, and its only definition, in a few sentences."""

    name: Any
    meaning: Any


TERMS = {
    # -- texts and work -----------------------------------------------------------------------
    "twin": Term(
        _("Twin"),
        _(
            "Two sentences that differ in one or a few words, the trigger, and have opposite "
            "answers. Each of the two is a question."
        ),
    ),
    "blank": Term(_("Blank"), _("The place “_” in a sentence that one of two options fills.")),
    "option": Term(
        _("Option"), _("One of the two words or phrases that may fill the blank of both sentences.")
    ),
    "trigger": Term(
        _("Trigger"), _("The word or words in which the two sentences of a twin differ.")
    ),
    "anchor": Term(
        _("Anchor"),
        _(
            "A word or short phrase of the assigned article. It stands in both "
            "sentences of the twin."
        ),
    ),
    "local_context": Term(
        _("Local context"),
        _(
            "The words from two before the blank to the end of the sentence. If most validators "
            "know the answer from them alone, the question is not valid (WinoGrande, section 3)."
        ),
    ),
    "unpaired": Term(
        _("Unpaired"), _("A question whose twin is missing, from a file or by a verdict or filter.")
    ),
    "lease": Term(
        _("Lease"),
        _(
            "The time for which an article or question is kept for one person. When it ends, "
            "others may get it."
        ),
    ),
    "validator": Term(
        _("Validator"),
        _("A person who answers other writers' questions and says how clear they are."),
    ),
    "vote": Term(
        _("Vote"),
        _(
            "One validator's answer to a question: from the local context, from the whole "
            "sentence, and whether both options are plausible."
        ),
    ),
    "verdict": Term(
        _("Verdict"),
        _("Whether a question is valid, by a fixed rule over its votes, or by a curator."),
    ),
    "control_question": Term(
        _("Control question"),
        _(
            "A question with a known answer among those that validators get. It looks and pays "
            "like any other."
        ),
    ),
    "review_queue": Term(
        _("Review queue"),
        _("The questions that need a curator: reported, appealed, or with votes that differ."),
    ),
    "return": Term(
        _("Return for revision"),
        _("A curator sends a twin back to its writer with a note; the writer may revise it once."),
    ),
    "exclude": Term(
        _("Exclude"),
        _("A curator leaves a vote out of the verdict. It stays paid, and its person reads why."),
    ),
    "eligibility": Term(
        _("Eligibility"),
        _(
            "Whether a person may do a kind of work in a campaign now: guidelines accepted, "
            "training or test done, no pause, limits not reached."
        ),
    ),
    # -- figures about people -----------------------------------------------------------------
    "doubt": Term(
        _("Doubt"),
        _(
            "How much the votes differ, as the smaller side's share of them: 1 of 3 is 33%. If all "
            "chose the author's answer and the question is valid, other differences count a third. "
            "Reported and appealed questions are always in doubt."
        ),
    ),
    "author_correct": Term(
        _("Author correct"),
        _(
            "The estimated probability that the author's answer is right, from the votes and from "
            "how often each validator is right elsewhere, by the simplest of three models that "
            "predicts this campaign's votes about as well as the best. It is advice: the verdict "
            "does not use it."
        ),
    ),
    "alpha": Term(
        _("Krippendorff's alpha"),
        _(
            "How much validators agree beyond chance, from the first votes on each question. 1 is "
            "full agreement, 0 is chance; from 0.80 on, data is considered reliable."
        ),
    ),
    "kappa": Term(
        _("Fleiss' kappa"),
        _(
            "Agreement beyond chance among questions with equally many votes. 1 is full "
            "agreement, 0 is chance."
        ),
    ),
    "agrees_author": Term(
        _("Agreement with authors"),
        _(
            "The share of a validator's counted votes for the author's answer. Answers to control "
            "questions and excluded votes do not count. Authors err too, so it is no accuracy."
        ),
    ),
    "agrees_others": Term(
        _("Agreement with others"),
        _(
            "The share of a validator's votes that agree with most of the other first votes on the "
            "question. Questions on which the others tie are left out, and extra votes, as these "
            "are on contested questions."
        ),
    ),
    "control_questions": Term(
        _("Right on control questions"),
        _(
            "The share of a validator's answers to control questions that are right: the author's "
            "answer, and not marked as ambiguous."
        ),
    ),
    "agrees_valid": Term(
        _("Agreement on valid questions"),
        _(
            "The share of a validator's newest 300 votes in the campaign for the author's answer, "
            "on other questions that are valid. A question is valid because most votes are right, "
            "so this share is higher than the one on all questions."
        ),
    ),
    "one_coin": Term(
        _("Skill"),
        _(
            "The probability that a validator chooses the right option, whoever wrote the "
            "question, in a model in which it is the same for every question (one-coin). It is "
            "estimated from all counted votes, together with the answers; eight votes of the usual "
            "skill in the campaign are added to those of each validator."
        ),
    ),
    # -- from questions to a release ----------------------------------------------------------
    "snapshot": Term(
        _("Snapshot"),
        _(
            "A fixed copy of the questions that were valid when it was taken. All runs start "
            "from one."
        ),
    ),
    "item": Term(
        _("Item"),
        _("A question as it is frozen in a snapshot or set: sentence, options, group and answer."),
    ),
    "group": Term(
        _("Group"), _("The items that belong together: the two questions of a twin, for example.")
    ),
    "split": Term(
        _("Split"),
        _(
            "Train, dev or test. The split of a twin is drawn once, by chance, and never changes; "
            "answers of test are not published."
        ),
    ),
    "encoding": Term(
        _("Encoding"),
        _("A row of numbers for each question, made by a language model; filters work on them."),
    ),
    "aflite": Term(
        _("AFLite"),
        _(
            "Lightweight adversarial filtering: many small linear models are trained on parts of "
            "the questions, and the questions that they answer best are removed, phase by phase "
            "(WinoGrande, section 4)."
        ),
    ),
    "phase": Term(_("Phase"), _("One round of AFLite: models are trained, and questions removed.")),
    "ensemble": Term(
        _("Ensemble"),
        _(
            "Several models whose answers are combined: the linear models of a phase, or several "
            "evaluations."
        ),
    ),
    "cutoff": Term(
        _("Cutoff"),
        _("τ, the share of models that must answer a question rightly before it may be removed."),
    ),
    "neutral": Term(
        _("Neutral"),
        _(
            "Questions are removed only until fresh linear models are right on one half, and none "
            "if they are not found to be above one half at first. A bias that is too small to be "
            "found, or that linear models cannot use, stays."
        ),
    ),
    "control": Term(
        _("Control"),
        _(
            "A filter of another kind, at random or by words, that keeps as many questions. The "
            "filter is compared with it."
        ),
    ),
    "d1": Term(
        _("d1"),
        _(
            "The first principal component of the questions' features. If the two labels lie apart "
            "on it, a linear model can guess the answers (WinoGrande, section 5)."
        ),
    ),
    "pmi": Term(
        _("PMI"),
        _(
            "Pointwise mutual information: how much more often a word comes with one answer than "
            "it would by chance. A frequent word far from 0 reveals answers."
        ),
    ),
    "release": Term(
        _("Release"),
        _("The published files of a snapshot, or of what a filter kept of it, with their splits."),
    ),
    # -- models and runs ----------------------------------------------------------------------
    "evaluation": Term(
        _("Evaluation"), _("A method's answers to all questions of a set, and the figures of them.")
    ),
    "scorer": Term(
        _("Scorer"), _("What gives each option of a question a number; the highest is the answer.")
    ),
    "group_score": Term(
        _("Group score"),
        _("The share of twins of which both questions are answered rightly."),
    ),
    "attempt": Term(
        _("Attempt"),
        _("One try to carry a run to its end. If its worker dies, the next one continues."),
    ),
    "heartbeat": Term(
        _("Heartbeat"),
        _("The sign by which a page or a worker prolongs a lease while it is at work."),
    ),
    "dispatch": Term(_("Dispatch"), _("To send a run that waits to a worker that can execute it.")),
    "audit_log": Term(
        _("Audit log"),
        _("The list of who did or read what, and when. It can only grow."),
    ),
    "sign_in_throttle": Term(
        _("Sign-in throttle"),
        _("The limit on wrong passwords for an account and for an address in five minutes."),
    ),
}


def in_order() -> Iterator[tuple[str, Term]]:
    """Return codes and terms in alphabetical order of their names."""
    yield from sorted(TERMS.items(), key=lambda entry: str(entry[1].name).casefold())
