"""Principal components: one thread, few rows, some rows, none that vary."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from filtering.core.leaks import option_features
from filtering.core.table import fit_axes, project


@pytest.fixture
def x() -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.normal(size=(500, 8)) * np.arange(8, 0, -1) + 3).astype(np.float32)


def test_it_finds_what_a_singular_value_decomposition_finds(x: np.ndarray) -> None:
    axes, oracle = fit_axes(x), PCA(2, svd_solver="full").fit(x.astype(np.float64))
    assert axes.components_ == pytest.approx(oracle.components_, abs=1e-6)
    assert axes.explained_variance_ratio_ == pytest.approx(oracle.explained_variance_ratio_)
    assert project(axes, x) == pytest.approx(oracle.transform(x), abs=1e-4)
    largest = np.abs(axes.components_).argmax(axis=1)
    assert (axes.components_[[0, 1], largest] > 0).all()


def test_the_order_of_the_rows_plays_no_part_beyond_rounding(x: np.ndarray) -> None:
    order = np.random.default_rng(1).permutation(len(x))
    found, expected = project(fit_axes(x[order]), x), project(fit_axes(x), x)
    assert found == pytest.approx(expected, abs=1e-9)


def test_some_rows_alone_are_fitted_from_a_memory_map(x: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", x)
    rows = np.flatnonzero(np.arange(500) % 3 == 0)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    found, expected = fit_axes(mapped, rows=rows), fit_axes(x[rows])
    assert found.components_ == pytest.approx(expected.components_)


def test_a_set_without_variance_has_axes_that_explain_nothing() -> None:
    for n_rows in (1, 2, 5):
        axes = fit_axes(np.ones((n_rows, 3), dtype=np.float32))
        assert axes.explained_variance_ratio_.tolist() == [0, 0]
        assert not project(axes, np.ones((5, 3))).any()


def test_one_feature_has_one_axis() -> None:
    assert fit_axes(np.arange(6.0)[:, None]).components_.tolist() == [[1.0]]


def test_the_bits_do_not_hang_on_the_number_of_threads() -> None:
    x = np.random.default_rng(0).normal(size=(1000, 300)).astype(np.float32)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            axes = fit_axes(x)
            found.append(axes.components_.tobytes() + project(axes, x).tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("x", "said"),
    [(np.empty((0, 2)), "at least one row"), (np.array([[np.nan, 1]]), "contains NaN")],
)
def test_bad_input_is_named(x: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fit_axes(x)


H1 = np.arange(6, dtype=np.float32).reshape(2, 3)
H2 = H1[::-1].copy()


def test_the_difference_flips_its_sign_with_the_options():
    forward, backward = option_features(H1, H2), option_features(H2, H1)
    np.testing.assert_array_equal(forward, H1 - H2)
    np.testing.assert_array_equal(forward, -backward)


def test_the_concatenation_holds_both():
    both = option_features(H1, H2, "concatenation")
    assert both.dtype == np.float32
    np.testing.assert_array_equal(both, np.hstack([H1, H2]))


def test_different_shapes_are_refused():
    with pytest.raises(ValueError, match="h1 and h2 must share one shape"):
        option_features(H1, H2[:1])


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind must be one of difference, concatenation"):
        option_features(H1, H2, "product")
