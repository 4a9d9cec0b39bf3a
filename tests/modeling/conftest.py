"""The tiny encoder, as its package has it and in a folder that a test may change."""

import shutil

import pytest
import torch

from modeling.encoders import load_encoder
from modeling.loading import load_model
from modeling.specs import TINY_ENCODER, ModelSpec
from tests.modeling.tiny import save_tiny


@pytest.fixture(scope="package")
def tiny():
    return load_encoder(TINY_ENCODER)


@pytest.fixture
def tiny_folder(tmp_path):
    source = ModelSpec.parse(TINY_ENCODER).folder()
    for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / name, tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def one_torch_thread():
    """Two would wait for each other, where another process has the second core."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def causal(tmp_path_factory):
    return load_model(save_tiny(tmp_path_factory.mktemp("causal"), "causal"), "causal")


@pytest.fixture(scope="module")
def masked(tmp_path_factory):
    return load_model(save_tiny(tmp_path_factory.mktemp("masked"), "masked"), "masked")
