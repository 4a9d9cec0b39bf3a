"""Features of a question from its two encodings."""

import numpy as np
import pytest

from filtering.core.leaks import option_features

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
