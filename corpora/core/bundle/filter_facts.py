"""What the facts of a release tell of its filter; releases of earlier formats may tell less."""

from collections.abc import Mapping
from typing import Any

from corpora.core.bundle.wording import flat


def settings_of(selection: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return the settings of a filter and its encoding: dotted names, each with a text."""
    return [
        (name, text) for name, text in flat(selection or {}) if ".fresh_models." not in f".{name}."
    ]


def fresh_results(selection: Mapping[str, Any] | None) -> dict[str, Mapping[str, Any]]:
    """Return what fresh models found 'before' and 'after' the filter, as far as it is known.

    >>> fresh_results({"filter": {"fresh_models": {"before": {"n": 9}, "after": None}}})
    {'before': {'n': 9}}
    """
    found: Any = selection
    for key in ("filter", "fresh_models"):
        found = found.get(key) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping):
        return {}
    results = {when: found.get(when) for when in ("before", "after")}
    return {when: result for when, result in results.items() if isinstance(result, Mapping)}
