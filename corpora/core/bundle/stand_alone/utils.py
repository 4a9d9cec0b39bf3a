"""What the task of lm-evaluation-harness calls; it reads the Parquet file of this folder."""

import math
from collections import defaultdict
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"


def load(**_):
    """Return the labelled dev split."""
    import datasets

    files = {"validation": str(DATA / "dev.parquet")}
    return datasets.load_dataset("parquet", data_files=files)


def doc_to_choice(doc):
    """Return the text up to the blank and each option: partial scoring, as for WinoGrande."""
    before, _, _ = doc["sentence"].partition("_")
    return [before + doc["option1"], before + doc["option2"]]


def doc_to_target(doc):
    """Return the text after the blank, which is scored; a full stop where there is none."""
    _, _, after = doc["sentence"].partition("_")
    return after or "."


def doc_to_text(doc):
    """Return the place of the right option."""
    return int(doc["answer"]) - 1


def process_results(doc, results):
    """Return whether the right option has the higher likelihood; a tie counts one half."""
    first, second = (likelihood for likelihood, *_ in results)
    right, other = (first, second) if doc["answer"] == "1" else (second, first)
    credit = 0.5 if right == other else float(right > other)
    return {"acc": credit, "pair_acc": (doc["qID"].rpartition("-")[0], credit)}


def pair_accuracy(items):
    """Return the mean over complete pairs of the product of both credits; NaN without pairs."""
    pairs = defaultdict(list)
    for pair, credit in items:
        pairs[pair].append(credit)
    products = [math.prod(both) for both in pairs.values() if len(both) == 2]
    return sum(products) / len(products) if products else math.nan
