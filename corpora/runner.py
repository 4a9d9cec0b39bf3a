"""Execute snapshots and releases."""

import tempfile

from django.db import transaction

from corpora import drawing, release_files, selectors
from corpora.models import Release, Snapshot
from winoplatform.artifacts import store
from winoplatform.runs import kinds
from winoplatform.runs.attempts import Attempt


def _snapshot(attempt: Attempt[Snapshot]) -> None:
    run = attempt.run
    total = selectors.valid_questions(run.campaign, at=run.created_at).count()
    seen: dict[str, int] = {}
    with tempfile.TemporaryFile() as file:
        for number, question in enumerate(selectors.snapshot_items(run), 1):
            file.write(f"{question.to_line()}\n".encode())
            seen[question.group] = seen.get(question.group, 0) + 1
            if number % 5000 == 0:
                attempt.report(number, total=total, activity="storing questions")
        questions = store.put_file(file)
    with transaction.atomic():
        # Draw now, so that later stages can exclude the blind questions from training.
        drawing.splits_of_twins(run.campaign, seen)
        attempt.finish(
            questions=questions,
            n_questions=sum(seen.values()),
            n_pairs=sum(size == 2 for size in seen.values()),
            total=total,
            done=sum(seen.values()),
        )


kinds.register(Snapshot, _snapshot)
kinds.register(Release, release_files.release)
