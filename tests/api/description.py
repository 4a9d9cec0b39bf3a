"""docs/openapi.yaml as tests read it."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

SNAPSHOT = Path(__file__).resolve().parents[2] / "docs" / "openapi.yaml"


@cache
def description() -> dict[str, Any]:
    """Read once, and by libyaml: it is long."""
    read: dict[str, Any] = yaml.load(SNAPSHOT.read_text(), yaml.CSafeLoader)
    return read
