"""A campaign of many twins that read like real ones, for benchmarks.

Real twins (the crowd's own and WinoGrande's) come first, as they are. Then follow copies of them in
which every other content word has another real content word in its place, the same in both
sentences: letters, lengths, triggers and function words are spread as in real twins, and no copy is
a near-duplicate by its making.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import Any

from collection.core.advice.cues import cues, scoped
from collection.core.rules import TwinDraft
from collection.core.triggers import trigger_diff
from collection.core.words import is_function_word
from tests.authoring_data import AUTHORING_FILE, read_authoring
from tests.data_dir import data_dir
from tests.winogrande_data import winogrande_questions

_WORD = re.compile(r"[^\W\d_]{3,}")
REPLACED = 0.5
BATCH = 2_000


def published_twins(name: str = "train_l") -> Iterator[TwinDraft]:
    """Yield WinoGrande's whole twins; their domain is not recorded."""
    pairs = defaultdict(list)
    for question in winogrande_questions(name):
        pairs[question.group].append(question)
    for first, second in (pair for pair in pairs.values() if len(pair) == 2):
        yield TwinDraft(
            sentences=(first.sentence, second.sentence),
            options=first.options,
            answers=(first.answer, second.answer),
        )


def authored_twins() -> Iterator[TwinDraft]:
    """Yield the twins that the real crowd handed in."""
    return read_authoring(data_dir() / AUTHORING_FILE)


def many_twins(number: int) -> list[TwinDraft]:
    """Return *number* twins, no two with the same sentences."""
    real = [*authored_twins(), *published_twins()]
    vocabulary = _vocabulary(real)
    random = Random(7)
    made = (
        draft if lap == 0 else _disguised(draft, vocabulary, random)
        for lap in count()
        for draft in real
    )
    return list(islice(_unique(made), number))


def _unique(drafts: Iterator[TwinDraft]) -> Iterator[TwinDraft]:
    seen = set()
    for draft in drafts:
        if draft.sentences not in seen and _is_storable(draft):
            seen.add(draft.sentences)
            yield draft


def _is_storable(draft: TwinDraft) -> bool:
    return set(draft.answers) == {1, 2} and draft.options[0] != draft.options[1]


def _vocabulary(drafts: Sequence[TwinDraft]) -> list[str]:
    """Return the content words of real sentences, each as often as it is used."""
    counts = Counter(
        word for draft in drafts for word in _WORD.findall(draft.sentences[0]) if word.islower()
    )
    return [word for word, n in counts.items() for _ in range(n) if not is_function_word(word)]


def _disguised(draft: TwinDraft, vocabulary: Sequence[str], random: Random) -> TwinDraft:
    trigger = trigger_diff(*draft.sentences)
    sides = " ".join((*trigger.first_words, *trigger.second_words))
    kept = set(_WORD.findall(sides))
    words = {word for word in _WORD.findall(draft.sentences[0]) if not is_function_word(word)}
    other = {
        word: random.choice(vocabulary)
        for word in sorted(words - kept)
        if word.islower() and random.random() < REPLACED
    }

    def swap(text: str) -> str:
        return _WORD.sub(lambda match: other.get(match.group(), match.group()), text)

    first, second = map(swap, draft.sentences)
    one, two = map(swap, draft.options)
    return replace(draft, sentences=(first, second), options=(one, two))


def store(campaign: Any, author: Any, drafts: Sequence[TwinDraft]) -> list[Any]:
    """Store twins as submissions do, in batches, without articles, pay or seats; return them."""
    from django.db import connection

    from collection.models import Question, Twin

    twins: list[Any] = []
    for start in range(0, len(drafts), BATCH):
        batch = drafts[start : start + BATCH]
        rows = Twin.objects.bulk_create(_row(campaign, author, draft) for draft in batch)
        Question.objects.bulk_create(
            Question(twin=row, number=number, sentence=sentence, answer=answer)
            for row, draft in zip(rows, batch, strict=True)
            for number, (sentence, answer) in enumerate(
                zip(draft.sentences, draft.answers, strict=True), start=1
            )
        )
        twins.extend(rows)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE collection_twin, collection_question")  # as autovacuum does
    return twins


def _row(campaign: Any, author: Any, draft: TwinDraft) -> Any:
    from collection.models import Twin

    trigger = trigger_diff(*draft.sentences)
    own = cues(draft.sentences, draft.options, draft.answers, trigger)
    return Twin(
        campaign=campaign,
        author=author,
        option1=draft.options[0],
        option2=draft.options[1],
        anchor=draft.anchor or "",
        trigger=trigger.as_dict(),
        trigger_key=trigger.key,
        cues=scoped(own, campaign.pk),
        **campaign.for_twins,
    )
