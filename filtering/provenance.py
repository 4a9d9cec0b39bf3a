"""What a release's manifest contains about the filter run of its selection."""

from typing import Any

from filtering.core.pmi import SMOOTHING
from filtering.models import Encoding, FilterRun
from filtering.selectors.comparisons import goes_by
from modeling.specs import ModelSpec
from winoplatform.models import Artifact


def about(run: FilterRun, *, kept: Artifact, n_kept: int) -> dict[str, Any]:
    """Describe the origin of a selection: content hashes and settings."""
    result = {"kept": n_kept, "kept_sha256": kept.pk}
    return {
        "encoding": _about_encoding(run.encoding),
        "filter": {**_about_filter_run(run), **result},
    }


def warnings(run: FilterRun) -> list[str] | None:
    """Return the warnings about leaks; None for a run without figures of fresh models."""
    return None if run.fresh_models is None else [leak.sentence for leak in run.leaks]


def _about_encoding(encoding: Encoding) -> dict[str, Any]:
    return {
        # Without paths of this machine: the hashes identify the model.
        "encoder": ModelSpec.parse(encoding.encoder).public_name,
        "weights_sha256": encoding.weights_sha256,
        "config_sha256": encoding.config_sha256,
        "pooling": encoding.pooling_used,
        "dtype": encoding.dtype,
        "features": encoding.features,
        "matrix_sha256": encoding.matrix_id,
    }


def _about_filter_run(run: FilterRun) -> dict[str, Any]:
    return {
        **filter_settings(run),
        "phases": run.steps.count(),
        "stop_reason": run.stop_reason,
        "fresh_models": _about_fresh_models(run),
    }


def filter_settings(run: FilterRun) -> dict[str, Any]:
    """Return the settings that a filter run used; a control uses few of AFLite's."""
    if run.method == FilterRun.Method.AFLITE:
        return {name: getattr(run, name) for name in goes_by(run)}
    settings = {name: getattr(run, name) for name in ("method", "seed", "removal", "size")}
    if run.method == FilterRun.Method.PMI:
        settings |= {"pmi_score": run.pmi_score, "pmi_smoothing": SMOOTHING}
    if run.reference is not None:
        settings["reference_kept_sha256"] = run.reference.selection.kept_id
        settings["size"] = run.reference.n_kept
    return settings


def _about_fresh_models(run: FilterRun) -> dict[str, Any] | None:
    """Return the accuracies before and after, as shares rounded to two decimals.

    Exact accuracies of two releases that differ by one question would reveal whether a model is
    right on it.
    """
    if run.fresh_models is None:
        return None
    return {
        name: {
            key: value if key == "n" or value is None else round(value, 2)
            for key, value in run.fresh_models[which]["grouped"]["accuracy"].items()
        }
        for name, which in (("before", "all"), ("after", "kept"))
    }
