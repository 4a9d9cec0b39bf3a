"""Parse a free-text answer to a question with options, by an explicit list of rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from evaluation.core.predictions import marks, statements
from evaluation.core.predictions.answer_text import (
    LONGEST,
    bare,
    folded,
    one_spelling,
    tail,
    without_reasoning,
)
from evaluation.core.predictions.mentions import REASON_FOLLOWS, Choices
from evaluation.core.predictions.senses import Mention, Sense, with_senses

RULES = {
    "whole": "The answer is a number, a letter from A to H, a label such as “Option 2”, or an "
    "option's text.",
    "marked": "The answer stands in a mark that is made for it: an answer tag, a field of JSON, "
    "“\\boxed{…}” or “[[…]]”.",
    "last": "The last line is a label, an option's text, or both.",
    "sentence": "The answer contains the question's sentence filled with one of the options.",
    "start": "The answer starts with a label or an option, followed by an end or a reason.",
    "statement": "The last phrase such as “the answer is …” or “Answer: …” names one option, or "
    "the answer says of one option only that it is chosen, correct or more plausible.",
    "named": "The answer is short and names only one option, other than to deny it.",
    "eliminated": "The answer is short and denies all options but one.",
    "scores": "There is no answer, and one option has the highest score.",
}
"""Rules by name, in the order in which they apply; REASONS follow where none applies."""

REASONS = {
    "empty": "There is no text.",
    "only_reasoning": "It has reasoning, and no answer after it.",
    "out_of_range": "It is a number or a letter that no option has.",
    "refusal": "It says that the question cannot be answered.",
    "several_named": "It names more than one option.",
    "taken_back": "It takes an answer back and states no other.",
    "negated": "It denies an option and does not say which one it chooses.",
    "unstated": "It is long, or reasoning, and does not state which option it chooses.",
    "none_named": "It names no option.",
    "tied": "Several options have the highest score.",
}

SHORT = 300
"""Characters up to which an option that is only named, or not denied, is the answer."""

RECENT = 2_000
"""Characters at the end that are read for what an answer says of its options."""
ECHO = 20
"""Characters from which a repeated part of the question is not read."""

_NUMBERS = re.compile(r"([1-9])\s?(?:or|and|/|&)\s?([1-9])\b")
_SAYS_OF = re.compile(r"[)\]'\s]{0,3}([:–—✓✗-])\s")
_BULLETS = re.compile(r"(?:[ >#•∴|✓]|[-–—=~+]{1,3}(?=[ >])|->){0,12}")
_OPENING = re.compile(
    r"(?:(?:so|thus|therefore|hence|then|ok|okay|sure|yes|no|well|i think|i believe|i guess|"
    r"i'd say|i would say|it's|it is|that's|that is|probably|most likely|likely|definitely|"
    r"certainly|surely|clearly|maybe|perhaps|answer|conclusion|result)[,:!.]?\s){0,3}"
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """The option that an answer names, from 1; or None.

    Parameters
    ----------
    option : int or None
    how : str
        The rule of `RULES` that applied or, where the option is None, the reason of `REASONS`.
    """

    option: int | None
    how: str


def parse_answer(text: str, options: Sequence[str], *, filled: Sequence[str] = ()) -> Parsed:
    """Return the option that a free-text answer names.

    Case, spaces, quotation marks, emphasis and an article before an option do not matter. Reasoning
    in tags is not read, and of the rest the last `LONGEST` characters. Where an option is part of
    another one (``car``, ``black car``), the longer one is read. `RULES` apply in order; an answer
    that no rule understands has a reason instead of a guess. Options ``true`` and ``false`` are
    named by yes and no as well.

    Parameters
    ----------
    text : str
    options : sequence of str, length k
    filled : sequence of str, length k, optional
        The question's sentence filled with each option.

    Returns
    -------
    Parsed

    Examples
    --------
    >>> parse_answer("The trophy.", ["trophy", "suitcase"])
    Parsed(option=1, how='whole')
    >>> parse_answer("<think>The trophy?</think>It is too big.\\n2", ["trophy", "suitcase"])
    Parsed(option=2, how='last')
    >>> parse_answer("It is either the trophy or the suitcase.", ["trophy", "suitcase"])
    Parsed(option=None, how='several_named')
    """
    answer = without_reasoning(text)
    if not answer.strip():
        return Parsed(None, "only_reasoning" if text.strip() else "empty")
    is_cut = len(answer) > LONGEST
    answer = tail(answer)
    spelled = one_spelling(answer)
    if not bare(spelled):
        return Parsed(None, "empty")
    return _Parser(
        Choices(options), [bare(one_spelling(option_text)) for option_text in filled]
    ).parse(answer, spelled, is_cut=is_cut)


@dataclass(frozen=True, slots=True)
class _Parser:
    """The rules, for one question."""

    choices: Choices
    filled: Sequence[str]

    def parse(self, answer: str, said: str, *, is_cut: bool) -> Parsed:
        """Parse an answer, given as it was written and in one spelling."""
        if parsed := self._of(self.choices.whole(said), "whole"):
            return parsed
        if (content := marks.marked(answer)) is not None:
            return self._after_box(answer, self._in_mark(content))
        if parsed := self._read_scores(answer):
            return parsed
        first = statements.before_next_question(said)
        if first and (parsed := self.read(answer, first, is_cut=is_cut)).option is not None:
            return parsed
        return self.read(answer, said, is_cut=is_cut)

    def _read_scores(self, answer: str) -> Parsed | None:
        """Read a JSON object with a number for each option."""
        scores: dict[int, float] = {}
        for name, score in marks.numbers_by_name(answer).items():
            for option in self.choices.line(one_spelling(name.replace("_", " "))):
                scores[option] = score
        if set(scores) != set(range(1, self.choices.k + 1)):
            return None
        best = [option for option, score in scores.items() if score == max(scores.values())]
        return Parsed(best[0], "scores") if len(best) == 1 else Parsed(None, "tied")

    def _in_mark(self, content: str) -> Parsed:
        text = one_spelling(content)
        if not bare(text):
            return Parsed(None, "empty")
        if parsed := self._of(self._line(text), "marked"):
            return parsed
        parsed = self.read(content, text, is_cut=False)
        return parsed if parsed.option is None else Parsed(parsed.option, "marked")

    def _after_box(self, answer: str, parsed: Parsed) -> Parsed:
        """Return what a text states after a box that has no option but, say, a formula."""
        if parsed.option is not None or (rest := marks.after_box(answer)) is None:
            return parsed
        text = one_spelling(rest)
        later = self.read(rest, text, is_cut=False) if bare(text) else parsed
        return later if later.how in ("whole", "start", "statement", "last") else parsed

    def read(self, answer: str, said: str, *, is_cut: bool) -> Parsed:
        """Read a text that is more than a label or an option, and has no mark."""
        if parsed := self._of(self.choices.whole(said), "whole"):
            return parsed
        whole, (said, had_list) = said, self._without_list(self._without_echo(said))
        if not bare(said):
            return Parsed(None, "several_named")
        if parsed := self._of(self._line(said), "last" if had_list else "start"):
            return parsed
        if parsed := self._denied(said):
            return parsed
        return (
            self._stated(said)
            or self._filled_in(whole)
            or self._refused(said)
            or (None if is_cut else self._started(said))
            or self._choice(answer, said)
        )

    def _line(self, line: str) -> set[int]:
        """Return the options that a line names and nothing else."""
        line = _without_bullet(line).rstrip(" |✓")
        if "\n" in line:
            return set()
        if numbers := self.choices.line(line):
            return numbers
        opening = _OPENING.match(line)
        return self.choices.line(line[opening.end() :]) if opening and opening.end() else set()

    def _of(self, numbers: set[int], rule: str) -> Parsed | None:
        """Return what a set of option numbers means; None if it is empty."""
        if not numbers:
            return None
        if not all(map(self.choices.valid, numbers)):
            return Parsed(None, "out_of_range")
        return Parsed(min(numbers), rule) if len(numbers) == 1 else Parsed(None, "several_named")

    def _denied(self, text: str) -> Parsed | None:
        """Read “not 1” and “not 1 but 2”."""
        if not text.startswith("not "):
            return None
        denied, but, chosen = text[4:].partition(" but ")
        numbers = self._line(denied)
        if but and numbers:
            return self._of(self._line(chosen), "start")
        mentions = [Mention(0, 0, number, sense=Sense.DENIED) for number in numbers]
        return self._decide(mentions) if mentions else None

    def _without_echo(self, text: str) -> str:
        """Return a text without the question's own sentence, which names options."""
        if len(self.filled) < 2:
            return text
        begin = _common_start(self.filled)
        end = _common_start([sentence[::-1] for sentence in self.filled])[::-1]
        for part in (f"{begin}_{end}", begin):
            text = text.replace(part, " ") if len(part) > ECHO else text
        return text

    def _without_list(self, text: str) -> tuple[str, bool]:
        """Return a text without lines that list the options, and whether there were any."""
        lines_left: list[str] = []
        run: dict[int, str] = {}
        had_list = False
        for line in [*text.split("\n"), ""]:
            option = self.choices.option_of_line(_without_bullet(line))
            if option and option not in run:
                run[option] = line
                continue
            had_list |= len(run) > 1
            lines_left += [] if len(run) > 1 else run.values()
            run = {option: line} if option else {}
            lines_left += [] if option else [line]
        return "\n".join(filter(None, lines_left)), had_list

    def _stated(self, text: str) -> Parsed | None:
        """Return the last statement of an answer."""
        found = self._statements(text)
        if (place := statements.correction(text, of_truth=self.choices.is_truth)) is not None:
            later = [claim for claim in found if claim[0] >= place]
            if later:
                return self._of(*later[-1][1:])
            rest = self.read(text[place:], text[place:], is_cut=False)
            if rest.option is not None:
                return rest
            if found:
                return Parsed(None, "taken_back")
        if not found:
            return None
        is_stated = len(found) > 1 and found[1][0] <= len(text.partition("\n")[0])
        if found[0][0] == 0 and found[-1][1] != found[0][1] and not is_stated:
            return Parsed(None, "several_named")
        return self._of(*found[-1][1:])

    def _statements(self, text: str) -> list[tuple[int, set[int], str]]:
        """Return the places that state an answer, each with its options and the rule."""
        first, _, rest = text.partition("\n")
        claims = [(0, self._line(first), "start")] if rest else []
        stated = 0
        for begin in statements.cues(text, of_truth=self.choices.is_truth):
            options, end = self._after(text, begin)
            claims.append((begin, options, "statement"))
            stated = max(stated, end)
        line = text.rfind("\n") + 1
        for begin, last in ((line, text[line:]), statements.last_sentence(text)):
            if begin >= stated and begin and not last.endswith("?"):
                claims.append((begin, self._line(last), "last"))
        return sorted([claim for claim in claims if claim[1]], key=lambda claim: claim[0])

    def _after(self, text: str, begin: int) -> tuple[set[int], int]:
        """Return the options that a text names after a phrase that states an answer."""
        if (place := statements.denial(text, begin)) is not None:
            found, end = self.choices.at(text, place)
            sense = [Mention(place, end, number, sense=Sense.DENIED) for number in found]
            left = self._decide(sense) if sense else Parsed(None, "negated")
            return ({left.option} if left.option else self._rest(text, begin)), end
        place = begin + (text[begin : begin + 2] == ":\n") + (text[begin : begin + 1] == "\n")
        place += text[place : place + 1] == " "
        if listed := _NUMBERS.match(text, place):
            return {int(group) for group in listed.groups()}, listed.end()
        options, end = self.choices.at(text, place)
        if text[end : end + 1] == "?":
            return set(), end
        rest = text[end : statements.sentence_end(text, end)]
        if options and not REASON_FOLLOWS.match(text, end) and statements.turns(rest):
            others = {
                mention.option
                for mention in self.choices.mentions(rest)
                if mention.sense > Sense.DENIED
            }
            options = set() if others - options else options
        return options or self._rest(text, place), end

    def _rest(self, text: str, begin: int) -> set[int]:
        """Return the option that the rest of a sentence names."""
        rest = text[begin : statements.sentence_end(text, begin + 1)]
        parsed = self._decide(self.choices.mentions(rest))
        return set() if parsed.option is None else {parsed.option}

    def _filled_in(self, text: str) -> Parsed | None:
        letters = folded(text)
        numbers = {
            n for n, filling in enumerate(self.filled, 1) if filling and folded(filling) in letters
        }
        return self._of(numbers, "sentence") if len(numbers) == 1 else None

    def _refused(self, text: str) -> Parsed | None:
        if (place := statements.refusal(text)) is None:
            return None
        chosen = {
            mention.option
            for mention in self.choices.mentions(text[place:][-RECENT:])
            if mention.sense == Sense.CHOSEN
        }
        if len(chosen) == 1 and (parsed := self._of(chosen, "statement")):
            return parsed
        return Parsed(None, "refusal")

    def _started(self, answer_text: str) -> Parsed | None:
        text = _without_bullet(answer_text)
        opening = _OPENING.match(text)
        begin = opening.end() if opening and not self.choices.is_truth else 0
        found, end = self.choices.at(text, begin)
        if found and with_senses(text, [Mention(begin, end, min(found))])[0].sense < Sense.NAMED:
            return None
        if self._goes_on(text, end, found):
            return None
        is_yes = self.choices.is_truth and text[end : end + 1] == ","
        is_closed = is_yes or REASON_FOLLOWS.match(text, end)
        return self._of(found, "start") if found and is_closed else None

    def _goes_on(self, text: str, end: int, begun: set[int]) -> bool:
        """Whether a text that begins with “A: …” or “A – …” goes on with another option so."""
        if (mark := _SAYS_OF.match(text, end)) is None:
            return False
        others = (
            mention for mention in self.choices.mentions(text[:RECENT]) if mention.begin >= end
        )
        return any(
            mention.option not in begun
            and (after := _SAYS_OF.match(text, mention.end)) is not None
            and after[1] == mark[1]
            for mention in others
        )

    def _choice(self, answer: str, text: str) -> Parsed:
        """Return the option that a text chooses, concludes with, emphasises or only names."""
        mentions = self.choices.mentions(text[-RECENT:])
        parsed = self._decide(mentions)
        if parsed.how == "statement":
            return parsed
        if (concluded := self._concluded(text)) is not None:
            return concluded
        bold = set().union(*(self._line(one_spelling(part)) for part in marks.in_bold(answer)))
        if len(bold) == 1 and parsed.how in ("several_named", "named"):
            return Parsed(bold.pop(), "statement")
        has_denied = any(mention.sense == Sense.DENIED for mention in mentions)
        is_long = len(text) > SHORT or statements.n_sentences(text) > 1 + has_denied
        if parsed.option is not None and (is_long or statements.is_reasoning(text)):
            return Parsed(None, "unstated")
        return parsed

    def _concluded(self, text: str) -> Parsed | None:
        """Return the option that a last sentence such as “So …” names."""
        if (end := statements.conclusion(text)) is None:
            return None
        parsed = self._of(self._line(end), "statement")
        parsed = parsed or self._decide(self.choices.mentions(end[-RECENT:]))
        return None if parsed.option is None else Parsed(parsed.option, "statement")

    def _decide(self, mentions: Sequence[Mention]) -> Parsed:
        """Return what mentions of options say together."""
        of = {
            sense: {mention.option for mention in mentions if mention.sense == sense}
            for sense in Sense
        }
        denied = of[Sense.DENIED]
        for sense, rule in ((Sense.CHOSEN, "statement"), (Sense.NAMED, "named")):
            left = of[sense] - denied
            if sense == Sense.NAMED and left:
                left |= of[Sense.BACKGROUND] - denied
            if any(not self.choices.valid(mention) for mention in left):
                return Parsed(None, "out_of_range")
            if len(left) > 1:
                return Parsed(None, "several_named")
            if left:
                return Parsed(left.pop(), rule)
        others = set(range(1, self.choices.k + 1)) - denied
        if denied and len(others) == 1:
            return Parsed(others.pop(), "eliminated")
        return Parsed(None, "negated" if mentions else "none_named")


def _without_bullet(line: str) -> str:
    bullet = _BULLETS.match(line)
    return line[bullet.end() :] if bullet else line


def _common_start(texts: Sequence[str]) -> str:
    alike = (len(set(letters)) == 1 for letters in zip(*texts, strict=False))
    return texts[0][: sum(takewhile(bool, alike))]
