"""Knowledge sentences as text with slots, and their three forms.

A slot names a variable: ``{X:person}`` where it is introduced with its kind, ``{X}`` afterwards.
``{X is|are}`` stands for X and a verb that agrees with it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from collection.core.words import is_function_word

Form = Literal["variable", "grounded", "natural"]
FORMS: tuple[Form, ...] = ("variable", "grounded", "natural")
MAX_LENGTH = 2000
MAX_NAMES = 12
_SLOT = re.compile(
    r"\{(?P<name>[A-Z][0-9]?)"
    r"(?::(?P<article>an? )?(?P<kind>[^\W\d_](?:[\w'’ -]*[\w])?)(?=[ }]))??"
    r"(?: (?P<singular>[^ {}|]+)\|(?P<plural>[^ {}|]+))?\}"
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_PLURALS = frozenset({"people", "children", "men", "women", "police", "mice", "feet", "teeth"})
_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)", re.I)
_LIKE_YOU = re.compile(r"(?:uni|use|usu|uti|eu|one\b|once\b|ewe)", re.I)


class SlotError(ValueError):
    """A sentence whose slots cannot be read.

    Parameters
    ----------
    code : str
    message : str
        A full sentence for people.
    column : int
        From 1.
    """

    def __init__(self, code: str, message: str, column: int) -> None:
        super().__init__(message)
        self.code, self.message, self.column = code, message, column


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot: a name, its kind where it is introduced, and the two forms of a verb."""

    name: str
    kind: str = ""
    article: str = ""
    verb: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun phrase of the question, as it stands inside a sentence."""

    text: str
    plural: bool


@dataclass(frozen=True, slots=True)
class Template:
    """A knowledge sentence with slots.

    Parameters
    ----------
    parts : tuple of str and Slot
        In the order of the text.
    """

    parts: tuple[str | Slot, ...]

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each name, in the order in which they are introduced."""
        slots = (part for part in self.parts if isinstance(part, Slot))
        return {slot.name: slot.kind for slot in slots if slot.kind}

    @property
    def text(self) -> str:
        """The text with slots that `read` reads."""
        return "".join(part if isinstance(part, str) else slot_text(part) for part in self.parts)

    def render(
        self,
        form: Form,
        mentions: Mapping[str, Mention] | None = None,
        *,
        inside: bool = False,
    ) -> str:
        """Return the sentence in one of its forms.

        Parameters
        ----------
        form : {'variable', 'grounded', 'natural'}
        mentions : mapping of name to Mention, optional
            For the grounded form; a name without a mention is shown as in the natural form.
        inside : bool
            Whether the text follows other words of a sentence, as after "because": its first
            letter is then lower case, unless its first word may be a name.

        Source: WinoLogic (EMNLP 2021), §4.1 and §4.2.

        Examples
        --------
        >>> sentence = read("If {X:person is|are} late, {Y:person waits|wait} for {X}.")
        >>> sentence.render("variable")
        'If person X is late, person Y waits for X.'
        >>> sentence.render("natural")
        'If a person is late, another person waits for the first person.'
        >>> named = {"X": Mention("the guests", True), "Y": Mention("Joan", False)}
        >>> sentence.render("grounded", named)
        'If the guests are late, Joan waits for the guests.'
        """
        words = _Words(self.kinds, form, mentions or {})
        return _in_place([words.of(part) for part in self.parts], self.parts[0], inside=inside)


class _Words:
    """The words of each slot, in the order of the text."""

    def __init__(self, kinds: Mapping[str, str], form: Form, mentions: Mapping[str, Mention]):
        self.form = form
        self.kinds = kinds
        self.mentions = mentions if form == "grounded" else {}
        self.ungrounded = [name for name in kinds if name not in self.mentions]
        self.possessive = False

    def of(self, part: str | Slot) -> str:
        if isinstance(part, str):
            drop, self.possessive = self.possessive, False
            # A plural that ends in "s" takes only an apostrophe.
            return re.sub(r"^(['’])s\b", r"\1", part) if drop else part
        found, plural = self._noun(part)
        self.possessive = plural and found.endswith("s") and part.verb is None
        return found if part.verb is None else f"{found} {part.verb[plural]}"

    def _noun(self, slot: Slot) -> tuple[str, bool]:
        if slot.name in self.mentions:
            mention = self.mentions[slot.name]
            return mention.text, mention.plural
        kind = self.kinds[slot.name]
        plural = is_plural(kind)
        if self.form == "variable":
            return f"{slot.article}{slot.kind} {slot.name}".strip(), plural
        return (self._first(slot, plural) if slot.kind else self._again(slot.name)), plural

    def _first(self, slot: Slot, plural: bool) -> str:
        before = self._alike(slot.name).index(slot.name)
        if before == 0:
            article = slot.article or ("" if plural else article_of(slot.kind))
            return article + slot.kind
        if before == 1:
            return ("other " if plural else "another ") + slot.kind
        return ("more " if plural else f"a {_ORDINALS[before]} ") + slot.kind

    def _again(self, name: str) -> str:
        alike = self._alike(name)
        kind = self.kinds[name]
        return f"the {_ORDINALS[alike.index(name)]} {kind}" if len(alike) > 1 else f"the {kind}"

    def _alike(self, name: str) -> list[str]:
        return [other for other in self.ungrounded if self.kinds[other] == self.kinds[name]]


def read(text: str) -> Template:
    """Read a knowledge sentence with slots.

    Parameters
    ----------
    text : str
        Braces stand for nothing else than slots; a name is a capital letter, perhaps with a digit.

    Raises
    ------
    SlotError
        When the text is empty or too long, a brace opens no slot, a name is used before it is
        introduced, introduced twice or stands twice in a row, or there are more than 12 names or
        9 of one kind.

    Examples
    --------
    >>> read("When someone is trying to fit {X:an object} into {Y:a container}, …").kinds
    {'X': 'object', 'Y': 'container'}
    """
    if not text.strip():
        raise SlotError("empty", "Write the sentence.", 1)
    if len(text) > MAX_LENGTH:
        raise SlotError("too_long", f"A sentence has at most {MAX_LENGTH} characters.", MAX_LENGTH)
    parts: list[str | Slot] = []
    kinds: dict[str, str] = {}
    end = 0
    for match in _SLOT.finditer(text):
        _append_text(parts, text[end : match.start()], end)
        slot = _slot(match)
        _require_introduced_once(slot, kinds, match.start() + 1)
        _require_written_once(slot, parts, match.start() + 1)
        parts.append(slot)
        end = match.end()
    _append_text(parts, text[end:], end)
    _require_few(kinds)
    return Template(tuple(parts))


def slot_text(slot: Slot) -> str:
    """Return a slot as it is written."""
    kind = f":{slot.article}{slot.kind}" if slot.kind else ""
    verb = f" {slot.verb[0]}|{slot.verb[1]}" if slot.verb else ""
    return f"{{{slot.name}{kind}{verb}}}"


def is_plural(kind: str) -> bool:
    """Return whether a kind such as ``councilmen`` or ``objects`` is plural, by its last word.

    >>> [is_plural(kind) for kind in ("person", "objects", "glass", "councilmen")]
    [False, True, False, True]
    """
    word = kind.split()[-1].lower()
    if word in _PLURALS or word.endswith("men"):
        return True
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def article_of(kind: str) -> str:
    """Return the indefinite article of a singular kind, with a space.

    >>> article_of("object"), article_of("person"), article_of("hour"), article_of("uniform")
    ('an ', 'a ', 'an ', 'a ')
    """
    vowel = kind[:1].lower() in "aeiou" and not _LIKE_YOU.match(kind)
    return "an " if vowel or _SILENT_H.match(kind) else "a "


def inside_sentence(text: str) -> str:
    """Return a text as it stands inside a sentence: its first function word in lower case.

    >>> inside_sentence("The man"), inside_sentence("Joan"), inside_sentence("I")
    ('the man', 'Joan', 'I')
    """
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    if first == "I" or first[:2] in ("I'", "I’") or not is_function_word(first):
        return text
    return text[:1].lower() + text[1:]


def mentions_of(phrases: Mapping[str, str], plural: Sequence[str] = ()) -> dict[str, Mention]:
    """Return the mentions for noun phrases as a question writes them; ``plural`` are names."""
    return {
        name: Mention(inside_sentence(phrase), name in plural) for name, phrase in phrases.items()
    }


def _in_place(words: list[str], first: str | Slot, *, inside: bool) -> str:
    text = "".join(words)
    if not inside:
        return text[:1].upper() + text[1:]
    return inside_sentence(text) if isinstance(first, str) else text


def _append_text(parts: list[str | Slot], text: str, start: int) -> None:
    wrong = re.search(r"[{}]", text)
    if wrong:
        message = "A brace stands only for a slot such as {X:person}, {X} or {X is|are}."
        raise SlotError("unreadable", message, start + wrong.start() + 1)
    if text:
        parts.append(text)


def _slot(match: re.Match[str]) -> Slot:
    groups = match.groupdict(default="")
    verb = (groups["singular"], groups["plural"]) if groups["singular"] else None
    return Slot(groups["name"], groups["kind"], groups["article"], verb)


def _require_introduced_once(slot: Slot, kinds: dict[str, str], column: int) -> None:
    if slot.kind and slot.name in kinds:
        message = f"{{{slot.name}}} is introduced already: write its kind once."
        raise SlotError("introduced_twice", message, column)
    if not slot.kind and slot.name not in kinds:
        message = f"Introduce {{{slot.name}}} with its kind, as in {{{slot.name}:person}}."
        raise SlotError("not_introduced", message, column)
    if slot.kind:
        kinds[slot.name] = slot.kind


def _require_written_once(slot: Slot, before: Sequence[str | Slot], column: int) -> None:
    """Refuse ``{X} {X is|are}``: a slot with a verb has the thing in it."""
    words = [part for part in before[-2:] if not (isinstance(part, str) and part.isspace())]
    last = words[-1] if words else None
    if isinstance(last, Slot) and last.name == slot.name:
        message = (
            f"{{{slot.name}}} stands twice in a row: a slot with a verb, such as "
            f"{{{slot.name} is|are}}, has the thing in it."
        )
        raise SlotError("twice_in_a_row", message, column)


def _require_few(kinds: Mapping[str, str]) -> None:
    if len(kinds) > MAX_NAMES:
        raise SlotError("too_many_names", f"A sentence has at most {MAX_NAMES} names.", 1)
    of_kind = list(kinds.values())
    if any(of_kind.count(kind) > len(_ORDINALS) for kind in set(of_kind)):
        raise SlotError("too_many_of_a_kind", "A sentence has at most nine of a kind.", 1)
