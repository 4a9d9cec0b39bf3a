"""Dropout whose draws come from given numbers, whatever other threads draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import torch


@contextmanager
def drawing_from(device: torch.device, *numbers: int) -> Iterator[None]:
    """Let dropout draw from *numbers* in this thread.

    On CUDA torch's own generator is seeded, and restored afterwards. On a CPU that generator is
    shared by all threads, and each number of it costs as much as ten products; there the mode below
    draws from a generator of its own.
    """
    import torch

    seed = int(np.random.SeedSequence(numbers).generate_state(1)[0])
    if device.type == "cuda":
        with torch.random.fork_rng([device]):
            torch.manual_seed(seed)
            yield
    else:
        with _mode()(torch.Generator().manual_seed(seed)):
            yield


def mask(like: torch.Tensor, p: float, generator: torch.Generator) -> torch.Tensor:
    """Return 0 with probability *p*, to the nearest of 65,536 parts, else 1 / (1 - p)."""
    import torch

    drawn = torch.empty(math.ceil(like.numel() / 4), dtype=torch.int64)
    drawn.random_(-(2**63), None, generator=generator)  # four draws of 16 bits in each
    kept = drawn.view(torch.int16)[: like.numel()] >= round(p * 2**16) - 2**15
    return kept.to(like.dtype).mul_(1 / (1 - p)).view(like.shape)


@cache
def _mode() -> type[Any]:
    """Return the class of the mode; torch is imported when it is first needed."""
    import torch
    from torch.nn import functional
    from torch.overrides import TorchFunctionMode

    class Drawing(TorchFunctionMode):
        def __init__(self, generator: torch.Generator) -> None:
            super().__init__()
            self.generator = generator

        def __torch_function__(
            self,
            func: Callable[..., Any],
            types: Any,
            args: tuple[Any, ...] = (),
            kwargs: Mapping[str, Any] | None = None,
        ) -> Any:
            if func is functional.dropout:
                return self.dropout(*args, **(kwargs or {}))
            if func is attention:
                return self.attention(*args, **(kwargs or {}))
            return func(*args, **(kwargs or {}))

        def dropout(
            self, x: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
        ) -> torch.Tensor:
            return x * mask(x, p, self.generator) if training and p > 0 else x

        def attention(
            self,
            query: torch.Tensor,
            key: torch.Tensor,
            value: torch.Tensor,
            attn_mask: torch.Tensor | None = None,
            dropout_p: float = 0.0,
            is_causal: bool = False,
            **options: Any,
        ) -> torch.Tensor:
            """Drop attention weights, as torch's function does in its plain form."""
            if not dropout_p:
                return attention(query, key, value, attn_mask, 0.0, is_causal, **options)
            if options.get("enable_gqa"):
                groups = query.shape[-3] // key.shape[-3]
                key, value = (part.repeat_interleave(groups, -3) for part in (key, value))
            if is_causal:
                shape = query.shape[-2], key.shape[-2]
                attn_mask = torch.ones(shape, dtype=torch.bool).tril()
            scale = options.get("scale") or query.shape[-1] ** -0.5
            weights = (query * scale) @ key.transpose(-2, -1)  # (n, n_heads, length, length)
            if attn_mask is not None and attn_mask.dtype == torch.bool:
                weights = weights.masked_fill(~attn_mask, torch.finfo(weights.dtype).min)
            elif attn_mask is not None:
                weights = weights + attn_mask
            return self.dropout(weights.softmax(dim=-1), dropout_p) @ value

    attention = functional.scaled_dot_product_attention
    return Drawing
