"""Knowledge releases and reasons made by hand, in the vocabulary of the tiny models."""

import io
import json
from collections.abc import Iterable
from typing import Any

from evaluation import services
from evaluation.models import Evaluation
from knowledge.core.bundle.layout import VOTES
from knowledge.core.problems import Problem
from knowledge.core.released import VARIANTS, ReleasedProblem, write_problems
from knowledge.models import KnowledgeRelease, KnowledgeReleaseFile, Reason
from tests.factories.knowledge import KnowledgeSetFactory
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

SENTENCE = "the trophy does not fit in the suitcase because it is too {}."
POSITIONS = 128
KINDS = ("negation", "swapped")


def problem(number: int, *, label: bool = True, large: bool = True) -> Problem:
    """One of two twins' problems; a false one says "not", in sentences of different lengths."""
    options = ("the trophy", "the suitcase") if large else ("the suitcase", "the trophy")
    known = " ".join(["the", *["large"] * (number % 5), "box", "does", *([] if label else ["not"])])
    sentence = SENTENCE.format("large" if large else "small")
    return Problem(sentence, "it", *options, f"{known} fit ann {number}.")


def problems(n_pairs: int, *, valid: bool | None = None) -> list[ReleasedProblem]:
    """Return pairs of problems, two pairs for each pair of twins, in every variant."""
    return [
        ReleasedProblem(
            id=f"p{pair}-{ending}",
            pair=f"p{pair}",
            question=f"q{pair}",
            group=f"g{pair // 2}",
            variant=variant,
            kind="true" if label else KINDS[pair % 2],
            label=label,
            problem=problem(pair, label=label, large=pair % 2 == 0),
            valid=valid,
        )
        for variant in VARIANTS
        for pair in range(n_pairs)
        for ending, label in ((1, True), (2, False))
    ]


def release_of(
    made: Iterable[ReleasedProblem],
    votes: Iterable[tuple[str, bool]] = (),
    *,
    name: str = "known",
    is_public: bool = True,
) -> KnowledgeRelease:
    """Store a finished release of these problems, with votes of problem and answer."""
    of = KnowledgeSetFactory(name=f"set-{name}")
    of.reference_set.is_public = is_public
    of.reference_set.save()
    file = io.BytesIO()
    n = write_problems(made, file)
    release = KnowledgeRelease.objects.create(
        knowledge_set=of,
        name=name,
        status=RunStatus.DONE,
        problems=store.put_bytes(file.getvalue()),
        content_hash="0" * 64,
        n_pairs=n // 6,
    )
    rows = "".join(
        f"{json.dumps({'id': id, 'annotator': f'a{number}', 'yes': yes})}\n"
        for number, (id, yes) in enumerate(votes)
    )
    KnowledgeReleaseFile.objects.create(
        release=release, name=VOTES, restricted=True, artifact=store.put_bytes(rows.encode())
    )
    return release


def reasons(n: int = 20, *, collection: str = "winowhy") -> None:
    """Import as many valid, invalid and undecided reasons; invalid ones say "not"."""
    Reason.objects.bulk_create(
        Reason(
            collection=collection,
            question=number,
            number=place,
            group=f"g{number // 2}",
            text=one.knowledge,
            sentence=one.sentence,
            pronoun=one.pronoun,
            right=one.right,
            wrong=one.wrong,
            source="human",
            n_accepted=accepted,
            n_votes=5,
            types=["spatial"] if number % 2 else ["spatial", "object"],
            flags=["circular"] if number % 5 == 0 else [],
        )
        for number in range(n)
        for place, accepted in enumerate((5, 0, 3))
        for one in [problem(number, label=accepted > 0)]
    )


def asked(**fields: Any) -> Evaluation:
    """Request an evaluation in blocks of seven statements."""
    run = services.evaluate(by=None, **fields)
    Evaluation.objects.filter(pk=run.pk).update(block_size=7)
    return run
