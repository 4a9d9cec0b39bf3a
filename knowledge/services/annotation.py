"""Begin a set's validation, and enrol annotators."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction

from collection.models import Campaign
from collection.services.campaigns import budget, campaigns
from collection.services.joining.access import refuse_unless_may_validate
from corpora.core.pair_order import annotators_order, unbalanced_pairs
from knowledge.core.problems import problem_of
from knowledge.models import Enrolment, KnowledgeSet, Sentence, SentenceSeat, SetValidation
from knowledge.selectors import questions_for_people
from validation.services.validating.leases import vacate
from validation.services.validating.queries import lock_worker
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.prepared import Given, Prepared, once
from workers.models import Qualification, User

Status = SetValidation.Status
MOST_PROBLEMS = 20_000
TRANSITIONS = {
    Status.OPEN: (Status.PAUSED, Status.CLOSED),
    Status.PAUSED: (Status.OPEN, Status.CLOSED),
    Status.CLOSED: (),
}


@transaction.atomic
def begin_validation(
    *,
    knowledge_set: KnowledgeSet,
    by: User | None,
    campaign: Campaign | None = None,
    whole_set: Decimal | None = None,
    reward: Decimal | None = None,
    annotators: int = 6,
    needed: int = 5,
    seed: int = 0,
) -> SetValidation:
    """Ask annotators about every sentence of a set, and reserve their pay.

    From now on the sentences do not change.

    Parameters
    ----------
    campaign
        Whose validators answer and whose budget pays; by default that of the set.
    whole_set, reward
        What one annotator is paid for the whole set, or each answer: exactly one of them.
    needed
        Answers equal to its label that make a problem valid.

    Raises
    ------
    DomainError
        ``no_campaign``, ``already_begun``, ``no_problems``, ``too_many_problems``, ``unbalanced``,
        ``not_a_problem`` or ``budget_exhausted``.
    ValidationError
        When a value is out of range.
    """
    KnowledgeSet.objects.select_for_update(no_key=True).get(pk=knowledge_set.pk)
    payer = campaign or knowledge_set.campaign
    if payer is None:
        raise DomainError(
            "no_campaign", "Name the campaign whose validators answer and whose budget pays."
        )
    if SetValidation.objects.filter(knowledge_set=knowledge_set).exists():
        raise DomainError("already_begun", "This set is being validated already.", status=409)
    rows = _problems(knowledge_set)
    made = SetValidation(
        knowledge_set=knowledge_set,
        campaign=payer,
        annotators=annotators,
        needed=needed,
        whole_set=whole_set,
        reward=reward,
        n_problems=len(rows),
        seed=seed,
        created_by=by,
    )
    made.full_clean()
    _ask(knowledge_set, rows)
    with budget.within(payer):
        made.save()
        _store(made, rows)
    return made


def _problems(knowledge_set: KnowledgeSet) -> list[Sentence]:
    """Return the sentences, if they are whole pairs."""
    found = Sentence.objects.filter(knowledge_set=knowledge_set)
    rows = list(found.select_related("formula", "formalisation").order_by("public_id"))
    if not rows:
        raise DomainError("no_problems", "This set has no sentences yet.", status=409)
    if len(rows) > MOST_PROBLEMS:
        raise DomainError("too_many_problems", f"A set has at most {MOST_PROBLEMS} sentences.")
    alone = unbalanced_pairs([row.pair_id for row in rows], [row.is_true for row in rows])
    if alone:
        raise DomainError(
            "unbalanced",
            f"Each true sentence needs one false version, which {len(alone)} still lack.",
            status=409,
            details={"sentences": [str(rows[at].public_id) for at in alone[:20]]},
        )
    return rows


def _ask(knowledge_set: KnowledgeSet, rows: list[Sentence]) -> None:
    """Write the problem of each sentence, in the variable form: the other forms inherit it."""
    items = questions_for_people(knowledge_set, {row.formalisation.question for row in rows})
    for row in rows:
        try:
            item = items[row.formalisation.question]
            row.problem = problem_of(item, row.shown("variable", inside=True)).text
        except (KeyError, ValueError) as error:
            raise DomainError(
                "not_a_problem",
                f"The question {row.formalisation.question} needs a pronoun or blank, and an "
                "answer that is known and that no release holds back.",
                status=409,
            ) from error
    Sentence.objects.bulk_update(rows, ["problem"], batch_size=1000)


def _store(validation: SetValidation, rows: list[Sentence]) -> None:
    numbers = range(1, validation.annotators + 1)
    Enrolment.objects.bulk_create(
        [Enrolment(validation=validation, number=number) for number in numbers]
    )
    pairs = [row.pair_id for row in rows]
    authors = {row.pk: row.formula.author_id for row in rows if row.formula is not None}
    seats = (
        SentenceSeat(
            validation=validation,
            sentence=rows[at],
            number=number,
            place=place,
            author_id=rows[at].author_id,
            formula_author_id=authors.get(rows[at].pk),
        )
        for number in numbers
        for place, at in enumerate(annotators_order(pairs, seed=validation.seed, annotator=number))
    )
    SentenceSeat.objects.bulk_create(seats, batch_size=1000)


@transaction.atomic
def change_validation_status(*, validation: SetValidation, status: str) -> SetValidation:
    """Pause, reopen or close a validation; asking for its present status changes nothing.

    Holders of a seat may still answer. Closing is permanent and frees what is reserved.

    Raises
    ------
    DomainError
        ``transition_refused`` for a closed validation.
    """
    row = SetValidation.objects.select_for_update(no_key=True).get(pk=validation.pk)
    if status not in (row.status, *TRANSITIONS[Status(row.status)]):
        raise DomainError(
            "transition_refused", "A closed validation cannot be opened again.", status=409
        )
    row.status = status
    row.save(update_fields=["status"])
    validation.status = status
    return validation


@once
def enrolling() -> "Prepared[Enrolment]":
    """Return the statement that gives ``worker`` the first free enrolment of ``validation``."""
    free = Enrolment.objects.free().filter(validation=Given("validation")).order_by("number", "pk")
    first = free.select_for_update(of=("self",), skip_locked=True, no_key=True)[:1]
    return Prepared(first, worker=Given("worker"), enrolled_at=Given("now"))


@transaction.atomic
def enrol(*, worker: User, validation: SetValidation) -> Enrolment:
    """Enrol *worker* under the first free number, or return their enrolment.

    Raises
    ------
    DomainError
        What ``access.refuse_unless_may_validate`` raises, ``validation_not_open``,
        ``author_of_set``, ``knows_labels``, ``enrolment_ended`` or ``set_is_full``.
    """
    is_clear, now = lock_worker(worker, validation.campaign)
    mine = Enrolment.objects.filter(worker=worker, validation=validation).first()
    if mine is not None and mine.ended_at is None:
        return mine
    refuse_unless_open(validation)
    if not is_clear:
        refuse_unless_may_validate(worker=worker, campaign=validation.campaign)
    if mine is not None:
        raise DomainError("enrolment_ended", "You have left this set.", status=409)
    _refuse_who_knows(worker, validation)
    found = enrolling().first(worker=worker.pk, validation=validation.pk, now=now)
    if found is None:
        raise DomainError("set_is_full", "This set has all its annotators.", status=409)
    return found


def refuse_unless_open(validation: SetValidation) -> None:
    """Refuse new work while a validation is not open, or its campaign is paused.

    A closed campaign may still pay for the validation of a set over what it has made.

    Raises
    ------
    DomainError
        ``validation_not_open`` or ``campaign_not_open``.
    """
    now_is = SetValidation.objects.select_related("campaign").get(pk=validation.pk)
    if now_is.campaign.status != Campaign.Status.CLOSED:
        campaigns.refuse_unless_open(now_is.campaign)
    if now_is.status != Status.OPEN:
        raise DomainError(
            "validation_not_open", "There are no sentences to answer at the moment.", status=409
        )


def _refuse_who_knows(worker: User, validation: SetValidation) -> None:
    """Refuse who wrote for the set, or sees labels or formulas."""
    knowledge_set = validation.knowledge_set
    qualified = Qualification.objects.filter(worker=worker, skill=Qualification.Skill.FORMALISE)
    payer = knowledge_set.campaign
    if worker.is_curator or (payer and qualified.filter(scope=payer.public_id).exists()):
        raise DomainError(
            "knows_labels",
            "Who formalises this set sees what is true in it, so others answer.",
            status=409,
        )
    seats = SentenceSeat.objects.filter(validation=validation)
    written = (knowledge_set.formulas, knowledge_set.formalisations)
    if seats.filter(author=worker).exists() or any(
        rows.filter(author=worker).exists() for rows in written
    ):
        raise DomainError(
            "author_of_set",
            "You wrote a sentence or formula of this set, so others answer about it.",
            status=409,
        )


@transaction.atomic
def end_enrolment(*, enrolment: Enrolment) -> None:
    """End an enrolment: its held seat is freed, and another worker may take the number.

    Answers and their pay stand. A finished or free enrolment does not end.

    Raises
    ------
    ValidationError
        When nobody has taken it, or all its answers are given.
    """
    row = Enrolment.objects.select_for_update(no_key=True).get(pk=enrolment.pk)
    if row.ended_at is not None:
        return
    seats = SentenceSeat.objects.filter(validation=row.validation_id, number=row.number)
    if row.worker_id is None or not seats.waiting().exists():
        raise ValidationError("Only an enrolment with open answers can end.")
    for seat in seats.waiting().filter(worker=row.worker_id).select_for_update(no_key=True):
        vacate(seat)
    row.ended_at = clock.now()
    row.save(update_fields=["ended_at"])
    Enrolment.objects.create(validation_id=row.validation_id, number=row.number)
