"""Length and vocabulary: the tokens of the Penn Treebank, and Table 5 of the WinoGrande paper."""

import csv
import gzip
import json
import re
from collections.abc import Callable, Sequence

import pytest
from nltk.tokenize import TreebankWordTokenizer

from corpora.core.bundle.wording import TextFigures, tokens
from corpora.core.readers import READERS
from tests.data_dir import data_dir, needs_data

HARD = (
    '"No," he said... (it\'s $3,000 -- not 5:30!)',
    "I cannot; gonna 'go' to John's. They've [a] wanna-be {b} <c>?",
    "It isn't 'it'",
    "Ann didn't. _ did (at 5 p.m. sharp). Eve's is 3.50.",
    "",
)
TREEBANK = TreebankWordTokenizer()
WORDS_AND_MARKS = re.compile(r"\w+|[^\w\s]")


def lines(*path: str) -> list[str]:
    file = data_dir().joinpath(*path)
    open_text = gzip.open if file.suffix == ".gz" else open
    with open_text(file, "rt", encoding="utf-8", errors="replace") as text:
        return list(text)


def winogrande(*names: str) -> list[str]:
    return [json.loads(line)["sentence"] for name in names for line in lines("winogrande", name)]


def dpr() -> list[str]:
    both = (lines("dpr", f"{part}.c.txt")[::5] for part in ("train", "test"))
    return [line for part in both for line in part if line.strip()]


# By set: its sentences; mean and vocabulary in Table 5; those of a manifest.
TABLE_5 = {
    "WSC": (
        lambda: [item.sentence for item in READERS["wsc273"](lines("wsc", "wsc273.txt"))],
        (19.1, 919),
        (18.63, 919),
    ),
    "SuperGLUE-WSC": (
        lambda: [
            json.loads(line)["text"]
            for split in ("train", "val", "test")
            for line in lines("superglue_wsc", f"{split}.jsonl")
        ],
        (28.4, 1711),
        (28.51, 1709),
    ),
    "DPR": (dpr, (15.9, 4127), (15.95, 4128)),
    "Winogender": (
        lambda: [
            row["sentence"]
            for row in csv.DictReader(lines("winogender", "all_sentences.tsv"), delimiter="\t")
        ],
        (15.6, 523),
        (15.59, 523),
    ),
    "WinoGrande": (
        lambda: winogrande("train_xl.jsonl.gz", "dev.jsonl", "test.jsonl"),
        (20.6, 16469),
        (20.63, 16420),
    ),
}


def by_treebank(text: str) -> tuple[str, ...]:
    parts = re.split(r"(?<=\.)\s+", text)
    return tuple(token.lower() for part in parts for token in TREEBANK.tokenize(part))


@pytest.mark.parametrize("text", HARD)
def test_tokens_are_those_of_the_penn_treebank_sentence_by_sentence(text: str) -> None:
    assert tokens(text) == by_treebank(text)


@needs_data
def test_tokens_of_real_sentences_are_those_of_the_penn_treebank() -> None:
    for text in winogrande("train_l.jsonl.gz")[::20]:
        assert tokens(text) == by_treebank(text)


def test_means_and_vocabulary_are_over_sentences() -> None:
    figures = TextFigures()
    figures.add("The cup, the tray.")
    figures.add("No cup")
    assert (figures.mean_words, figures.mean_tokens) == (3.0, 4.0)
    assert figures.vocabulary == 6  # the cup , tray . no
    assert TextFigures().mean_words is None


@needs_data
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name == "WinoGrande" else ())
        for name in TABLE_5
    ],
)
def test_a_manifest_counts_as_table_5_does(name: str) -> None:
    read, paper, manifest = TABLE_5[name]
    texts = read()
    found = figures(tokens, texts)
    assert found == (pytest.approx(manifest[0], abs=0.005), manifest[1])
    other = figures(lambda text: WORDS_AND_MARKS.findall(text.lower()), texts)
    assert abs(found[1] - paper[1]) < abs(other[1] - paper[1])


def figures(split: Callable[[str], Sequence[str]], texts: Sequence[str]) -> tuple[float, int]:
    """Return the mean length and the vocabulary."""
    parts = [split(text) for text in texts]
    return sum(map(len, parts)) / len(parts), len({word for part in parts for word in part})
