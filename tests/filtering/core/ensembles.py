"""A phase's problem for engines, and the exact optimum to hold them against."""

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from filtering.core.aflite import AFLite
from filtering.core.engines import Base, BatchedEngine, Ensemble, Settings
from filtering.core.engines.plain import fit_member
from filtering.core.probes import training_masks
from filtering.core.table import Table
from stats.keys import PhaseKeys
from tests.filtering.core.plain_engine import PlainAFLite, PlainEngine


class Problem:
    """A first phase: rows in AFLite's own order, and every member's part."""

    def __init__(self, x, y, *, n=6, m=60, ids=None, **settings):
        self.table = Table.of(x, y, groups=None, ids=ids)
        self.rows = np.arange(len(self.table.y))
        members = PhaseKeys.of(seed=0, phase=1, n=n).members
        self.masks = training_masks(self.table.keys, m=m, members=members)
        self.settings = Settings(**{"C": 1.0, "tol": 1e-3, "max_iter": 1000, "m": m, **settings})

    @property
    def x(self):
        return self.table.rows(self.rows)

    def make(self, engine="batched", *, device="auto"):
        if engine == "plain":
            return PlainEngine(self.table, self.settings)
        return BatchedEngine(self.table, self.settings, device=device)

    def fit(self, engine="batched", *, device="auto", progress=None) -> Ensemble:
        made = self.make(engine, device=device)
        return made.fit(Base.of(self.rows), self.rows, self.masks, progress=progress)

    def exact(self):
        """Return the optimums' predictions, bool (n_rows, n), by scikit-learn.

        Its tolerance bounds the gradient and is absolute: of use where features deviate by 1 or so
        and the penalty is an ordinary one.
        """
        x, found = self.x.astype(np.float64), []
        for mask in self.masks.T:
            model = LogisticRegression(
                C=self.settings.C,
                class_weight="balanced" if self.settings.balanced else None,
                solver="newton-cholesky",
                tol=1e-9,
            )
            found.append(model.fit(x[mask], self.table.y[mask]).predict(x))
        return np.stack(found, axis=1)

    def certified(self):
        """Return the optimums' decisions, float64 (n_rows, n), at any scale and penalty.

        By Newton's method, and whatever that did, the objective is convex: where the gradient's
        terms cancel, there is its minimum. AssertionError where they do not.
        """
        x, found = self.x.astype(np.float64), []
        settings = self.settings._replace(tol=1e-12)
        for mask in self.masks.T:
            member = fit_member(self.x[mask], self.table.y[mask], settings)
            assert uncancelled(x[mask], self.table.y[mask], member.weights, settings) < 1e-8
            found.append(x @ member.weights[:-1] + member.weights[-1])
        return np.stack(found, axis=1)

    def agreement(self, one, other):
        """Share of held-out predictions that are equal."""
        return float((one == other)[~self.masks].mean())


def uncancelled(x, y, weights, settings):
    """Return what is left of the largest sum of the gradient, as a share of its terms' sizes."""
    wide = np.hstack([x, np.ones((len(x), 1))])
    shares = np.where(y, 1 / y.sum(), 1 / (~y).sum()) / 2 if settings.balanced else 1 / len(x)
    signs = np.where(y, 1.0, -1.0)
    residuals = shares * -signs * expit(-signs * (wide @ weights))
    pulled = np.append(weights[:-1] / (settings.C * len(x)), 0)
    sizes = np.abs(residuals) @ np.abs(wide) + np.abs(pulled)
    return float((np.abs(residuals @ wide + pulled) / sizes).max())


def phases_from_the_same_rows(x, y, **settings):
    """Yield both engines' phase, each time from the rows the batched one has left."""
    batched, plain = AFLite(**settings), PlainAFLite(**settings)
    done = []
    for phase in batched.steps(x, y):
        yield phase, next(plain.steps(x, y, done=done))
        done.append(phase)
