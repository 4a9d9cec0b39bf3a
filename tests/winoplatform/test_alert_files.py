"""The alerts and the board are well-formed, and ask for figures that there are."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

from tests.data_dir import ROOT
from tests.served import promtool
from validation.exports.metrics import Figures
from validation.selectors.operation import (
    BrokerState,
    DatabaseState,
    LedgerState,
    OperationState,
)

pytestmark = pytest.mark.rowless
BOARD = json.loads((ROOT / "deploy" / "grafana" / "board.json").read_text())
NAME = re.compile(r"\bwino_\w+")


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(promtool.ALERTS.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    for panel in BOARD["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def names() -> set[str]:
    """Return the names of all samples that the platform can give."""
    database = DatabaseState({("k", "s"): 1}, {"k": 1}, {"k": 1.0}, {("w", "s"): 1})
    broker = BrokerState({}, {"light": 0}, 1.0, LedgerState(1.0, {"unpaid": 0}), {})
    seen = {("wino_request_seconds", part, "r"): 1.0 for part in (0, "sum")}
    broker = BrokerState(broker.workers, broker.messages, 1.0, broker.ledger, seen)
    families = Figures(OperationState(True, database, broker)).collect()
    return {sample.name for family in families for sample in family.samples}


def test_every_figure_that_is_asked_for_exists() -> None:
    asked = {name for text in expressions() for name in NAME.findall(text)}
    assert asked <= names()


def test_every_alert_has_a_severity_and_a_sentence() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in {"critical", "warning"}
        assert rule["annotations"]["summary"].endswith(".")


@promtool.needed
def test_the_rules_are_well_formed() -> None:
    assert "SUCCESS" in promtool.promtool("check", "rules", str(promtool.ALERTS))


@promtool.needed
def test_the_expressions_of_the_board_are_well_formed(tmp_path: Path) -> None:
    recorded = [
        {"record": f"board_{number}", "expr": text} for number, text in enumerate(expressions())
    ]
    file = tmp_path / "board.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "board", "rules": recorded}]}))
    promtool.promtool("check", "rules", str(file))


@promtool.needed
def test_the_example_of_a_configuration_is_well_formed() -> None:
    promtool.promtool(
        "check", "config", "--syntax-only", str(promtool.ALERTS.with_name("prometheus.yml"))
    )


def is_within(part: Any, whole: Any) -> bool:
    if isinstance(part, dict):
        return part.keys() <= whole.keys() and all(is_within(part[k], whole[k]) for k in part)
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(is_within, part, whole))
    return bool(part == whole)


def test_the_board_has_nothing_that_the_schema_of_boards_does_not_know() -> None:
    register_default_plugins()
    read = json.loads(json.dumps(Dashboard.from_json(BOARD), cls=JSONEncoder))
    assert is_within(BOARD, read)
    misspelt = BOARD | {"titel": "WinoPlatform"}
    assert not is_within(
        misspelt, json.loads(json.dumps(Dashboard.from_json(misspelt), cls=JSONEncoder))
    )


def test_no_two_panels_of_the_board_overlap() -> None:
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in BOARD["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) == 23
