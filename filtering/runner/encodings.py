"""Executes encodings, shard by shard, and tunings of encoders, epoch by epoch."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from corpora import drawing
from corpora.core.items import TwinItem
from corpora.selectors import load_questions
from filtering import selectors
from filtering.core.leaks import FeatureKind, option_features
from filtering.loading import EncoderRequest
from filtering.models import Encoding, EncodingShard, Tuning, TuningEpoch
from modeling.encoders import Encoder
from modeling.finetuning import Checkpoint, FineTuneSettings, fine_tune, kept_epoch
from training import runner as checkpoints
from training.core.tuning import TuningSample, choices, choose, sizes
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.sharing import SharedSteps


class Shards(SharedSteps[Encoding]):
    """The questions of an encoding in shards.

    A shard's bits depend only on its questions and the encoder, not on the worker.
    """

    STEP = EncodingShard
    NOUN = "shard"
    ACTIVITY = "encoding"

    def __init__(self, attempt: Attempt[Encoding], questions: Sequence[TwinItem]) -> None:
        super().__init__(attempt, n_rows=len(questions), step_size=attempt.run.shard_size)
        self.questions = questions

    def encode(self, encoder: Encoder, number: int) -> EncodingShard:
        """Encode the questions of a shard."""
        questions = self.questions[self.rows_of(number)]
        vectors = encoder.encode(
            [text for question in questions for text in question.filled],
            progress=lambda done, n: self.pulse(number, f"sentence {done} of {n}"),
        ).reshape(len(questions), 2, -1)  # (n_shard, 2, d)
        return EncodingShard(run=self.run, number=number, vectors=store.put_array(vectors))


def encoding(attempt: Attempt[Encoding]) -> None:
    run = attempt.run
    shards = Shards(attempt, selectors.encoded_questions(run))
    attempt.report(shards.rows_done(), total=len(shards.questions), activity="loading the encoder")
    shards.compute_all(partial(shards.encode, _encoder(attempt)))
    matrix, n_features = _join(run, n_rows=len(shards.questions))
    attempt.finish(matrix=matrix, n_features=n_features, done=len(shards.questions))


def shards_of_encoding(attempt: Attempt[Encoding]) -> None:
    """Help the worker that executes an encoding; it has recorded the encoder before."""
    shards = Shards(attempt, selectors.encoded_questions(attempt.run))
    shards.help(lambda: partial(shards.encode, _encoder(attempt)))


def _encoder(attempt: Attempt[Encoding]) -> Encoder:
    """Load the encoder and record its identity; a later attempt uses the same or fails."""
    encoder = EncoderRequest.by(attempt.run).load()
    attempt.note(
        weights_sha256=encoder.weights_sha256,
        config_sha256=encoder.config_sha256,
        pooling_used=encoder.pooling,
    )
    return encoder


def _join(run: Encoding, *, n_rows: int) -> tuple[Artifact, int]:
    """Store one row of features per question, in snapshot order; return it and their number.

    Written shard by shard to a file with the same bytes as `store.put_array`: the matrix of a large
    snapshot may not fit into the worker's memory.
    """
    n_found = sum(len(vectors) for vectors in _vectors(run))
    if n_found != n_rows:
        # Later stages find a question's features by its row and would not notice a shift.
        raise ValueError(
            f"The recorded shards hold {n_found} rows, the snapshot has {n_rows} questions; "
            "start a new encoding."
        )
    n_features = 0
    with tempfile.TemporaryFile() as file:
        for vectors in _vectors(run):
            kind = cast(FeatureKind, run.features)
            features = option_features(vectors[:, 0], vectors[:, 1], kind)
            if not n_features:
                n_features = features.shape[1]
                np.lib.format.write_array_header_1_0(
                    file, {"descr": "<f4", "fortran_order": False, "shape": (n_rows, n_features)}
                )
            file.write(features.astype("<f4").tobytes())
        return store.put_file(file), n_features


def _vectors(run: Encoding) -> Iterator[NDArray[np.float32]]:
    """Map each shard's vectors (n_shard, 2, d), in order."""
    for shard in EncodingShard.objects.filter(run=run).select_related("vectors"):
        yield cast(NDArray[np.float32], store.load_array(shard.vectors))


def tuning(attempt: Attempt[Tuning]) -> None:
    run = attempt.run
    chosen = _tuning_sample(run)
    done = len(_epochs_done(run))
    attempt.report(done, total=run.epochs, activity="loading the encoder")
    start = time.monotonic()
    for epoch in fine_tune(
        _encoder_to_tune(attempt),
        choices(chosen.train),
        choices(chosen.validation),
        FineTuneSettings(run.epochs, run.batch_size, run.learning_rate, run.seed),
        state=checkpoints.state_of(_epochs_done(run)[-1]) if done else None,
        progress=checkpoints.pulse(attempt),
    ):
        _record(attempt, _recorded(run, epoch, seconds=time.monotonic() - start))
        start = time.monotonic()
    _finish(attempt, chosen)


def _tuning_sample(run: Tuning) -> TuningSample:
    questions = load_questions(run.snapshot)
    n_train, n_validation = sizes(
        len(questions), n_train=run.n_train, n_validation=run.n_validation
    )
    # Stored splits: a later attempt must choose the same questions, even if new ones were added.
    splits = drawing.drawn_of(run.snapshot.campaign, questions)
    published = [question for question in questions if splits[question.group] == "train"]
    return choose(published, n_train=n_train, n_validation=n_validation, seed=run.seed)


def _encoder_to_tune(attempt: Attempt[Tuning]) -> Encoder:
    """Load the encoder and record its identity; a later attempt uses the same or fails."""
    encoder = EncoderRequest.by_tuning(attempt.run).load()
    attempt.note(
        base_sha256=encoder.weights_sha256,
        config_sha256=encoder.config_sha256,
        pooling_used=encoder.pooling,
    )
    return encoder


def _record(attempt: Attempt[Tuning], step: TuningEpoch) -> None:
    run = attempt.run
    checkpoints.record(
        attempt,
        step,
        done=step.number,
        activity=f"epoch {step.number} of {run.epochs} is done",
        kept=partial(_best, run),
    )


def _finish(attempt: Attempt[Tuning], chosen: TuningSample) -> None:
    """Keep the weights of the epoch with the best accuracy; the first one of equals."""
    best = _best(attempt.run)
    used = sorted(question.id for question in chosen.train + chosen.validation)
    ids = store.put_bytes("".join(f"{id}\n" for id in used).encode())
    checkpoints.finish(attempt, best, used=ids, n_used=len(used), accuracy=best.accuracy)


def _best(run: Tuning) -> TuningEpoch:
    done = _epochs_done(run)
    return done[kept_epoch([epoch.accuracy for epoch in done]) - 1]


def _epochs_done(run: Tuning) -> list[TuningEpoch]:
    return cast(list[TuningEpoch], attempts.steps_done(run.steps.all()))


def _recorded(run: Tuning, epoch: Checkpoint, *, seconds: float) -> TuningEpoch:
    assert epoch.dev_accuracy is not None  # each checkpoint is an epoch's end
    return TuningEpoch(
        run=run,
        number=epoch.number,
        seconds=seconds,
        loss=epoch.loss,
        accuracy=epoch.dev_accuracy,
        state=checkpoints.put(epoch.state),
    )
