"""Knowledge sets, with their lexicon."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction

from collection.models import Campaign
from corpora.models import ReferenceSet, Release
from knowledge.core.groundings import groundings
from knowledge.core.phrasing import KIND, Lexicon, PhraseError, phrase
from knowledge.core.slots import mentions_of
from knowledge.models import Formalisation, FormalisingTask, Formula, KnowledgeSet, LexiconEntry
from knowledge.selectors import lexicon_of, questions_for_people
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User


@transaction.atomic
def put_words(
    *, knowledge_set: KnowledgeSet, name: str, positive: str, negative: str = ""
) -> LexiconEntry:
    """Store the words of a predicate, or of an action, which has no opposite.

    Raises
    ------
    DomainError
        The codes of ``PhraseError``.
    """
    positive, negative = positive.strip(), negative.strip()
    try:
        if negative:
            Lexicon({name: (positive, negative)}, {})
        else:
            Lexicon({}, {name: positive})
    except PhraseError as error:
        raise DomainError(error.code, error.message) from error
    entry = LexiconEntry.objects.filter(knowledge_set=knowledge_set, name=name).first()
    row = entry or LexiconEntry(knowledge_set=knowledge_set, name=name)
    row.positive, row.negative = positive, negative
    row.full_clean()
    row.save()
    return row


def draft(*, formalisation: Formalisation, formula: Formula) -> tuple[str, dict[str, Any]]:
    """Return a formula as a sentence with slots, and the question's noun phrases of its names.

    Raises
    ------
    DomainError
        The codes of ``PhraseError``; ``no_words`` with the names that lack words.
    """
    theory = formalisation.theory
    tree = theory.knowledge[formula.name]
    things = {thing["name"]: thing for thing in formalisation.content["things"]}
    terms = groundings(tree, [*theory.setting, theory.clause_of(theory.answer)])
    kinds = {name: things[thing]["kind"] or KIND for name, thing in terms.items()}
    words = lexicon_of(formalisation.knowledge_set)
    try:
        sentence = phrase(tree, words, kinds=kinds)
    except PhraseError as error:
        details = {"missing": list(error.missing)}
        raise DomainError(error.code, error.message, details=details) from error
    phrases = {
        sentence.names[name]: things[thing]["words"]
        for name, thing in terms.items()
        if name in sentence.names and things[thing]["words"]
    }
    mentions = mentions_of(phrases)
    return sentence.text, {
        name: {"text": mention.text, "plural": mention.plural} for name, mention in mentions.items()
    }


CHANGEABLE = frozenset({"title", "campaign", "formalisation_reward", "exercise"})


@transaction.atomic
def create_knowledge_set(
    *,
    name: str,
    by: User | None,
    title: str = "",
    release: Release | None = None,
    reference_set: ReferenceSet | None = None,
    campaign: Campaign | None = None,
    formalisation_reward: Decimal | None = None,
    exercise: Sequence[str] = (),
) -> KnowledgeSet:
    """Make an empty set over a release that is done, or over a reference set.

    Parameters
    ----------
    campaign
        Pays for work on the set; for a release, its own campaign if none is given.
    formalisation_reward
        What a worker is paid for each question whose formalisation is verified; None where workers
        do not formalise.
    exercise
        Ids of the questions that a worker formalises to qualify.
    """
    if release is not None and release.status != RunStatus.DONE:
        raise Conflict("release_not_done", "This release is not done yet.")
    if campaign is None and release is not None:
        campaign = release.snapshot.campaign
    made = KnowledgeSet(
        name=name,
        title=title or name,
        release=release,
        reference_set=reference_set,
        campaign=campaign,
        formalisation_reward=formalisation_reward,
        exercise=list(exercise),
        created_by=by,
    )
    _refuse_unknown(made)
    made.full_clean()
    made.save()
    return made


@transaction.atomic
def change_knowledge_set(*, knowledge_set: KnowledgeSet, **changes: Any) -> KnowledgeSet:
    """Change the title, the campaign, or what workers are paid and asked to formalise.

    What is promised for a question that is taken stays as it was.

    Raises
    ------
    DomainError
        ``unknown_question``, or ``work_promised`` where the campaign, or whether workers formalise,
        would change although work on the set has been taken or paid.
    """
    row = KnowledgeSet.objects.select_for_update().get(pk=knowledge_set.pk)
    stops = "formalisation_reward" in changes and changes["formalisation_reward"] is None
    moves = changes.get("campaign", row.campaign) != row.campaign
    held = FormalisingTask.objects.held(now=clock.now()).filter(knowledge_set=row)
    paid = FormalisingTask.objects.filter(knowledge_set=row, verified_at__isnull=False)
    if (stops and held.exists()) or (moves and (held.exists() or paid.exists())):
        raise Conflict("work_promised", "Workers have taken questions of this set, and are paid.")
    for name in CHANGEABLE & changes.keys():
        setattr(row, name, changes[name])
    _refuse_unknown(row)
    row.full_clean()
    row.save()
    return row


def _refuse_unknown(knowledge_set: KnowledgeSet) -> None:
    """Refuse an exercise with a question that workers may not see with its answer."""
    wanted = set(knowledge_set.exercise)
    if wanted and (unknown := wanted - questions_for_people(knowledge_set, wanted).keys()):
        raise DomainError(
            "unknown_question",
            f"The set has no question {min(unknown)!r} whose answer workers may see.",
        )
