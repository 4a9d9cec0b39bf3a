"""Which encoder a name stands for: who may name it, and that it is the same one as before."""

import ast
import importlib.machinery
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import transformers

from modeling import specs
from modeling.encoders import load_encoder
from modeling.identity import config_sha256
from modeling.specs import TINY_ENCODER, ModelSpec, ModelUnavailable


def change(folder, name, **settings):
    """Change what a file of settings says."""
    found = json.loads((folder / name).read_text())
    (folder / name).write_text(json.dumps(found | settings))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("config.json", {"layer_norm_eps": 0.1}),
        ("tokenizer_config.json", {"do_lower_case": False}),
        ("tokenizer.json", {"truncation": None, "version": "1.0", "normalizer": None}),
        ("bpe.codes", None),
        ("spiece.model", None),
    ],
)
def test_what_decides_the_rows_beside_the_weights_is_known_by_its_hash(
    tiny, tiny_folder, name, changes
):
    if changes is None:
        (tiny_folder / name).write_text("another vocabulary")
    else:
        change(tiny_folder, name, **changes)
    encoder = load_encoder(str(tiny_folder), expected_sha256=tiny.weights_sha256)
    assert encoder.config_sha256 != tiny.config_sha256
    sentence = f"configuration and tokenizer of .* have sha256 {encoder.config_sha256}, expected "
    with pytest.raises(ModelUnavailable, match=sentence + tiny.config_sha256):
        load_encoder(str(tiny_folder), expected_config_sha256=tiny.config_sha256)


def vocabulary_names():
    """The names under which transformers' tokenizers read their vocabularies."""
    for source in Path(transformers.__path__[0], "models").glob("*/tokenization_*.py"):
        for node in ast.parse(source.read_text()).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "VOCAB_FILES_NAMES":
                names = node.value.values if isinstance(node.value, ast.Dict) else []
                yield from (name.value for name in names if isinstance(name, ast.Constant))


def test_every_vocabulary_that_transformers_reads_counts(tmp_path):
    names = set(vocabulary_names())
    assert {"vocab.txt", "merges.txt", "spiece.model", "source.spm", "bpe.codes"} < names
    hashes = {config_sha256(tmp_path)}
    for name in names:
        (tmp_path / name).write_text("a vocabulary")
        hashes.add(config_sha256(tmp_path))
    assert len(hashes) == len(names) + 1


@pytest.mark.parametrize(
    "name",
    [
        *("config.4.9.0.json", "special_tokens_map.json", "added_tokens.json"),
        *("modules.json", "1_Pooling/config.json", "model.safetensors.index.json"),
    ],
)
def test_what_else_decides_a_row_counts(tmp_path, name):
    without = config_sha256(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("{}")
    assert config_sha256(tmp_path) != without


def test_the_hash_is_that_of_a_list_as_sha256sum_writes_it(tiny, tiny_folder):
    for name in ("README.md", "training_args.json", "chat_template.json", "requirements.txt"):
        (tiny_folder / name).write_text("Nothing that a row hangs on.")
    command = "sha256sum config.json tokenizer.json tokenizer_config.json | sha256sum"
    by_hand = subprocess.check_output(command, shell=True, cwd=tiny_folder, text=True).split()[0]
    assert load_encoder(str(tiny_folder)).config_sha256 == by_hand == tiny.config_sha256


@pytest.mark.parametrize(
    ("name", "content", "expected", "refusal"),
    [
        ("tokenizer.json", b"{", None, "fails with"),
        ("tokenizer.json", b"{", "00", "have sha256 .*, expected 00"),
        ("model.safetensors", b"not safetensors", None, "fails with SafetensorError"),
        ("model.safetensors", None, None, r"has no model\.safetensors"),
        ("config.json", b"{", None, "fails with"),
        ("config.json", None, None, r"has no config\.json"),
    ],
)
def test_no_refusal_names_a_place_on_this_machine(
    tiny_folder, monkeypatch, name, content, expected, refusal
):
    monkeypatch.chdir(tiny_folder.parent)
    spec = f"./{tiny_folder.name}"
    (tiny_folder / name).unlink()
    if content is not None:
        (tiny_folder / name).write_bytes(content)
    with pytest.raises(ModelUnavailable, match=refusal) as caught:
        load_encoder(spec, expected_sha256=expected)
    assert repr(spec) in str(caught.value)
    assert str(tiny_folder.parent) not in str(caught.value)


def test_a_hub_id_whose_repository_has_changed_is_refused_with_its_own_way_out(
    tmp_path, monkeypatch
):
    snapshot = tmp_path / "models--acme--small" / "snapshots" / ("1" * 40)
    snapshot.parent.mkdir(parents=True)
    snapshot.symlink_to(ModelSpec.parse(TINY_ENCODER).folder())
    (tmp_path / "models--acme--small" / "refs").mkdir()
    (tmp_path / "models--acme--small" / "refs" / "main").write_text("1" * 40)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    for changed in ("expected_sha256", "expected_config_sha256"):
        with pytest.raises(ModelUnavailable, match=r"repository has changed\. Copy its former"):
            load_encoder("acme/small", **{changed: "00"})


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a model, on the path but not in site-packages."""
    model = tmp_path / "acme_weights" / "model"
    model.mkdir(parents=True)
    (model / "config.json").write_text("{}")
    (model.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return model.parent


@pytest.fixture
def installed(package, monkeypatch):
    """The package where pip would put it."""
    monkeypatch.setattr("site.getsitepackages", lambda: [str(package.parent)])
    return package


def test_an_installed_package_is_found_by_its_module(installed):
    assert ModelSpec.parse("pkg:acme_weights/model").folder() == installed / "model"


def test_a_package_that_merely_lies_on_the_path_is_not_installed(package):
    with pytest.raises(ModelUnavailable, match="needs an installed package"):
        ModelSpec.parse("pkg:acme_weights/model").folder()


def test_a_folder_on_the_path_is_no_package(installed):
    (installed / "__init__.py").unlink()
    with pytest.raises(ModelUnavailable, match="needs an installed package"):
        ModelSpec.parse("pkg:acme_weights/model").folder()


def test_a_link_out_of_a_package_is_not_followed(installed, tiny_folder):
    (installed / "out").symlink_to(tiny_folder)
    with pytest.raises(ModelUnavailable, match="is outside of its package"):
        ModelSpec.parse("pkg:acme_weights/out").folder()


def test_a_module_that_has_no_spec_is_not_installed(monkeypatch):
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    with pytest.raises(ModelUnavailable, match="needs an installed package"):
        ModelSpec.parse("pkg:__main__/x").folder()


def test_a_module_whose_search_fails_is_not_installed(monkeypatch):
    class Refusing(importlib.machinery.PathFinder):
        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            raise ImportError(f"{fullname} must not be imported")

    monkeypatch.setattr(sys, "meta_path", [Refusing])
    with pytest.raises(ModelUnavailable, match="needs an installed package"):
        ModelSpec.parse("pkg:acme_weights/model").folder()


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("pkg:anything/model", True),
        ("{root}/encoders/mine", True),
        ("{root}/encoders/deep/er", True),
        ("{root}/encoders/../secret", False),
        ("{root}/encoders-of-others", False),
        ("{root}/encoders/out", False),
        ("{root}/secret", False),
        ("~nobody-at-all/encoders", False),
        ("acme/small", True),
        ("acme-too/small", False),
        ("acme-too", False),
        ("distil-small", True),
        ("distil-evil/small", False),
        ("roberta-large", True),
        ("roberta-large-mnli", False),
    ],
)
def test_an_operators_lists_say_which_encoders_may_be_named(tmp_path, text, allowed):
    for name in ("encoders/mine", "secret"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "encoders" / "out").symlink_to(tmp_path / "secret")
    spec = ModelSpec.parse(text.format(root=tmp_path))
    lists = {"folders": [tmp_path / "encoders"], "hub_ids": ["acme/*", "distil-*", "roberta-large"]}
    assert spec.is_among(**lists) is allowed
    assert spec.is_among(folders=[], hub_ids=[]) is (spec.kind == "package")
    assert spec.is_among(folders=[], hub_ids=["*"]) is (spec.kind != "folder")


@dataclass
class Planned:
    file_size: int
    will_download: bool = True


def test_a_model_that_is_too_large_is_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[dict[str, Any]] = []
    most = specs.MOST_DOWNLOADED

    def hub(repo: str, *, dry_run: bool = False, **options: Any) -> Any:
        if dry_run:
            return [Planned(most), Planned(1), Planned(10**12, False)]
        fetched.append(options)
        return "/models/large"

    monkeypatch.setattr(specs, "snapshot_download", hub)
    with pytest.raises(ModelUnavailable, match=r"20\.0 GB to download; at most 20 GB"):
        ModelSpec.parse("acme/large").folder()
    monkeypatch.setattr(specs, "MOST_DOWNLOADED", most + 1)
    assert ModelSpec.parse("acme/large").folder() == Path("/models/large")
    assert [options.get("local_files_only") for options in fetched] == [None]


def test_without_the_hub_only_a_cached_copy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def hub(repo: str, *, dry_run: bool = False, **options: Any) -> Any:
        if dry_run:
            raise OSError("no network")
        assert options["local_files_only"]
        return "/models/cached"

    monkeypatch.setattr(specs, "snapshot_download", hub)
    assert ModelSpec.parse("acme/large").folder() == Path("/models/cached")
