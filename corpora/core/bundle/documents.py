"""Every document of a release, made from its manifest alone, with the harness's task folder."""

import json
from functools import cache
from importlib import resources

from corpora.core.bundle import codec, layout
from corpora.core.bundle.card import card
from corpora.core.bundle.changelog import changelog, citation
from corpora.core.bundle.croissant import croissant
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


def documents(manifest: Manifest) -> dict[str, str]:
    """Return the texts by file name; equal manifests give equal texts.

    None of these files is listed in the manifest, and ``SHA256SUMS`` is not among them.
    """
    return {
        layout.README: card(manifest),
        layout.CHANGELOG: changelog(manifest),
        layout.CITATION: citation(manifest),
        layout.MANIFEST: codec.to_json(manifest),
        layout.CROISSANT: croissant(manifest),
        layout.SCORER: stand_alone("score.py"),
        layout.harness_task(manifest.name): task(manifest),
        layout.HARNESS_CODE: stand_alone("utils.py"),
    }
