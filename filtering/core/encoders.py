"""Text encoders: load one by its name, checked.

torch and transformers are imported when the first encoder is loaded, not with this module: every
web process and management command imports it for its names, and would pay seconds and 200 MB.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filtering.core.batches import POOLINGS, Pooling
from filtering.core.encoder_rows import DTYPES, Dtype, Encoder
from filtering.core.encoder_specs import (
    DEFAULT_ENCODER,
    KNOWN_WEIGHTS,
    TINY_ENCODER,
    EncoderSpec,
    EncoderUnavailable,
    config_sha256,
    weights_sha256,
)

__all__ = [
    "DEFAULT_ENCODER",
    "DTYPES",
    "POOLINGS",
    "TINY_ENCODER",
    "Dtype",
    "Encoder",
    "EncoderSpec",
    "EncoderUnavailable",
    "Pooling",
    "load_encoder",
]

# Families pretrained to summarise a text in their first token.
_CLS_FAMILIES = {"roberta", "xlm-roberta", "camembert"}


def load_encoder(
    spec: EncoderSpec | str,
    pooling: Pooling | None = None,
    *,
    expected_sha256: str | None = None,
    expected_config_sha256: str | None = None,
    dtype: Dtype = "float32",
) -> Encoder:
    """Load an encoder after checking its weights, and what else decides its rows.

    Parameters
    ----------
    spec : EncoderSpec or str
    pooling : {'mean', 'cls', 'last'}, optional
        Default: what the model's own folder states, else ``cls`` for RoBERTa, else ``mean``.
    expected_sha256 : str, optional
        Refuse other weights. Encoders in `KNOWN_WEIGHTS` are always checked.
    expected_config_sha256 : str, optional
        Refuse another configuration, tokenizer or vocabulary.
    dtype : {'float32', 'bfloat16'}
        What the model computes in, also where the hardware is slow at it.

    Returns
    -------
    Encoder

    Raises
    ------
    EncoderUnavailable
        When there is nothing to load, the weights are not safetensors, they leave parts of the
        model untrained, or a hash is not the expected one.
    ValueError
        When ``spec``, ``pooling`` or ``dtype`` is not one of the known forms.
    """
    spec = EncoderSpec.parse(spec) if isinstance(spec, str) else spec
    if pooling is not None and pooling not in POOLINGS:
        raise ValueError(f"pooling must be one of {', '.join(POOLINGS)}, got {pooling!r}")
    if dtype not in DTYPES:
        raise ValueError(f"dtype must be one of {', '.join(DTYPES)}, got {dtype!r}")
    folder = spec.folder()
    weights, config = weights_sha256(spec, folder), config_sha256(folder)
    _refuse_other(spec, "weights", weights, expected_sha256 or KNOWN_WEIGHTS.get(spec.text))
    _refuse_other(spec, "configuration and tokenizer", config, expected_config_sha256)
    model, tokenizer = _load(spec, folder, dtype)
    return Encoder(
        spec=spec,
        pooling=pooling or _default_pooling(folder, model.config.model_type),
        dtype=dtype,
        weights_sha256=weights,
        config_sha256=config,
        dimension=int(model.config.hidden_size),
        max_length=_max_length(model, tokenizer),
        model=model,
        tokenizer=tokenizer,
    )


def _refuse_other(spec: EncoderSpec, what: str, found: str, expected: str | None) -> None:
    if expected is not None and found != expected:
        way_out = ". Install the model again."
        if spec.kind == "hub":
            way_out = (
                ": the hub's repository has changed. Put its former revision into a permitted "
                "folder and name that, or begin anew with the present one."
            )
        raise EncoderUnavailable(
            f"The {what} of {spec.text!r} have sha256 {found}, expected {expected}{way_out}"
        )


def _load(spec: EncoderSpec, folder: Path, dtype: Dtype) -> tuple[Any, Any]:
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModel, AutoTokenizer

    try:
        with _quiet_transformers():
            tokenizer = AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
            model, info = AutoModel.from_pretrained(
                folder,
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=getattr(torch, dtype),
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        # What they say names files of this machine; the log has it, with the cause.
        raise EncoderUnavailable(
            f"Encoder {spec.text!r} fails with {type(error).__name__}; the worker's log says why."
        ) from error
    _refuse_untrained(spec, info["missing_keys"])
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # costs time, and may be untrained
    model.config.use_cache = False  # of a decoder's past, which nothing here goes on from
    return model.eval().to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer


def _refuse_untrained(spec: EncoderSpec, missing_keys: Iterable[str]) -> None:
    # The pooler is not used; anything else missing would be random and look like an encoder.
    missing = sorted(key for key in missing_keys if not key.startswith("pooler."))
    if missing:
        raise EncoderUnavailable(
            f"The weights of {spec.text!r} lack {len(missing)} of the model's parts, "
            f"{missing[0]!r} first. Name a checkpoint of this architecture."
        )


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
    if stated.is_file():
        modes = json.loads(stated.read_text())
        if modes.get("pooling_mode_lasttoken"):
            return "last"
        return "cls" if modes.get("pooling_mode_cls_token") else "mean"
    return "cls" if model_type in _CLS_FAMILIES else "mean"


def _max_length(model: Any, tokenizer: Any) -> int:
    positions = int(getattr(model.config, "max_position_embeddings", 512))
    for name, part in model.named_modules():
        # RoBERTa and its kin count positions from behind the padding's own: of 514, 512 are used.
        if name.endswith("position_embeddings") and getattr(part, "padding_idx", None) is not None:
            positions -= int(part.padding_idx) + 1
            break
    return min(int(tokenizer.model_max_length), positions)
