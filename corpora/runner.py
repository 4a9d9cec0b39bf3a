"""Execute snapshots, releases and their previews."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from django.db import transaction

from corpora import drawing, selectors
from corpora.building import build
from corpora.core.sorting import sorted_lines
from corpora.models import Release, ReleasePreview, Snapshot
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.runs import kinds
from winoplatform.runs.attempts import Attempt


def _snapshot(attempt: Attempt[Snapshot]) -> None:
    run = attempt.run
    total = selectors.valid_questions(run.campaign, at=run.created_at).count()
    with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as twins:
        for number, question in enumerate(selectors.snapshot_items(run), 1):
            file.write(f"{question.to_line()}\n".encode())
            twins.write(f"{question.group}\n".encode())
            if number % 5000 == 0:
                attempt.report(number, total=total, activity="storing questions")
        questions = store.put_file(file)
        twins.seek(0)
        _finish(attempt, questions, sorted_lines(twins), total=total)


@transaction.atomic
def _finish(
    attempt: Attempt[Snapshot], questions: Artifact, lines: Iterable[bytes], *, total: int
) -> None:
    """Draw now, so that later stages can exclude the blind questions from training."""
    counts = Counter[int]()

    def sizes() -> Iterator[tuple[str, int]]:
        for line, same in groupby(lines):
            size = len(list(same))
            counts[size] += 1
            yield line.decode().strip(), size

    drawing.draw_splits(attempt.run.campaign, sizes())
    done = counts[1] + 2 * counts[2]
    attempt.finish(questions=questions, n_questions=done, n_pairs=counts[2], total=total, done=done)


kinds.register(Snapshot, _snapshot)
kinds.register(Release, build.release)
kinds.register(ReleasePreview, build.preview)
