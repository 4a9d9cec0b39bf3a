"""Models as encoders of texts to vectors."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from modeling.batches import POOLINGS, Pooling, Tokens, pool
from modeling.loaded import Dtype, LoadedModel
from modeling.loading import load_model
from modeling.specs import ModelSpec

if TYPE_CHECKING:
    import torch

# Families pretrained to summarise a text in the first token.
_CLS_FAMILIES = {"roberta", "xlm-roberta", "camembert"}


@dataclass(frozen=True, slots=True)
class Encoder(LoadedModel):
    """A loaded encoder.

    Parameters
    ----------
    pooling : {'mean', 'cls', 'last'}
        The mean over tokens that are not padding, the first token, or the last. The model and the
        pooling together determine a row.
    """

    pooling: Pooling

    @property
    def dimension(self) -> int:
        """Width d of a row."""
        return int(self.model.config.hidden_size)

    def encode(
        self,
        texts: Sequence[str],
        *,
        batch_tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> NDArray[np.float32]:
        """Encode texts, each distinct one once.

        The result does not depend, in any bit, on the order of ``texts``, on repetitions or on
        the number of threads. The other texts of a batch change a row only by rounding (about
        1e-6 in float32, 1e-2 in bfloat16).

        Parameters
        ----------
        texts : sequence of str, length n
        batch_tokens : int, optional
            As in `run`.
        progress : callable (done, total), optional
            Called after each batch with the number of distinct texts done; may raise to stop.

        Returns
        -------
        float32 (n, d)
            Not normalised.

        Raises
        ------
        ValueError
            When ``batch_tokens`` is below 1.
        """
        distinct = list(dict.fromkeys(texts))
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)  # (n_distinct, d)
        self.run(
            lambda rows: self.pooled(rows).cpu().numpy(),
            self.tokens(distinct),
            into=vectors,
            ties=distinct,
            batch_tokens=batch_tokens,
            progress=progress,
        )
        row = {text: i for i, text in enumerate(distinct)}
        return vectors[[row[text] for text in texts]]  # (n, d)

    def pooled(self, rows: Sequence[Tokens]) -> torch.Tensor:
        """Run one batch, with gradients if torch is set so: float32 (n, d)."""
        inputs = self.inputs(rows)
        hidden = self.model(**inputs).last_hidden_state
        return pool(hidden, inputs["attention_mask"], self.pooling)


def load_encoder(
    spec: ModelSpec | str,
    pooling: Pooling | None = None,
    *,
    expected_sha256: str | None = None,
    expected_config_sha256: str | None = None,
    dtype: Dtype = "float32",
) -> Encoder:
    """Load an encoder.

    Parameters
    ----------
    spec, expected_sha256, expected_config_sha256, dtype
        As in `load_model`, which also lists the errors.
    pooling : {'mean', 'cls', 'last'}, optional
        Default: the pooling in the model's folder, else ``cls`` for RoBERTa, else ``mean``.

    Returns
    -------
    Encoder
    """
    if pooling is not None and pooling not in POOLINGS:
        raise ValueError(f"pooling must be one of {', '.join(POOLINGS)}, got {pooling!r}")
    loaded = load_model(
        spec,
        "pooled",
        expected_sha256=expected_sha256,
        expected_config_sha256=expected_config_sha256,
        dtype=dtype,
    )
    pooling = pooling or _default_pooling(loaded.spec.folder(), loaded.model.config.model_type)
    parts = {field.name: getattr(loaded, field.name) for field in fields(loaded)}
    return Encoder(**parts, pooling=pooling)


def _default_pooling(folder: Path, model_type: str) -> Pooling:
    stated = folder / "1_Pooling" / "config.json"
    if stated.is_file():
        modes = json.loads(stated.read_text())
        if modes.get("pooling_mode_lasttoken"):
            return "last"
        return "cls" if modes.get("pooling_mode_cls_token") else "mean"
    return "cls" if model_type in _CLS_FAMILIES else "mean"
