"""Whether two properties of a sentence agree, as a clue."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpora.core.clues.tables import Labelled

Floats = NDArray[np.float64]
Signs = NDArray[np.int8]


@dataclass
class Doubles:
    """Counts of the agreement of two properties, times each way of naming an option.

    Parameters
    ----------
    n_properties, width : int
    """

    n_properties: int
    width: int
    sums: Floats = field(init=False)  # (3, m, n_properties, n_properties)

    def __post_init__(self) -> None:
        self.sums = np.zeros((3, self.width, self.n_properties, self.n_properties))

    def add(self, properties: Signs, units: Labelled) -> None:
        """Count units by the properties, 1 or -1, of their questions (n_questions, n_properties).

        Of twins, the agreement says something if it differs between them.
        """
        is_paired = len(properties) > len(units.labels)
        twins = [properties[0::2], properties[1::2]] if is_paired else [properties]
        parts = [one.astype(np.float64) for one in twins]
        for way in range(self.width):
            named = units.options[:, way]
            for place, by in ((1, units.labels), (2, units.marks)):
                found = [part.T @ ((by * named)[:, None] * part) for part in parts]
                self.sums[place, way] += (found[0] - found[1]) / 2 if is_paired else found[0]
            same = np.prod(parts, axis=0) if is_paired else np.zeros_like(parts[0])
            silent = same.T @ (np.abs(named)[:, None] * same)
            n = np.abs(named).sum()
            self.sums[0, way] += (n - silent) / 2 if is_paired else n

    @property
    def counted(self) -> tuple[Floats, Floats, Floats]:
        """Return throws, surplus and marks of every two properties, each (n_doubles, m)."""
        one, other = np.triu_indices(self.n_properties, 1)
        throws, surplus, marks = self.sums[:, :, one, other].transpose(0, 2, 1)
        return throws, surplus, marks
