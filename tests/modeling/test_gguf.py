"""A GGUF file is converted once, whole or not at all, and only if it is the right one."""

import pytest

from modeling import gguf
from modeling.gguf import convert
from modeling.identity import stored_dtype
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

    def unpack(spec, source, folder):
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
    def failing(spec, source, folder):
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


def test_a_file_of_ones_own_is_named_by_its_path(tmp_path, monkeypatch, unpacked):
    monkeypatch.setattr("sys.prefix", str(tmp_path / "env"))
    file = tmp_path / "Own.Q8_0.gguf"
    spec = ModelSpec.parse(str(file))
    with pytest.raises(ModelUnavailable, match="There is no file"):
        spec.folder()
    file.write_bytes(b"weights")
    with pytest.raises(ModelUnavailable, match=r"Convert it first: python -m modeling\.gguf"):
        spec.folder()
    assert convert(spec) == spec.folder()
    assert (spec.kind, spec.short_name, spec.public_name) == ("folder", "Own.Q8_0", file.name)
    assert spec.is_among(folders=[tmp_path], hub_ids=[])
    file.write_bytes(b"other weights")
    with pytest.raises(ModelUnavailable, match="Convert it first"):
        spec.folder()


def test_the_format_in_which_weights_are_stored_is_read_from_them():
    assert gguf.KEPT == {SMOLLM2: "bfloat16"}
    assert stored_dtype(ModelSpec.parse(SMOLLM2).folder()) == "bfloat16"


def test_the_installed_one_is_loadable():
    assert (ModelSpec.parse(SMOLLM2).folder() / "model.safetensors").is_file()
