"""A release: its files, its questions and the votes of its validators as frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from winoplatform_client.connection import Connection
from winoplatform_client.downloads import download

VOTES = "provenance/votes.jsonl"


@dataclass(frozen=True)
class Release:
    """A release; ``about`` is what the platform says of it."""

    connection: Connection = field(repr=False)
    about: Mapping[str, Any] = field(repr=False)
    name: str

    @property
    def id(self) -> str:
        return str(self.about["id"])

    def files(self) -> pd.DataFrame:
        """Return the files that you may read, by name: size in bytes, SHA-256 and more."""
        return pd.DataFrame(self._files()).set_index("name")

    def votes(self) -> pd.DataFrame:
        """Return every validator's vote on the questions of training and dev, one a row.

        ``validator`` is a name that stands for the same person in at most 20 votes, ``option`` the
        answer (1 or 2), ``local_option`` that from the local context (missing for "cannot tell"),
        ``ambiguous`` whether both options seemed plausible, ``excluded`` whether the vote does not
        count. Votes on blind questions are not published.
        """
        frame = self._frame(VOTES)
        for name in ("option", "local_option"):
            if name in frame:
                frame[name] = frame[name].astype("Int8")
        return frame

    def questions(self, split: str = "dev") -> pd.DataFrame:
        """Return the questions of a file: ``dev``, ``test``, ``train_xl``, ``train_debiased``, ….

        The answers of ``test`` are empty: they are blind.
        """
        return self._frame(f"{split}.jsonl")

    def download(self, folder: str | Path, names: Iterable[str] | None = None) -> list[Path]:
        """Download files into a folder, all that you may read if none are named; check their sums.

        What is there already and has the right sum is not downloaded again, and what was
        interrupted is continued.
        """
        known = {file["name"]: file for file in self._files()}
        wanted = list(known) if names is None else list(names)
        if missing := [name for name in wanted if name not in known]:
            raise ValueError(f"{self.name} has no file {missing[0]} that you may read")
        return [self._save(known[name], Path(folder)) for name in wanted]

    def _files(self) -> list[dict[str, Any]]:
        files: list[dict[str, Any]] = self.connection.get(f"releases/{self.id}/files/")
        return files

    def _save(self, file: Mapping[str, Any], folder: Path) -> Path:
        name = PurePosixPath(file["name"])
        # A name is written by the platform, and a folder is the reader's.
        if name.is_absolute() or ".." in name.parts or "\\" in file["name"]:
            raise ValueError(f"{file['name']!r} is no name of a file in a folder")
        path = f"releases/{self.id}/files/{name}"
        return download(self.connection, path, folder / name, sha256=file["sha256"])

    def _frame(self, name: str) -> pd.DataFrame:
        with TemporaryDirectory() as folder:
            [file] = self.download(folder, [name])
            with file.open(encoding="utf-8") as lines:
                return pd.DataFrame(map(json.loads, lines))
