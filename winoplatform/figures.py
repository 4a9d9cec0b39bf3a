"""Estimates in words, as pages and commands show them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _


def fields_of(estimate: Any) -> Mapping[str, Any]:
    """Return the fields of an estimate, or those that were stored of it."""
    return estimate if isinstance(estimate, Mapping) else asdict(estimate)


def in_words(estimate: Any, *, counted: str = "") -> str:
    """Return a share with its 95% interval and its n; *counted* names what n counts.

    >>> in_words({"value": 0.5, "low": 0.4, "high": 0.6, "n": 1200}, counted="items")
    '50.0% (40.0% – 60.0%, n = 1,200 items)'
    """
    one = fields_of(estimate) if estimate else {}
    if one.get("value") is None:
        return _("none (n = 0)")
    ends = "" if one["low"] is None else "{low:.1%} – {high:.1%}, ".format(**one)
    return f"{one['value']:.1%} ({ends}n = {one['n']:,}{counted and f' {counted}'})"
