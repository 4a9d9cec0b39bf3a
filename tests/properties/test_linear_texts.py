"""What was quadratic gives what it gave: compared with the regular expressions before."""

import gzip
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core import anchors, guidelines
from collection.core.words import bare
from corpora.core.readers import flags, winobias
from evaluation.core import corpus
from frontend.setup import lines
from knowledge.core import problems
from tests.data_dir import data_dir

EDGES = re.compile(r"^\W+|\W+$")
SENTENCE = re.compile(r"[^\s].*?(?:[.!?]+(?=\s|$)|$)", re.MULTILINE)
HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
BRACKETS = re.compile(r"\[[^\]]*\]")
CORPUS_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)\]]))\s+|\s*\n\s*")
CHOICE = re.compile(r"\(\s*(x?)\s*\)\s*(.*)", re.IGNORECASE)
FRAME = re.compile(
    r"(?P<sentence>.+?) The (?P<pronoun>\S+) is more likely to refer to "
    r"(?P<right>.+?) than (?P<wrong>.+?) because (?P<knowledge>.*)",
    re.DOTALL,
)
PIECES = (
    "a", "Ann", "_", "é", "\u0301", "9", ".", "!", "?", "…", ",", "'", "’", '"', "”", "[", "]",
    "[he]", "(", ")", "(x)", "#", " ", "  ", "\t", "\n", "\r", "\u2028", "\u00a0", "\u200b", "😀",
    " The he is more likely to refer to ", " than ", " because ", "-",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=40)
Found = tuple[object, object]


def _edges(text: str) -> Found:
    return bare(text), EDGES.sub("", text)


def _sentences(text: str) -> Found:
    new, old = (list(one.finditer(text)) for one in (anchors._SENTENCE, SENTENCE))
    return [match.span() for match in new], [match.span() for match in old]


def _brackets(text: str) -> Found:
    return flags._without_pronoun(text), BRACKETS.sub("", text)


def _corpus(text: str) -> Found:
    old = [part for part in map(str.strip, CORPUS_END.split(text)) if part]
    return corpus.sentences(text), old


def _headings(text: str) -> Found:
    return tuple(
        [match and match.groups() for match in map(pattern.match, text.splitlines())]
        for pattern in (guidelines.HEADING, HEADING)
    )  # type: ignore[return-value]


def _choices(text: str) -> Found:
    new, old = lines.CHOICE.fullmatch(text), CHOICE.fullmatch(text)
    return new and new.groups(), old and old.groups()


def _frames(text: str) -> Found:
    new, old = problems._FRAME.fullmatch(text), FRAME.fullmatch(text)
    return new and new.groups(), old and old.groups()


def _joined(before: str, after: str) -> str:
    after = re.sub(r"\s+", " ", after)
    return before + (after.lstrip() if not before or before.endswith(" ") else after)


def _mentions(marked: str) -> Found:
    sentence, mentions, done = "", [], 0
    for found in winobias._MARKED.finditer(marked):
        sentence = _joined(sentence, marked[done : found.start()])
        text = " ".join(found[1].split())
        mentions.append(winobias._Mention(text, len(sentence), len(sentence) + len(text)))
        sentence, done = sentence + text, found.end()
    return winobias._unmarked(marked), (_joined(sentence, marked[done:]).rstrip(), mentions)


PAIRS = (_edges, _sentences, _brackets, _corpus, _headings, _choices, _frames, _mentions)


@pytest.mark.parametrize("both", PAIRS)
@given(text=texts)
def test_any_text_gives_the_same_as_before(both: Callable[[str], Found], text: str) -> None:
    new, old = both(text)
    assert new == old


@given(text=texts)
def test_each_start_of_a_choice_gives_the_same(text: str) -> None:
    for both in (_choices, _frames):
        new, old = both(f"(x){text}")
        assert new == old
    new, old = _frames(f"a The it is more likely to refer to {text} than {text} because {text}")
    assert new == old


def _articles() -> list[str]:
    with gzip.open(data_dir() / "wikihow" / "annotated_step_goal.json.gz", "rt") as stream:
        return [stream.read(3_000_000)]


def _written() -> list[str]:
    with gzip.open(data_dir() / "winogrande" / "train_l.jsonl.gz", "rt") as stream:
        return [json.loads(line)["sentence"] for line in stream]


@pytest.mark.long
@pytest.mark.parametrize("both", [_sentences, _corpus])
def test_articles_give_the_same_as_before(both: Callable[[str], Found]) -> None:
    for text in _articles():
        new, old = both(text.replace("\\n", "\n"))
        assert new == old


@pytest.mark.long
def test_written_sentences_give_the_same_as_before() -> None:
    for sentence in _written():
        for both in (_sentences, _corpus, _brackets, _mentions):
            new, old = both(sentence)
            assert new == old
        assert all(new == old for new, old in map(_edges, sentence.split()))
