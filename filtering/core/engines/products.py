"""The matrix product that takes nearly all of a fit's time, on CPU and CUDA."""

from __future__ import annotations

import torch
from torch import Tensor


def linear(a: Tensor, b: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return ``a @ b.T + bias``.

    Parameters
    ----------
    a, b : float32 (p, q), (r, q)
    bias : float32 (r,), optional

    Returns
    -------
    float32 (p, r)
        On a CPU by oneDNN, which on AMD is two to three times as fast as torch's own product; this
        is the operator that ``torch.compile`` substitutes for ``F.linear``.
    """
    if a.device.type == "cpu" and torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        product: Tensor = torch.ops.mkldnn._linear_pointwise(a, b, bias, "none", [], "")
        return product
    return torch.nn.functional.linear(a, b, bias)


def pick_device(device: str) -> torch.device:
    """Return the device for 'auto', 'cpu' or 'cuda'; 'auto' uses CUDA if it is available.

    Raises ValueError for 'cuda' if it is not available.
    """
    available = torch.cuda.is_available()
    if device == "cuda" and not available:
        raise ValueError("device must be 'auto' or 'cpu' where there is no CUDA, got 'cuda'")
    if device == "auto":
        device = "cuda" if available else "cpu"
    return torch.device(device)
