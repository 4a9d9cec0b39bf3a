"""How well the course of training finds wrong labels that a test has planted."""

import numpy as np

from training.core.seeds import Cartography


def share_found(found: Cartography, planted: np.ndarray, *, offered: int) -> float:
    """Return the share of planted errors among the hardest questions; at random offered / n."""
    return float(planted[found.hardest_first[:offered]].sum() / planted.sum())
