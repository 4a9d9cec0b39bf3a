"""Folds of reasons."""

from collections.abc import Iterator

from knowledge.core.reasons import folds
from knowledge.models import Reason


def groups_of_fold(fold: int, *, n: int = 5, seed: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Yield each collection with its groups in one of *n* folds, from 0.

    A collection with fewer groups than folds has none.
    """
    rows = Reason.objects.order_by("collection", "group").values_list("collection", "group")
    groups: dict[str, list[str]] = {}
    for collection, group in rows.distinct():
        groups.setdefault(collection, []).append(group)
    for collection, names in groups.items():
        if len(names) >= n:
            of = folds(names, seed=seed, n=n)
            yield collection, [name for name, at in zip(names, of, strict=True) if at == fold]
