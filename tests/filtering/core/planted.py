"""Small sets in which it is known which rows give their label away."""

import numpy as np


def planted(*, n_leaky: int, n_clean: int, d: int = 6, seed: int = 0):
    """Return features, labels and which rows carry their label in the first feature."""
    rng = np.random.default_rng(seed)
    leaky = np.arange(n_leaky + n_clean) < n_leaky
    y = rng.integers(0, 2, len(leaky))
    x = rng.normal(size=(len(leaky), d)).astype(np.float32)
    x[leaky, 0] += 6 * (2 * y[leaky] - 1)
    order = rng.permutation(len(leaky))
    return x[order], y[order], leaky[order]


def twins(*, n_pairs: int, n_unpaired: int = 0, d: int = 6, seed: int = 0):
    """Return features, labels and twin ids; twins have nearly one vector and opposite labels."""
    rng = np.random.default_rng(seed)
    of_row = np.concatenate([np.repeat(np.arange(n_pairs), 2), n_pairs + np.arange(n_unpaired)])
    centres = rng.normal(size=(n_pairs + n_unpaired, d))
    x = (centres[of_row] + 0.1 * rng.normal(size=(len(of_row), d))).astype(np.float32)
    y = np.concatenate([np.tile([0, 1], n_pairs), rng.integers(0, 2, n_unpaired)])
    return x, y, np.array([f"t{i}" for i in of_row])
