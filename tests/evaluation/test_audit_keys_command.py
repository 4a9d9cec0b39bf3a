"""The command that lists suspected keys, over evaluations of known ability."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from corpora.core.items import Item
from tests.evaluation.core.test_key_audit import answered
from tests.evaluation.sets import small_set

N = 60


def audited(tmp_path: Path, n_systems: int, *, is_random: bool = False) -> tuple[str, set[str]]:
    """Return what the command prints for systems of spread ability, and the wrong keys' ids."""
    right, planted = answered(n_systems, N, 0, wrong=3, spread=1.5)
    if is_random:
        right = np.random.default_rng(0).integers(0, 2, size=right.shape)
    small_set(
        [
            Item(
                id=f"q{n}",
                group=f"g{n}",
                sentence=f"_ is large {n} .",
                options=("ann", "joan"),
                answer=1,
            )
            for n in range(N)
        ]
    )
    for number, row in enumerate(right):
        file = tmp_path / f"{number}.jsonl"
        lines = (
            json.dumps({"qID": f"q{n}", "prediction": 1 if hit else 2}) for n, hit in enumerate(row)
        )
        file.write_text("\n".join(lines))
        call_command(
            "score_predictions", "small", str(file), split="test", store=f"system {number}"
        )
    out = io.StringIO()
    call_command("audit_keys", "small", split="test", stdout=out)
    return out.getvalue(), {f"q{n}" for n in planted}


def test_it_lists_the_planted_keys(tmp_path: Path) -> None:
    text, planted = audited(tmp_path, 12)
    assert "60 questions · 12 evaluations, worth" in text
    assert "Suspected keys: 3." in text
    listed = {line.split()[1] for line in text.splitlines() if line.startswith(("0.", "1."))}
    assert listed == planted
    assert "key: ann" in text


def test_it_says_when_systems_cannot_tell(tmp_path: Path) -> None:
    text, _ = audited(tmp_path, 6, is_random=True)
    assert "Cannot tell: these systems would find" in text
    assert "Suspected" not in text


def test_a_set_without_enough_systems_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="at least 5 systems; these questions have 4"):
        audited(tmp_path, 4)
    with pytest.raises(CommandError, match="no reference set, release or snapshot"):
        call_command("audit_keys", "nothing", split="test")
