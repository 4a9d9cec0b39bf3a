"""Prepared statements that lack a part, for controls that lose."""

from typing import Any

import pytest

from winoplatform.prepared import Prepared


def without(part: str, prepared: Prepared[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Take *part*, such as a lock, out of a statement that everybody uses."""
    sql, _ = prepared.statement
    assert part in sql
    cut = prepared.statement._replace(sql=sql.replace(part, ""))
    monkeypatch.setattr(prepared, "statement", cut)
