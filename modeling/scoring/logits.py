"""Log-probabilities of chosen tokens at chosen places, without the other places' logits.

A head over a vocabulary of 50,000 costs as much as a quarter of a small model's layers, and its
logits far more memory than all else, so it is applied to the places that are read, some at a time.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Tokens
from modeling.loaded import Dtype, LoadedModel, embedded
from modeling.scoring.clozes import Progress
from modeling.scoring.rows import CausalText, Row, chain, tree

if TYPE_CHECKING:
    import torch

PLACES_AT_ONCE = 128  # 25 MB of logits for 50,000 tokens
PROBED = 128  # tokens; longer texts share nothing
# Rounding of a log-probability, absolute and relative; a wrong mask or head changes it far more.
ROUNDING: dict[Dtype, float] = {"float32": 1e-4, "bfloat16": 5e-2}
# What models whose layers and head cannot be used apart, or that read no tree, raise.
MISFITS = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)

log = logging.getLogger(__name__)
_verified: WeakKeyDictionary[Any, tuple[bool, int]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads log-probabilities from a model.

    Parameters
    ----------
    model : LoadedModel
        For masked or causal use.
    split : bool
        Run the layers and the head apart. Otherwise the whole model is run.
    depth : int
        The most tokens of a text that may share a tree with others; 0 if none may. The mask of a
        tree lets a token attend to all before it, so a text that is longer than a model's window
        has to be read as the model reads it.
    """

    model: LoadedModel
    split: bool
    depth: int = 0

    def run(self, rows: Sequence[Row], *, progress: Progress | None) -> NDArray[np.float32]:
        """Return each row's sums of log-probabilities, filled up with zeros: (n_rows, n_sums)."""
        if not rows:
            return np.empty((0, 1), dtype=np.float32)
        row_sums = np.zeros((len(rows), max(row.n_sums for row in rows)), dtype=np.float32)

        def filled(batch: list[Row]) -> NDArray[np.float32]:
            sums = self.sums(batch)
            return np.pad(sums, ((0, 0), (0, row_sums.shape[1] - sums.shape[1])))

        ties = [row.tie for row in rows]
        self.model.run(filled, rows, into=row_sums, ties=ties, progress=progress)
        return row_sums

    def sums(self, batch: Sequence[Row]) -> NDArray[np.float32]:
        """Return the sums of the rows of one batch: (n_batch, n_sums)."""
        picks = np.concatenate([row.picks for row in batch])
        of_row = np.repeat(np.arange(len(batch)), [len(row.picks) for row in batch])
        log_sums = self.log_probabilities(batch).double().cpu().numpy()
        n_sums = max(row.n_sums for row in batch)
        flat = np.bincount(of_row * n_sums + picks[:, 2], log_sums, minlength=len(batch) * n_sums)
        return flat.reshape(len(batch), n_sums).astype(np.float32)

    def log_probabilities(self, batch: Sequence[Row]) -> torch.Tensor:
        """Return the log-probabilities of all picks of one batch, with gradients: (n_picks,)."""
        import torch

        states = self._states(batch)  # (n_batch, n_longest, d or n_tokens)
        picks = np.concatenate([row.picks for row in batch])
        of_row = np.repeat(np.arange(len(batch)), [len(row.picks) for row in batch])
        read, which = np.unique(  # places shared by several sums are read once
            np.column_stack([of_row, picks[:, 0]]), axis=0, return_inverse=True
        )
        chosen = states[torch.from_numpy(read[:, 0]), torch.from_numpy(read[:, 1])]
        found, asked = [], []
        for start in range(0, len(chosen), PLACES_AT_ONCE):
            logits = self._head(chosen[start : start + PLACES_AT_ONCE])
            inside = np.flatnonzero((which >= start) & (which < start + len(logits)))
            log_probabilities = torch.log_softmax(logits.float(), dim=-1)  # (n_places, n_tokens)
            cells = (which[inside] - start, picks[inside, 1])
            found.append(log_probabilities[tuple(map(torch.from_numpy, cells))])
            asked.append(inside)
        back = torch.from_numpy(np.argsort(np.concatenate(asked)))
        return torch.cat(found)[back.to(states.device)]

    def _states(self, batch: Sequence[Row]) -> torch.Tensor:
        inputs = self.model.inputs([Tokens(row.ids) for row in batch])
        if not self.split:
            return _tensor(self.model.model(**inputs).logits)
        if batch[0].parents is not None:
            inputs |= self._positions(batch)
        return _tensor(self.model.model.base_model(**inputs).last_hidden_state)

    def _positions(self, batch: Sequence[Row]) -> dict[str, torch.Tensor]:
        """Return positions and additive mask of trees; padding attends to itself."""
        import torch

        longest = max(map(len, batch))
        seen = np.zeros((len(batch), longest, longest), dtype=np.bool_)
        seen[:] = np.eye(longest, dtype=np.bool_)
        for number, row in enumerate(batch):
            seen[number, : len(row), : len(row)] = row.visible
        mask = torch.zeros(seen.shape, dtype=self.model.model.dtype)
        mask.masked_fill_(torch.from_numpy(~seen), torch.finfo(mask.dtype).min)
        depths = torch.from_numpy(seen.sum(axis=2) - 1)
        device = self.model.device
        return {"position_ids": depths.to(device), "attention_mask": mask[:, None].to(device)}

    def _head(self, chosen: torch.Tensor) -> torch.Tensor:
        if not self.split:
            return chosen
        return _tensor(_head(self.model.model)(inputs_embeds=chosen.unsqueeze(0)).logits[0])


def reader(model: LoadedModel) -> Reader:
    """Return a reader that takes the short ways that give the whole model's numbers.

    The first call for a model runs it on some tokens in each way.
    """
    if model.model not in _verified:
        _verified[model.model] = _short_ways(model)
    split, depth = _verified[model.model]
    return Reader(model, split=split, depth=depth)


def _short_ways(model: LoadedModel) -> tuple[bool, int]:
    """Return whether layers and head can be run apart, and how long texts in a tree may be."""
    import torch

    size = min(embedded(model.model), int(model.model.config.get_text_config().vocab_size))
    length = min(PROBED, model.max_length) if model.use == "causal" else min(6, model.max_length)
    ids = [int(id) for id in np.random.default_rng(0).integers(size, size=length + 6)]
    texts = [CausalText(tuple(ids[:length]), 1), CausalText((*ids[:3], *ids[length:])[:length], 1)]
    with torch.inference_mode():
        whole = [
            Reader(model, split=False).log_probabilities([chain(text)]).cpu().numpy()
            for text in texts
        ]
        if _agreed(model, texts, whole, in_tree=False) < length - 1:
            return False, 0
        depth = _agreed(model, texts, whole, in_tree=True) + 1 if model.use == "causal" else 0
    return True, min(depth, _window(model)) if depth >= len(texts[1].ids) else 0


def _agreed(
    model: LoadedModel, texts: Sequence[CausalText], whole: Sequence[NDArray[Any]], *, in_tree: bool
) -> int:
    """Return how many log-probabilities of the first text are the whole model's, from the start.

    Zero if one of the second text is another.
    """
    split = Reader(model, split=True)
    rows = [[tree(texts)]] if in_tree else [[chain(text)] for text in texts]
    try:
        in_parts = np.concatenate(
            [split.log_probabilities(batch).float().cpu().numpy() for batch in rows]
        )
    except MISFITS as error:
        _say_plain(model, in_tree, f"{type(error).__name__}: {error}")
        return 0
    near = ROUNDING[model.dtype]
    same = np.isclose(in_parts, np.concatenate(whole), rtol=near, atol=near)
    first, second = np.split(same, [len(whole[0])])
    count = int(np.argmin(first)) if not first.all() else len(first)
    if count < len(first) or not second.all():
        _say_plain(model, in_tree, f"scores differ from token {count + 1} on")
    return count if second.all() else 0


def _window(model: LoadedModel) -> int:
    """Return how far back every layer attends as the configuration has it; else a large number."""
    config = model.model.config.get_text_config()
    windows = [PROBED]
    for name, value in vars(config).items():
        if ("window" in name and "layer" not in name and "pattern" not in name) or (
            "attention" in name and "chunk" in name
        ):
            values = value if isinstance(value, list | tuple) else [value]
            windows += [
                n for n in values if isinstance(n, int) and not isinstance(n, bool) and n > 0
            ]
    return min(windows)


def _say_plain(model: LoadedModel, in_tree: bool, reason: str) -> None:
    what = "texts share no start" if in_tree else "layers and head are not run apart"
    log.warning("%s: %s, which is slower: %s", model.spec.public_name, what, reason)


def _head(model: Any) -> Any:
    """Return the model with its layers replaced by the identity, sharing the head's weights."""
    import torch
    from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

    class NoLayers(torch.nn.Module):
        def forward(self, *_: Any, inputs_embeds: torch.Tensor, **__: Any) -> Any:
            return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=inputs_embeds)

    head = copy.copy(model)
    head._modules = {**model._modules, model.base_model_prefix: NoLayers()}
    return head


def _tensor(value: Any) -> torch.Tensor:
    tensor: torch.Tensor = value
    return tensor
