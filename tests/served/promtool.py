"""Debian's promtool, and what Prometheus makes of figures that were really read."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.data_dir import ROOT

ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
UNPACKED = ROOT / ".venv" / "prometheus" / "usr" / "bin" / "promtool"
PATH = shutil.which("promtool") or (str(UNPACKED) if UNPACKED.exists() else "")
needed = pytest.mark.skipif(not PATH, reason="run `make promtool`")
INTERVAL = 30  # seconds between two reads


def promtool(*arguments: str) -> str:
    """Return what promtool prints; fail with it if it does not accept its files."""
    done = subprocess.run([PATH, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


Samples = dict[str, float]


def read(text: str) -> Samples:
    """Return the samples of figures by series, as a rule test names it."""
    return {
        _series(sample.name, sample.labels): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _series(name: str, labels: dict[str, str]) -> str:
    whole = {**labels, "job": "wino", "instance": "wino"}
    return f"{name}{{{','.join(f'{key}={json.dumps(value)}' for key, value in whole.items())}}}"


@dataclass(frozen=True)
class Reading:
    """What was read at a time, in seconds since 1970; nothing if the platform did not answer."""

    at: float
    samples: Samples

    def sum(self, start: str) -> float:
        """Return the sum of the series whose names begin with *start*; -1 without one."""
        values = [value for name, value in self.samples.items() if name.startswith(start)]
        return sum(values) if values else -1.0

    def age(self, series: str) -> float:
        return self.at - self.samples[series]


QUIET = 80  # reads before the fault
FIRED = 'group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[6h]))'


def assert_fires(
    before: Reading,
    during: Reading,
    alerts: set[str],
    folder: Path,
    *,
    minutes: int,
    goes_on: bool,
) -> None:
    """Let Prometheus read *before* for 40 minutes and *during* then: only *alerts* may fire.

    *goes_on* is whether beat still does its work, so that its moments go on with the clock.
    """
    many = minutes * 60 // INTERVAL
    names = before.samples.keys() | during.samples.keys()
    group = {
        "interval": f"{INTERVAL}s",
        "input_series": [
            {"series": name, "values": _values(name, before, during, many, goes_on)}
            for name in sorted(names)
        ],
        "promql_expr_test": [
            {"expr": FIRED, "eval_time": f"{QUIET * INTERVAL}s", "exp_samples": []},
            {
                "expr": FIRED,
                "eval_time": f"{(QUIET + many) * INTERVAL}s",
                "exp_samples": [
                    {"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in sorted(alerts)
                ],
            },
        ],
    }
    file = folder / "test.yml"
    whole = {"rule_files": [str(ALERTS)], "evaluation_interval": "30s", "tests": [group]}
    file.write_text(yaml.safe_dump(whole, width=10_000))
    promtool("test", "rules", str(file))


def _values(name: str, before: Reading, during: Reading, many: int, goes_on: bool) -> str:
    if "_timestamp_seconds" in name and name in before.samples and name in during.samples:
        return _moments(before.age(name), many, goes_on)
    first, then = (reading.samples.get(name) for reading in (before, during))
    parts = [(first, QUIET + 1), (then, many)]
    return " ".join(f"_x{n}" if v is None else f"{v:.6f}+0x{n - 1}" for v, n in parts)


def _moments(age: float, many: int, goes_on: bool) -> str:
    """Return moments as seconds of the test's clock."""
    last, step = QUIET * INTERVAL - age, INTERVAL if goes_on else 0
    begun = f"{-age:.3f}+{INTERVAL}x{QUIET}"
    return f"{begun} {last + step:.3f}+{step}x{many - 1}"
