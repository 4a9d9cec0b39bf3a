"""Advice on a twin before pay is spent on it."""

from collections.abc import Iterator

from django.db.models import Q

from collection.core.advice.campaign import (
    OVERUSED_SHARE,
    associated,
    association_findings,
    near_duplicate_findings,
    overuse_findings,
)
from collection.core.advice.cues import cues
from collection.core.advice.polarity import negation_findings, polarity_findings
from collection.core.advice.texts import script_of, text_findings
from collection.core.findings import Finding, promoted
from collection.core.triggers import TriggerDiff
from collection.models import Campaign, Twin
from collection.selectors import advice as reads
from collection.services.writing.assignments import TwinText, check_text
from workers.models import User

# A text that breaks one of these cannot be looked up, or has no trigger to speak of.
UNREADABLE = frozenset(
    {
        "sentence_empty",
        "too_long",
        "control_character",
        "invisible_character",
        "blank_missing",
        "blank_repeated",
        "option_empty",
        "option_has_blank",
        "options_same",
        "option_missing",
        "twins_identical",
    }
)


def advise(
    *,
    campaign: Campaign,
    text: TwinText,
    author: User,
    public: Q | None = None,
    leave_out: Twin | None = None,
) -> tuple[Finding, ...]:
    """Say what may be wrong with a twin that breaks no rule; nothing is stored.

    Parameters
    ----------
    campaign : Campaign
        Its active twins are what a twin is compared with; its ``blocking`` codes are errors, all
        other advice warns.
    text : TwinText
        Any text at all. There is no advice on one in which a sentence, its blank or an option is
        missing or unreadable: the rules speak first.
    author : User
        The writer: a near-duplicate of their own is called so, and their own answers count.
    public : Q, optional
        Other twins whose answers count, as they are public.
    leave_out : Twin, optional
        A twin that counts as if it were not there: the one that the text revises.

    Returns
    -------
    tuple of Finding
        In the order of ``ADVICE``, each with its number and an example, which are for curators:
        a writer is told ``Finding.for_author``.
    """
    report = check_text(campaign=campaign, text=text)
    if report.codes & UNREADABLE:
        return ()
    known = Q(author=author) if public is None else Q(author=author) | public
    findings = (
        *near_duplicate_findings(
            reads.nearest_twin(
                campaign=campaign, sentences=text.sentences, author=author, leave_out=leave_out
            )
        ),
        *_overuse(campaign, report.trigger.key, leave_out),
        *negation_findings(report.trigger),
        *_associations(campaign, text, report.trigger, known, leave_out),
        *polarity_findings(text.sentences, text.options, text.answers),
        *_texts(campaign, text),
    )
    return promoted(findings, frozenset(campaign.blocking))


def _texts(campaign: Campaign, text: TwinText) -> Iterator[Finding]:
    own_texts = reads.own_texts(campaign)
    return text_findings(
        text.sentences, text.options, own_texts=own_texts, script=script_of("".join(own_texts))
    )


def _overuse(campaign: Campaign, key: str, leave_out: Twin | None) -> Iterator[Finding]:
    limit = campaign.trigger_uses_max
    uses = reads.trigger_uses(campaign=campaign, key=key, leave_out=leave_out)
    if uses < max(limit, 1):
        return
    enough = int(uses / OVERUSED_SHARE) + 1
    twins = reads.twins_up_to(enough, campaign=campaign, leave_out=leave_out)
    yield from overuse_findings(key, uses=uses, limit=limit, twins=twins)


def _associations(
    campaign: Campaign,
    text: TwinText,
    trigger: TriggerDiff,
    known: Q,
    leave_out: Twin | None,
) -> Iterator[Finding]:
    own = cues(text.sentences, text.options, text.answers, trigger)
    counts = reads.cue_counts(own, campaign=campaign, known=known, leave_out=leave_out)
    yield from association_findings(associated(own, counts))
