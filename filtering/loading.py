"""Loads the encoder of an encoding or a tuning, if the operator permits it."""

from dataclasses import dataclass
from typing import cast

from corpora.loading import permitted
from filtering.models import Encoding, SentenceEncoding, Tuning
from modeling.batches import Pooling
from modeling.encoders import Encoder, load_encoder
from modeling.loaded import Dtype
from winoplatform.artifacts import store


@dataclass(frozen=True, slots=True)
class EncoderRequest:
    """Everything that determines an encoder's vectors; None is the encoder's default."""

    spec: str
    pooling: Pooling | None
    dtype: Dtype
    weights_sha256: str | None
    config_sha256: str | None
    tuned: str | None = None

    @classmethod
    def by(cls, encoding: Encoding) -> "EncoderRequest":
        """Return the values recorded by an encoding, or requested if not yet recorded."""
        tuning = encoding.tuning
        base = encoding.weights_sha256 if tuning is None else tuning.base_sha256
        config = encoding.config_sha256 or (tuning.config_sha256 if tuning else "")
        pooling = encoding.pooling_used or (tuning.pooling_used if tuning else encoding.pooling)
        return cls(
            spec=encoding.encoder,
            pooling=cast(Pooling, pooling) if pooling else None,
            dtype=cast(Dtype, encoding.dtype),
            weights_sha256=base or None,
            config_sha256=config or None,
            tuned=tuning.weights_id if tuning else None,
        )

    @classmethod
    def by_sentences(cls, run: SentenceEncoding) -> "EncoderRequest":
        """Return the values recorded by a sentence encoding, or requested if not yet recorded."""
        return cls(
            spec=run.encoder,
            pooling=cast(Pooling, run.pooling_used) if run.pooling_used else None,
            dtype="float32",
            weights_sha256=run.weights_sha256 or None,
            config_sha256=run.config_sha256 or None,
        )

    @classmethod
    def by_tuning(cls, tuning: Tuning) -> "EncoderRequest":
        """Return the encoder that a tuning starts from; training is in float32."""
        pooling = tuning.pooling_used or tuning.pooling
        return cls(
            spec=tuning.encoder,
            pooling=cast(Pooling, pooling) if pooling else None,
            dtype="float32",
            weights_sha256=tuning.base_sha256 or None,
            config_sha256=tuning.config_sha256 or None,
        )

    def load(self) -> Encoder:
        """Load the encoder; refuse one that differs from the recorded one."""
        encoder = load_encoder(
            permitted(self.spec),
            self.pooling,
            expected_sha256=self.weights_sha256,
            expected_config_sha256=self.config_sha256,
            dtype=self.dtype,
        )
        if self.tuned is None:
            return encoder
        return encoder.with_weights(store.local_path(self.tuned), sha256=self.tuned)
