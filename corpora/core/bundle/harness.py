"""The task folder for lm-evaluation-harness, and the script that scores predictions."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from corpora.core.bundle.manifest import Manifest

_TASK = """task: {name}
custom_dataset: !function utils.load
validation_split: validation
output_type: multiple_choice
doc_to_text: !function utils.doc_to_text
doc_to_target: !function utils.doc_to_target
doc_to_choice: !function utils.doc_to_choice
target_delimiter: ""
process_results: !function utils.process_results
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: pair_acc
    aggregation: !function utils.pair_accuracy
    higher_is_better: true
metadata:
  version: {version}
"""


def task(manifest: Manifest) -> str:
    """Return ``harness/<name>.yaml``: the dev split, by partial scoring, as WinoGrande's task."""
    return _TASK.format(name=json.dumps(manifest.name), version=json.dumps(manifest.version))


@cache
def stand_alone(name: str) -> str:
    """Return the text of a script that is published as it is: 'score.py' or 'utils.py'."""
    return (resources.files(__package__) / "stand_alone" / name).read_text(encoding="utf-8")
