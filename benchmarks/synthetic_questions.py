"""Valid questions with random sentences, as many as wanted, stored by COPY."""

import random
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from benchmarks.crowd_rows import TWINS

WORDS, CONTENT_WORDS = 12_000, 9
FUNCTION_WORDS = ("the", "a", "of", "to", "and", "in", "because", "was", "it", "so", "that", "with")
SYLLABLES = [c + v for c in ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "st", "t", "v", "z")
             for v in ("a", "e", "i", "o", "u", "an", "el", "or")]  # fmt: skip
QUESTIONS = (
    "COPY collection_question (public_id, twin_id, number, sentence, answer, created_at) FROM STDIN"
)
VERDICTS = """
INSERT INTO validation_verdict (question_id, policy, version, valid, reasons, counts, created_at)
SELECT q.id, 'majority', 2, true, '[]',
    '{"votes": 3, "correct": 3, "unambiguous": 3, "local": 0}', now()
FROM collection_question q JOIN collection_twin t ON t.id = q.twin_id
WHERE t.campaign_id = %(campaign)s
"""


def valid_questions(slug: str, questions: int, *, seed: int = 0, alike: int = 0) -> Any:
    """Return a campaign with that many valid questions, two for each twin.

    Words are as frequent as the inverse of their rank, as in natural text. Twins differ in one
    word. That many twins, among the last ones, have a sentence like one of the first.
    """
    from django.db import connection

    from collection.models import Campaign

    campaign = Campaign.objects.create(slug=slug, name=slug)
    fill_with_sentences(campaign, questions, seed=seed, alike=alike)
    with connection.cursor() as cursor:
        cursor.execute(VERDICTS, {"campaign": campaign.pk})
        cursor.execute("VACUUM ANALYZE collection_twin, collection_question, validation_verdict")
    return campaign


def fill_with_sentences(campaign: Any, questions: int, *, seed: int = 0, alike: int = 0) -> None:
    """Give *campaign* that many questions of random sentences, without seats and verdicts."""
    from django.db import connection

    from tests.factories import OPTIONS
    from tests.races.crowd import make_users

    authors = make_users(f"author-{campaign.slug}-", 100)
    facts: dict[str, Any] = {
        "campaign": campaign.pk,
        "first": min(author.pk for author in authors),
        "authors": len(authors),
        "twins": questions // 2,
        "one": OPTIONS[0],
        "two": OPTIONS[1],
    }
    with connection.cursor() as cursor:
        cursor.execute(TWINS, facts)
        cursor.execute(
            "SELECT min(id) FROM collection_twin WHERE campaign_id = %(campaign)s", facts
        )
        (first,) = cursor.fetchone()
        with cursor.copy(QUESTIONS) as copy:
            for row in _rows(first, questions // 2, alike, random.Random(seed)):
                copy.write_row(row)


def _rows(first: int, twins: int, alike: int, rng: random.Random) -> Iterator[tuple[Any, ...]]:
    words = ["".join(rng.choices(SYLLABLES, k=rng.choice([2, 2, 3]))) for _ in range(WORDS)]
    weights = list(accumulate(1 / rank for rank in range(10, WORDS + 10)))
    early: list[list[str]] = []
    for number_of_twin, twin in enumerate(range(first, first + twins)):
        said = rng.choices(words, cum_weights=weights, k=CONTENT_WORDS + 1)
        if len(early) < alike:
            early.append(said)
        elif twins - number_of_twin <= alike:
            said = [*early.pop()[:-2], *said[-2:]]
        *shared, other = said
        for number, last in ((1, shared[-1]), (2, other)):
            pairs = zip(rng.choices(FUNCTION_WORDS, k=CONTENT_WORDS - 1), shared, strict=False)
            text = " ".join(word for pair in pairs for word in pair)
            sentence = f"{text.capitalize()} as the _ was {last}."
            yield f"{rng.getrandbits(64):016x}", twin, number, sentence, number, "2026-01-01"
