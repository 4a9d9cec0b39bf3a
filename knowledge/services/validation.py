"""Begin the validation of a set's sentences: a panel, in which each annotator answers all."""

from decimal import Decimal

from django.db import transaction

from collection.models import Campaign
from corpora.core.items import FIXED_OPTIONS, Item
from corpora.core.pair_order import unbalanced_pairs
from knowledge.adapters import PURPOSE
from knowledge.core.problems import problem_of
from knowledge.models import KnowledgeSet, Sentence
from knowledge.selectors import questions_for_people
from panels.models import Panel
from panels.services import AskedItem, start_panel
from winoplatform.errors import Conflict, DomainError
from workers.models import User

MOST_PROBLEMS = 20_000


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
) -> Panel:
    """Ask annotators about every sentence of a set, and reserve their pay.

    From now on the sentences do not change. The panel's items have the public ids of the sentences.

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
    knowledge_set = KnowledgeSet.objects.select_for_update(no_key=True).get(pk=knowledge_set.pk)
    payer = campaign or knowledge_set.campaign
    if payer is None:
        raise DomainError(
            "no_campaign", "Name the campaign whose validators answer and whose budget pays."
        )
    if knowledge_set.panel_id is not None:
        raise Conflict("already_begun", "This set is being validated already.")
    items = _asked_items(knowledge_set)
    panel = Panel(
        campaign=payer,
        purpose=PURPOSE,
        title=knowledge_set.name,
        mode=Panel.Mode.ENROLMENTS,
        votes_per_item=annotators,
        needed=needed,
        whole_set=whole_set,
        reward=reward,
        seed=seed,
        created_by=by,
    )
    knowledge_set.panel = start_panel(panel, items)
    knowledge_set.save(update_fields=["panel"])
    return knowledge_set.panel


def _asked_items(knowledge_set: KnowledgeSet) -> list[AskedItem]:
    """Return the problem of each sentence, in the variable form: the other forms inherit it."""
    rows = _sentences(knowledge_set)
    items = questions_for_people(knowledge_set, {row.formalisation.question for row in rows})
    return [
        AskedItem(
            _statement(row, items.get(row.formalisation.question)),
            author=row.author_id,
            other_author=row.formula.author_id if row.formula is not None else None,
        )
        for row in rows
    ]


def _sentences(knowledge_set: KnowledgeSet) -> list[Sentence]:
    """Return the sentences, if they are whole pairs."""
    sentences = Sentence.objects.filter(knowledge_set=knowledge_set)
    rows = list(sentences.select_related("formula", "formalisation").order_by("public_id"))
    if not rows:
        raise Conflict("no_problems", "This set has no sentences yet.")
    if len(rows) > MOST_PROBLEMS:
        raise DomainError("too_many_problems", f"A set has at most {MOST_PROBLEMS} sentences.")
    alone = unbalanced_pairs([row.pair_id for row in rows], [row.is_true for row in rows])
    if alone:
        raise Conflict(
            "unbalanced",
            f"Each true sentence needs one false version, which {len(alone)} still lack.",
            details={"sentences": [str(rows[at].public_id) for at in alone[:20]]},
        )
    return rows


def _statement(row: Sentence, question: Item | None) -> Item:
    try:
        if question is None:
            raise ValueError("its label is held back")
        problem = problem_of(question, row.text_in("variable", inside=True))
    except ValueError as error:
        raise Conflict(
            "not_a_problem",
            f"The question {row.formalisation.question} needs a pronoun or blank, and an "
            "answer that is known and that no release holds back.",
        ) from error
    return Item(
        id=str(row.public_id),
        group=str(row.pair_id),
        sentence=problem.text,
        options=FIXED_OPTIONS["statement"],
        answer=1 if row.is_true else 2,
        form="statement",
    )
