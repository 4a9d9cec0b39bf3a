"""Execute snapshots, releases and their previews."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import compress, groupby
from typing import Any

from django.db import transaction

from collection.core.repeats import RepeatTable
from corpora import drawing, selectors
from corpora.building import build
from corpora.core.repeats import add_item
from corpora.core.sorting import sorted_lines
from corpora.models import Release, ReleasePreview, Snapshot
from winoplatform.artifacts import store
from winoplatform.runs import kinds
from winoplatform.runs.attempts import Attempt


def _snapshot(attempt: Attempt[Snapshot]) -> None:
    run = attempt.run
    total = selectors.snapshot_questions(run).count()
    table = RepeatTable()
    with tempfile.TemporaryFile() as file:
        for number, question in enumerate(selectors.snapshot_items(run), 1):
            add_item(table, question)
            file.write(f"{question.group}\t{question.to_line()}\n".encode())
            if number % 5000 == 0:
                attempt.report(number, total=total, activity="storing questions")
        file.seek(0)
        _store(attempt, file, table)


def _store(attempt: Attempt[Snapshot], lines: Iterable[bytes], table: RepeatTable) -> None:
    """Store the questions, of which *lines* have the group before a tab, and count repeats."""
    gone = table.later_copies() & attempt.run.without_repeats
    repeats = asdict(table.count()) | {"left_out": int(gone.sum())}
    with tempfile.TemporaryFile() as questions, tempfile.TemporaryFile() as twins:
        for line in compress(lines, ~gone):
            twin, _, question = line.partition(b"\t")
            twins.write(twin + b"\n")
            questions.write(question)
        stored = store.put_file(questions)
        twins.seek(0)
        _finish(attempt, sorted_lines(twins), questions=stored, repeats=repeats)


@transaction.atomic
def _finish(attempt: Attempt[Snapshot], lines: Iterable[bytes], **results: Any) -> None:
    """Draw now, so that later stages can exclude the blind questions from training."""
    counts = Counter[int]()

    def sizes() -> Iterator[tuple[str, int]]:
        for line, same in groupby(lines):
            size = len(list(same))
            counts[size] += 1
            yield line.decode().strip(), size

    drawing.draw_splits(attempt.run.campaign, sizes())
    done = counts[1] + 2 * counts[2]
    attempt.finish(n_questions=done, n_pairs=counts[2], total=done, done=done, **results)


kinds.register(Snapshot, _snapshot)
kinds.register(Release, build.release)
kinds.register(ReleasePreview, build.preview)
