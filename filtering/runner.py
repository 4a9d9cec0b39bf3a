"""Carries the runs of this room from their last recorded step to their end."""

import itertools
import tempfile
import time
from collections.abc import Collection, Hashable
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from filtering import publishing, selectors
from filtering.core.encoders import Encoder, Pooling, load_encoder
from filtering.core.features import FeatureKind, option_features
from filtering.core.phases import Phase as PhaseFound
from filtering.core.questions import FrozenQuestion
from filtering.guessing import estimator
from filtering.models import (
    Encoding,
    EncodingShard,
    FilterRun,
    Phase,
    Release,
    Snapshot,
)
from winoplatform.artifacts import store
from winoplatform.runs import frame
from winoplatform.runs.frame import Carrier
from winoplatform.runs.models import RunStatus


def carry_snapshot(pk: int) -> None:
    frame.carry(Snapshot, pk, _snapshot)


def carry_encoding(pk: int) -> None:
    frame.carry(Encoding, pk, _encoding)


def carry_filter_run(pk: int) -> None:
    frame.carry(FilterRun, pk, _filter_run)


def carry_release(pk: int) -> None:
    frame.carry(Release, pk, publishing.release)


def _snapshot(carrier: Carrier[Snapshot]) -> None:
    run = carrier.run
    total = selectors.valid_questions(run.campaign, at=run.created_at).count()
    seen: dict[str, int] = {}
    with tempfile.TemporaryFile() as file:
        for number, question in enumerate(selectors.frozen_questions(run), 1):
            file.write(f"{question.to_line()}\n".encode())
            seen[question.twin] = seen.get(question.twin, 0) + 1
            if number % 5000 == 0:
                carrier.report(number, total=total, activity="freezing questions")
        carrier.finish(
            questions=store.put_file(file),
            n_questions=sum(seen.values()),
            n_pairs=sum(size == 2 for size in seen.values()),
            total=total,
            done=sum(seen.values()),
        )


def _encoding(carrier: Carrier[Encoding]) -> None:
    run = carrier.run
    questions = selectors.load_questions(run.snapshot)
    size = run.shard_size
    shards = [questions[i : i + size] for i in range(0, len(questions), size)]
    done = len(frame.steps_done(EncodingShard.objects.filter(run=run)))
    rows = min(done * size, len(questions))
    carrier.report(rows, total=len(questions), activity="loading the encoder")
    encoder = _encoder(carrier)
    for number, shard in itertools.islice(enumerate(shards, 1), done, None):
        step = _shard(carrier, encoder, shard, number=number, of=len(shards))
        rows += len(shard)
        carrier.record(step, done=rows, activity=f"encoding, shard {number} of {len(shards)}")
    matrix = _join(run, n_rows=len(questions))
    carrier.finish(matrix=store.put_array(matrix), n_features=matrix.shape[1])


def _encoder(carrier: Carrier[Encoding]) -> Encoder:
    """Load the encoder and write down which it is; a later attempt gets the same or none."""
    run = carrier.run
    pooling = run.pooling_used or run.pooling or None
    encoder = load_encoder(
        run.encoder,
        cast(Pooling | None, pooling),
        expected_sha256=run.weights_sha256 or None,
    )
    mine = Encoding.objects.filter(pk=run.pk, status=RunStatus.RUNNING, attempt=carrier.attempt)
    if not mine.update(weights_sha256=encoder.weights_sha256, pooling_used=encoder.pooling):
        raise frame.LeaseLost
    return encoder


def _shard(
    carrier: Carrier[Encoding],
    encoder: Encoder,
    questions: list[FrozenQuestion],
    *,
    number: int,
    of: int,
) -> EncodingShard:
    start = time.monotonic()
    vectors = encoder.encode(
        [text for question in questions for text in question.filled],
        progress=partial(_pulse_shard, carrier, f"shard {number} of {of}"),
    )
    return EncodingShard(
        run=carrier.run,
        number=number,
        seconds=time.monotonic() - start,
        vectors=store.put_array(vectors.reshape(len(questions), 2, -1)),  # (n_shard, 2, d)
    )


def _pulse_shard(carrier: Carrier[Encoding], shard: str, done: int, total: int) -> None:
    carrier.pulse(f"encoding, {shard}, sentence {done} of {total}")


def _join(run: Encoding, *, n_rows: int) -> NDArray[np.float32]:
    """Join the shards' vectors into one row of features per question, in snapshot order."""
    parts = []
    for shard in EncodingShard.objects.filter(run=run).select_related("vectors"):
        vectors = cast(NDArray[np.float32], store.load_array(shard.vectors))
        parts.append(option_features(vectors[:, 0], vectors[:, 1], cast(FeatureKind, run.features)))
    matrix = np.concatenate(parts)  # (n_rows, n_features)
    if len(matrix) != n_rows:
        # Every later stage finds a question's features by its row: a shift would go unseen.
        raise ValueError(
            f"The recorded shards hold {len(matrix)} rows, the snapshot has {n_rows} questions; "
            "ask for a new encoding."
        )
    return matrix


def _filter_run(carrier: Carrier[FilterRun]) -> None:
    run = carrier.run
    questions = selectors.load_questions(run.encoding.snapshot)
    assert run.encoding.matrix is not None
    done: list[Collection[Hashable]] = [_removed_ids(step, questions) for step in _phases_done(run)]
    n_removed = sum(len(ids) for ids in done)
    carrier.report(
        n_removed, total=max(len(questions) - run.m, 1), activity=f"phase {len(done) + 1}"
    )
    stop_reason = "fewer_than_k" if done and len(done[-1]) < run.k else "at_most_m"
    start = time.monotonic()
    for phase in estimator(run).steps(
        store.load_array(run.encoding.matrix),
        np.array([question.answer for question in questions]),
        groups=[question.twin for question in questions],
        ids=[question.id for question in questions],
        done=done,
        progress=lambda member, n: carrier.pulse(
            f"phase {len(done) + 1}, classifier {member} of {n}"
        ),
    ):
        n_removed += phase.n_removed
        step = _recorded(run, phase, seconds=time.monotonic() - start)
        carrier.record(step, done=n_removed, activity=f"phase {phase.number + 1}")
        done.append(phase.removed_ids)
        stop_reason, start = phase.stop_reason or stop_reason, time.monotonic()
    _finish(carrier, questions, done, stop_reason)


def _finish(
    carrier: Carrier[FilterRun],
    questions: list[FrozenQuestion],
    removed: list[Collection[Hashable]],
    stop_reason: str,
) -> None:
    gone = set().union(*removed) if removed else set()
    kept = [question.id for question in questions if question.id not in gone]
    carrier.finish(
        kept=store.put_bytes("".join(f"{id}\n" for id in kept).encode()),
        n_kept=len(kept),
        stop_reason=stop_reason,
        done=len(gone),
    )


def _phases_done(run: FilterRun) -> list[Phase]:
    return cast(list[Phase], frame.steps_done(run.steps.select_related("arrays")))


def _removed_ids(phase: Phase, questions: list[FrozenQuestion]) -> Collection[Hashable]:
    rows, _, _, removed = store.load_array(phase.arrays)
    return tuple(questions[row].id for row in rows[removed == 1])


def _recorded(run: FilterRun, phase: PhaseFound, *, seconds: float) -> Phase:
    counts, _ = phase.histogram()
    removed = np.isin(phase.rows, phase.removed)
    arrays = np.stack([phase.rows, phase.correct, phase.held_out, removed])  # (4, n_before)
    return Phase(
        run=run,
        number=phase.number,
        seconds=seconds,
        n_before=phase.n_before,
        n_removed=phase.n_removed,
        never_held_out=phase.never_held_out,
        eligible=phase.eligible,
        tied_at_cutoff=phase.tied_at_cutoff,
        unconverged=phase.unconverged,
        accuracy=None if np.isnan(phase.accuracy) else phase.accuracy,
        histogram=counts.tolist(),
        arrays=store.put_array(arrays.astype(np.int32)),
    )
