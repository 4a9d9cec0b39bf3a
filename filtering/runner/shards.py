"""Shards of an encoding: each is encoded by the worker that holds its lock, and stored once."""

import time
from collections.abc import Sequence
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from corpora.core.items import TwinItem
from filtering.models import Encoding, EncodingShard
from modeling.encoders import Encoder
from winoplatform.artifacts import store
from winoplatform.locks import held
from winoplatform.runs import helping
from winoplatform.runs.attempts import Attempt

LOOK_AGAIN_SECONDS = 0.5


class Shards:
    """The questions of an encoding in shards, which any number of workers encode.

    A shard's bits depend only on its questions and the encoder, not on the worker. Encoding it
    twice only costs time.
    """

    def __init__(self, attempt: Attempt[Encoding], questions: Sequence[TwinItem]) -> None:
        self.attempt, self.run, self.questions = attempt, attempt.run, questions
        self.of = -(-len(questions) // attempt.run.shard_size)

    def recorded(self) -> set[int]:
        shards = EncodingShard.objects.filter(run=self.run)
        return set(shards.values_list("number", flat=True))

    def missing(self) -> list[int]:
        """Numbers, from 1, of the shards that are not recorded yet."""
        return sorted(set(range(1, self.of + 1)) - self.recorded())

    def rows_done(self, more: int = 0) -> int:
        """Questions in the shards recorded, plus those of *more* shards."""
        return min((len(self.recorded()) + more) * self.run.shard_size, len(self.questions))

    def encode_all(self, encoder: Encoder) -> None:
        """Encode until all shards are recorded, by this or other workers.

        Shards locked by others are waited for. If none is recorded for the time of a lease and
        three times the time of the slowest shard, the other workers are assumed dead or stuck, and
        the first missing shard is encoded here as well.
        """
        before, since = 0, time.monotonic()
        while missing := self.missing():
            if len(missing) != before:
                before, since = len(missing), time.monotonic()
            if self.encode_free(encoder):
                continue
            if time.monotonic() - since > self._patience():
                self._encode(encoder, missing[0])
            else:
                self.attempt.pulse(f"encoding, waiting for {len(missing)} shards of other workers")
                time.sleep(LOOK_AGAIN_SECONDS)

    def _patience(self) -> float:
        lease: float = settings.RUN_LEASE_SECONDS
        shards = EncodingShard.objects.filter(run=self.run)
        slowest: float | None = shards.aggregate(slowest=Max("seconds"))["slowest"]
        return max(lease, 3 * (slowest or 0))

    def encode_free(self, encoder: Encoder) -> int:
        """Encode each missing shard that is not locked; return their number."""
        count = 0
        for number in self.missing():
            helping.ask_for_help(self.run, places=self.of - len(self.recorded()) - 1)
            with held(f"encoding {self.run.pk}, shard {number}") as ours:
                # It may have been recorded since the list of missing shards was read.
                if ours and number not in self.recorded():
                    self._encode(encoder, number)
                    count += 1
        return count

    def _encode(self, encoder: Encoder, number: int) -> None:
        start = time.monotonic()
        size = self.run.shard_size
        questions = self.questions[(number - 1) * size : number * size]
        vectors = encoder.encode(
            [text for question in questions for text in question.filled],
            progress=partial(self._pulse, number),
        )
        shard = EncodingShard(
            run=self.run,
            number=number,
            seconds=time.monotonic() - start,
            vectors=store.put_array(vectors.reshape(len(questions), 2, -1)),  # (n_shard, 2, d)
        )
        self._record(shard)

    def _pulse(self, number: int, done: int, total: int) -> None:
        self.attempt.pulse(f"encoding, shard {number} of {self.of}, sentence {done} of {total}")

    @transaction.atomic
    def _record(self, shard: EncodingShard) -> None:
        # One worker at a time, so that each counts what the others have recorded.
        Encoding.objects.select_for_update().get(pk=self.run.pk)
        if shard.number not in self.recorded():
            self.attempt.record(
                shard,
                done=self.rows_done(more=1),
                activity=f"encoding, shard {shard.number} of {self.of}",
            )
