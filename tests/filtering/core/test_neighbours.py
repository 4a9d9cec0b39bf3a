"""The nearest rows: exact, against a slow version, and ties by a rule."""

import numpy as np
import pytest

from filtering.core.neighbours import nearest_rows, sentence_vectors


def rows(n: int, d: int = 6) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    vectors = np.random.default_rng(n).normal(size=(n, 2, d)).astype(np.float32)
    return sentence_vectors(vectors)


def test_every_row_is_compared() -> None:
    matrix = rows(50)
    for row in (0, 6, 49):
        cosines = [
            float(each.astype(np.float64) @ matrix[row].astype(np.float64)) for each in matrix
        ]
        slow = sorted(range(50), key=lambda at: -cosines[at])[:10]
        found, given = nearest_rows(matrix, row=row, most=10)
        assert found.tolist() == slow
        assert found[0] == row
        assert given == pytest.approx([cosines[at] for at in slow], abs=1e-5)


def test_of_equals_the_row_itself_is_first_and_then_the_lower() -> None:
    matrix = np.tile(rows(1), (5, 1))
    assert nearest_rows(matrix, row=3, most=4)[0].tolist() == [3, 0, 1, 2]


def test_small_sets_give_what_they_have() -> None:
    assert nearest_rows(rows(2), row=1, most=200)[0].tolist() == [1, 0]
    for row, most in ((2, 1), (-1, 1), (0, 0)):
        with pytest.raises(ValueError, match="must be"):
            nearest_rows(rows(2), row=row, most=most)


def test_a_vector_does_not_depend_on_which_option_is_first_or_on_lengths() -> None:
    vectors = np.random.default_rng(1).normal(size=(4, 2, 6)).astype(np.float32)
    swapped = sentence_vectors(vectors[:, ::-1] * np.array([[5.0], [0.5]], dtype=np.float32))
    assert np.allclose(sentence_vectors(vectors), swapped, atol=1e-3)
    lengths = np.linalg.norm(sentence_vectors(vectors).astype(np.float32), axis=1)
    assert np.allclose(lengths, 1, atol=2e-3)
    assert not sentence_vectors(np.zeros((1, 2, 6), dtype=np.float32)).any()
