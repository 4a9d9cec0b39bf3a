"""Loads the encoder that an encoding or a tuning names, if the operator lets it be named."""

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from django.conf import settings

from filtering.models import Encoding, Tuning
from modeling.batches import Pooling
from modeling.encoders import Encoder, load_encoder
from modeling.loaded import Dtype
from modeling.specs import ModelSpec, ModelUnavailable
from winoplatform.artifacts import store


class EncoderRefused(ModelUnavailable):
    """The operator does not let this encoder be named."""


def permitted(encoder: str) -> ModelSpec:
    """Read an encoder's name and refuse what the operator does not let be named.

    Asked when a run is asked for, and again where a worker loads the encoder: only there are the
    links of its folders known. The installation's own encoder is always permitted.

    Raises
    ------
    EncoderRefused
        When neither ``ENCODER_FOLDERS`` nor ``ENCODER_HUB_IDS`` lets it be named.
    ValueError
        When it is no name of an encoder.
    """
    spec = ModelSpec.parse(encoder)
    # A relative one would permit what lies where this process happens to stand. The system check
    # says so, but workers run none.
    folders = [path for path in map(Path, settings.ENCODER_FOLDERS) if path.is_absolute()]
    if encoder != settings.ENCODER and not spec.is_among(
        folders=folders, hub_ids=settings.ENCODER_HUB_IDS
    ):
        setting = "ENCODER_FOLDERS" if spec.kind == "folder" else "ENCODER_HUB_IDS"
        raise EncoderRefused(
            f"Encoder {spec.text!r} is not among those that the operator of this platform permits "
            f"(setting {setting}). Name another one, or ask the operator to add it."
        )
    return spec


@dataclass(frozen=True, slots=True)
class EncoderRequest:
    """All that decides an encoder's rows; what is None is the encoder's own."""

    spec: str
    pooling: Pooling | None
    dtype: Dtype
    weights_sha256: str | None
    config_sha256: str | None
    tuned: str | None = None

    @classmethod
    def by(cls, encoding: Encoding) -> "EncoderRequest":
        """What an encoding has written down, before that what it was asked for."""
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
    def by_tuning(cls, tuning: Tuning) -> "EncoderRequest":
        """What a tuning begins with, or has begun with; it learns in float32."""
        pooling = tuning.pooling_used or tuning.pooling
        return cls(
            spec=tuning.encoder,
            pooling=cast(Pooling, pooling) if pooling else None,
            dtype="float32",
            weights_sha256=tuning.base_sha256 or None,
            config_sha256=tuning.config_sha256 or None,
        )

    def load(self) -> Encoder:
        """Load it; another encoder than the one written down is refused, with the way out."""
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
