"""Kinds of data on which an engine could fail, with features that deviate by 1 or so."""

from collections.abc import Callable

import numpy as np

from tests.filtering.core.ensembles import Problem


def _plain(rng, x, truth):
    return x, _drawn(rng, 2 * truth)


def _noise(rng, x, truth):
    return x, rng.random(len(x)) < 0.5


def _twins(rng, x, truth):
    x[1::2] = x[::2] + 1e-2 * rng.normal(size=x[::2].shape)
    y = _drawn(rng, 2 * truth)
    y[1::2] = ~y[::2]
    return x, y


def _separable(rng, x, truth):
    return x, truth > 0


def _duplicated(rng, x, truth):
    quarter, half = len(x) // 4, x.shape[1] // 2
    x[:, half:] = x[:, : x.shape[1] - half]
    return np.tile(x[:quarter], (4, 1)), np.tile(_drawn(rng, 2 * truth)[:quarter], 4)


def _mixed(rng, x, truth):
    return x * 10 ** rng.uniform(-2, 2, x.shape[1]), _drawn(rng, 2 * truth)


def _unbalanced(rng, x, truth):
    return x, _drawn(rng, 2 * truth - 4)


KINDS: dict[str, Callable] = {
    "plain": _plain,
    "noise": _noise,
    "twins": _twins,
    "separable": _separable,
    "duplicated": _duplicated,
    "mixed": _mixed,
    "unbalanced": _unbalanced,
}


def make(kind, *, n_rows, d, seed=0):
    """Return features float64 (n_rows, d) and labels bool (n_rows,)."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, d))
    return KINDS[kind](rng, x, x @ rng.normal(size=d) / np.sqrt(d))


def _drawn(rng, logits):
    return rng.random(len(logits)) < 1 / (1 + np.exp(-logits))


def at_scale(kind, scale, C, *, n_rows, d, **settings):  # noqa: N803
    """Return the problem with features times a scale."""
    x, y = make(kind, n_rows=n_rows, d=d)
    return Problem(scale * x, y, C=C, **settings)
