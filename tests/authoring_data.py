"""Reads the real crowd's twins (Natural Instructions sub-task 029) as drafts."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

from collection.core.rules import Domain, TwinDraft

AUTHORING_FILE = Path("authoring/subtask029_winogrande_full_object.json.gz")

_INPUT = re.compile(r"Context word:\s*(?P<anchor>.*?)\.?\s*", re.IGNORECASE | re.DOTALL)
_OUTPUT = re.compile(
    r"\s*Sentence 1:\s*(.*?)\s*\n\s*Answer1:\s*(.*?)\s*\n"
    r"\s*Sentence 2:\s*(.*?)\s*\n\s*Answer2:\s*(.*?)\s*",
    re.DOTALL,
)


def read_authoring(path: str | Path) -> Iterator[TwinDraft]:
    """Yield every twin of the file; its answers become the options, right in turn.

    The task's own full stop after an answer is dropped, everything else is kept as written.
    A record that has another form raises ValueError: none does.
    """
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        instances = json.load(lines)["Instances"]
    for instance in instances:
        context = _matched(_INPUT, instance["input"])
        for output in instance["output"]:
            first, answer1, second, answer2 = _matched(_OUTPUT, output).groups()
            yield TwinDraft(
                sentences=(first, second),
                options=(answer1.removesuffix("."), answer2.removesuffix(".")),
                answers=(1, 2),
                anchor=context["anchor"],
                domain=Domain.PHYSICAL,
            )


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(f"record must have the form {pattern.pattern}, got {text!r}")
    return match
