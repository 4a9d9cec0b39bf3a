"""Loads the encoder that an encoding names: as it was published, or as a tuning left it."""

from dataclasses import dataclass
from typing import cast

from filtering.core.encoders import Dtype, Encoder, Pooling, best_dtype, load_encoder
from filtering.models import Encoding
from winoplatform.artifacts import store


@dataclass(frozen=True, slots=True)
class Wanted:
    """All that decides an encoder's rows; what is None is the encoder's own, or the machine's."""

    spec: str
    pooling: Pooling | None
    dtype: Dtype | None
    weights_sha256: str | None
    tuned: str | None

    @classmethod
    def by(cls, encoding: Encoding) -> "Wanted":
        """What an encoding has written down, before that what it was asked for."""
        tuning = encoding.tuning
        base = encoding.weights_sha256 if tuning is None else tuning.base_sha256
        pooling = encoding.pooling_used or (tuning.pooling_used if tuning else encoding.pooling)
        return cls(
            spec=encoding.encoder,
            pooling=cast(Pooling, pooling) if pooling else None,
            dtype=cast(Dtype, encoding.dtype_used) if encoding.dtype_used else None,
            weights_sha256=base or None,
            tuned=tuning.weights_id if tuning else None,
        )

    def load(self) -> Encoder:
        """Load it; other weights than those written down are refused, with the way out."""
        encoder = load_encoder(
            self.spec,
            self.pooling,
            expected_sha256=self.weights_sha256,
            dtype=self.dtype or best_dtype(),
        )
        if self.tuned is None:
            return encoder
        return encoder.with_weights(store.local_path(self.tuned), sha256=self.tuned)
