"""Sentences of a release's documents, and figures of its texts."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from sys import intern
from typing import Any

import yaml

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"^\"|(?<=[ (\[{<])\"", " `` "),  # quotes that open
        (r"[,:](?=\D|$)", r" \g<0> "),
        (r"\.\.\.|--", r" \g<0> "),
        (r"[;@#$%&?!()\[\]{}<>]", r" \g<0> "),
        (r"(?<!\.)\.(?=[\])}>\"']*\s)", " . "),
        (r"\"", " '' "),
        (r"(?<=[^'\s])'(?=\s|$)", " '"),
        (r"(?<=[^'\s])('s|'m|'d|'ll|'re|'ve|n't)(?=\s)", r" \1"),
        (r"\b(can)(not)\b", r"\1 \2"),
        (r"\b(?:(gim|lem)(me)|(gon)(na)|(got)(ta))\b", r"\1\3\5 \2\4\6"),
        (r"\b(wan)(na)(?=\s)", r"\1 \2"),
    )
)


@lru_cache(maxsize=1)  # a question is counted in each file that has it, one after the other
def tokens(sentence: str) -> tuple[str, ...]:
    """Return the tokens of a text by the rules of the Penn Treebank, in lower case.

    Notes
    -----
    *Source*: R. MacIntyre's ``tokenizer.sed`` (1995), which expects one sentence. As in NLTK's
    ``word_tokenize`` the text may have several; here one ends at each full stop before a space.
    ``word_tokenize`` asks a trained model, which knows abbreviations: its vocabulary of
    WinoGrande is smaller by 0.5 %.

    Examples
    --------
    >>> tokens("Ann didn't like Eve's cup. So _ left.")
    ('ann', 'did', "n't", 'like', 'eve', "'s", 'cup', '.', 'so', '_', 'left', '.')
    """
    text = f"{sentence} ".lower()
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return tuple(map(intern, text.split()))  # several vocabularies share the words


@dataclass(slots=True)
class TextFigures:
    """The length and vocabulary of sentences, counted one by one.

    Memory grows with the vocabulary alone.
    """

    sentences: int = 0
    words: int = 0
    tokens: int = 0
    types: set[str] = field(default_factory=set)

    def add(self, sentence: str) -> None:
        """Count a sentence."""
        words = tokens(sentence)
        self.sentences += 1
        self.words += len(sentence.split())
        self.tokens += len(words)
        self.types.update(words)

    @property
    def mean_words(self) -> float | None:
        """Mean number of words between white space, as the rules count them; two decimals."""
        return round(self.words / self.sentences, 2) if self.sentences else None

    @property
    def mean_tokens(self) -> float | None:
        """Mean number of `tokens`, two decimals."""
        return round(self.tokens / self.sentences, 2) if self.sentences else None

    @property
    def vocabulary(self) -> int:
        """Number of different `tokens`."""
        return len(self.types)


UNKNOWN, NOT_STATED = "Unknown.", "not stated."
_SPECIAL = re.compile(r"[\\`*_{}\[\]|~#$]")
_AUTOLINK = re.compile(r"(:)(?=//)|(?<=www)(\.)|(@)", re.IGNORECASE)
_LIST_MARK = re.compile(r"^([-+=]|\d+(?=[.)](\s|$)))")
_BIDI = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_PLAIN = re.compile(r"[A-Za-z][\w./<-]*", re.ASCII)


def one_line(text: str) -> str:
    """Return a text without line breaks, control characters and changes of direction.

    >>> one_line("a\\n---\\tb\\x00")
    'a --- b'
    """
    line = " ".join(_BIDI.sub("", text).split())
    return "".join(char for char in line if unicodedata.category(char) not in ("Cc", "Cs"))


def markdown(text: str) -> str:
    """Return a text that Markdown shows as it is, in one line.

    >>> markdown("<b>*a*</b> | [x](y)")
    '&lt;b&gt;\\\\*a\\\\*&lt;/b&gt; \\\\| \\\\[x\\\\](y)'
    """
    line = one_line(text)
    mark = _LIST_MARK.match(line)
    line = _AUTOLINK.sub(r"\\\g<0>", _SPECIAL.sub(r"\\\g<0>", line))
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if mark is None:
        return line
    end = mark.end()
    return rf"\{line}" if not mark[0].isdigit() else rf"{line[:end]}\{line[end:]}"


def number(value: float | str | None, digits: int = 2) -> str:
    """Return a number for people.

    >>> number(43972), number(20.649), number(0.5, 3), number(None)
    ('43,972', '20.65', '0.500', 'unknown')
    """
    if value is None:
        return "unknown"
    if isinstance(value, str):
        return markdown(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def stated(text: str) -> str:
    """Return a statement as Markdown, or that it is not stated.

    >>> stated("ERC *grant*"), stated("  ")
    ('ERC \\\\*grant\\\\*', 'not stated.')
    """
    return markdown(text) or NOT_STATED


def count(n: int, noun: str) -> str:
    """Return a count with its noun.

    >>> count(1, "question"), count(2000, "pair"), count(2, "person")
    ('1 question', '2,000 pairs', '2 people')
    """
    several = "people" if noun == "person" else f"{noun}s"
    return f"{n:,} {noun if n == 1 else several}"


def were(n: int) -> str:
    """Return the verb after a count of *n*."""
    return "was" if n == 1 else "were"


def code(text: str) -> str:
    """Return a text that Markdown shows in the type of code, in a table too.

    >>> code("a`b"), code("a|b")
    ("`a'b`", '`a\\\\|b`')
    """
    return "`" + one_line(text).replace("`", "'").replace("|", r"\|") + "`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; its cells are Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def bullets(lines: Iterable[str]) -> str:
    """Return a Markdown list of lines that are Markdown, or `UNKNOWN`."""
    return "\n".join(f"- {line}" for line in lines) or UNKNOWN


def flat(facts: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Return nested facts as lines of a dotted name and a text, in their order.

    >>> flat({"a": {"b": 1, "c": None}, "d": [1, 2]})
    [('a.b', '1'), ('a.c', 'none'), ('d', '1, 2')]
    """
    flattened = []
    for key, value in facts.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            flattened += flat(value, f"{name}.")
        elif isinstance(value, list | tuple):
            flattened.append((name, ", ".join(map(str, value))))
        else:
            flattened.append((name, "none" if value is None else str(value)))
    return flattened


class _Dumper(yaml.SafeDumper):
    pass


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    # YAML 1.1 and 1.2 read some plain texts differently, such as 0o17 or no.
    style = None if _PLAIN.fullmatch(value) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def yaml_text(value: Any) -> str:
    """Return YAML that every version reads as the same value; one line for each text."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=float("inf"))
