"""Advice on the text itself: copied, pasted from a chat program, not words, not the script."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from collection.core.advice.published import is_published, plain_words, runs, runs_of
from collection.core.findings import Finding, make_finding, quote
from collection.core.offensive import is_offensive
from collection.core.words import bare, word_spans

COPIED_RUN = 8
"""Words in a row that a sentence may share with the campaign's own texts by chance."""
LONGEST_WORD = 40
LONGEST_CONSONANTS = 6  # "catchphrase"
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>|&(?:[A-Za-z]{2,8}|#[0-9]{1,6});")
_LABELS = re.compile(
    r"(?:sentence|twin|option|trigger|version|answer|question) {0,3}[12ab]? {0,3}:", re.IGNORECASE
)
_CHAT = (
    *("sure here", "certainly here", "of course here", "absolutely here", "okay here"),
    *("here is a twin", "here are two sentences", "here is a pair", "here are the sentences"),
    *("here is a sentence", "here is a revised", "here is the revised", "here s a revised"),
    *("as an ai", "as a language model", "large language model", "i m just an ai"),
    *("i hope this helps", "let me know if you", "i can t assist", "i cannot assist"),
    *("i m sorry but i", "feel free to ask", "you asked for a"),
)
_KEYBOARD = ("asdf", "sdfg", "dfgh", "fghj", "hjkl", "qwer", "wert", "zxcv", "xcvb", "uiop")
_VOWELS = frozenset("aeiouy")
_NEUTRAL = frozenset({"MODIFIER", "FEMININE", "MASCULINE", "MICRO", "KELVIN", "ANGSTROM", "OHM"})


def text_findings(
    sentences: Sequence[str],
    options: Sequence[str],
    *,
    own_texts: Iterable[str] = (),
    script: str = "LATIN",
) -> Iterator[Finding]:
    """Yield advice on what is wrong with a text, whatever other twins there are.

    Parameters
    ----------
    sentences, options : sequence of str
        As the writer gave them.
    own_texts : iterable of str
        Texts that writers of the campaign have read: its guidelines and the items of its exercise.
    script : str
        The campaign's script, from ``script_of``.
    """
    own = runs_of(own_texts, COPIED_RUN)
    for number, sentence in enumerate(sentences, start=1):
        yield from _copied(sentence, options, own, number)
        yield from _machine(sentence, number)
        yield from _words(sentence, script, number)


def _copied(
    sentence: str, options: Sequence[str], own: frozenset[tuple[str, ...]], number: int
) -> Iterator[Finding]:
    if own and not own.isdisjoint(runs(plain_words(sentence), COPIED_RUN)):
        yield _of("own_text", number, "repeats the guidelines or an example; write your own.")
    if is_published(sentence, options):
        yield _of(
            "published_text",
            number,
            "is that of a published question, perhaps with other options; write your own.",
        )


def _machine(sentence: str, number: int) -> Iterator[Finding]:
    padded = f" {' '.join(plain_words(sentence))} "
    phrase = next((each for each in _CHAT if f" {each} " in padded), None)
    if phrase or _LABELS.match(sentence.lstrip("\"'“‘*# ")):
        yield _of(
            "chat_text",
            number,
            f"has words of a chat program or a form{f' ({quote(phrase)})' if phrase else ''}; "
            "keep only the sentence.",
        )
    markup = _MARKUP.search(sentence)
    if markup:
        yield _of(
            "markup", number, f"has markup ({quote(markup[0])}); remove it.", span=markup.span()
        )


def _words(sentence: str, script: str, number: int) -> Iterator[Finding]:
    """Yield the first word of each kind that does not look like one."""
    seen = set()
    for start, end in word_spans(sentence):
        word = bare(sentence[start:end])
        for code, problem in _problems(word, script):
            if code not in seen:
                seen.add(code)
                yield _of(code, number, f"has {quote(word)}; {problem}", span=(start, end))


def _problems(word: str, script: str) -> Iterator[tuple[str, str]]:
    if sum(map(str.isalpha, word)) > LONGEST_WORD:
        yield "long_word", f"no word has more than {LONGEST_WORD} letters."
    elif is_gibberish(word):
        yield "gibberish", "it does not look like a word."
    if (script != "LATIN" or not word.isascii()) and any(is_foreign(c, script) for c in word):
        yield "other_script", "it has letters of another script."
    if _offends(word):
        yield "offensive_word", "it may be obscene or hateful. You can still submit the twin."


def offensive_words(sentences: Iterable[str]) -> list[str]:
    """Return the words that may be obscene or hateful, each once, in lower case."""
    words = (bare(word).casefold() for sentence in sentences for word in sentence.split())
    return list(dict.fromkeys(word for word in words if _offends(word)))


def _offends(word: str) -> bool:
    return any(is_offensive(part) for part in word.split("-") if part)


def _of(code: str, number: int, what: str, *, span: tuple[int, int] | None = None) -> Finding:
    return make_finding(
        code, f"Sentence {number} {what}", sentence=1 if number == 1 else 2, span=span
    )


def is_gibberish(word: str) -> bool:
    """Return whether a word looks like keys pressed at random.

    It has no vowel, a letter four times in a row, more than six consonants in a row, or keys that
    are neighbours on the keyboard. Abbreviations in capitals, and words of fewer than five letters,
    never do.

    >>> [is_gibberish(one) for one in ("sdfkjh", "aaaaargh", "asdfa", "rhythm", "NBCDF")]
    [True, True, True, False, False]
    """
    if len(word) < 5 or not word.isalpha() or not word.isascii() or word.isupper():
        return False
    folded = word.lower()
    return (
        _VOWELS.isdisjoint(folded)
        or any(folded[at : at + 4] == folded[at] * 4 for at in range(len(folded) - 3))
        or _longest_consonants(folded) > LONGEST_CONSONANTS
        or any(keys in folded for keys in _KEYBOARD)
    )


def _longest_consonants(word: str) -> int:
    longest = now = 0
    for char in word:
        now = 0 if char in _VOWELS else now + 1
        longest = max(longest, now)
    return longest


def script_of(text: str) -> str:
    """Return the script of most letters of a text, as Unicode's names begin; LATIN without any.

    >>> script_of("Write two sentences."), script_of("Напишите два предложения"), script_of("")
    ('LATIN', 'CYRILLIC', 'LATIN')
    """
    counts = Counter(_name(char).partition(" ")[0] for char in text[:2_000] if char.isalpha())
    return counts.most_common(1)[0][0] if counts else "LATIN"


def is_foreign(char: str, script: str) -> bool:
    """Return whether a character is a letter of another script."""
    if not char.isalpha():
        return False
    parts = _name(char).split()
    return bool(parts) and script not in parts and parts[0] not in _NEUTRAL


@lru_cache(maxsize=2_000)
def _name(char: str) -> str:
    return unicodedata.name(char, "")
