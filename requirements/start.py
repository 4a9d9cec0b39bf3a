"""Refuse wheels of which anything would run whenever Python starts: ``python start.py FOLDER``.

Python executes lines of ``.pth`` files and the modules ``sitecustomize`` and ``usercustomize``
before any program. A package that is installed for its weights must have none of them.
"""

import sys
from pathlib import Path
from zipfile import ZipFile

CUSTOM = ("sitecustomize", "usercustomize")


def runs_at_start(wheel: Path) -> list[str]:
    """Return the files of a wheel that Python would execute by itself."""
    with ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if _is_run(Path(name))]


def _is_run(path: Path) -> bool:
    # Files below purelib and platlib of the data folder are installed beside the packages.
    inside = path.parts[2:] if path.parts[0].endswith(".data") else path.parts
    return path.suffix == ".pth" or (bool(inside) and inside[0].split(".")[0] in CUSTOM)


def main(folder: Path) -> None:
    """Exit with the files found, if there are any."""
    wheels = sorted(folder.iterdir())
    if not wheels or any(wheel.suffix != ".whl" for wheel in wheels):
        sys.exit(f"{folder} must hold wheels only: other packages run code to be installed.")
    starts = [f"{wheel.name}: {name}" for wheel in wheels for name in runs_at_start(wheel)]
    if starts:
        sys.exit("These files would run whenever Python starts:\n" + "\n".join(starts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
