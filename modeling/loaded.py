"""A loaded model with its identity; tokenization and batches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence, Sized
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Text, Tokens, cut, on_single_threads, one_by_one, padded
from modeling.specs import ModelSpec, ModelUnavailable

if TYPE_CHECKING:
    import torch

Dtype = Literal["float32", "bfloat16"]
DTYPES: tuple[Dtype, ...] = ("float32", "bfloat16")
Use = Literal["pooled", "masked", "causal", "choice", "entailment"]
# Padded tokens per batch: on a CPU limited by its caches, on a GPU enough to keep it busy. A head
# over the vocabulary needs about 200 kB per token.
BATCH_TOKENS = {"cpu": 1024, "cuda": 32_768}
BATCH_TOKENS_WITH_VOCABULARY = {"cpu": 512, "cuda": 8192}

PROBED, PROBED_IDS = 5, 9  # tokens of the text with which padding is tried, and their ids
ALIKE = {"float32": 1e-3, "bfloat16": 5e-2}  # of the largest state
_ignoring: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()

Row = TypeVar("Row", bound="Any")  # anything with a length


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A loaded model with its identity.

    Parameters
    ----------
    spec : ModelSpec
    use : {'pooled', 'masked', 'causal', 'choice', 'entailment'}
        Without a head, or with the head of a masked or causal language model, of multiple choice or
        of a classifier of pairs of texts.
    dtype : {'float32', 'bfloat16'}
        The model's data type; results here are float32.
    weights_sha256 : str
        Of the safetensors file (with several, of the files' hashes in name order).
    config_sha256 : str
        Of the configuration and the tokenizer; together with the weights and the dtype it
        determines what the model computes.
    max_length : int
        The model's number of token positions.
    model, tokenizer
        Objects of transformers.
    """

    spec: ModelSpec
    use: Use
    dtype: Dtype
    weights_sha256: str
    config_sha256: str
    max_length: int
    model: Any
    tokenizer: Any

    @property
    def device(self) -> torch.device:
        """The device on which the model computes."""
        device: torch.device = next(self.model.parameters()).device
        return device

    def tokens(self, texts: Sequence[Text], *, cut: bool = True) -> list[Tokens]:
        """Return the tokens of texts, or of pairs of texts.

        Longer ones than ``max_length`` are truncated, or raise ValueError if *cut* is false.
        """
        if not texts:
            return []
        paired = not isinstance(texts[0], str)
        segmented = paired and getattr(self.model.config, "type_vocab_size", 0) > 1
        encoded = self.tokenizer(
            *([list(part) for part in zip(*texts, strict=True)] if paired else [list(texts)]),
            truncation=cut,
            max_length=self.max_length if cut else None,
            return_attention_mask=False,
            return_token_type_ids=segmented,
        )
        lists = (encoded[name] for name in ("input_ids", "token_type_ids")[: 1 + segmented])
        rows = [Tokens(*of_row) for of_row in zip(*lists, strict=True)]
        self.refuse_long(rows)
        return rows

    def refuse_long(self, rows: Sequence[Sized]) -> None:
        """Raise ValueError if a row has more tokens than the model has positions."""
        longest = max(map(len, rows), default=0)
        if longest > self.max_length:
            raise ValueError(
                f"a text has {longest:,} tokens, and {self.spec.text!r} takes at most "
                f"{self.max_length:,}"
            )

    def inputs(self, rows: Sequence[Tokens]) -> dict[str, torch.Tensor]:
        """Stack rows as the model's input, on its device."""
        laid = padded(rows, pad=self.pad_id)
        return {name: tensor.to(self.device) for name, tensor in laid.items()}

    @property
    def pad_id(self) -> int:
        """The token that fills up rows."""
        # Decoders often have none; then any token can be used, since padding is masked.
        config = self.model.config
        ids = (self.tokenizer.pad_token_id, getattr(config, "pad_token_id", None), 0)
        return int(next(token_id for token_id in ids if token_id is not None))

    def run(
        self,
        function: Callable[[list[Row]], NDArray[np.float32]],
        rows: Sequence[Row],
        *,
        into: NDArray[np.float32],
        ties: Sequence[Any],
        batch_tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Apply a function to rows of tokens, in batches of similar length.

        Rows are sorted by length and then by *ties*, so batches have little padding, and the
        result does not depend, in any bit, on the order of rows with distinct ties or the number
        of threads.

        Parameters
        ----------
        function : callable
            Takes some rows and returns their results (n_some, …); gradients are not computed.
        rows : sequence of length n
        into : float32 (n, …)
            Array for the results.
        ties : sequence, length n
        batch_tokens : int, optional
            Padded tokens per batch, at least 1. Default: by device and use.
        progress : callable (done, total), optional
            Called after each batch with the number of rows done; may raise to stop.

        Raises
        ------
        ValueError
            When ``batch_tokens`` is below 1.
        """
        import torch

        def quietly(batch: list[Row]) -> NDArray[np.float32]:
            with torch.inference_mode():
                return function(batch)

        order = sorted(range(len(rows)), key=lambda i: (len(rows[i]), ties[i]))
        budget = self._batch_tokens if batch_tokens is None else batch_tokens
        lengths = [len(rows[i]) for i in order]
        parts = cut(lengths, budget=budget, is_even=not self.ignores_padding)
        batches = [order[part] for part in parts]
        each = one_by_one if self.device.type == "cuda" else on_single_threads
        done = 0
        with closing(each(quietly, [[rows[i] for i in batch] for batch in batches])) as results:
            for batch, result in zip(batches, results, strict=True):
                into[batch] = result
                done += len(batch)
                if progress is not None:
                    progress(done, len(order))

    @property
    def ignores_padding(self) -> bool:
        """Whether a text has the same results in a batch of longer ones.

        A causal model reads no later place. Others are tried once: FNet takes no mask, and
        MobileBERT, Nyströmformer and YOSO mix padding into the text in spite of it.
        """
        if self.use == "causal":
            return True
        if self.model not in _ignoring:
            _ignoring[self.model] = self._reads_alike()
        return _ignoring[self.model]

    def _reads_alike(self) -> bool:
        """Return whether the states of a few tokens are those of the same tokens with padding."""
        import torch

        ids = [n % PROBED_IDS + 1 for n in range(min(PROBED, self.max_length - 2))]
        base = self.model.base_model
        with torch.inference_mode():
            alone, beside = (
                base(**self.inputs([Tokens(ids), *others])).last_hidden_state[0, : len(ids)].float()
                for others in ([], [Tokens([*ids, 1, 1])])
            )
        return bool((alone - beside).abs().max() <= ALIKE[self.dtype] * alone.abs().max())

    @property
    def _batch_tokens(self) -> int:
        has_vocabulary = self.use in ("masked", "causal")
        sizes = BATCH_TOKENS_WITH_VOCABULARY if has_vocabulary else BATCH_TOKENS
        return sizes[self.device.type]

    def with_weights(self, path: Path, *, sha256: str) -> Self:
        """Replace the model's weights by others of the same architecture.

        Parameters
        ----------
        path : Path
            A safetensors file with all tensors of the model's state.
        sha256 : str
            The hash that identifies the new weights; not verified here.

        Returns
        -------
        LoadedModel
            Shares its layers with this one, which must no longer be used.

        Raises
        ------
        ModelUnavailable
            When the file is not safetensors or does not fit the model.
        """
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        try:
            self.model.load_state_dict(load_file(path))
        except (OSError, RuntimeError, SafetensorError) as error:
            raise ModelUnavailable(
                f"The weights {sha256} do not fit the model {self.spec.text!r} "
                f"({type(error).__name__}); see the worker's log for the reason."
            ) from error
        return replace(self, weights_sha256=sha256)


def embedded(model: Any) -> int:
    """Return how many tokens a model of transformers has an embedding for."""
    try:
        return int(model.get_input_embeddings().num_embeddings)
    except (AttributeError, NotImplementedError):
        # A model of characters hashes them and has no table.
        return int(getattr(model.config.get_text_config(), "vocab_size", sys.maxunicode + 1))
