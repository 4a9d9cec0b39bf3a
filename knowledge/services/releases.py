"""Request knowledge releases, and import reasons."""

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from corpora.services import needs_second, publish_or_propose
from knowledge.core.problems import Problem
from knowledge.core.reasons import flags
from knowledge.imports.winowhy import N_VOTES, Example, WhyQuestion, WhyReason
from knowledge.models import KnowledgeRelease, KnowledgeSet, Reason
from panels.models import Panel, PanelSeat
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.start import start
from workers.models import Proposal, User


@transaction.atomic
def build_knowledge_release(
    *,
    knowledge_set: KnowledgeSet,
    name: str,
    by: User | None,
    title: str = "",
    authors: Sequence[str] = (),
    licence: str = "CC-BY-4.0",
) -> KnowledgeRelease:
    """Request a release of a knowledge set, with a unique name; workers build it.

    If its campaign asks for a second person, it is for members alone until its proposal is
    confirmed. A set that nobody was asked about is released too: then no problem is valid or
    invalid, and the release says so. Name and content are permanent, unless the release fails or
    is cancelled.

    Raises
    ------
    DomainError
        ``nothing_to_release`` without a whole pair, or ``validation_not_over`` while annotators can
        still be asked; ``second_person_needed`` without *by*, where one is needed.
    """
    if not knowledge_set.sentences.filter(of__isnull=False).exists():
        raise Conflict(
            "nothing_to_release", "This set has no true sentence with a false version yet."
        )
    _refuse_while_validated(knowledge_set)
    release = KnowledgeRelease(
        knowledge_set=knowledge_set,
        name=name,
        title=title,
        authors=list(authors),
        licence=licence,
        created_by=by,
    )
    release.is_public = not needs_second(release.campaign, Proposal.Kind.RELEASE)
    start(release)
    publish_or_propose(release, by=by)
    return release


def _refuse_while_validated(knowledge_set: KnowledgeSet) -> None:
    panel = knowledge_set.panel
    if panel is None or panel.status == Panel.Status.CLOSED:
        return
    if PanelSeat.objects.waiting().filter(panel=panel, spare=False).exists():
        raise Conflict(
            "validation_not_over",
            "Annotators are still being asked about this set. Wait for their last answer, or close "
            "its validation.",
        )


@transaction.atomic
def import_reasons(
    *,
    collection: str,
    questions: Sequence[WhyQuestion],
    reasons: Iterable[WhyReason],
    examples: Iterable[Example] = (),
) -> int:
    """Store the reasons of a published file, all or nothing; return how many.

    Parameters
    ----------
    examples
        Where a question has one, its sentence and noun phrases are stored as they stand there.

    Raises
    ------
    DomainError
        ``name_taken``, or ``example_unknown`` where an example is of no question.
    """
    if Reason.objects.filter(collection=collection).exists():
        raise Conflict("name_taken", f"Reasons named “{collection}” are here already.")
    problems = _problems(examples, len(questions))
    rows = [_row(collection, questions[reason.question], reason, problems) for reason in reasons]
    for row in rows:
        row.clean_fields()
    Reason.objects.bulk_create(rows, batch_size=1000)
    return len(rows)


def _problems(examples: Iterable[Example], n: int) -> dict[int, Problem]:
    problems: dict[int, Problem] = {}
    for example in examples:
        if example.question >= n:
            raise DomainError(
                "example_unknown", f"There is no question {example.question} in the other file."
            )
        problems[example.question] = example.problem
    return problems


def _row(
    collection: str, question: WhyQuestion, reason: WhyReason, problems: Mapping[int, Problem]
) -> Reason:
    item = question.asked
    own = Problem(item.sentence, item.pronoun, item.right, item.wrong, "")
    problem = problems.get(question.number, own)
    return Reason(
        collection=collection,
        question=question.number,
        number=reason.number,
        group=question.group,
        sentence=problem.sentence,
        pronoun=problem.pronoun,
        right=problem.right,
        wrong=problem.wrong,
        text=reason.text,
        source=reason.source,
        n_accepted=reason.n_accepted,
        n_votes=N_VOTES,
        types=list(question.types),
        flags=sorted(flags(reason.text, item)),
    )
