"""A GGUF file is converted once, whole or not at all, and only if it is the right one."""

import pytest

from modeling import gguf
from modeling.gguf import convert
from modeling.specs import SMOLLM2, ModelSpec, ModelUnavailable

SPEC = ModelSpec.parse("pkg:acme_weights/model#small.gguf")


@pytest.fixture
def source(tmp_path, monkeypatch):
    folder = tmp_path / "site" / "acme_weights" / "model"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr("site.getsitepackages", lambda: [str(tmp_path / "site")])
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    (folder / "small.gguf").write_bytes(b"weights")
    return folder / "small.gguf"


@pytest.fixture
def unpacked(monkeypatch):
    seen = []

    def unpack(source, folder):
        seen.append(source)
        (folder / "config.json").write_text("{}")

    monkeypatch.setattr(gguf, "_unpack", unpack)
    return seen


def test_it_is_converted_once_and_again_when_the_file_is_another(source, unpacked):
    assert convert(SPEC) == convert(SPEC) == SPEC.folder()
    assert unpacked == [source]
    source.write_bytes(b"other weights")
    convert(SPEC)
    assert len(unpacked) == 2
    assert [path.name for path in SPEC.folder().parent.iterdir()] == [SPEC.folder().name]


def test_until_then_it_says_how(source):
    with pytest.raises(ModelUnavailable, match=r"Convert it first: python -m modeling\.gguf"):
        SPEC.folder()


def test_a_failure_leaves_nothing(source, monkeypatch):
    def failing(source, folder):
        (folder / "config.json").write_text("{}")
        raise OSError("The disk is full.")

    monkeypatch.setattr(gguf, "_unpack", failing)
    with pytest.raises(OSError, match="full"):
        convert(SPEC)
    with pytest.raises(ModelUnavailable):
        SPEC.folder()
    assert not any(gguf.converted_folder(SPEC).parent.iterdir())


def test_another_file_than_the_known_one_is_refused(source, monkeypatch):
    monkeypatch.setitem(gguf.KNOWN_FILES, SPEC.text, "0" * 64)
    with pytest.raises(ModelUnavailable, match=r"has sha256 .* Install it again"):
        convert(SPEC)


def test_the_installed_one_is_loadable():
    assert (ModelSpec.parse(SMOLLM2).folder() / "model.safetensors").is_file()
