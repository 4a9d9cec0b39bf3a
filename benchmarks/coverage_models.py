"""Coverage of the intervals about models: where a learning curve reaches people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from training.core.curves import Point
from training.core.reach import reach

Curve = Callable[[float], float]  # expected error by training size
SIZES = (160, 640, 2558, 10234, 40398)
PEOPLE = 0.06  # error of the majority of three in WinoGrande
N_TEST = 1267
SEED_SD = 0.015


def power(floor: float, onset: float, exponent: float) -> Curve:
    return lambda n: floor + (0.5 - floor) * (1 + n / onset) ** -exponent


def logistic(middle: float, k: float, floor: float = 0.0) -> Curve:
    return lambda n: floor + (0.5 - floor) / (1 + (n / middle) ** k)


def line(onset: float, people_at: float) -> Curve:
    """A straight line in the logarithm, from chance at the onset to people's level."""
    slope = (0.5 - PEOPLE) / np.log(people_at / onset)
    return lambda n: float(np.clip(0.5 - slope * np.log(n / onset), 0, 0.5))


def stages(first: float, second: float, k: float) -> Curve:
    """Down to an error of 30 % around one size, and to 3 % around another."""
    return lambda n: 0.03 + 0.2 / (1 + (n / first) ** k) + 0.27 / (1 + (n / second) ** k)


CURVES: dict[str, Curve] = {
    "power, within": power(0.02, 300, 0.6),
    "power, early": power(0, 100, 0.6),
    "power, beyond": power(0, 200, 0.3),
    "power, slow": power(0, 2000, 0.4),
    "power, just reached": power(0.05, 1000, 0.7),
    "line, within": line(100, 20_000),
    "line to no error": line(100, 10_234),
    "line, beyond": line(200, 60_000),
    "line, far beyond": line(200, 400_000),
    "logistic, within": logistic(1500, 0.9),
    "logistic, beyond": logistic(12_000, 1),
    "logistic, steep": logistic(20_000, 2),
    "exponential": lambda n: 0.02 + 0.48 * float(np.exp(-n / 9000)),
    "flat": power(0.5, 300, 0.6),
    "plateau": power(0.2, 300, 0.6),
    "late plateau": power(0.15, 3000, 2),
    "step to a plateau": lambda n: 0.5 if n < 2000 else 0.2,
    "two stages, inside": stages(400, 12_000, 3),
    "two stages, second at the end": stages(300, 40_000, 2.5),
    "two stages, second beyond": stages(600, 90_000, 2),
    "two stages, second sharp": stages(600, 80_000, 6),
    "second stage, unseen": stages(600, 52_000, 12),
}


# A second stage that the sizes measured do not show follows none of the laws.
NO_LAW = frozenset({"two stages, inside", "second stage, unseen"})


def size_of(curve: Curve, error: float = PEOPLE) -> float:
    """Return the size at which a curve is down to an error; infinity if never."""
    sizes = np.geomspace(10, 1e9, 100_001)
    below = np.array([curve(n) <= error for n in sizes])
    return float(sizes[below.argmax()]) if below.any() else inf


def measured(
    curve: Curve,
    rng: np.random.Generator,
    *,
    sizes: Sequence[int] = SIZES,
    seeds: int = 3,
    n_test: int = N_TEST,
    shared: bool = True,
) -> list[Point]:
    """Return accuracies of fine-tuned models; *shared*: all on the same questions."""
    same, points = rng.random(n_test), []
    for size in sizes:
        for seed in range(seeds):
            questions = same if shared else rng.random(n_test)
            error = curve(size) + rng.normal(0, SEED_SD)
            points.append(Point(size, seed, float((questions > error).mean())))
    return points


@dataclass(frozen=True)
class Covered:
    """Shares of simulations: truth in the intervals, or refused; and laws refused."""

    any_curve: float
    by_laws: float
    refused: float


def cover(
    curve: Curve, *, times: int, seed: int = 7, n_test: int = N_TEST, **options: Any
) -> Covered:
    rng, truth = np.random.default_rng(seed), size_of(curve)
    hits = np.zeros(3)
    for _ in range(times):
        points = measured(curve, rng, n_test=n_test, **options)
        found = reach(points, error=PEOPLE, n_test=n_test)
        laws = found.by_laws
        assert laws is not None
        refused = laws.low is None
        by_laws = laws.low is None or laws.low <= truth <= (laws.high or inf)
        hits += [(found.low or 0) <= truth <= (found.high or inf), by_laws, refused]
    return Covered(*(hits / times).tolist())
