"""Features of a question from the encodings of its two options."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

FeatureKind = Literal["difference", "concatenation"]
FEATURE_KINDS: tuple[FeatureKind, ...] = ("difference", "concatenation")


def option_features(
    h1: NDArray[np.float32], h2: NDArray[np.float32], kind: FeatureKind = "difference"
) -> NDArray[np.float32]:
    """Join the encodings of a question's two filled-in sentences.

    Parameters
    ----------
    h1, h2 : float32 (n, d)
        Encodings of the sentences filled with option 1 and with option 2.
    kind : {'difference', 'concatenation'}
        ``h1 - h2``, the input in which a multiple-choice head is linear: swapping the options flips
        the sign. Or ``[h1; h2]``, which also contains what both sentences share.
        Neither is centred or scaled.

    Returns
    -------
    float32 (n, d) or (n, 2 d)

    Raises
    ------
    ValueError
        When the shapes differ or are not two-dimensional, or ``kind`` is unknown.
    """
    if h1.ndim != 2 or h1.shape != h2.shape:
        raise ValueError(f"h1 and h2 must share one shape (n, d), got {h1.shape} and {h2.shape}")
    if kind == "difference":
        return np.subtract(h1, h2, dtype=np.float32)  # (n, d)
    if kind == "concatenation":
        return np.concatenate([h1, h2], axis=1).astype(np.float32, copy=False)  # (n, 2 d)
    raise ValueError(f"kind must be one of {', '.join(FEATURE_KINDS)}, got {kind!r}")
