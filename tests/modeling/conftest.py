"""The tiny encoder, as its package has it and in a folder that a test may change."""

import shutil

import pytest

from modeling.encoders import load_encoder
from modeling.specs import TINY_ENCODER, ModelSpec


@pytest.fixture(scope="package")
def tiny():
    return load_encoder(TINY_ENCODER)


@pytest.fixture
def tiny_folder(tmp_path):
    source = ModelSpec.parse(TINY_ENCODER).folder()
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / name, tmp_path)
    return tmp_path
