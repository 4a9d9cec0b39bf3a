"""Load a model by its name, checked, for one of four uses.

torch and transformers are imported when the first model is loaded, not with this module: every web
process and management command imports it for its names, and would pay seconds and 200 MB.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Text, Tokens, cut, on_single_threads, one_by_one, padded
from modeling.identity import config_sha256, weights_sha256
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER, ModelSpec, ModelUnavailable

if TYPE_CHECKING:
    import torch

Dtype = Literal["float32", "bfloat16"]
DTYPES: tuple[Dtype, ...] = ("float32", "bfloat16")
Use = Literal["pooled", "masked", "causal", "choice"]
# transformers' class for each use.
_CLASSES: dict[Use, str] = {
    "pooled": "AutoModel",
    "masked": "AutoModelForMaskedLM",
    "causal": "AutoModelForCausalLM",
    "choice": "AutoModelForMultipleChoice",
}
# sha256 of the weights of models named here; any other model's is computed and reported.
KNOWN_WEIGHTS = {
    DEFAULT_ENCODER: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TINY_ENCODER: "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a",
}
# Padded tokens in a batch: on a processor what its caches hold, on a GPU what keeps it busy. A
# head over the vocabulary needs some 200 kB a token.
BATCH_TOKENS = {"cpu": 1024, "cuda": 32_768}
BATCH_TOKENS_WITH_VOCABULARY = {"cpu": 1024, "cuda": 8192}

Row = TypeVar("Row", bound="Any")  # of tokens; has a length


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory, with what names it.

    Parameters
    ----------
    spec : ModelSpec
    use : {'pooled', 'masked', 'causal', 'choice'}
        Without a head, or with that of a masked or a causal language model or of multiple choice.
    dtype : {'float32', 'bfloat16'}
        What the model computes in; what is made of it here is float32.
    weights_sha256 : str
        Of the safetensors file (of the shards' hashes in name order when there are several).
    config_sha256 : str
        Of the configuration and the tokenizer; with it, the weights and the dtype are all that
        decides what the model computes.
    max_length : int
        Tokens that the model has positions for.
    model, tokenizer
        transformers' own.
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
        """Where the model computes."""
        found: torch.device = next(self.model.parameters()).device
        return found

    def tokens(self, texts: Sequence[Text], *, cut: bool = True) -> list[Tokens]:
        """Return the tokens of texts, or of pairs of them.

        What is longer than ``max_length`` is cut, or else a ValueError.
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
        """Raise ValueError when a row has more tokens than the model has positions for."""
        longest = max(map(len, rows), default=0)
        if longest > self.max_length:
            raise ValueError(
                f"a text has {longest:,} tokens, and {self.spec.text!r} takes at most "
                f"{self.max_length:,}"
            )

    def inputs(self, rows: Sequence[Tokens]) -> dict[str, torch.Tensor]:
        """Lay rows side by side as the model takes them, on its device."""
        laid = padded(rows, pad=self._pad_id)
        return {name: tensor.to(self.device) for name, tensor in laid.items()}

    @property
    def _pad_id(self) -> int:
        # Decoders often have none; then any token will do, since padding is masked.
        config = self.model.config
        known = (self.tokenizer.pad_token_id, getattr(config, "pad_token_id", None), 0)
        return int(next(found for found in known if found is not None))

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
        """Apply a function to rows of tokens, in batches of like length.

        Rows are sorted by their length and then by *ties*, so batches carry next to no padding, and
        neither the order of rows with ties of their own nor the number of threads changes one bit.

        Parameters
        ----------
        function : callable
            Takes some rows and returns their results (n_some, …); gradients are not kept.
        rows : sequence of length n
        into : float32 (n, …)
            Where results are stored.
        ties : sequence, length n
        batch_tokens : int, optional
            Padded tokens in a batch, at least 1. Default: what suits the device and the use.
        progress : callable (done, total), optional
            Told after each batch how many rows are done; what it raises ends the work.

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
        batches = [order[part] for part in cut([len(rows[i]) for i in order], budget=budget)]
        each = one_by_one if self.device.type == "cuda" else on_single_threads
        done = 0
        with closing(each(quietly, [[rows[i] for i in batch] for batch in batches])) as results:
            for batch, found in zip(batches, results, strict=True):
                into[batch] = found
                done += len(batch)
                if progress is not None:
                    progress(done, len(order))

    @property
    def _batch_tokens(self) -> int:
        has_vocabulary = self.use in ("masked", "causal")
        sizes = BATCH_TOKENS_WITH_VOCABULARY if has_vocabulary else BATCH_TOKENS
        return sizes[self.device.type]

    def with_weights(self, path: Path, *, sha256: str) -> Self:
        """Put other weights of the same architecture into this model.

        Parameters
        ----------
        path : Path
            A safetensors file with every tensor of the model's state.
        sha256 : str
            What is to name the weights from now on; not checked here.

        Returns
        -------
        LoadedModel
            Shares its layers with this one, which must not be used any more.

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
                f"({type(error).__name__}); the worker's log says why."
            ) from error
        return replace(self, weights_sha256=sha256)


def load_model(
    spec: ModelSpec | str,
    use: Use,
    *,
    expected_sha256: str | None = None,
    expected_config_sha256: str | None = None,
    dtype: Dtype = "float32",
) -> LoadedModel:
    """Load a model after checking its weights, and what else decides what it computes.

    Parameters
    ----------
    spec : ModelSpec or str
    use : {'pooled', 'masked', 'causal', 'choice'}
    expected_sha256 : str, optional
        Refuse other weights. Models in `KNOWN_WEIGHTS` are always checked.
    expected_config_sha256 : str, optional
        Refuse another configuration, tokenizer or vocabulary.
    dtype : {'float32', 'bfloat16'}
        What the model computes in, also where the hardware is slow at it.

    Returns
    -------
    LoadedModel

    Raises
    ------
    ModelUnavailable
        When there is nothing to load, the weights are not safetensors, they leave parts of the
        model untrained (the head that the use wants, say), or a hash is not the expected one.
    ValueError
        When ``spec``, ``use`` or ``dtype`` is not one of the known forms.
    """
    spec = ModelSpec.parse(spec) if isinstance(spec, str) else spec
    for name, value, known in (("use", use, _CLASSES), ("dtype", dtype, DTYPES)):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
    folder = spec.folder()
    weights, config = weights_sha256(folder), config_sha256(folder)
    if weights is None:
        raise ModelUnavailable(
            f"Model {spec.text!r} has no model.safetensors. Save it again as safetensors: other "
            "weight files can run code and are not opened."
        )
    _refuse_other(spec, "weights", weights, expected_sha256 or KNOWN_WEIGHTS.get(spec.text))
    _refuse_other(spec, "configuration and tokenizer", config, expected_config_sha256)
    model, tokenizer = _load(spec, folder, use, dtype)
    return LoadedModel(
        spec=spec,
        use=use,
        dtype=dtype,
        weights_sha256=weights,
        config_sha256=config,
        max_length=_max_length(model, tokenizer),
        model=model,
        tokenizer=tokenizer,
    )


def _refuse_other(spec: ModelSpec, what: str, found: str, expected: str | None) -> None:
    if expected is not None and found != expected:
        way_out = ". Install the model again."
        if spec.kind == "hub":
            way_out = (
                ": the hub's repository has changed. Put its former revision into a permitted "
                "folder and name that, or begin anew with the present one."
            )
        raise ModelUnavailable(
            f"The {what} of {spec.text!r} have sha256 {found}, expected {expected}{way_out}"
        )


def _load(spec: ModelSpec, folder: Path, use: Use, dtype: Dtype) -> tuple[Any, Any]:
    import torch
    import transformers
    from safetensors import SafetensorError

    try:
        with quiet_transformers():
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
            model, info = getattr(transformers, _CLASSES[use]).from_pretrained(
                folder,
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=getattr(torch, dtype),
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        # What they say names files of this machine; the log has it, with the cause.
        raise ModelUnavailable(
            f"Model {spec.text!r} fails with {type(error).__name__}; the worker's log says why."
        ) from error
    # The pooler is not used by what is pooled here; anything else missing would be random.
    unused = ("pooler.",) if use == "pooled" else ()
    missing = [key for key in info["missing_keys"] if not key.startswith(unused)]
    _refuse_untrained(spec, use, missing)
    if use == "pooled":
        model = _body(model)
    model.config.use_cache = False  # of a decoder's past, which nothing here goes on from
    return model.eval().to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer


def _body(model: Any) -> Any:
    """Return what reads a text, and no more."""
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # costs time, and may be untrained
    return model


def _refuse_untrained(spec: ModelSpec, use: Use, missing_keys: Iterable[str]) -> None:
    missing = sorted(missing_keys)
    if missing:
        raise ModelUnavailable(
            f"The weights of {spec.text!r} lack {len(missing)} of the model's parts, "
            f"{missing[0]!r} first. Name a checkpoint of this architecture"
            + ("." if use == "pooled" else f" that was trained for this use ({use}).")
        )


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep transformers from writing to the terminal."""
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


def _max_length(model: Any, tokenizer: Any) -> int:
    positions = int(getattr(model.config, "max_position_embeddings", 512))
    for name, part in model.named_modules():
        # RoBERTa and its kin count positions from behind the padding's own: of 514, 512 are used.
        if name.endswith("position_embeddings") and getattr(part, "padding_idx", None) is not None:
            positions -= int(part.padding_idx) + 1
            break
    return min(int(tokenizer.model_max_length), positions)
