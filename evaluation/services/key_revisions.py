"""Make what people's fresh votes say of suspected keys the keys of the next version."""

import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from collection.models import Question
from corpora.core.bundle.layout import BLIND
from corpora.core.items import Item
from corpora.models import Erratum, ReferenceSet, Release
from corpora.selectors import load_items, read_index
from corpora.services import add_erratum, derive_reference_set
from evaluation.core.key_votes import Act, Decision
from evaluation.models import KeyPanel
from evaluation.selectors.key_panels import AskedKey, asked_keys, release_with_keys
from panels.models import Panel
from validation.services.review.adjudication import decide_question
from validation.services.review.suspicions import offer_question
from validation.services.review.swaps import swap_answers
from validation.services.verdicts.questions import revision_of
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, NotFound
from workers.models import User

LONGEST = 1000
LONGEST_CREDIT = 200
Acts = dict[str, tuple[Act, str]]
"""What was done with the key of each question, and why not more."""


def revise_keys(*, row: KeyPanel, by: User, **of_next_version: Any) -> KeyPanel:
    """Make the keys those that the votes say, for the next release or version.

    The parameters and errors are those of `revise_questions` for a campaign's questions, else those
    of `revise_reference_set`.
    """
    if row.audit.reference_set_id is None:
        return revise_questions(row=row, by=by)
    revise_reference_set(row=row, by=by, **of_next_version)
    return row


@transaction.atomic
def revise_questions(*, row: KeyPanel, by: User) -> KeyPanel:
    """Correct the questions of a campaign whose keys the votes found wrong.

    Both answers of a twin are swapped if the votes say so of each of its questions that they were
    about; its questions stay valid, and the next release has other keys. A question on which people
    split, or that would get its twin's answer, goes to the review queue, where a curator can
    withdraw it. The audit logs of the questions have all of it; releases that exist do not change.

    Raises
    ------
    DomainError
        ``no_campaign`` for a reference set, ``votes_missing`` or ``revised_already``.
    """
    if row.audit.reference_set_id is not None:
        raise Conflict("no_campaign", _("These questions belong to no campaign."))
    asked = _asked_with_votes(row)
    acts: Acts = {}
    for group in dict.fromkeys(one.key.group for one in asked):
        acts |= _of_twin([one for one in asked if one.key.group == group], row, by)
    return _store_outcome(row, asked, acts, by)


def _asked_with_votes(row: KeyPanel) -> list[AskedKey]:
    """Lock the panel's row, and return its suspects with their votes."""
    stands = KeyPanel.objects.select_for_update(of=("self",), no_key=True).get(pk=row.pk)
    if stands.revised_at is not None:
        raise Conflict("revised_already", _("The keys of this panel have been revised."))
    asked = asked_keys(row)
    if row.panel.status != Panel.Status.CLOSED and any(one.said is None for one in asked):
        raise Conflict(
            "votes_missing",
            _("Some suspected keys do not have all their votes. Wait, or close the evaluation."),
        )
    return asked


def _store_outcome(row: KeyPanel, asked: Sequence[AskedKey], acts: Acts, by: User) -> KeyPanel:
    row.outcome = [_evidence(one) | _act(acts, one) for one in asked]
    row.revised_at, row.revised_by = clock.now(), by
    row.save(update_fields=["outcome", "revised_at", "revised_by", "reference_set"])
    return row


def _evidence(one: AskedKey) -> dict[str, Any]:
    """Return the figures by which a key was decided, as they are stored."""
    said, answered = one.said, one.answered
    return {
        "id": one.key.source_id,
        "question": one.question,
        "is_suspected": one.key.is_suspected,
        "probability": round(one.key.probability, 4),
        "votes": list(answered.counts) if answered else None,
        "posterior": [round(value, 4) for value in said.posterior] if said else None,
        "decision": str(said.decision) if said else None,
    }


def _act(acts: Acts, one: AskedKey) -> dict[str, str]:
    act, refusal = acts.get(one.key.source_id, (Act.KEPT, ""))
    return {"act": str(act), "refusal": refusal}


def _of_twin(asked: Sequence[AskedKey], row: KeyPanel, by: User) -> Acts:
    """Swap or queue the questions of a twin; return what happened to each, or why it did not."""
    doubtful = [one for one in asked if one.decision in (Decision.WRONG, Decision.SPLIT)]
    if all(one.decision is Decision.WRONG for one in asked):
        refusal = _try(lambda: _swap(asked, by))
        act = Act.KEPT if refusal else Act.CORRECTED
        return {one.key.source_id: (act, refusal) for one in asked}
    acts: Acts = {}
    for one in doubtful:
        refusal = _try(lambda one=one: _offer(one, row, by))  # type: ignore[misc]
        acts[one.key.source_id] = (Act.KEPT if refusal else Act.QUEUED, refusal)
    return acts


def _try(act: Callable[[], None]) -> str:
    """Do something in a transaction of its own; return why it was refused, or nothing."""
    try:
        with transaction.atomic():
            act()
    except DomainError as error:
        return error.message
    return ""


def _swap(asked: Sequence[AskedKey], by: User) -> None:
    questions = {one.question: one for one in asked}
    rows = list(Question.objects.filter(public_id__in=questions).order_by("pk"))
    first = rows[0]
    swap_answers(
        question_id=first.public_id,
        note=_note(questions[first.public_id]),
        revision=revision_of(first),
        by=by,
        for_next_release=True,
    )
    for each in rows:
        decide_question(
            question_id=each.public_id,
            valid=True,
            note=_note(questions[each.public_id]),
            revision=revision_of(each),
            by=by,
        )


def _offer(one: AskedKey, row: KeyPanel, by: User) -> None:
    offer_question(question_id=one.question, campaign=row.panel.campaign, reason=_note(one), by=by)


def _note(one: AskedKey) -> str:
    assert one.answered is not None
    facts: dict[str, float] = {"right": one.answered.right, "n": len(one.answered.votes)}
    facts |= {"chance": one.chance_wrong or 0, "audit": one.key.probability}
    return (
        _(
            "Fresh votes: %(right)d of %(n)d for the key, which is wrong with a probability of "
            "%(chance).2f by the votes. By an audit of systems’ answers: %(audit).2f."
        )
        % facts
    )


@transaction.atomic
def revise_reference_set(
    *,
    row: KeyPanel,
    name: str,
    by: User,
    leave_out: bool = True,
    credit: str = "",
    agreed: bool = False,
) -> ReferenceSet:
    """Store the next version of a reference set, with the keys that the votes say.

    Ids, groups and other splits stay. The metadata of each question that people were asked about as
    a suspect have the evidence: its former answer, votes, posterior and the audit's probability.

    Parameters
    ----------
    leave_out
        Whether questions on which people split are left out.
    credit, agreed
        Who found the errors, and whether they agree to be named.

    Raises
    ------
    DomainError
        ``no_reference_set``, ``not_found`` if the set is not theirs to change, ``votes_missing``,
        ``revised_already``, ``not_agreed`` or ``nothing_corrected``, and those of
        `derive_reference_set`.
    ValidationError
        When the name is taken or invalid.
    """
    of = row.audit.reference_set
    if of is None:
        raise Conflict("no_reference_set", _("These questions are of a campaign."))
    if not ReferenceSet.objects.filter(ReferenceSet.own(by), pk=of.pk).exists():
        raise NotFound("reference set")
    asked = _asked_with_votes(row)
    acts = {one.key.source_id: (_act_of(one, leave_out), "") for one in asked}
    counts = Counter(act for act, _refusal in acts.values())
    n_corrected, n_left_out = counts[Act.CORRECTED], counts[Act.LEFT_OUT]
    if not n_corrected + n_left_out:
        raise Conflict("nothing_corrected", _("The votes change no key, so there is no version."))
    splits = {split.name: load_items(split) for split in of.splits.all()}
    splits[row.audit.split] = _with_new_keys(splits[row.audit.split], asked, acts)
    n = _version(of)
    row.reference_set = derive_reference_set(
        name=name,
        title=f"{of.title}, version {n}"[:200],
        of=of,
        splits=splits,
        by=by,
        erratum=_with_credit(
            f"Keys of {row.audit.split} corrected: {n_corrected}; questions left out since people "
            f"split: {n_left_out}; fresh votes on each: {row.panel.votes_per_item}.",
            credit,
            agreed,
        ),
    )
    _store_outcome(row, asked, acts, by)
    return row.reference_set


def _act_of(one: AskedKey, leave_out: bool) -> Act:
    if one.decision is Decision.WRONG:
        return Act.CORRECTED
    return Act.LEFT_OUT if leave_out and one.decision is Decision.SPLIT else Act.KEPT


def _with_new_keys(items: Sequence[Item], asked: Sequence[AskedKey], acts: Acts) -> list[Item]:
    of = {one.key.source_id: one for one in asked}
    left = [item for item in items if acts.get(item.id, (Act.KEPT,))[0] != Act.LEFT_OUT]
    return [_with_key(item, of[item.id]) if item.id in of else item for item in left]


def _with_key(item: Item, one: AskedKey) -> Item:
    evidence = {"former_answer": item.answer} | _evidence(one)
    answer = one.said.answer if one.said and one.decision is Decision.WRONG else item.answer
    return replace(item, answer=answer, metadata={**item.metadata, "key_votes": evidence})


def _version(of: ReferenceSet) -> int:
    """Return the number of the version after a set's."""
    n, before = 2, of.revises
    while before is not None:
        n, before = n + 1, before.revises
    return n


def _with_credit(text: str, credit: str, agreed: bool) -> str:
    if not credit.strip():
        return text
    if not agreed:
        raise DomainError("not_agreed", _("Name who found the errors only if they agree."))
    return f"{text} Found by {credit.strip()[:LONGEST_CREDIT]}."


@transaction.atomic
def tell_correction(
    *, row: KeyPanel, by: User | None, credit: str = "", agreed: bool = False
) -> Erratum:
    """Add an erratum to the audited release about the keys that a later one has corrected.

    The later one is the newest of the campaign, a public one if the audited one is public. The
    erratum names the corrected questions of train and dev. Of the blind test it has the number
    alone, which the changes of the later release state as well.

    Raises
    ------
    DomainError
        ``not_revised``, ``not_published``, ``nothing_corrected`` or ``not_agreed``, and those of
        `add_erratum`.
    """
    before = row.audit.release
    if before is None or row.outcome is None:
        raise Conflict("not_revised", _("The keys of no release were revised by these votes."))
    after = release_with_keys(before)
    if after is None:
        raise Conflict(
            "not_published",
            _("An erratum needs a later release of the campaign, public if this one is."),
        )
    corrected = {one["question"] for one in row.outcome if one["act"] == Act.CORRECTED}
    changed = _changed_ids(before, after, corrected)
    if not changed:
        raise Conflict("nothing_corrected", _("The later release has the same keys."))
    text = _erratum_text(after, changed, n_votes=row.panel.votes_per_item)
    text, key = _with_credit(text, credit, agreed), erratum_key(row, after)
    return add_erratum(release=before, text=text, key=key, by=by)


def erratum_key(row: KeyPanel, after: Release) -> uuid.UUID:
    """Return the id of the erratum about what a later release has corrected."""
    return uuid.uuid5(row.panel.public_id, str(after.public_id))


def _changed_ids(before: Release, after: Release, questions: set[str]) -> dict[str, list[str]]:
    """Return the ids in the earlier release of some questions that have another key, by split."""
    keys = {line["question"]: _key(line) for line in read_index(after)}
    changed: dict[str, list[str]] = {}
    for line in read_index(before):
        key = keys.get(line["question"])
        if line["question"] in questions and key not in (None, _key(line)):
            changed.setdefault(line["split"], []).append(line["qID"])
    return changed


def _key(line: dict[str, Any]) -> int:
    """Return the answer of a line of an index, as in the snapshot."""
    answer: int = line["answer"]
    return 3 - answer if line["swapped"] else answer


def _erratum_text(release: Release, changed: dict[str, list[str]], *, n_votes: int) -> str:
    head = f"Version {release.version} ({release.name}) has other keys for "
    tail = f", by {n_votes} fresh votes of people on each."
    whole = head + ", ".join(_of_split(*of) for of in changed.items()) + tail
    if len(whole) <= LONGEST - LONGEST_CREDIT - 20:  # with who found them
        return whole
    return head + ", ".join(f"{len(ids)} of {split}" for split, ids in changed.items()) + tail


def _of_split(split: str, ids: Sequence[str]) -> str:
    if split == BLIND:
        return f"{len(ids)} of {split}"
    return f"{len(ids)} of {split} ({', '.join(sorted(ids))})"
