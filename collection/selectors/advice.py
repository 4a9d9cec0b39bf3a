"""Reads of advice: what the other twins of a campaign say of a new one. Each is one index scan.

Nothing is kept between calls, so nothing is stale; twins that were withdrawn never count.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import connection, transaction

from collection.core.advice.campaign import NEAR_DUPLICATE, Near
from collection.core.advice.cues import Cue
from collection.core.matching import fold
from collection.models import Campaign, Question, Twin
from collection.models.twins import TwinQuerySet
from workers.models import User

_NEAREST = """
SELECT question.sentence,
       similarity(collection_content_words(question.sentence), new.content_words) AS similarity,
       coalesce(twin.author_id = %(author)s, FALSE)
FROM (SELECT collection_content_words(%(sentence)s) AS content_words) AS new
JOIN collection_question AS question
  ON collection_content_words(question.sentence) %% new.content_words AND question.number = 1
JOIN collection_twin AS twin ON twin.id = question.twin_id
WHERE twin.campaign_id = %(campaign)s AND twin.withdrawn_at IS NULL
  AND twin.id IS DISTINCT FROM %(leave_out)s
ORDER BY similarity DESC, question.id
LIMIT 1
"""

_COUNTS = """
SELECT cue, count(*), max(twin.id)
FROM collection_twin AS twin CROSS JOIN unnest(twin.cues) AS cue
WHERE twin.cues && %(names)s AND twin.withdrawn_at IS NULL
  AND twin.id IS DISTINCT FROM %(leave_out)s AND cue = ANY(%(names)s)
GROUP BY cue
"""


@dataclass(frozen=True, slots=True)
class CueCounts:
    """How many twins of a campaign have a cue, and the newest of them, by the cue's name."""

    counts: Mapping[str, int]
    newest: Mapping[str, int]


def nearest_twin(
    *, campaign: Campaign, sentence: str, author: User | None = None, leave_out: Twin | None = None
) -> Near | None:
    """Find the twin most like *sentence*, None where none is a near-duplicate.

    Compared are the trigrams of content words (``ContentWords``) with the first sentence of each
    twin: the second one shares most of them, whichever of the two comes first in the new twin. So a
    lone question that stands in second place is not found.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # The index gives what reaches this session setting; its default would give thousands.
        cursor.execute("SET LOCAL pg_trgm.similarity_threshold = %s", [NEAR_DUPLICATE])
        cursor.execute(
            _NEAREST,
            {
                "author": author.pk if author else None,
                "sentence": sentence,
                "campaign": campaign.pk,
                "leave_out": leave_out.pk if leave_out else None,
            },
        )
        row = cursor.fetchone()
    return Near(*row) if row else None


def trigger_uses(*, campaign: Campaign, key: str, leave_out: Twin | None = None) -> int:
    """Count the twins with this trigger."""
    twins = _others(campaign, leave_out)
    return twins.filter(trigger_key=key).count() if key else 0


def sentence_with_trigger(*, campaign: Campaign, key: str, leave_out: Twin | None = None) -> str:
    """Return the first sentence of a twin with this trigger, empty where it has gone.

    Whichever the index finds first: to sort thousands of twins would take longer than to count.
    """
    twin = _others(campaign, leave_out).filter(trigger_key=key).order_by().values("pk")[:1]
    questions = Question.objects.filter(twin__in=twin, number=1)
    return questions.values_list("sentence", flat=True).first() or ""


def twins_up_to(limit: int, *, campaign: Campaign, leave_out: Twin | None = None) -> int:
    """Count the campaign's twins, but not further than *limit*: nobody asks how many more."""
    return _others(campaign, leave_out).order_by()[:limit].count()


def _others(campaign: Campaign, leave_out: Twin | None) -> TwinQuerySet:
    others = Twin.objects.standing().filter(campaign=campaign)
    return others.exclude(pk=leave_out.pk) if leave_out else others


def cue_counts(
    own: Iterable[Cue], *, campaign: Campaign, leave_out: Twin | None = None
) -> CueCounts:
    """Count the other twins that have the same cues as a twin, or the opposite ones."""
    prefix = f"{campaign.pk}:"
    names = [prefix + name for cue in own for name in (cue.name, cue.opposite)]
    if not names:
        return CueCounts({}, {})
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, {"names": names, "leave_out": leave_out.pk if leave_out else None})
        rows = [(name.removeprefix(prefix), count, pk) for name, count, pk in cursor]
    return CueCounts(
        {name: count for name, count, _ in rows}, {name: newest for name, _, newest in rows}
    )


def example_sentences(cues: Iterable[Cue], newest: Mapping[str, int]) -> dict[str, str]:
    """Return for each cue, by its name, a sentence of the newest twin that has it."""
    wanted = {cue.name: (newest[cue.name], cue.word) for cue in cues if cue.name in newest}
    if not wanted:
        return {}
    twins = Twin.objects.prefetch_related("questions").only("trigger")
    stored = twins.in_bulk({pk for pk, _ in wanted.values()})
    return {name: _sentence_with(word, stored[pk]) for name, (pk, word) in wanted.items()}


def _sentence_with(word: str, twin: Twin) -> str:
    """Return the sentence of the side of the trigger that holds the word."""
    questions = {question.number: question.sentence for question in twin.questions.all()}
    side = 1 if word in fold(twin.trigger.get("first", "")) else 2
    return questions.get(side, "")
