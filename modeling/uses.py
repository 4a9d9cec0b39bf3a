"""What a model can be loaded for, from its configuration alone."""

from __future__ import annotations

import json
from typing import Any

from modeling.loaded import Use
from modeling.specs import ModelSpec, ModelUnavailable

# How the names of transformers' classes end that have the head for a use.
_HEADS: dict[str, Use] = {
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
    "ForMaskedLM": "masked",
    "ForPreTraining": "masked",
    "ForMultipleChoice": "choice",
    "ForSequenceClassification": "entailment",
}


def uses_of(spec: ModelSpec) -> frozenset[Use] | None:
    """Return what the weights of a model on this machine were saved for.

    Parameters
    ----------
    spec : ModelSpec
        Nothing is fetched: of a hub id, the uses are unknown.

    Returns
    -------
    frozenset of str, or None
        ``pooled`` always, and the uses of its heads; None if the configuration is not here or
        names none of the known classes.
    """
    names = _config(spec).get("architectures")
    if not isinstance(names, list):
        return None
    found = {use for name in names for ending, use in _HEADS.items() if str(name).endswith(ending)}
    return frozenset({"pooled", *found}) if found else None


def family_of(spec: ModelSpec) -> tuple[str, int]:
    """Return the family of a model on this machine, as transformers calls it, and its width.

    Nothing is fetched: of a hub id, and where nothing is said, they are empty and 0.
    """
    config = _config(spec)
    family, width = config.get("model_type"), config.get("hidden_size", config.get("n_embd"))
    return str(family or ""), width if isinstance(width, int) else 0


def _config(spec: ModelSpec) -> dict[str, Any]:
    """Return the configuration of a model on this machine; empty if it is not here."""
    if spec.kind == "hub":
        return {}
    try:
        config: Any = json.loads((spec.folder() / "config.json").read_bytes())
    except (ModelUnavailable, OSError, ValueError, RuntimeError):
        return {}
    return config if isinstance(config, dict) else {}
