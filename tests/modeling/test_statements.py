"""Classifiers of statements: a planted cue, seeds, and a frozen encoder that stays as it was."""

import numpy as np
import pytest

from modeling.encoders import load_encoder
from modeling.finetuning.statements import StatementSettings, frozen_logits, trained_logits
from tests.modeling.tiny import save_tiny

SETTINGS = StatementSettings(rate=0.05, batch_size=8, epochs=30, seed=42)


def planted(n, seed):
    """Return vectors whose third number tells the label, with noise around it."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n).astype(bool)
    vectors = rng.normal(0, 0.3, (n, 6)).astype(np.float32)
    vectors[:, 2] += np.where(labels, 1, -1)
    return vectors, labels.tolist()


def test_a_linear_layer_learns_a_planted_direction_and_an_offset():
    train, labels = planted(200, 0)
    asked, truth = planted(200, 1)
    for offset in (0, 5):
        found = frozen_logits(train + offset, labels, asked + offset, SETTINGS)
        assert np.mean((found > 0) == truth) > 0.95


def test_a_layer_on_noise_stays_at_chance():
    train, _ = planted(200, 0)
    labels = np.random.default_rng(5).integers(0, 2, 200).astype(bool).tolist()
    asked, _ = planted(400, 1)
    truth = np.random.default_rng(6).integers(0, 2, 400).astype(bool)
    found = frozen_logits(train, labels, asked, SETTINGS)
    assert 0.4 < np.mean((found > 0) == truth) < 0.6


def test_the_same_seed_gives_the_same_bits_and_another_seed_others():
    train, labels = planted(50, 0)
    asked, _ = planted(20, 1)
    first, again = (frozen_logits(train, labels, asked, SETTINGS) for _ in range(2))
    other = frozen_logits(train, labels, asked, StatementSettings(0.05, 8, 30, seed=1718))
    np.testing.assert_array_equal(first, again)
    assert (first != other).all()


@pytest.mark.long
def test_a_whole_encoder_learns_a_planted_word(tmp_path):
    encoder = load_encoder(save_tiny(tmp_path, "pooled"))
    before = encoder.encode(["ann is large"])
    train = [f"{name} is {size}" for name in ("ann", "joan", "it") for size in ("large", "small")]
    labels = [text.endswith("large") for text in train]
    asked = ["ann is large", "ann is small"]
    settings = StatementSettings(rate=0.01, batch_size=2, epochs=60, seed=42)
    found = trained_logits(encoder, train, labels, asked, settings)
    assert found[0] > 0 > found[1]
    assert (encoder.encode(["ann is large"]) != before).any()


def test_logits_that_are_no_numbers_are_refused():
    train, labels = planted(20, 0)
    with pytest.raises(ValueError, match="not finite"):
        frozen_logits(train * np.float32(np.inf), labels, train, SETTINGS)
