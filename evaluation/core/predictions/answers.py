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
    said = one_spelling(answer)
    if not bare(said):
        return Parsed(None, "empty")
    return _Parser(Choices(options), [bare(one_spelling(one)) for one in filled]).parse(
        answer, said, is_cut=is_cut
    )


@dataclass(frozen=True, slots=True)
class _Parser:
    """The rules, for one question."""

    choices: Choices
    filled: Sequence[str]

    def parse(self, answer: str, said: str, *, is_cut: bool) -> Parsed:
        """Parse an answer, given as it was written and in one spelling."""
        if found := self._of(self.choices.whole(said), "whole"):
            return found
        if (content := marks.marked(answer)) is not None:
            return self._after_box(answer, self._in_mark(content))
        if found := self._scored(answer):
            return found
        first = statements.before_next_question(said)
        if first and (found := self.read(answer, first, is_cut=is_cut)).option is not None:
            return found
        return self.read(answer, said, is_cut=is_cut)

    def _scored(self, answer: str) -> Parsed | None:
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
        said = one_spelling(content)
        if not bare(said):
            return Parsed(None, "empty")
        if found := self._of(self._line(said), "marked"):
            return found
        found = self.read(content, said, is_cut=False)
        return found if found.option is None else Parsed(found.option, "marked")

    def _after_box(self, answer: str, found: Parsed) -> Parsed:
        """Return what a text states after a box that has no option but, say, a formula."""
        if found.option is not None or (rest := marks.after_box(answer)) is None:
            return found
        said = one_spelling(rest)
        later = self.read(rest, said, is_cut=False) if bare(said) else found
        return later if later.how in ("whole", "start", "statement", "last") else found

    def read(self, answer: str, said: str, *, is_cut: bool) -> Parsed:
        """Read a text that is more than a label or an option, and has no mark."""
        if found := self._of(self.choices.whole(said), "whole"):
            return found
        whole, (said, had_list) = said, self._without_list(self._without_echo(said))
        if not bare(said):
            return Parsed(None, "several_named")
        if found := self._of(self._line(said), "last" if had_list else "start"):
            return found
        if found := self._denied(said):
            return found
        return (
            self._stated(said)
            or self._filled_in(whole)
            or self._refused(said)
            or (None if is_cut else self._started(said))
            or self._said(answer, said)
        )

    def _line(self, line: str) -> set[int]:
        """Return the options that a line names and nothing else."""
        line = _without_bullet(line).rstrip(" |✓")
        if "\n" in line:
            return set()
        if found := self.choices.line(line):
            return found
        opening = _OPENING.match(line)
        return self.choices.line(line[opening.end() :]) if opening and opening.end() else set()

    def _of(self, found: set[int], rule: str) -> Parsed | None:
        """Return what a set of option numbers means; None if it is empty."""
        if not found:
            return None
        if not all(map(self.choices.valid, found)):
            return Parsed(None, "out_of_range")
        return Parsed(min(found), rule) if len(found) == 1 else Parsed(None, "several_named")

    def _denied(self, said: str) -> Parsed | None:
        """Read “not 1” and “not 1 but 2”."""
        if not said.startswith("not "):
            return None
        denied, but, chosen = said[4:].partition(" but ")
        found = self._line(denied)
        if but and found:
            return self._of(self._line(chosen), "start")
        mentions = [Mention(0, 0, one, sense=Sense.DENIED) for one in found]
        return self._decide(mentions) if mentions else None

    def _without_echo(self, said: str) -> str:
        """Return a text without the question's own sentence, which names options."""
        if len(self.filled) < 2:
            return said
        begin = _common_start(self.filled)
        end = _common_start([one[::-1] for one in self.filled])[::-1]
        for part in (f"{begin}_{end}", begin):
            said = said.replace(part, " ") if len(part) > ECHO else said
        return said

    def _without_list(self, said: str) -> tuple[str, bool]:
        """Return a text without lines that list the options, and whether there were any."""
        kept: list[str] = []
        run: dict[int, str] = {}
        had_list = False
        for line in [*said.split("\n"), ""]:
            option = self.choices.listed(_without_bullet(line))
            if option and option not in run:
                run[option] = line
                continue
            had_list |= len(run) > 1
            kept += [] if len(run) > 1 else run.values()
            run = {option: line} if option else {}
            kept += [] if option else [line]
        return "\n".join(filter(None, kept)), had_list

    def _stated(self, said: str) -> Parsed | None:
        """Return the last statement of an answer."""
        found = self._statements(said)
        if (place := statements.correction(said, of_truth=self.choices.is_truth)) is not None:
            later = [one for one in found if one[0] >= place]
            if later:
                return self._of(*later[-1][1:])
            rest = self.read(said[place:], said[place:], is_cut=False)
            if rest.option is not None:
                return rest
            if found:
                return Parsed(None, "taken_back")
        if not found:
            return None
        is_stated = len(found) > 1 and found[1][0] <= len(said.partition("\n")[0])
        if found[0][0] == 0 and found[-1][1] != found[0][1] and not is_stated:
            return Parsed(None, "several_named")
        return self._of(*found[-1][1:])

    def _statements(self, said: str) -> list[tuple[int, set[int], str]]:
        """Return the places that state an answer, each with its options and the rule."""
        first, _, rest = said.partition("\n")
        found = [(0, self._line(first), "start")] if rest else []
        stated = 0
        for begin in statements.cues(said, of_truth=self.choices.is_truth):
            options, end = self._after(said, begin)
            found.append((begin, options, "statement"))
            stated = max(stated, end)
        line = said.rfind("\n") + 1
        for begin, last in ((line, said[line:]), statements.last_sentence(said)):
            if begin >= stated and begin and not last.endswith("?"):
                found.append((begin, self._line(last), "last"))
        return sorted([one for one in found if one[1]], key=lambda one: one[0])

    def _after(self, said: str, begin: int) -> tuple[set[int], int]:
        """Return the options that a text names after a phrase that states an answer."""
        if (place := statements.denial(said, begin)) is not None:
            found, end = self.choices.at(said, place)
            sense = [Mention(place, end, one, sense=Sense.DENIED) for one in found]
            left = self._decide(sense) if sense else Parsed(None, "negated")
            return ({left.option} if left.option else self._rest(said, begin)), end
        place = begin + (said[begin : begin + 2] == ":\n") + (said[begin : begin + 1] == "\n")
        place += said[place : place + 1] == " "
        if listed := _NUMBERS.match(said, place):
            return {int(one) for one in listed.groups()}, listed.end()
        options, end = self.choices.at(said, place)
        if said[end : end + 1] == "?":
            return set(), end
        rest = said[end : statements.sentence_end(said, end)]
        if options and not REASON_FOLLOWS.match(said, end) and statements.turns(rest):
            others = {one.option for one in self.choices.mentions(rest) if one.sense > Sense.DENIED}
            options = set() if others - options else options
        return options or self._rest(said, place), end

    def _rest(self, said: str, begin: int) -> set[int]:
        """Return the option that the rest of a sentence names."""
        rest = said[begin : statements.sentence_end(said, begin + 1)]
        parsed = self._decide(self.choices.mentions(rest))
        return set() if parsed.option is None else {parsed.option}

    def _filled_in(self, said: str) -> Parsed | None:
        letters = folded(said)
        found = {n for n, one in enumerate(self.filled, 1) if one and folded(one) in letters}
        return self._of(found, "sentence") if len(found) == 1 else None

    def _refused(self, said: str) -> Parsed | None:
        if (place := statements.refusal(said)) is None:
            return None
        chosen = {
            one.option
            for one in self.choices.mentions(said[place:][-RECENT:])
            if one.sense == Sense.CHOSEN
        }
        if len(chosen) == 1 and (found := self._of(chosen, "statement")):
            return found
        return Parsed(None, "refusal")

    def _started(self, said: str) -> Parsed | None:
        text = _without_bullet(said)
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
        others = (one for one in self.choices.mentions(text[:RECENT]) if one.begin >= end)
        return any(
            one.option not in begun
            and (after := _SAYS_OF.match(text, one.end)) is not None
            and after[1] == mark[1]
            for one in others
        )

    def _said(self, answer: str, said: str) -> Parsed:
        """Return the option that a text chooses, concludes with, emphasises or only names."""
        mentions = self.choices.mentions(said[-RECENT:])
        found = self._decide(mentions)
        if found.how == "statement":
            return found
        if (concluded := self._concluded(said)) is not None:
            return concluded
        bold = set().union(*(self._line(one_spelling(one)) for one in marks.in_bold(answer)))
        if len(bold) == 1 and found.how in ("several_named", "named"):
            return Parsed(bold.pop(), "statement")
        has_denied = any(one.sense == Sense.DENIED for one in mentions)
        is_long = len(said) > SHORT or statements.n_sentences(said) > 1 + has_denied
        if found.option is not None and (is_long or statements.is_reasoning(said)):
            return Parsed(None, "unstated")
        return found

    def _concluded(self, said: str) -> Parsed | None:
        """Return the option that a last sentence such as “So …” names."""
        if (end := statements.conclusion(said)) is None:
            return None
        found = self._of(self._line(end), "statement")
        found = found or self._decide(self.choices.mentions(end[-RECENT:]))
        return None if found.option is None else Parsed(found.option, "statement")

    def _decide(self, mentions: Sequence[Mention]) -> Parsed:
        """Return what mentions of options say together."""
        of = {sense: {one.option for one in mentions if one.sense == sense} for sense in Sense}
        denied = of[Sense.DENIED]
        for sense, rule in ((Sense.CHOSEN, "statement"), (Sense.NAMED, "named")):
            left = of[sense] - denied
            if sense == Sense.NAMED and left:
                left |= of[Sense.BACKGROUND] - denied
            if any(not self.choices.valid(one) for one in left):
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
