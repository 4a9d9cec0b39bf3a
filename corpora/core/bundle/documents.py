"""Every document of a release, made from its manifest alone, with the tasks of two harnesses."""

import json
from functools import cache
from importlib import resources

from corpora.core.bundle import codec, layout
from corpora.core.bundle.card import card
from corpora.core.bundle.changelog import changelog, citation
from corpora.core.bundle.croissant import croissant
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import one_line, yaml_text

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
_ANSWERS = """task: {name}
custom_dataset: !function utils.load
validation_split: validation
output_type: generate_until
doc_to_text: !function utils.prompt
doc_to_target: answer
generation_kwargs:
  do_sample: false
  max_gen_toks: 16
  until: []
filter_list:
  - name: number
    filter:
      - function: regex
        regex_pattern: {pattern}
        group_select: 0
      - function: take_first
process_results: !function utils.process_number
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
NUMBER = r"\b([12])\b"
PROMPT = (
    "Which option fills the blank (_) of the text? Reply with its number, 1 or 2, and nothing "
    "else.\n\n{prompt}\n\n1) {option1}\n2) {option2}"
)
"""As in the script of the harness."""


def task(manifest: Manifest) -> str:
    """Return ``harness/<name>.yaml``: the dev split, by partial scoring, as WinoGrande's task."""
    return _TASK.format(name=json.dumps(manifest.name), version=json.dumps(manifest.version))


def answers_task(manifest: Manifest) -> str:
    """Return ``harness/<name>_answers.yaml``: the dev split, answered with an option's number."""
    return _ANSWERS.format(
        name=json.dumps(layout.answers(manifest.name)),
        pattern=json.dumps(NUMBER),
        version=json.dumps(manifest.version),
    )


def benchmark(manifest: Manifest) -> str:
    """Return eval.yaml, by which the Hub makes a benchmark of a data set and Inspect runs it.

    It knows Inspect's own scorers alone, so it has no score of pairs.
    """
    return yaml_text(
        {
            "name": one_line(manifest.title) or manifest.name,
            "description": "Which of two options fills the blank of a sentence; the dev split.",
            "evaluation_framework": "inspect-ai",
            "tasks": [
                {
                    "id": "dev",
                    "config": "default",
                    "split": "validation",
                    "field_spec": {
                        "input": "sentence",
                        "target": "answer",
                        "metadata": ["qID", "option1", "option2"],
                    },
                    "solvers": [
                        {"name": "prompt_template", "args": {"template": PROMPT}},
                        {"name": "generate", "args": {"temperature": 0.0}},
                    ],
                    "scorers": [{"name": "pattern", "args": {"pattern": NUMBER}}],
                }
            ],
        }
    )


@cache
def stand_alone(name: str) -> str:
    """Return the text of a script that is published as it is.

    They are 'score.py', 'utils.py' of the harness and 'answers.py' of Inspect.
    """
    return (resources.files(__package__) / "stand_alone" / name).read_text(encoding="utf-8")


def documents(manifest: Manifest) -> dict[str, str]:
    """Return the texts by file name; equal manifests give equal texts.

    None of these files is listed in the manifest, and ``SHA256SUMS`` is not among them.
    """
    has_dev = layout.DEV in manifest.splits and manifest.splits[layout.DEV].questions > 0
    return {
        layout.README: card(manifest),
        layout.CHANGELOG: changelog(manifest),
        layout.CITATION: citation(manifest),
        layout.MANIFEST: codec.to_json(manifest),
        layout.CROISSANT: croissant(manifest),
        layout.SCORER: stand_alone("score.py"),
        layout.harness_task(manifest.name): task(manifest),
        layout.harness_task(layout.answers(manifest.name)): answers_task(manifest),
        layout.HARNESS_CODE: stand_alone("utils.py"),
        layout.INSPECT: stand_alone("answers.py"),
        **({layout.BENCHMARK: benchmark(manifest)} if has_dev else {}),
    }
