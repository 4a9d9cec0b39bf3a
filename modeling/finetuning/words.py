"""An encoder's word embeddings, reduced during training to the words that occur in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


class SeenWords:
    """The rows of the word embeddings that training changes.

    Rows of other words have no gradient, and AdamW would only shrink them by less than the rounding
    of float32; they stay as they are. In a small encoder they are half of all weights, and with
    them go half of the time that gradients and updates take.

    Parameters
    ----------
    model : module of transformers
    ids : iterable of int
        Of all tokens of the training set, padding included.
    """

    def __init__(self, model: Any, ids: Iterable[int]) -> None:
        import torch

        self.model, self.whole = model, model.get_input_embeddings()
        self.ids = torch.tensor(
            sorted({*ids} | self._padding), device=self.whole.weight.device
        )  # (n_seen,)
        place = torch.zeros(len(self.whole.weight), dtype=torch.int64, device=self.ids.device)
        place[self.ids] = torch.arange(len(self.ids), device=self.ids.device)
        self.weight = torch.nn.Parameter(self.whole.weight.detach()[self.ids])  # (n_seen, d)
        self.reduced = _reduced(self.weight, place, self.whole.padding_idx)

    @property
    def _padding(self) -> set[int]:
        return set() if self.whole.padding_idx is None else {self.whole.padding_idx}

    def read_back(self) -> None:
        """Read the rows from the whole embeddings again."""
        import torch

        with torch.no_grad():
            self.weight.copy_(self.whole.weight[self.ids])

    def write_back(self) -> None:
        """Write the rows into the whole embeddings."""
        import torch

        with torch.no_grad():
            self.whole.weight[self.ids] = self.weight


def fits(model: Any) -> bool:
    """Return whether the model has plain word embeddings that no other part shares."""
    import torch

    try:
        whole = model.get_input_embeddings()
    except NotImplementedError:
        return False
    if type(whole) is not torch.nn.Embedding or whole.max_norm or whole.scale_grad_by_freq:
        return False
    every = model.named_parameters(remove_duplicate=False)
    return sum(weight is whole.weight for _, weight in every) == 1


def _reduced(weight: torch.nn.Parameter, place: torch.Tensor, padding: int | None) -> Any:
    import torch

    pad = None if padding is None else int(place[padding])

    class Reduced(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = weight

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.embedding(place[ids], self.weight, padding_idx=pad)

    return Reduced()
