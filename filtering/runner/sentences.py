"""Executes sentence encodings, shard by shard."""

from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from collection.models import Question
from filtering.core.neighbours import sentence_vectors
from filtering.loading import EncoderRequest
from filtering.models import SentenceEncoding, SentenceShard
from filtering.selectors.meaning import keep_typed_vector, typed_vector
from modeling.encoders import Encoder
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.sharing import SharedSteps


class SentenceShards(SharedSteps[SentenceEncoding]):
    """The questions of a sentence encoding in shards."""

    STEP = SentenceShard
    NOUN = "shard"
    ACTIVITY = "encoding sentences"

    def __init__(self, attempt: Attempt[SentenceEncoding], keys: NDArray[np.int64]) -> None:
        super().__init__(attempt, n_rows=len(keys), step_size=attempt.run.shard_size)
        self.keys = keys

    def encode(self, encoder: Encoder, number: int) -> SentenceShard:
        """Encode the questions of a shard."""
        keys = self.keys[self.rows_of(number)].tolist()
        questions = Question.objects.select_related("twin").in_bulk(keys)
        filled = [
            questions[key].sentence.replace("_", option)
            for key in keys
            for option in questions[key].twin.options
        ]
        vectors = encoder.encode(
            filled, progress=lambda done, n: self.pulse(number, f"sentence {done} of {n}")
        ).reshape(len(keys), 2, -1)  # (n_shard, 2, d)
        rows = sentence_vectors(vectors)  # (n_shard, d)
        return SentenceShard(run=self.run, number=number, vectors=store.put_array(rows))


def sentence_encoding(attempt: Attempt[SentenceEncoding]) -> None:
    keys = _keys(attempt)
    shards = SentenceShards(attempt, keys)
    attempt.report(shards.rows_done(), total=len(keys), activity="loading the encoder")
    shards.compute_all(partial(shards.encode, _encoder(attempt)))
    steps = SentenceShard.objects.filter(run=attempt.run).select_related("vectors")
    rows = np.concatenate([store.load_array(step.vectors) for step in steps])  # (n, d)
    attempt.finish(matrix=store.put_array(rows), n_questions=len(keys), done=len(keys))


def shards_of_sentences(attempt: Attempt[SentenceEncoding]) -> None:
    """Help the worker that executes a sentence encoding."""
    if attempt.run.questions is None:
        return
    shards = SentenceShards(attempt, _keys(attempt))
    shards.help(lambda: partial(shards.encode, _encoder(attempt)))


def encode_typed(pk: int, sentence: str) -> None:
    """Encode a typed sentence as a run encoded its sentences, for who waits for it."""
    run = SentenceEncoding.objects.get(pk=pk)
    if typed_vector(run, sentence) is None:
        [vector] = EncoderRequest.by_sentences(run).load().encode([sentence])  # (d,)
        keep_typed_vector(run, sentence, vector)


def _keys(attempt: Attempt[SentenceEncoding]) -> NDArray[np.int64]:
    """Return the questions of the run; its first attempt stores them, so that rows stay."""
    run = attempt.run
    if run.questions is None:
        rows = Question.objects.filter(
            twin__campaign=run.campaign, created_at__lte=run.created_at
        ).order_by("pk")
        keys = np.fromiter(rows.values_list("pk", flat=True), dtype=np.int64)
        if not len(keys):
            raise ValueError("This campaign had no questions when the encoding was requested.")
        attempt.note(questions=store.put_array(keys))
        return keys
    return cast(NDArray[np.int64], store.load_array(run.questions))


def _encoder(attempt: Attempt[SentenceEncoding]) -> Encoder:
    encoder = EncoderRequest.by_sentences(attempt.run).load()
    attempt.note(
        weights_sha256=encoder.weights_sha256,
        config_sha256=encoder.config_sha256,
        pooling_used=encoder.pooling,
    )
    return encoder
