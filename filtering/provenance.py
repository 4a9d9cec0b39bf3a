"""What a release's manifest contains about the filter run of its selection."""

from collections.abc import Mapping
from typing import Any

from filtering.core.filter_results import plain
from filtering.core.one_half import detectable_from_counts
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
    """Return the side of one half that models are on before and after, and no accuracy.

    The accuracy depends on blind labels; see docs/decisions/0087-one-test.md. What would have
    been found follows from the number of questions alone.
    """
    if run.fresh_models is None:
        return None
    figures = {"before": run.fresh_models["all"], "after": run.fresh_models["kept"]}
    return {name: _direction(each["grouped"]) for name, each in figures.items()}


def _direction(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Return the side of one half, None if nothing was measured, and what is found with 80 %."""
    accuracy = figure["accuracy"]
    is_known = accuracy["value"] is not None
    return {
        "direction": figure["leak"]["direction"] if is_known else None,
        "n": accuracy["n"],
        "detectable": plain(detectable_from_counts(accuracy["n"]), digits=4) if is_known else None,
    }
