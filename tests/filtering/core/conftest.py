"""The tiny encoder, as its package has it and in a folder that a test may change."""

import shutil

import pytest

from filtering.core.encoders import TINY_ENCODER, EncoderSpec, load_encoder


@pytest.fixture(scope="package")
def tiny():
    return load_encoder(TINY_ENCODER)


@pytest.fixture
def tiny_folder(tmp_path):
    source = EncoderSpec.parse(TINY_ENCODER).folder()
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / name, tmp_path)
    return tmp_path
