"""Import reasons."""

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from knowledge.core.problems import Problem
from knowledge.core.reasons import flags
from knowledge.imports.winowhy import N_VOTES, Example, WhyQuestion, WhyReason
from knowledge.models import Reason
from winoplatform.errors import DomainError


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
        raise DomainError(
            "name_taken", f"Reasons named “{collection}” are here already.", status=409
        )
    known = _problems(examples, len(questions))
    rows = [_row(collection, questions[reason.question], reason, known) for reason in reasons]
    for row in rows:
        row.clean_fields()
    Reason.objects.bulk_create(rows, batch_size=1000)
    return len(rows)


def _problems(examples: Iterable[Example], n: int) -> dict[int, Problem]:
    found: dict[int, Problem] = {}
    for example in examples:
        if example.question >= n:
            raise DomainError(
                "example_unknown", f"There is no question {example.question} in the other file."
            )
        found[example.question] = example.problem
    return found


def _row(
    collection: str, question: WhyQuestion, reason: WhyReason, known: Mapping[int, Problem]
) -> Reason:
    asked = question.asked
    own = Problem(asked.sentence, asked.pronoun, asked.right, asked.wrong, "")
    problem = known.get(question.number, own)
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
        flags=sorted(flags(reason.text, asked)),
    )
