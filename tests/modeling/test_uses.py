"""What a model is known to be, from its configuration alone."""

import json
from pathlib import Path

import pytest

from modeling.specs import TINY_ENCODER, ModelSpec, uses_of
from tests.modeling.tiny import CLASSES, save_tiny


@pytest.mark.parametrize("use", sorted(CLASSES.keys() - {"pooled"}))
def test_a_saved_model_is_known_by_its_head(use: str, tmp_path: Path) -> None:
    found = uses_of(ModelSpec.parse(save_tiny(tmp_path, use)))
    assert found == {"pooled", use}


def test_a_package_is_known_by_its_head() -> None:
    assert uses_of(ModelSpec.parse(TINY_ENCODER)) == {"pooled", "masked"}


@pytest.mark.parametrize(
    "config",
    ["{", "[]", "{}", '{"architectures": null}', '{"architectures": ["BertModel"]}', "[" * 99_999],
)
def test_an_unusual_configuration_says_nothing(config: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(config)
    assert uses_of(ModelSpec.parse(str(tmp_path))) is None


def test_nothing_is_fetched_and_a_missing_model_is_not_known(tmp_path: Path) -> None:
    assert uses_of(ModelSpec.parse("acme/large")) is None
    assert uses_of(ModelSpec.parse(str(tmp_path))) is None
    (tmp_path / "config.json").write_text(json.dumps({"architectures": [3, "GPT2LMHeadModel"]}))
    assert uses_of(ModelSpec.parse(str(tmp_path))) == {"pooled", "causal"}
