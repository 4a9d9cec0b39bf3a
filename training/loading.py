"""Loads models to be trained, and models that were trained here."""

from corpora.loading import permitted
from modeling.loaded import Dtype, LoadedModel, Use
from modeling.loading import load_model
from winoplatform.artifacts import store


def load_to_train(
    *, model: str, loss: str, seed: int, base_sha256: str, config_sha256: str
) -> LoadedModel:
    """Load a model with a new head, drawn by *seed*; hashes are those recorded, or empty.

    Raises
    ------
    ModelUnavailable
        When it cannot be loaded, or differs from the recorded one.
    """
    return load_model(
        permitted(model),
        use_of(loss),
        expected_sha256=base_sha256 or None,
        expected_config_sha256=config_sha256 or None,
        head_seed=seed,
    )


def load_trained(
    *,
    model: str,
    loss: str,
    weights: str,
    base_sha256: str,
    config_sha256: str,
    dtype: Dtype = "float32",
) -> LoadedModel:
    """Load the trained *weights* into the encoder that was fine-tuned; raises likewise."""
    encoder = load_model(
        permitted(model),
        use_of(loss),
        expected_sha256=base_sha256,
        expected_config_sha256=config_sha256,
        dtype=dtype,
        head_seed=0,  # replaced by the trained one
    )
    return encoder.with_weights(store.local_path(weights), sha256=weights)


def use_of(loss: str) -> Use:
    """Return what a model is loaded for to be trained with a loss."""
    return "masked" if loss == "mc_mlm" else "choice"
