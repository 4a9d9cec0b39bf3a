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
    assert "ENCODER cannot be used: model must be 'pkg:<module>/<folder>'" in sentence
    assert repr(encoder) in sentence


@pytest.mark.parametrize("encoder", [TINY, "roberta-large", "/not/mounted/yet"])
def test_a_name_that_can_be_loaded_somewhere_passes(settings: Any, encoder: str) -> None:
    assert found(settings, encoder) == []


@pytest.mark.parametrize(("folders", "count"), [(["/srv/encoders"], 0), ([], 0), (["a", "/b"], 1)])
def test_a_folder_for_encoders_that_hangs_on_where_one_stands_is_named_at_start(
    settings: Any, folders: list[str], count: int
) -> None:
    settings.ENCODER_FOLDERS = folders
    said = [message.msg for message in run_checks() if message.id == "filtering.E002"]
    assert said == ["ENCODER_FOLDERS must hold absolute paths; got 'a'."] * count
