"""The problems of a release: each sentence in each variant, with its question and answer."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.core.bundle.records import Bundle, PairRecord, SentenceRecord
from knowledge.core.problems import problem_of
from knowledge.core.released import VARIANTS, ReleasedProblem
from knowledge.core.slots import Form, read

TRUE = "true"


def problems_of(bundle: Bundle) -> Iterator[ReleasedProblem]:
    """Yield every problem, variant by variant, in the order of ids.

    Raises
    ------
    ValueError
        When a pair's question is not among the questions, or is no question for a problem.
    """
    for variant in VARIANTS:
        yield from problems_in(bundle, variant)


def problems_in(bundle: Bundle, variant: Form) -> Iterator[ReleasedProblem]:
    """Yield the problems of one variant, in the order of ids."""
    items = {item.id: item for item in bundle.questions}
    for pair in bundle.pairs:
        if pair.question not in items:
            raise ValueError(f"pair {pair.pair}: {pair.question!r:.80} is not among the questions")
        item = items[pair.question]
        for sentence, label in labelled(pair):
            said = read(sentence.text).render(variant, sentence.phrases, inside=True)
            yield ReleasedProblem(
                id=sentence.id,
                pair=pair.pair,
                question=item.id,
                group=item.group,
                variant=variant,
                kind=TRUE if label else pair.kind,
                label=label,
                problem=problem_of(item, said),
                valid=sentence.valid,
            )


def labelled(pair: PairRecord) -> list[tuple[SentenceRecord, bool]]:
    """Return the two sentences with their labels, in the order of ids."""
    return sorted([(pair.true, True), (pair.false, False)], key=lambda both: both[0].id)


def is_valid(pair: PairRecord) -> bool:
    """Return whether both sentences are valid: pairs never part."""
    return pair.true.valid is True and pair.false.valid is True
