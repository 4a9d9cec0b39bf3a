"""AdamW over weights that are shared out among threads, with clipped and scaled gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from modeling.batches import on_threads
from modeling.finetuning.settings import FineTuneSettings

if TYPE_CHECKING:
    import torch


class Optimizer:
    """AdamW, in one share of the weights for each of torch's threads on a CPU.

    Threads that work on a share each need not wait for each other at every tensor, as torch's own
    do. The bits of an update do not depend on the number of shares.

    Parameters
    ----------
    weights : sequence of parameters
    settings : FineTuneSettings
    device : torch.device
    """

    def __init__(
        self, weights: Sequence[Any], settings: FineTuneSettings, *, device: torch.device
    ) -> None:
        import torch

        self.weights, self.settings, self.device = weights, settings, device
        number = 1 if device.type == "cuda" else torch.get_num_threads()
        self.shares = shares([weight.numel() for weight in weights], number)
        self.parts = [
            torch.optim.AdamW(_groups(weights[share], settings), fused=True)
            for share in self.shares
        ]
        self.scaler = torch.amp.GradScaler(  # type: ignore[attr-defined]
            device.type, enabled=settings.dtype == "float16"
        )

    def begin(self) -> None:
        """Forget the gradients of the last update."""
        for weight in self.weights:
            weight.grad = None

    def scale(self) -> float:
        """Return the factor that keeps gradients in float16 from vanishing; 1 for other formats."""
        import torch

        return float(self.scaler.scale(torch.ones((), device=self.device)))

    def add(self, gradients: Sequence[Sequence[torch.Tensor | None]]) -> None:
        """Add gradients, of all weights in each sequence, in the given order."""

        def of_share(number: int) -> None:
            for place in range(*self.shares[number].indices(len(self.weights))):
                for found in gradients:
                    _add(self.weights[place], found[place])

        self._on_shares(of_share)

    def step(self, *, rate: float) -> None:
        """Clip the gradients and update the weights."""
        import torch

        for part in self.parts:
            self.scaler.unscale_(part)
        norms = self._on_shares(self._norms)
        total = torch.stack([norm for of_share in norms for norm in of_share]).norm()

        def of_share(number: int) -> None:
            mine = self.weights[self.shares[number]]
            torch.nn.utils.clip_grads_with_norm_(mine, self.settings.largest_gradient, total)
            for group in self.parts[number].param_groups:
                group["lr"] = rate
            self.scaler.step(self.parts[number])

        self._on_shares(of_share)
        self.scaler.update()

    def _norms(self, number: int) -> list[torch.Tensor]:
        mine = self.weights[self.shares[number]]
        return [weight.grad.norm() for weight in mine if weight.grad is not None]

    def _on_shares(self, function: Callable[[int], Any]) -> list[Any]:
        if len(self.shares) == 1:
            return [function(0)]
        with closing(on_threads(function, range(len(self.shares)), each=1)) as results:
            return list(results)

    def state(self, names: Mapping[str, Any]) -> dict[str, torch.Tensor]:
        """Return what the next update needs; *names* has the weights by name."""
        import torch

        moments = {weight: kept for part in self.parts for weight, kept in part.state.items()}
        found = {
            f"optimizer.{name}.{moment}": tensor
            for name, weight in names.items()
            for moment, tensor in moments.get(weight, {}).items()
        }
        for name, value in self.scaler.state_dict().items():
            found[f"scaler.{name}"] = torch.tensor(value, dtype=torch.float64)
        return found

    def load(self, names: Mapping[str, Any], state: Mapping[str, torch.Tensor]) -> None:
        """Restore a state returned by `state`."""
        part_of = {
            weight: part
            for share, part in zip(self.shares, self.parts, strict=True)
            for weight in self.weights[share]
        }
        for name, weight in names.items():
            moments = under(state, f"optimizer.{name}")
            if moments:  # a weight without gradients has none
                part_of[weight].state[weight] = {
                    moment: tensor.to(weight.device, copy=True)
                    for moment, tensor in moments.items()
                }
        scaler = under(state, "scaler")
        if scaler:
            kinds = {name: type(value) for name, value in self.scaler.state_dict().items()}
            self.scaler.load_state_dict({n: kinds[n](v.item()) for n, v in scaler.items()})


def shares(sizes: Sequence[int], number: int) -> list[slice]:
    """Cut a sequence into at most *number* consecutive shares of about the same sum.

    >>> shares([5, 1, 1, 3], 2)
    [slice(0, 1, None), slice(1, 4, None)]
    """
    total, ends, done = sum(sizes), [0], 0
    for place, size in enumerate(sizes):
        done += size
        if done * number >= total * len(ends):
            ends.append(place + 1)
    ends[-1] = len(sizes)
    return [slice(a, b) for a, b in pairwise(ends)]


def under(state: Mapping[str, torch.Tensor], part: str) -> dict[str, torch.Tensor]:
    """Return the tensors of one part of a state, without the part's prefix."""
    start = f"{part}."
    return {name[len(start) :]: tensor for name, tensor in state.items() if name.startswith(start)}


def _add(weight: Any, gradient: torch.Tensor | None) -> None:
    if gradient is not None:
        weight.grad = gradient if weight.grad is None else weight.grad.add_(gradient)


def _groups(weights: Sequence[Any], settings: FineTuneSettings) -> list[dict[str, Any]]:
    matrices = [weight for weight in weights if weight.dim() > 1]
    vectors = [weight for weight in weights if weight.dim() <= 1]
    return [
        {"params": matrices, "weight_decay": settings.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
