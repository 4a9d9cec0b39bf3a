"""What several tests of artifact detections need."""

from pathlib import Path
from typing import Any

import pytest

from evaluation.core.artifacts import detection as detectors
from tests.evaluation.sets import tiny_model
from winoplatform.runs import helping


@pytest.fixture
def few_relabellings(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests whose results are not about p."""
    monkeypatch.setattr(detectors, "RELABELLINGS", 9)


@pytest.fixture
def tiny(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A tiny causal model as a scorer."""
    monkeypatch.setattr(helping.current_app, "send_task", lambda *_, **__: None)
    spec = tiny_model(tmp_path, settings)
    return {"method": "causal", "variant": "full", "model": spec}
