"""Transformations of items: parts of sentences, special words, switched options, other names."""

from collections.abc import Callable, Mapping, Sequence

from corpora.core.items import Item
from corpora.core.transformations.excerpts import (
    candidates_only,
    local_context,
    no_candidates,
    part_sentence,
)
from corpora.core.transformations.names import names_swapped, switched, zero_shot
from corpora.core.transformations.results import Transformed

Transformation = Callable[[Sequence[Item]], Transformed]

TRANSFORMATIONS: Mapping[str, Transformation] = {
    "no_candidates": no_candidates,
    "part_sentence": part_sentence,
    "local_context": local_context,
    "candidates_only": candidates_only,
    "zero_shot": zero_shot,
    "switched": switched,
    "names_swapped": names_swapped,
}

TELL_ANSWERS = frozenset({"zero_shot"})
"""Names of the transformations whose sentences contain the right answers."""
