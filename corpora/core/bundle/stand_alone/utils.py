"""What the tasks of lm-evaluation-harness call; they read the Parquet file of this release."""

import math
import re
from collections import defaultdict
from pathlib import Path

AT_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s)\s*[\"'“‘(]*$")
DETERMINERS = {"A", "An", "The", "My", "Your", "His", "Her", "Its", "Our", "Their"}
DATA = Path(__file__).resolve().parent.parent / "data"
PROMPT = """Which option fills the blank (_) of the text? Reply with its number, 1 or 2, and \
nothing else.

{prompt}

1) {option1}
2) {option2}"""
NUMBER = re.compile(r"\b([12])\b")
NO_NUMBER = "[invalid]"
MAX_TOKENS = 16


def load(start="", **_):
    """Return the labelled dev split.

    ``--metadata '{"start": "<|endoftext|>"}'`` puts a token before each text, for a model that saw
    it at the start of documents and whose tokenizer does not put it there.
    """
    import datasets

    files = {"validation": str(DATA / "dev.parquet")}
    data = datasets.load_dataset("parquet", data_files=files)
    return data.map(lambda doc: {"start": start})


def doc_to_choice(doc):
    """Return the text up to the blank and each option: partial scoring, as for WinoGrande."""
    before, _, _ = doc["sentence"].partition("_")
    options = [written(before, doc[name]) for name in ("option1", "option2")]
    return [doc.get("start", "") + before + option for option in options]


def written(before, option):
    """Return an option as a writer has it there: a capital at the start of a sentence only."""
    option = option.strip()
    if option.split()[0] in DETERMINERS:
        option = option[:1].lower() + option[1:]
    return option[:1].upper() + option[1:] if AT_START.search(before) else option


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


def prompt(doc):
    """Return the question as it is asked for the number of an option."""
    options = {name: doc[name] for name in ("option1", "option2")}
    return PROMPT.format(prompt=doc["sentence"], **options)


def number_in(text):
    """Return the first 1 or 2 of an answer that stands alone, or `NO_NUMBER`."""
    match = NUMBER.search(text)
    return match[1] if match else NO_NUMBER


def process_number(doc, results):
    """Return whether the number is that of the right option."""
    credit = float(results[0] == doc["answer"])
    return {"acc": credit, "pair_acc": (doc["qID"].rpartition("-")[0], credit)}


def pair_accuracy(items):
    """Return the mean over complete pairs of the product of both credits; NaN without pairs."""
    pairs = defaultdict(list)
    for pair, credit in items:
        pairs[pair].append(credit)
    products = [math.prod(both) for both in pairs.values() if len(both) == 2]
    return sum(products) / len(products) if products else math.nan
