"""Load a model by its name, verified, for one of five uses.

torch and transformers are imported when the first model is loaded, not with this module: every web
process and management command imports it for its names, and would need seconds and 200 MB more.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from modeling.identity import config_sha256, weights_sha256
from modeling.loaded import DTYPES, Dtype, LoadedModel, Use, embedded
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER, ModelSpec, ModelUnavailable

# The class of transformers for each use.
_CLASSES: dict[Use, str] = {
    "pooled": "AutoModel",
    "masked": "AutoModelForMaskedLM",
    "causal": "AutoModelForCausalLM",
    "choice": "AutoModelForMultipleChoice",
    "entailment": "AutoModelForSequenceClassification",
}
# Gradient at the last token, as a share of the largest: exactly 0 in causal architectures, 5e-3 and
# more in bidirectional ones, even untrained.
LOOKAHEAD = 1e-4
UNLIMITED = 1_000_000  # tokens
# Parts between the layers and the score of an option, as transformers names them.
HEAD_PARTS = {"pooler", "pre_classifier", "classifier", "sequence_summary", "logits_proj", "head"}
# SHA-256 of the weights of the models listed here; for other models it is computed and reported.
KNOWN_WEIGHTS = {
    DEFAULT_ENCODER: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TINY_ENCODER: "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a",
}


def load_model(
    spec: ModelSpec | str,
    use: Use,
    *,
    expected_sha256: str | None = None,
    expected_config_sha256: str | None = None,
    dtype: Dtype = "float32",
    head_seed: int | None = None,
) -> LoadedModel:
    """Load a model after verifying its weights, configuration and tokenizer.

    Parameters
    ----------
    spec : ModelSpec or str
    use : {'pooled', 'masked', 'causal', 'choice', 'entailment'}
    expected_sha256 : str, optional
        Refuse other weights. Models in `KNOWN_WEIGHTS` are always checked.
    expected_config_sha256 : str, optional
        Refuse another configuration, tokenizer or vocabulary.
    dtype : {'float32', 'bfloat16'}
        The model's data type, even if the hardware computes slowly in it.
    head_seed : int, optional
        For ``choice``: draw the weights of a head that the file lacks from this seed, to be trained
        or replaced. By default a model without a head is refused.

    Returns
    -------
    LoadedModel

    Raises
    ------
    ModelUnavailable
        When nothing can be loaded, the weights are not safetensors, they lack parts of the model
        (such as the head for the use), or a hash is not the expected one.
    ValueError
        When ``spec``, ``use`` or ``dtype`` is not one of the known forms.
    """
    spec = ModelSpec.parse(spec) if isinstance(spec, str) else spec
    for name, value, names in (("use", use, _CLASSES), ("dtype", dtype, DTYPES)):
        if value not in names:
            raise ValueError(f"{name} must be one of {', '.join(names)}, got {value!r}")
    folder = spec.folder()
    weights, config = weights_sha256(folder), config_sha256(folder)
    if weights is None:
        raise ModelUnavailable(
            f"Model {spec.text!r} has no model.safetensors. Save it again as safetensors: other "
            "weight files can run code and are not opened."
        )
    _refuse_other(spec, "weights", weights, expected_sha256 or KNOWN_WEIGHTS.get(spec.text))
    _refuse_other(spec, "configuration and tokenizer", config, expected_config_sha256)
    model, tokenizer = _load(spec, folder, use, dtype, head_seed)
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


def _refuse_other(spec: ModelSpec, what: str, digest: str, expected: str | None) -> None:
    if expected is not None and digest != expected:
        way_out = ". Install the model again."
        if spec.kind == "hub":
            way_out = (
                ": the hub's repository has changed. Copy its former revision to a permitted "
                "folder and use that, or start again with the current one."
            )
        raise ModelUnavailable(
            f"The {what} of {spec.text!r} have sha256 {digest}, expected {expected}{way_out}"
        )


def _load(
    spec: ModelSpec, folder: Path, use: Use, dtype: Dtype, head_seed: int | None
) -> tuple[Any, Any]:
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
        if "Unrecognized configuration class" in str(error):
            raise ModelUnavailable(
                f"The architecture of {spec.text!r} does not support this use ({use}). Choose a "
                "method for its kind of model."
            ) from error
        # The error's text contains paths of this machine; only the log has it.
        raise ModelUnavailable(
            f"Model {spec.text!r} fails with {type(error).__name__}; see the worker's log."
        ) from error
    # Pooling here does not use the pooler; any other missing part would be random.
    unused = ("pooler.",) if use == "pooled" else ()
    missing = [key for key in info["missing_keys"] if not key.startswith(unused)]
    if use == "choice" and head_seed is not None:
        missing = _draw_head(model, missing, seed=head_seed)
    _refuse_untrained(spec, use, missing)
    _refuse_unembedded(spec, model, tokenizer)
    if use == "pooled":
        model = _body(model)
    model.config.use_cache = False  # the cache of a decoder, which is not used here
    model = model.eval()
    if use == "causal":
        _refuse_bidirectional(spec, model, tokenizer)
    return model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer


def _draw_head(model: Any, missing: Iterable[str], *, seed: int) -> list[str]:
    """Draw the missing weights of a multiple-choice head; return the other missing ones.

    Each comes from the seed and its name alone: matrices from a normal distribution with the
    standard deviation of the model's configuration, biases are 0.
    """
    import torch

    deviation = getattr(model.config, "initializer_range", None) or 0.02
    weights, rest = dict(model.named_parameters()), []
    for name in sorted(missing):
        if name not in weights or not HEAD_PARTS & set(name.split(".")):
            rest.append(name)
            continue
        source = np.random.default_rng([seed, *name.encode()])
        drawn = source.normal(0, deviation, tuple(weights[name].shape))
        is_bias = weights[name].dim() == 1
        with torch.no_grad():
            weights[name].copy_(torch.zeros(()) if is_bias else torch.from_numpy(drawn))
    return rest


def _body(model: Any) -> Any:
    """Return the part of the model that encodes a text."""
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # takes time, and may be untrained
    return model


def _refuse_untrained(spec: ModelSpec, use: Use, missing_keys: Iterable[str]) -> None:
    missing = sorted(missing_keys)
    if missing:
        raise ModelUnavailable(
            f"The weights of {spec.text!r} lack {len(missing)} of the model's parts, "
            f"{missing[0]!r} first. Name a checkpoint of this architecture"
            + ("." if use == "pooled" else f" that was trained for this use ({use}).")
        )


def _refuse_unembedded(spec: ModelSpec, model: Any, tokenizer: Any) -> None:
    """Refuse a tokenizer with tokens that the model has no embedding for."""
    known = embedded(model)
    largest = max(tokenizer.get_vocab().values(), default=0)
    if largest >= known:
        raise ModelUnavailable(
            f"The tokenizer of {spec.text!r} has tokens up to number {largest:,}, and the model "
            f"embeddings for {known:,} only. Save the model with the tokenizer it was trained "
            "with, or resize its embeddings to it and train them."
        )


def _refuse_bidirectional(spec: ModelSpec, model: Any, tokenizer: Any) -> None:
    """Refuse a model whose prediction of a token depends on the tokens after it.

    transformers loads a masked model for causal use without an error, with the weights of its
    head; each word would then be predicted by a model that has read it.
    """
    special = {*tokenizer.all_special_ids, model.config.pad_token_id}  # some models mask padding
    words = [number for number in range(embedded(model)) if number not in special]
    earlier, last = _gradients_of_predictions(model, words[:4])
    if last > LOOKAHEAD * earlier:
        raise ModelUnavailable(
            f"Model {spec.text!r} is not a causal language model: its prediction of a word depends "
            "on the words after it. Use it as a masked language model."
        )


def _gradients_of_predictions(model: Any, ids: list[int]) -> tuple[float, float]:
    """Return how strongly the predictions of a text's tokens but the last depend on its tokens.

    Returns
    -------
    earlier, last : float
        The largest norm of the gradient with respect to the embedding of a token before the last,
        and the norm for the last token. A masked token contributes exact zeros, in each number
        format and with any kernel or number of threads. Predictions themselves are rounded
        differently in each row of a batch.
    """
    import torch

    embeddings: list[Any] = []

    def record(module: Any, inputs: Any, output: Any) -> Any:
        embeddings.append(output.detach().requires_grad_())
        return embeddings[-1].clone()  # some models scale their embeddings in place

    hook = model.get_input_embeddings().register_forward_hook(record)
    try:
        with torch.enable_grad():
            logits = model(input_ids=torch.tensor([ids])).logits[:, :-1].float()
            (gradient,) = torch.autograd.grad(logits.square().sum(), embeddings[0])
    finally:
        hook.remove()
    *earlier, last = gradient[0].float().norm(dim=-1).tolist()
    return max(earlier), last


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep transformers from writing to the terminal."""
    # Loading prints a progress bar and a report on unused parts.
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
    config = model.config
    positions = getattr(config, "max_position_embeddings", 512)
    if not isinstance(positions, int) or positions < 1:  # XLNet has −1: relative ones, no limit
        positions = UNLIMITED
    for name, part in model.named_modules():
        # RoBERTa counts positions from the padding's index: of 514, 512 are usable.
        if name.endswith("position_embeddings") and getattr(part, "padding_idx", None) is not None:
            positions -= int(part.padding_idx) + 1
            break
    return min(int(tokenizer.model_max_length), positions)
