"""A loaded encoder: texts in, rows out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from filtering.core.batches import (
    Pooling,
    cut,
    on_single_threads,
    one_by_one,
    padded,
    pool,
)
from filtering.core.encoder_specs import EncoderSpec, EncoderUnavailable

if TYPE_CHECKING:
    import torch

Dtype = Literal["float32", "bfloat16"]
DTYPES: tuple[Dtype, ...] = ("float32", "bfloat16")
# Padded tokens in a batch: on a processor what its caches hold, on a GPU what keeps it busy.
BATCH_TOKENS = {"cpu": 1024, "cuda": 32_768}


@dataclass(frozen=True, slots=True)
class Encoder:
    """A loaded encoder, ready to turn texts into rows.

    Parameters
    ----------
    spec : EncoderSpec
    pooling : {'mean', 'cls', 'last'}
        ``mean`` over the tokens that are not padding, the first token, or the last.
    dtype : {'float32', 'bfloat16'}
        What the model computes in; pooling and rows are float32.
    weights_sha256 : str
        Of the safetensors file (of the shards' hashes in name order when there are several).
    config_sha256 : str
        Of the configuration and the tokenizer; with it, the weights, the pooling and the dtype
        are all that decides a row.
    dimension : int
        Width d of a row.
    max_length : int
        Tokens after which a text is cut.
    """

    spec: EncoderSpec
    pooling: Pooling
    dtype: Dtype
    weights_sha256: str
    config_sha256: str
    dimension: int
    max_length: int
    model: Any
    tokenizer: Any

    def encode(
        self,
        texts: Sequence[str],
        *,
        batch_tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> NDArray[np.float32]:
        """Encode texts, each distinct one once.

        Distinct texts are sorted by their number of tokens and then by themselves, so batches
        carry next to no padding, and neither the order of ``texts``, nor repeats in it, nor the
        number of threads change one bit. A text's companions in a batch move its row by rounding
        only (about 1e-6 in float32, 1e-2 in bfloat16).

        Parameters
        ----------
        texts : sequence of str, length n
        batch_tokens : int, optional
            Padded tokens in a batch, at least 1. Default: `BATCH_TOKENS` of the device.
        progress : callable (done, total), optional
            Told after each batch how many distinct texts are done; what it raises ends the work.

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
        tokens = self.tokens(distinct)
        order = sorted(range(len(distinct)), key=lambda i: (len(tokens[i]), distinct[i]))
        budget = BATCH_TOKENS[self.device.type] if batch_tokens is None else batch_tokens
        batches = [order[part] for part in cut([len(tokens[i]) for i in order], budget=budget)]
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)  # (n_distinct, d)
        each = one_by_one if self.device.type == "cuda" else on_single_threads
        done = 0
        with closing(each(self._rows, [[tokens[i] for i in batch] for batch in batches])) as rows:
            for batch, found in zip(batches, rows, strict=True):
                vectors[batch] = found
                done += len(batch)
                if progress is not None:
                    progress(done, len(order))
        row = {text: i for i, text in enumerate(distinct)}
        return vectors[[row[text] for text in texts]]  # (n, d)

    @property
    def device(self) -> torch.device:
        """Where the model computes."""
        found: torch.device = next(self.model.parameters()).device
        return found

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, cut at ``max_length``."""
        if not texts:
            return []
        encoded = self.tokenizer(
            list(texts),
            truncation=True,
            max_length=self.max_length,
            return_attention_mask=False,
            return_token_type_ids=False,
        )
        return list(encoded["input_ids"])

    def pooled(self, tokens: Sequence[Sequence[int]]) -> torch.Tensor:
        """Run one batch; gradients flow where torch is told to keep them: float32 (n, d)."""
        ids, mask = padded(tokens, pad=_pad_id(self.tokenizer, self.model.config))
        ids, mask = ids.to(self.device), mask.to(self.device)
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        return pool(hidden, mask, self.pooling)

    def _rows(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            rows: NDArray[np.float32] = self.pooled(tokens).cpu().numpy()
            return rows

    def with_weights(self, path: Path, *, sha256: str) -> Encoder:
        """Put other weights of the same architecture into this encoder's model.

        Parameters
        ----------
        path : Path
            A safetensors file with every tensor of the model's state.
        sha256 : str
            What is to name the weights from now on; not checked here.

        Returns
        -------
        Encoder
            Shares its model with this one, which must not be used any more.

        Raises
        ------
        EncoderUnavailable
            When the file is not safetensors or does not fit the model.
        """
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        try:
            self.model.load_state_dict(load_file(path))
        except (OSError, RuntimeError, SafetensorError) as error:
            raise EncoderUnavailable(
                f"The weights {sha256} do not fit the encoder {self.spec.text!r} "
                f"({type(error).__name__}); the worker's log says why."
            ) from error
        return replace(self, weights_sha256=sha256)


def _pad_id(tokenizer: Any, config: Any) -> int:
    # Decoders often have none; then any token will do, since padding is masked.
    for found in (tokenizer.pad_token_id, getattr(config, "pad_token_id", None)):
        if found is not None:
            return int(found)
    return 0
