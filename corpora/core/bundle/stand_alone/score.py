#!/usr/bin/env python3
"""Score predictions for the dev split, in the format of WinoGrande.

    python score.py --preds_file predictions.lst

Each line of the predictions is 1 or 2, what one model answers; or it has one such column for each
training size, in the order xs, s, m, l, xl, separated by commas. The lines are in the order of
dev.jsonl. The scores are printed as JSON, for one column as acc and pair-acc alone:

    acc-SIZE        share of right answers
    pair-acc-SIZE   share of the complete pairs with two right answers; null without pairs
    auc, pair-auc   area under the curve of the scores over log2 of the number of training
                    questions, divided by its width; null with a single training size

The script needs Python 3.8 or newer, and manifest.json and dev.jsonl beside it.
"""

import argparse
import json
import math
import sys
from pathlib import Path

SIZES = ("xs", "s", "m", "l", "xl")
HERE = Path(__file__).resolve().parent


def main(arguments=None):
    options = parsed(arguments)
    try:
        scores = scored(options)
    except (OSError, ValueError, KeyError) as error:
        print(f"score.py: {error}", file=sys.stderr)
        return 2
    text = json.dumps(scores, indent=2)
    if options.metrics_output_file:
        Path(options.metrics_output_file).write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--preds_file", required=True, help="one line for each question")
    parser.add_argument("--labels_file", default=str(HERE / "dev-labels.lst"))
    parser.add_argument("--metrics_output_file", help="where to write the scores, too")
    return parser.parse_args(arguments)


def scored(options):
    """Return the scores by name."""
    labels_file = Path(options.labels_file)
    if labels_file.name == "test-labels.lst" and not labels_file.exists():
        raise ValueError(
            "The labels of the test split are secret, so this script cannot score it. Score dev "
            "here, and submit predictions for test where the release was published."
        )
    labels = [column for (column,) in columns(labels_file, 1)]
    sizes = training_sizes(HERE / "manifest.json")
    is_one = len(sizes) > 1 and has_one_column(options.preds_file)
    answers = columns(Path(options.preds_file), 1 if is_one else len(sizes))
    if len(answers) != len(labels):
        raise ValueError(f"There are {len(labels)} labels, but {len(answers)} predictions.")
    pairs = complete_pairs(questions_file(labels_file), len(labels))
    right = [[given == labels[at] for given in line] for at, line in enumerate(answers)]
    scores = {}
    for at, size in enumerate([""] if is_one else [f"-{size}" for size in sizes]):
        hits = [line[at] for line in right]
        scores[f"acc{size}"] = mean(hits)
        scores[f"pair-acc{size}"] = mean([hits[a] and hits[b] for a, b in pairs])
    if is_one:
        return scores
    counts = list(sizes.values())
    scores["auc"] = area(counts, [scores[f"acc-{size}"] for size in sizes])
    scores["pair-auc"] = area(counts, [scores[f"pair-acc-{size}"] for size in sizes])
    return scores


def has_one_column(path):
    with open(path, encoding="utf-8") as file:
        return file.readline().strip() in ("1", "2")


def columns(path, n):
    """Return the lines of a file, each as *n* values '1' or '2'."""
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            values = [value.strip() for value in line.split(",")]
            if len(values) != n or not set(values) <= {"1", "2"}:
                wanted = "1 or 2" if n == 1 else f"{n} times 1 or 2, separated by commas"
                raise ValueError(f"{path}, line {number}: must be {wanted}, got {line.strip()!r}")
            found.append(values)
    return found


def training_sizes(manifest):
    """Return the number of questions of each training size that this release has."""
    splits = json.loads(Path(manifest).read_text(encoding="utf-8"))["splits"]
    names = {size: f"train_{size}" for size in SIZES if f"train_{size}" in splits}
    return {size: splits[name]["questions"] for size, name in names.items()}


def questions_file(labels_file):
    return labels_file.with_name(labels_file.name.replace("-labels.lst", ".jsonl"))


def complete_pairs(path, n):
    """Return the two lines of each pair whose both questions are in the file."""
    lines = {}
    with open(path, encoding="utf-8") as file:
        ids = [json.loads(line)["qID"] for line in file]
    if len(ids) != n:
        raise ValueError(f"{path} has {len(ids)} questions, but there are {n} labels.")
    for at, qid in enumerate(ids):
        lines.setdefault(qid.rpartition("-")[0], []).append(at)
    return [tuple(both) for both in lines.values() if len(both) == 2]


def mean(values):
    return sum(values) / len(values) if values else None


def area(sizes, scores):
    """Return the area under the scores over log2 of the sizes, by trapezia, per unit of width."""
    if len(sizes) < 2 or min(sizes) < 1 or None in scores:
        return None
    x = [math.log2(size) for size in sizes]
    steps = range(len(x) - 1)
    total = sum((x[i + 1] - x[i]) * (scores[i] + scores[i + 1]) / 2 for i in steps)
    return total / (x[-1] - x[0])


if __name__ == "__main__":
    sys.exit(main())
