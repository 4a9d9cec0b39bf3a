"""Clues of whole files, such as size and hash, about the majority of their labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from corpora.core.clues.testing import Count, family
from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.results import FAMILIES, FILES, Section

Files = Sequence[PublishedFile]
HASH_BITS = 4


def files_section(
    releases: Mapping[str, Files], *, name: str, blind: Collection[str], alpha: float
) -> Section:
    """Test whether size, number of rows or hash of files tell which label most rows have.

    The largest file of each split of each release is one throw, if its number of rows is odd:
    then one label has the majority, and each with equal probability.
    """
    files = [file for part in releases.values() for file in _largest(part)]
    odd = [file for file in files if file.n_rows % 2 and file.sha256]
    tests = family(FAMILIES[0], _counts(odd), alpha=alpha, n=len(odd), unit=FILES)
    return Section(
        release=name,
        split=FILES,
        blind=any(file.split in blind for file in odd),
        others=tuple(other for other in releases if other != name),
        pairs=0,
        unpaired=len(odd),
        publication=(tests,),
        text=(),
    )


def _largest(files: Files) -> Iterable[PublishedFile]:
    by_split: dict[str, PublishedFile] = {}
    for file in sorted(files, key=lambda one: (one.n_rows, one.name)):
        by_split[file.split] = file
    return by_split.values()


def _counts(files: Files) -> list[Count]:
    majority = [2 * sum(answer == 1 for answer in file.answers) > file.n_rows for file in files]
    said = [_said(file) for file in files]
    names = said[0] if said else ()
    return [
        (
            name,
            len(files),
            sum(says[name] == label for says, label in zip(said, majority, strict=True)),
        )
        for name in names
    ]


def _said(file: PublishedFile) -> dict[str, bool]:
    first = int(file.sha256[:2], 16)
    bits = {f"bit {bit} of the file's SHA-256": bool(first >> bit & 1) for bit in range(HASH_BITS)}
    return {"odd size": file.size % 2 == 1, "rows modulo 4": file.n_rows % 4 == 1, **bits}
