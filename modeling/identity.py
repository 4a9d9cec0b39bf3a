"""Hashes that identify a model: of its weights, and of its configuration and tokenizer.

Only safetensors are read: a pickled checkpoint runs code when it is opened.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from pathlib import Path

from safetensors import safe_open

WEIGHT_FILES = "model*.safetensors"
# The files that determine a row besides the weights, under every name that transformers reads. No
# others: read-me, chat templates and training arguments change in repositories.
CONFIG_FILES = (
    *("config.*json", "model.safetensors.index.json"),  # config.json, and config.<version>.json
    *("modules.json", "1_Pooling/config.json"),  # added by sentence-transformers
    *("tokenizer*", "special_tokens_map.json", "added_tokens.json", "normalizer.json"),
    *("vocab*", "*_vocab.json", "merges*", "dict.txt", "byte_maps.json", "emoji.json"),
    *("word_shape.json", "word_pronunciation.json"),
    *("*.model", "*.spm", "*.codes", "*.tokenizer"),
)


def weights_sha256(folder: Path) -> str | None:
    """Return a hash that identifies a model's weights.

    Parameters
    ----------
    folder : Path
        Holds ``model*.safetensors``, one file or several shards.

    Returns
    -------
    str or None
        64 lower-case hex digits: the file's SHA-256, or the SHA-256 of the shards' digests joined
        in the order of their names. None when the folder holds no safetensors.
    """
    files = sorted(folder.glob(WEIGHT_FILES))
    if not files:
        return None
    digests = [file_sha256(path) for path in files]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def config_sha256(folder: Path) -> str:
    """Return a hash of everything besides the weights that determines a model's results.

    Parameters
    ----------
    folder : Path
        Contains the configuration and the tokenizer with its vocabulary. Files with these names
        count even if the model does not read them: only its tokenizer knows which it reads.

    Returns
    -------
    str
        64 lower-case hex digits: the SHA-256 of a line ``<SHA-256>  <name>`` for each file, sorted
        by name; a name is the path relative to ``folder``.
    """
    files = {path for pattern in CONFIG_FILES for path in folder.glob(pattern) if path.is_file()}
    names = {path.relative_to(folder).as_posix(): path for path in sorted(files)}
    lines = [f"{file_sha256(path)}  {name}\n" for name, path in names.items()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def file_sha256(path: Path) -> str:
    """Return a file's SHA-256 in lower-case hex digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def stored_dtype(folder: Path) -> str:
    """Return the number format of most of a model's stored weights, such as ``bfloat16``."""
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob(WEIGHT_FILES)):
        with safe_open(path, framework="np") as file:
            for name in file.keys():  # noqa: SIM118
                part = file.get_slice(name)
                counts[part.get_dtype()] += math.prod(part.get_shape())
    name = counts.most_common(1)[0][0] if counts else ""
    return re.sub(r"^BF", "bfloat", re.sub(r"^F(?=\d)", "float", name))
