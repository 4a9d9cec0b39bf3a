"""A wrong setting is named at start."""

from typing import Any

import pytest
from django.core.checks import run_checks

from tests.filtering.stages import TINY


def found(settings: Any, encoder: str) -> list[str]:
    settings.ENCODER = encoder
    return [message.msg for message in run_checks() if message.id == "filtering.E001"]


@pytest.mark.parametrize("encoder", ["", "pkg:../../x", "two words", "pkg:module"])
def test_an_encoder_that_nobody_can_load_is_named_at_start(settings: Any, encoder: str) -> None:
    (sentence,) = found(settings, encoder)
    assert "ENCODER cannot be used: encoder must be 'pkg:<module>/<folder>'" in sentence
    assert repr(encoder) in sentence


@pytest.mark.parametrize("encoder", [TINY, "roberta-large", "/not/mounted/yet"])
def test_a_name_that_can_be_loaded_somewhere_passes(settings: Any, encoder: str) -> None:
    assert found(settings, encoder) == []
