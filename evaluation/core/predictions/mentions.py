"""Where a text names the options of a question, by a label or by their text, and in what sense."""

import re
from collections.abc import Iterator, Sequence

from evaluation.core.predictions.answer_text import CAPITALS, bare, folded, one_spelling
from evaluation.core.predictions.senses import ARTICLE, CHOOSE, CHOOSING, NOUN, Mention, with_senses

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_SHORT_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
_WORDS = {
    word: place
    for words in (_NUMBERS, _ORDINALS, _SHORT_ORDINALS)
    for place, word in enumerate(words, 1)
}
_TRUE = ("true", "yes", "correct", "right", "t", "y")
_FALSE = ("false", "no", "incorrect", "wrong", "f", "n", "untrue", "not true", "not correct")
_OF_TRUTH = {"true": _TRUE, "yes": _TRUE, "false": _FALSE, "no": _FALSE}
_WORD = "|".join(_WORDS)
_LETTER = f"[a-h{CAPITALS}]"
_FOLLOWS = (
    r"(?=[)\].:,;\n}]|$|\s?[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\s(?:[-–—=(]|not\b|because\b|since\b|as\b|is\b|and\b|or\b|over\b|rather\b|"
    r"for\b))"
)
_LABEL_AT = re.compile(
    rf"(?P<noun>(?:the\s)?{NOUN}\s?(?:(?:number|no\.?)\s)?|(?:number|no\.?)\s|#)?[#:(\[{{<]*\s?"
    rf"(?:(?P<number>\d{{1,9}})(?:\.0{{1,9}})?|(?P<letter>{_LETTER})|(?:the\s)?(?P<word>{_WORD})"
    rf"(?P<of>\s(?:one|{NOUN}))?|the\s(?P<side>former|latter))(?![\w']|[.,]\d)(?P<closed>[)\]}}>]*)"
)
_LABEL_FOLLOWS = re.compile(_FOLLOWS)
_LABEL = re.compile(
    rf"(?<!\w)(?:{NOUN}\s?(?:(?:number|no\.?)\s)?(?:is\s)?[#:(\[]{{0,2}}\s?(?:(?P<number>\d{{1,9}})"
    rf"|(?P<capital>[{CAPITALS}])|(?P<letter>[a-h]){_FOLLOWS}|(?P<word>{'|'.join(_NUMBERS)}))"
    rf"(?![\w']|[.,]\d)[)\]]{{0,2}}"
    rf"|(?<!my\s)(?P<ordinal>{'|'.join((*_ORDINALS, *_SHORT_ORDINALS))})\s{NOUN}(?!\w)"
    rf"|[(\[](?P<inside>\d{{1,9}}|{_LETTER})[)\]])"
    r"|"
    r"(?<![\w.,$(\[-])(?P<digit>[1-9])(?="
    r"\s(?:is|seems|makes|would be|cannot|can't|doesn't|does not|"
    r"fits|isn't|rather|instead|over|can|could|remains|works|fails)\b"
    r"|\s?[:–—-]\s(?:yes|no|correct|incorrect|right|wrong|(?:not\s)?(?:im)?plausible|(?:un)?likely|"
    r"fits|works|makes|does)\b)"
    rf"|(?<![\w(\[])(?P<listed>\d{{1,9}}|{_LETTER})[)\]]"
    r"|(?<![\w.,$(\[-])(?P<picked>[1-9])"
    r"(?=[.,;:!?)\]](?!\d)|\n|$|\s(?:here|not|because|since|as|for|over|rather|instead|and|or|but)\b)"
    rf"|(?P<alone>[{CAPITALS[1:]}])|(?P<first>{CAPITALS[0]})"
    r"(?=[)\].:,;/\n]|$|\s>|"
    r"\s(?:is|was|would|makes|fits|and|or|nor|because|since|seems|cannot|can't|does|"
    r"doesn't|isn't|instead|rather|not|but|over|then|here|then)\b)"
)
_SEPARATOR = re.compile(rf"(?:[^\S\n]|[:(.,=[{{–—-]){{0,12}}(?:{ARTICLE})?")
_NO_LIST = re.compile(r"(?!\s*(?:/|,?\s(?:or|and|nor)\b))")
REASON_FOLLOWS = re.compile(
    r"\s?(?:$|\n|[.;:)\]}!]|[-–—(]|,?\s?(?:because|since|as|for|not|rather than|instead of|over)\b)"
)
_BEFORE_DIGIT = re.compile(
    r"(?:^|[.,;:!?\n]\s?|\b(?:so|and|but|that|thus|because|since|then|think|hence|therefore|or|"
    r"not|only)\s)$"
)
_BEFORE_PICKED = re.compile(
    rf"\b(?:{CHOOSE}|{CHOOSING}|(?:i|i'd|i'll|i\swould)\s(?:say|guess|answer)|chose|"
    r"chosen|picked|points\sto|not|instead\sof|rather\sthan|over|keep|keeping|stays|remains|"
    r"leaves|leaving|rul(?:e|es|ed|ing)\sout|eliminat(?:e|es|ed|ing)|exclud(?:e|es|ed|ing))\s$"
    r"|(?:^|[.,;:!?\n]\s?|\b(?:so|but|think|believe|say|guess|then)\s(?:that\s)?)(?:it's|it\sis)\s$"
)
_ALSO = re.compile(
    rf"\s?(?:/|&|\b(?:or|and|nor)\b)\s?(?:{NOUN}\s)?(?:(?P<number>[1-9])|(?P<word>{_WORD})|"
    rf"(?P<letter>[{CAPITALS}]))(?![\w']|[.,]\d|\sof\b|\s{NOUN})"
)
_VERDICT = re.compile(
    r"(?:✓|✗|\b(?:correct|right|yes|no|not|wrong|incorrect|false|sense|(?:im)?plausible|"
    r"(?:un)?likely|fits?|works?|(?:im)?possible))[.!|\s]{0,3}$"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Choices:
    """The options of a question, as an answer may name them.

    Parameters
    ----------
    options : sequence of str, length k
    """

    def __init__(self, options: Sequence[str]) -> None:
        self.k = len(options)
        names = [name_of(option) for option in options]
        self.is_truth = set(names) <= _OF_TRUTH.keys()
        other = [_OF_TRUTH[name] if self.is_truth else () for name in names]
        numbered = [(name, number) for number, name in enumerate(names, 1) if name]
        also = [(name, number) for number, more in enumerate(other, 1) for name in more]
        self.names = sorted(numbered, key=lambda pair: -len(pair[0]))
        self.spoken = sorted({*numbered, *also}, key=lambda pair: (-len(pair[0]), pair))

    def valid(self, number: int) -> bool:
        """Whether an option has this number."""
        return 1 <= number <= self.k

    def whole(self, said: str) -> set[int]:
        """Return the options that a line is the label or the text of; empty if it says more."""
        said = said.strip(" .,;:!")
        text = name_of(folded(said))
        numbers = {number for name, number in self.spoken if name == text}
        at = _LABEL_AT.match(said)
        if at and at.end() == len(said) and not (numbers and (at["word"] or self.is_truth)):
            number = self._number(at)
        else:
            number = _ROMAN.index(text) + 1 if text in _ROMAN and not numbers else None
        # An option may itself be a number or a letter.
        if number is not None and (self.valid(number) or not numbers):
            numbers.add(number)
        return numbers

    def line(self, said: str) -> set[int]:
        """Return the options that a line names and nothing else, by a label, a text or both."""
        if numbers := self.whole(said):
            return numbers
        numbers, end = self.at(said.strip(" .,;:!"), 0)
        return numbers if not said[end:].strip(" .,;:!)]}'") else set()

    def at(self, said: str, begin: int) -> tuple[set[int], int]:
        """Return the options named right at a place, by a label, a text or both, and their end."""
        text, label = self._text_at(said, begin), self._label_at(said, begin)
        if text and label and text[1] == label[1] and said[begin : label[1]].isalpha():
            label = None  # an option that is the word for a number, or a letter
        if label is None and text is None:
            return set(), begin
        if label is None or (text is not None and text[1] >= label[1]):
            assert text is not None
            found, end = text
            # An option may itself be a number or a letter.
            found = found | (
                {label[0]} if label and label[1] == end and self.valid(label[0]) else set()
            )
        else:
            found, end = {label[0]}, label[1]
            after = None if said[end : end + 1] == "\n" else self._text_at(said, end)
            if after is not None:
                found, end = found | after[0], after[1]
        return (found, end) if _NO_LIST.match(said, end) else (set(), begin)

    def _label_at(self, text: str, begin: int) -> tuple[int, int] | None:
        """Return the number of a label right at a place, and its end; None if it may be a word."""
        label = _LABEL_AT.match(text, begin)
        if label is None or (number := self._number(label)) is None:
            return None
        end, letter = label.end(), label["letter"] or ""
        is_sure = label["closed"] or label["of"] or _LABEL_FOLLOWS.match(text, end)
        if not is_sure and label["noun"]:
            is_sure = not letter or letter in CAPITALS
        elif not is_sure and not label["word"]:
            is_article = letter and letter in "abcdefgh" + CAPITALS[0]
            is_sure = not is_article and (letter or self._text_at(text, end))
        return (number, end) if is_sure else None

    def option_of_line(self, line: str) -> int | None:
        """Return the option that a line lists: it begins with its text, after a label or alone."""
        label = self._label_at(line, 0)
        text = self._text_at(line, label[1] if label else 0)
        if text is None or len(text[0]) > 1 or (label and label[0] not in text[0]):
            return None
        if _VERDICT.search(line[text[1] :][-20:]):
            return None
        is_item = label is not None or re.match(r"\s?(?:$|[:(–—-])", line[text[1] :])
        return next(iter(text[0])) if is_item else None

    def _text_at(self, line_text: str, begin: int) -> tuple[set[int], int] | None:
        after = _SEPARATOR.match(line_text, begin)
        place = after.end() if after else begin
        text = folded(line_text[place : place + 400])
        for start, letters in ((place, text), (begin, folded(line_text[begin : begin + 400]))):
            for name, _ in self.spoken:
                if letters.startswith(name) and _ends_word(letters, len(name), name):
                    return {n for other, n in self.spoken if other == name}, start + len(name)
        return None

    def _number(self, label: re.Match[str]) -> int | None:
        if label["number"]:
            return int(label["number"])
        if label["letter"]:
            return ord(folded(label["letter"])) - ord("a") + 1
        if label["word"]:
            return _WORDS[label["word"]]
        if self.k != 2:
            return None
        return 1 if label["side"] == "former" else 2

    def mentions(self, said: str) -> list[Mention]:
        """Return where a text names options, in its order, with the sense of each."""
        letters = folded(said)
        result = []
        for name, number in self.names:
            places = list(_places(letters, name))
            result += [Mention(begin, begin + len(name), number) for begin in places]
            if (name, number) == [pair for pair in self.names if pair[0] == name][-1]:
                letters = _without(letters, places, len(name))
        result += self._labels(said, letters)
        return with_senses(
            said, sorted(result, key=lambda mention: (mention.begin, mention.option))
        )

    def _labels(self, text: str, letters: str) -> Iterator[Mention]:
        """Yield the labels of a text, other than letters that belong to an option's text."""
        for label in _LABEL.finditer(text):
            place = label.end(label.lastgroup or 0) - 1
            before = text[max(0, label.start() - 30) : label.start()]
            if letters[place] == "\0" or not _may_be_label(label, before):
                continue
            number = _number_of(label)
            is_sure = label["alone"] is None and label["listed"] is None
            if is_sure or self.valid(number):
                yield Mention(label.start(), label.end(), number, is_label=True)
                if also := _ALSO.match(text, label.end()):
                    yield Mention(
                        also.start(also.lastgroup or 0), also.end(), _number_of(also), is_label=True
                    )


def _may_be_label(label: re.Match[str], before: str) -> bool:
    """Return whether a digit that stands alone is a label, by what is before it."""
    if label["digit"]:
        return bool(_BEFORE_DIGIT.search(before) or _BEFORE_PICKED.search(before))
    return not label["picked"] or bool(_BEFORE_PICKED.search(before))


def _number_of(label: re.Match[str]) -> int:
    text = next(filter(None, label.groups()))
    if text.isdecimal():
        return int(text)
    return _WORDS[text] if text in _WORDS else ord(folded(text)) - ord("a") + 1


def name_of(text: str) -> str:
    """Return an option or a line in one spelling, without an article and outer punctuation."""
    name = bare(folded(one_spelling(text)).replace("\n", " "))
    return re.sub(f"^{ARTICLE}", "", name)


def _ends_word(letters: str, end: int, name: str) -> bool:
    after = letters[end : end + 1]
    return not (after.isalnum() or after == "_") or _CJK.match(name[-1]) is not None


def _places(letters: str, name: str) -> Iterator[int]:
    begin = letters.find(name)
    while begin >= 0:
        before = letters[begin - 1 : begin] if begin else ""
        starts = not (before.isalnum() or before == "_") or _CJK.match(name[0])
        if starts and _ends_word(letters, begin + len(name), name):
            yield begin
            begin = letters.find(name, begin + len(name))
        else:
            begin = letters.find(name, begin + 1)


def _without(letters: str, places: Sequence[int], length: int) -> str:
    parts, begin = [], 0
    for place in places:
        parts += [letters[begin:place], "\0" * length]
        begin = place + length
    return "".join([*parts, letters[begin:]])
