"""Files of the command `aflite`: features, labels, ids, groups, checkpoints."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from django.core.management.base import CommandError
from numpy.typing import NDArray

from collection.core.repeats import Repeats, count_repeats
from filtering.core.stopping import StopReason

# Errors of np.load for other files: TypeError for an array, EOFError for an empty file.
NOT_A_CHECKPOINT = (
    *(OSError, ValueError, KeyError, TypeError, EOFError, MemoryError),
    *(zipfile.BadZipFile, zlib.error),
)
FREE = 64 * 1024  # bytes of a checkpoint beside its rows


def load_features(path: Path) -> NDArray[Any]:
    """Map the two-dimensional array of numbers in a .npy file, without reading it."""
    X = _load_npy(path)  # noqa: N806
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise CommandError(
            f"{path} must hold a two-dimensional array of numbers, one row per question; "
            f"it has shape {X.shape} and type {X.dtype}."
        )
    return X


def load_column(path: Path, *, n_rows: int, what: str) -> NDArray[Any]:
    """Read one label, id or group per row from a .npy file, or from the lines of a text file."""
    if path.suffix == ".npy":
        values = _load_npy(path)
        if values.ndim != 1:
            raise CommandError(f"{path} must hold one {what} per row; it has shape {values.shape}.")
    else:
        values = np.array(_lines(path, what))
    if len(values) != n_rows:
        raise CommandError(f"{path} holds {len(values)} {what}s, and X has {n_rows} rows.")
    return values


def repeats(
    X: NDArray[Any],  # noqa: N803
    y: NDArray[Any],
    among: NDArray[np.bool_],
) -> Repeats:
    """Count the rows with the features of another one, *among* some (n,), and by label."""
    rows = np.flatnonzero(among)
    hashes = (hashlib.blake2b((X[row] + 0).tobytes(), digest_size=8).digest() for row in rows)
    keys = np.fromiter(map(int.from_bytes, hashes), dtype=np.uint64, count=len(rows))
    labels = np.unique(y, return_inverse=True)[1][among] + 1
    return count_repeats(keys, labels.astype(np.uint64))


def _load_npy(path: Path) -> NDArray[Any]:
    try:
        # A file with pickled objects could execute code: it cannot be mapped and is refused.
        return np.lib.format.open_memmap(path, mode="r")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise CommandError(f"{path} is not a .npy file of numbers or text: {error}.") from error


def _lines(path: Path, what: str) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not a text in UTF-8.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            raise CommandError(f"{path} has no {what} in line {number}.")
    return [line.strip() for line in lines]


def fingerprint(files: Mapping[str, Path | None], settings: Mapping[str, object]) -> str:
    """Return a hash of all that determines a run: its settings and its files' contents."""
    hashed = {}
    for name, path in files.items():
        if path is not None:
            with path.open("rb") as file:
                hashed[name] = hashlib.file_digest(file, "sha256").hexdigest()
    text = json.dumps([hashed, dict(settings)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Checkpoint:
    """The phases done, in a file written atomically: the phase that removed each row."""

    def __init__(self, path: Path | None, *, of: str, n_rows: int) -> None:
        self._path, self._of = path, of
        self.removed_in = np.zeros(n_rows, dtype=np.int32)  # 0 for rows kept
        self.n_done = 0
        self.ended: StopReason | None = None  # why no phase follows the last one
        if path is not None and path.exists():
            self._load(path)

    def add(self, removed: NDArray[np.int64], ended: StopReason | None) -> None:
        """Record one more phase."""
        self.n_done += 1
        self.ended = ended
        self.removed_in[removed] = self.n_done
        if self._path is not None:
            write_whole(self._path, self._write)

    def _load(self, path: Path) -> None:
        try:
            self._refuse_large(path)
            with np.load(path, allow_pickle=False) as stored:
                of = str(stored["of"])
                removed_in, n_done = stored["removed_in"], int(stored["n_done"])
                ended = cast(StopReason | None, str(stored["ended"]) or None)
            if removed_in.shape != self.removed_in.shape:
                raise ValueError("it has another number of rows")
        except NOT_A_CHECKPOINT as error:
            raise CommandError(f"{path} is not a checkpoint of this command.") from error
        if of != self._of:
            raise CommandError(
                f"{path} belongs to other files or settings; remove it, or name another checkpoint."
            )
        self.removed_in, self.n_done, self.ended = removed_in, n_done, ended

    def _refuse_large(self, path: Path) -> None:
        """Refuse by the archive's directory what would unpack to more than this run's arrays."""
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > self.removed_in.nbytes + FREE:
                raise ValueError("it unpacks to more than a checkpoint of these rows")

    def _write(self, file: IO[bytes]) -> None:
        ended = self.ended or ""
        np.savez(file, of=self._of, removed_in=self.removed_in, n_done=self.n_done, ended=ended)


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[Path | None]) -> None:
    """Check before a long run that outputs can be written and overwrite no other file."""
    taken = {path.resolve() for path in inputs if path is not None}
    for name, path in outputs.items():
        if path is None:
            continue
        if path.resolve() in taken:
            raise CommandError(f"--{name} would overwrite {path}; name another file.")
        taken.add(path.resolve())
        if path.is_dir():
            raise CommandError(f"{path} cannot be written: it is a folder.")
        try:
            _draft(path).open("ab").close()
            _draft(path).unlink()
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror or error}.") from error


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def write_whole(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write to a temporary file and rename it, so that a file is complete or absent."""
    draft = _draft(path)
    try:
        with draft.open("wb") as file:
            write(file)
        draft.replace(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}.") from error
