"""Saving a twin: advice before pay is spent; checked, stored once with its provenance, paid."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Q

from collection.core.advice.campaign import (
    OVERUSED_SHARE,
    associated,
    association_findings,
    near_duplicate_findings,
    overuse_findings,
)
from collection.core.advice.cues import cues, scoped
from collection.core.advice.polarity import negation_findings, polarity_findings
from collection.core.advice.texts import script_of, text_findings
from collection.core.anchors import anchor_key
from collection.core.findings import Finding, Level, promoted
from collection.core.repeats import fingerprint
from collection.core.rules import Report
from collection.core.triggers import TriggerDiff
from collection.models import Assignment, Campaign, Consent, Draft, Provenance, Question, Twin
from collection.selectors import advice as reads
from collection.selectors.articles import anchors_at_cap
from collection.services.crowd import credit_unit
from collection.services.writing.assignments import TwinText, check_text
from winoplatform.db import locks
from winoplatform.errors import Conflict, DomainError
from workers import services as pay
from workers.models import LedgerEntry, Qualification, User

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
    visible = Q(author=author) if public is None else Q(author=author) | public
    findings = (
        *near_duplicate_findings(
            reads.nearest_twin(
                campaign=campaign, sentences=text.sentences, author=author, leave_out=leave_out
            )
        ),
        *_overuse(campaign, report.trigger.key, leave_out),
        *negation_findings(report.trigger),
        *_associations(campaign, text, report.trigger, visible, leave_out),
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
    visible: Q,
    leave_out: Twin | None,
) -> Iterator[Finding]:
    own = cues(text.sentences, text.options, text.answers, trigger)
    counts = reads.cue_counts(own, campaign=campaign, known=visible, leave_out=leave_out)
    yield from association_findings(associated(own, counts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A text submitted for an assignment; ``revises`` is the twin that it replaces."""

    assignment: Assignment
    text: TwinText
    client_key: uuid.UUID
    at: datetime
    revises: Twin | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """An accepted text with its report and advice."""

    report: Report
    advice: tuple[Finding, ...] = field(default=())

    @property
    def warnings(self) -> list[str]:
        return sorted({finding.code for finding in (*self.report.warnings, *self.advice)})


def accepted(submission: Submission, *, public: Q) -> Checked:
    """Check a submission by the rules and advice; refuse what the campaign refuses.

    *public* is that of ``advise``.

    Raises
    ------
    DomainError
        ``rules_broken`` with the findings of rules, or of advice that is blocking here.
    """
    campaign, text = submission.assignment.campaign, submission.text
    report = check_text(campaign=campaign, text=text, article=submission.assignment.article)
    if not report.accepted:
        raise _broken(report.findings)
    advice = advise(
        campaign=campaign,
        text=text,
        author=submission.assignment.worker,
        public=public,
        leave_out=submission.revises,
    )
    if any(finding.level is Level.ERROR for finding in advice):
        raise _broken((*report.findings, *advice))
    return Checked(report, advice)


def _broken(findings: tuple[Finding, ...]) -> DomainError:
    return DomainError(
        "rules_broken",
        "The twin has blocking checks. Each finding shows where the problem is and how to fix it.",
        details={"findings": [finding.for_author() for finding in findings]},
    )


def store(submission: Submission, checked: Checked) -> Twin:
    """Store a checked twin, pay for it and credit it to its crowd session.

    Only validation's service calls it, which opens the seats in the same transaction.

    Raises
    ------
    DomainError
        ``anchor_used_up``, ``twin_exists`` or ``client_key_used``.
    """
    _refuse_used_up_anchor(submission)
    try:
        with transaction.atomic():
            twin = _insert(submission, checked)
    except IntegrityError as error:
        conflict = CONFLICTS.get(_constraint(error))
        if conflict is None:
            raise
        raise Conflict(*conflict) from None
    _keep_provenance(twin, submission)
    _pay(twin)
    _credit(twin)
    return twin


CONFLICTS = {
    "collection_twin_is_submitted_once": (
        "client_key_used",
        "This client key belongs to another twin. Use a new one for each twin.",
    ),
    "collection_twin_is_written_once": (
        "twin_exists",
        "This campaign already has exactly these sentences. Write another twin.",
    ),
}


def _constraint(error: IntegrityError) -> str:
    return str(getattr(getattr(error.__cause__, "diag", None), "constraint_name", ""))


def _refuse_used_up_anchor(submission: Submission) -> None:
    campaign, key = submission.assignment.campaign, anchor_key(submission.text.anchor)
    if campaign.anchor_uses_max is None:
        return
    # Serialized: only one of two writers gets the last use of an anchor.
    locks.take_turns(f"anchor {campaign.pk} {key}")
    replaced = submission.revises.public_id if submission.revises else None
    if anchors_at_cap(campaign=campaign, keys=[key], leave_out=replaced):
        raise Conflict(
            "anchor_used_up",
            f"This campaign has enough twins around “{submission.text.anchor}”; "
            "choose another anchor from the article.",
        )


def _insert(submission: Submission, checked: Checked) -> Twin:
    assignment, text = submission.assignment, submission.text
    twin = Twin(
        campaign=assignment.campaign,
        assignment=assignment,
        revises=submission.revises,
        author=assignment.worker,
        client_key=submission.client_key,
        domain=text.domain,
        anchor=text.anchor,
        anchor_key=anchor_key(text.anchor),
        option1=text.options[0],
        option2=text.options[1],
        trigger=checked.report.trigger.as_dict(),
        trigger_key=checked.report.trigger.key,
        cues=_cues(checked.report, submission),
        fingerprint=fingerprint(text.sentences),
        warnings=checked.warnings,
        advice=[finding.as_dict() for finding in checked.advice],
        created_at=submission.at,
        **assignment.campaign.for_twins,
    )
    twin.clean_fields()
    twin.save()
    Question.objects.bulk_create(
        Question(twin=twin, number=n, sentence=sentence, answer=answer, created_at=submission.at)
        for n, (sentence, answer) in enumerate(
            zip(text.sentences, text.answers, strict=True), start=1
        )
    )
    return twin


def _cues(report: Report, submission: Submission) -> list[str]:
    text = submission.text
    own = cues(text.sentences, text.options, text.answers, report.trigger)
    return scoped(own, submission.assignment.campaign_id)


LARGEST = "largest_insert"
COUNTED = ("typed_characters", "pasted_characters", LARGEST, "edits", "active_seconds")


def _keep_provenance(twin: Twin, submission: Submission) -> None:
    """Store the provenance from the counts of the draft and of the revised twin."""
    draft = Draft.objects.filter(assignment=submission.assignment).first()
    earlier = Provenance.objects.filter(twin=submission.revises).first()
    counts = {name: draft.evidence.get(name, 0) if draft else 0 for name in COUNTED}
    if earlier is not None:
        before = {name: getattr(earlier, name) for name in COUNTED}
        largest = max(counts[LARGEST], before[LARGEST])
        counts = {name: counts[name] + before[name] for name in COUNTED} | {LARGEST: largest}
    Provenance.objects.create(twin=twin, guideline_id=_accepted_guideline(twin), **counts)
    if draft is not None:
        draft.delete()


def _accepted_guideline(twin: Twin) -> int | None:
    accepted = Consent.objects.active().filter(
        worker=twin.author,
        guideline__campaign=twin.campaign,
        skill=Qualification.Skill.WRITE,
    )
    newest = accepted.order_by("-guideline__version").values_list("guideline", flat=True)
    return newest.first()


def author_of(twin: Twin) -> User:
    assert twin.author is not None
    return twin.author


def _pay(twin: Twin) -> None:
    """Write the reward promised with the assignment to the ledger, also for a revision."""
    campaign = twin.campaign
    promised = twin.assignment.reward if twin.assignment else None
    pay.accrue(
        worker=author_of(twin),
        kind=LedgerEntry.Kind.TWIN,
        unit=str(twin.public_id),
        amount=campaign.reward_twin if promised is None else promised,
        currency=campaign.currency,
        budget=campaign.public_id,
    )


def _credit(twin: Twin) -> None:
    """Credit the twin to the crowd session in which it was written."""
    credit_unit(
        worker=author_of(twin),
        campaign=twin.campaign,
        skill=Qualification.Skill.WRITE,
        unit=twin.public_id,
        replaces=twin.revises.public_id if twin.revises else None,
    )
