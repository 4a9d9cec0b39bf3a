"""Text encoders: load one, turn texts into rows.

torch and transformers are imported when the first encoder is loaded, not with this module: every
web process and management command imports it for its names, and would pay seconds and 200 MB.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from filtering.core.encoder_specs import (
    DEFAULT_ENCODER,
    KNOWN_WEIGHTS,
    TINY_ENCODER,
    EncoderSpec,
    EncoderUnavailable,
    weights_sha256,
)

if TYPE_CHECKING:
    import torch

__all__ = [
    "DEFAULT_ENCODER",
    "POOLINGS",
    "TINY_ENCODER",
    "Encoder",
    "EncoderSpec",
    "EncoderUnavailable",
    "Pooling",
    "load_encoder",
]

Pooling = Literal["mean", "cls"]
POOLINGS: tuple[Pooling, ...] = ("mean", "cls")
# Families pretrained to summarise a text in their first token.
_CLS_FAMILIES = {"roberta", "xlm-roberta", "camembert"}


@dataclass(frozen=True, slots=True)
class Encoder:
    """A loaded encoder, ready to turn texts into rows.

    Parameters
    ----------
    spec : EncoderSpec
    pooling : {'mean', 'cls'}
        ``mean`` over the tokens that are not padding, or the first token.
    weights_sha256 : str
        Of the safetensors file (of the shards' hashes in name order when there are several).
    dimension : int
        Width d of a row.
    max_length : int
        Tokens after which a text is cut.
    """

    spec: EncoderSpec
    pooling: Pooling
    weights_sha256: str
    dimension: int
    max_length: int
    model: Any
    tokenizer: Any

    def encode(
        self,
        texts: Sequence[str],
        *,
        batch_size: int = 64,
        progress: Callable[[int, int], None] | None = None,
    ) -> NDArray[np.float32]:
        """Encode texts, each distinct one once.

        Distinct texts are sorted by their number of tokens and then by themselves, so batches
        carry next to no padding, and neither the order of ``texts`` nor repeats in it change one
        bit. A text's companions in a batch move its row by float noise only (about 1e-6).

        Parameters
        ----------
        texts : sequence of str, length n
        batch_size : int
            At least 1.
        progress : callable (done, total), optional
            Told after each batch how many distinct texts are done.

        Returns
        -------
        float32 (n, d)
            Not normalised.

        Raises
        ------
        ValueError
            When ``batch_size`` is below 1.
        """
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, got {batch_size}")
        distinct = list(dict.fromkeys(texts))
        tokens = self._tokens(distinct)
        order = sorted(range(len(distinct)), key=lambda i: (len(tokens[i]), distinct[i]))
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)  # (n_distinct, d)
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            vectors[batch] = self._forward([tokens[i] for i in batch])
            if progress is not None:
                progress(start + len(batch), len(order))
        row = {text: i for i, text in enumerate(distinct)}
        return vectors[[row[text] for text in texts]]  # (n, d)

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        if not texts:
            return []
        encoded = self.tokenizer(texts, truncation=True, max_length=self.max_length)
        return list(encoded["input_ids"])

    def _forward(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        import torch

        batch = self.tokenizer.pad({"input_ids": tokens}, padding=True, return_tensors="pt")
        with torch.inference_mode():
            output = self.model(
                input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]
            )
            hidden = output.last_hidden_state  # (n_batch, n_tokens, d)
            pooled = _pool(hidden, batch["attention_mask"], self.pooling)  # (n_batch, d)
        return np.asarray(pooled.float().numpy(), dtype=np.float32)


def load_encoder(
    spec: EncoderSpec | str,
    pooling: Pooling | None = None,
    *,
    expected_sha256: str | None = None,
) -> Encoder:
    """Load an encoder after checking its weights.

    Parameters
    ----------
    spec : EncoderSpec or str
    pooling : {'mean', 'cls'}, optional
        Default: what the model's own folder states, else ``cls`` for RoBERTa, else ``mean``.
    expected_sha256 : str, optional
        Refuse other weights. Encoders in `KNOWN_WEIGHTS` are always checked.

    Returns
    -------
    Encoder

    Raises
    ------
    EncoderUnavailable
        When there is nothing to load, the weights are not safetensors, they leave parts of the
        model untrained, or their hash is not the expected one.
    ValueError
        When ``spec`` or ``pooling`` is not one of the known forms.
    """
    spec = EncoderSpec.parse(spec) if isinstance(spec, str) else spec
    if pooling is not None and pooling not in POOLINGS:
        raise ValueError(f"pooling must be one of {', '.join(POOLINGS)}, got {pooling!r}")
    folder = spec.folder()
    sha256 = weights_sha256(spec, folder)
    expected = expected_sha256 or KNOWN_WEIGHTS.get(spec.text)
    if expected is not None and sha256 != expected:
        raise EncoderUnavailable(
            f"The weights of {spec.text!r} in {folder} have sha256 {sha256}, expected {expected}. "
            "Install the model again."
        )
    model, tokenizer = _load(spec, folder)
    return Encoder(
        spec=spec,
        pooling=pooling or _default_pooling(folder, model.config.model_type),
        weights_sha256=sha256,
        dimension=int(model.config.hidden_size),
        max_length=_max_length(model.config, tokenizer),
        model=model,
        tokenizer=tokenizer,
    )


def _load(spec: EncoderSpec, folder: Path) -> tuple[Any, Any]:
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModel, AutoTokenizer

    try:
        with _quiet_transformers():
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model, info = AutoModel.from_pretrained(
                folder,
                local_files_only=True,
                use_safetensors=True,
                dtype=torch.float32,
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise EncoderUnavailable(f"Encoder {spec.text!r} in {folder} fails: {error}") from error
    # The pooler is not used; anything else missing would be random and look like an encoder.
    missing = sorted(key for key in info["missing_keys"] if not key.startswith("pooler."))
    if missing:
        raise EncoderUnavailable(
            f"The weights of {spec.text!r} lack {len(missing)} of the model's parts, "
            f"{missing[0]!r} first. Name a checkpoint of this architecture."
        )
    return model.eval(), tokenizer


@contextmanager
def _quiet_transformers() -> Iterator[None]:
    # Loading prints a progress bar and a report on parts that are never used here.
    from transformers.utils import logging as transformers_logging

    level = transformers_logging.get_verbosity()
    bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity(logging.ERROR)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        transformers_logging.set_verbosity(level)
        if bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _default_pooling(folder: Path, model_type: str) -> Pooling:
    stated = folder / "1_Pooling" / "config.json"
    if stated.is_file() and json.loads(stated.read_text()).get("pooling_mode_cls_token"):
        return "cls"
    if stated.is_file():
        return "mean"
    return "cls" if model_type in _CLS_FAMILIES else "mean"


def _max_length(config: Any, tokenizer: Any) -> int:
    # RoBERTa counts positions from pad_token_id + 1, so two of its 514 are never reached.
    positions = int(getattr(config, "max_position_embeddings", 512))
    if config.model_type in _CLS_FAMILIES:
        positions -= int(config.pad_token_id) + 1
    return min(int(tokenizer.model_max_length), positions)


def _pool(hidden: torch.Tensor, mask: torch.Tensor, pooling: Pooling) -> torch.Tensor:
    if pooling == "cls":
        return hidden[:, 0]
    weights = mask.unsqueeze(-1).to(hidden.dtype)  # (n_batch, n_tokens, 1)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
