"""What determines computed figures besides settings and models: the questions, and the code."""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import metadata

from corpora.core.items import Item
from winoplatform.runs.code import code_sha256

SOURCES = ("corpora/core", "modeling", "stats", "training/core")
LIBRARIES = ("torch", "transformers", "tokenizers", "numpy", "scipy", "scikit-learn")


def data_sha256(items: Sequence[Item], *, transformation: str = "") -> str:
    """Return the SHA-256 of a transformation's name, if given, and the items' canonical lines.

    The items must have no answers: the hash of a small blind split with its answers would let
    anyone who sees it try out all answers.
    """
    digest = hashlib.sha256(f"{transformation}\n".encode() if transformation else b"")
    for item in items:
        if item.answer is not None:
            raise ValueError(f"items must have no answers, got {item.answer} of {item.id!r}")
        digest.update(f"{item.to_line()}\n".encode())
    return digest.hexdigest()


@cache
def code_version(*sources: str) -> str:
    """Return a hash of the code that computes figures, and the versions of its libraries.

    The hash is the beginning of that of all Python files in `SOURCES` and in the folders given.
    """
    code = code_sha256(*SOURCES, *sources)[:16]
    return " ".join([code, *(f"{name}=={metadata.version(name)}" for name in LIBRARIES)])
