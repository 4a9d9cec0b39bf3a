"""Length and vocabulary: how the usual tokenizers compare with Table 5 of the WinoGrande paper."""

import gzip
import json
import re

import pytest
from nltk.tokenize import TreebankWordTokenizer

from corpora.core.bundle.text import TextFigures, tokens
from tests.data_dir import data_dir

PAPER_LENGTH = 20.6  # Table 5, all questions
HARD = (
    '"No," he said... (it\'s $3,000 -- not 5:30!)',
    "I cannot; gonna 'go' to John's. They've [a] wanna-be {b} <c>?",
    "It isn't 'it'",
    "",
)
TREEBANK = TreebankWordTokenizer()


def sentences() -> list[str]:
    with gzip.open(data_dir() / "winogrande/train_l.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line)["sentence"] for line in file]


def test_tokens_are_those_of_the_penn_treebank():
    for sentence in [*HARD, *sentences()[::20]]:
        assert tokens(sentence) == tuple(TREEBANK.tokenize(sentence))


def test_means_and_vocabulary_are_over_sentences():
    figures = TextFigures()
    figures.add("The cup, the tray.")
    figures.add("No cup")
    assert (figures.mean_words, figures.mean_tokens) == (3.0, 4.0)
    assert figures.vocabulary == 7  # The cup , the tray . No
    assert TextFigures().mean_words is None


@pytest.mark.long
def test_no_usual_tokenizer_is_nearer_to_the_paper_in_length_and_vocabulary():
    found = {
        name: figures(split)
        for name, split in {
            "treebank": tokens,
            "white space": str.split,
            "words": re.compile(r"\w+").findall,
            "words and marks": re.compile(r"\w+|[^\w\s]").findall,
        }.items()
    }
    nearest = min(found, key=lambda name: abs(found[name][0] - PAPER_LENGTH))
    assert nearest == "treebank"
    assert found["treebank"] == (pytest.approx(20.65, abs=0.01), 9508)


def figures(split) -> tuple[float, int]:
    """Return the mean length and the vocabulary of train_l."""
    parts = [split(sentence) for sentence in sentences()]
    return sum(map(len, parts)) / len(parts), len({word for part in parts for word in part})
