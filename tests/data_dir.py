"""Where the real data lies, and the mark for tests that need it."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def data_dir() -> Path:
    """Return the folder of real data: ``WINO_DATA_DIR``, or ``shared/data`` beside the checkout."""
    return Path(os.environ.get("WINO_DATA_DIR") or ROOT.parent / "shared" / "data")


needs_data = pytest.mark.skipif(
    not data_dir().is_dir(),
    reason=f"needs the real data in {data_dir()}; set WINO_DATA_DIR to where it lies",
)
