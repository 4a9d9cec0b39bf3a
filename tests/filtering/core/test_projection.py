"""Principal components, as scikit-learn finds them, in blocks."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from filtering.core import projection
from filtering.core.projection import fit_axes


@pytest.fixture
def x() -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.normal(size=(500, 8)) * np.arange(8, 0, -1) + 3).astype(np.float32)


def test_it_finds_what_scikit_learn_finds(x: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "BLOCK", 64)
    axes, oracle = fit_axes(x), PCA(2, svd_solver="full").fit(x.astype(np.float64))
    signs = np.sign((axes.components * oracle.components_).sum(axis=1))
    assert axes.components == pytest.approx(oracle.components_ * signs[:, None], abs=1e-6)
    assert axes.explained == pytest.approx(oracle.explained_variance_ratio_, rel=1e-6)
    assert axes.project(x) == pytest.approx(oracle.transform(x) * signs, abs=1e-4)


def test_the_order_of_the_rows_plays_no_part_beyond_rounding(x: np.ndarray) -> None:
    order = np.random.default_rng(1).permutation(len(x))
    assert fit_axes(x[order]).project(x) == pytest.approx(fit_axes(x).project(x), abs=1e-9)


def test_some_rows_alone_are_fitted_from_a_memory_map(x: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", x)
    rows = np.flatnonzero(np.arange(500) % 3 == 0)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert fit_axes(mapped, rows=rows).components == pytest.approx(fit_axes(x[rows]).components)


def test_a_set_without_variance_has_axes_that_explain_nothing() -> None:
    axes = fit_axes(np.ones((5, 3), dtype=np.float32))
    assert axes.explained.tolist() == [0, 0]
    assert not axes.project(np.ones((5, 3))).any()


def test_one_feature_has_one_axis() -> None:
    assert fit_axes(np.arange(6.0)[:, None]).components.tolist() == [[1.0]]


def test_the_bits_do_not_hang_on_the_number_of_threads() -> None:
    x = np.random.default_rng(0).normal(size=(1000, 300)).astype(np.float32)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            axes = fit_axes(x)
            found.append(axes.components.tobytes() + axes.project(x).tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("x", "said"), [(np.empty((0, 2)), "at least one row"), (np.array([[np.nan, 1]]), "finite")]
)
def test_bad_input_is_named(x: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fit_axes(x)
