"""Add the hashes of every file of each version that a lock pins: ``python hashes.py FILE …``.

They are those that the package index lists. pip-compile asks another interface for them, which not
every index has, and would else download all files.
"""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from piptools.repositories import PyPIRepository

PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;\\]+)(?P<marker>\s*;[^\\\n]*)?", re.M)
OLD = re.compile(r" \\\n\s+--hash=\S+")
INDEX = PyPIRepository([], cache_dir="")


def hashed(pin: "re.Match[str]") -> str:
    """Return a pinned version with the hashes of its files."""
    digests = {
        str(candidate.link.hash)
        for candidate in INDEX.find_all_candidates(pin["name"])
        if str(candidate.version) == pin["version"] and candidate.link.hash_name == "sha256"
    }
    if not digests:
        sys.exit(f"The index lists no hash of {pin[0]}.")
    hashes = [f"    --hash=sha256:{value}" for value in sorted(digests)]
    return " \\\n".join([pin[0].rstrip(), *hashes])


def main(*paths: str) -> None:
    """Write the hashes into the files."""
    for path in map(Path, paths):
        text = OLD.sub("", path.read_text())
        pins = [*PIN.finditer(text)]
        with INDEX.allow_all_wheels(), ThreadPoolExecutor(8) as pool:
            made = [*zip(pins, pool.map(hashed, pins), strict=True)]
        for pin, whole in reversed(made):
            text = text[: pin.start()] + whole + text[pin.end() :]
        path.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
