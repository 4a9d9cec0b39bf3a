"""Sentences from formulas, by the words of predicates, actions and things."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.core.language.signature import Sort, sort_of_variable
from knowledge.core.language.tree import (
    DO,
    POSS,
    START,
    Apply,
    Atom,
    Chain,
    Connective,
    Equal,
    Formula,
    Implies,
    Name,
    Not,
    Quantified,
    Quantifier,
    Term,
    Variable,
    every,
    every_term,
    free_variables,
    terms_of,
)
from knowledge.core.slots import article_of, is_plural

PLACES = "xyzuvw"
"""Letters of a predicate's or action's arguments in its words, situations left out."""
PLACE = re.compile(r"\{([a-z])( [^ {}|]+\|[^ {}|]+)?\}")
ACTION = re.compile(r"possible for \{(?P<who>[a-z])\} (?P<what>to .+)")


class PhraseError(ValueError):
    """A formula that cannot be phrased.

    Parameters
    ----------
    code : str
    message : str
        A full sentence for people.
    missing : tuple of str
        Predicates and actions without words.
    """

    def __init__(self, code: str, message: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.missing = code, message, missing


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words of predicates, actions and named things.

    Parameters
    ----------
    predicates : mapping of name to (positive, negative)
        Such as ``("{x is|are} strong enough", "{x is|are} not strong enough")``: {x} is the first
        argument, {y} the second, then {z}, {u}, {v} and {w}.
    actions : mapping of name to phrase
        Such as ``"possible for {x} to lift {y}"``.
    things : mapping of name to words, optional
        Such as ``{"Stairs": "the stairs"}``; other things keep their names.

    Raises
    ------
    PhraseError
        When a phrase has an unknown place, or an action's does not begin as it must.
    """

    predicates: Mapping[str, tuple[str, str]]
    actions: Mapping[str, str]
    things: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, phrases in self.predicates.items():
            for phrase in phrases:
                _require_places(name, phrase)
        for name, phrase in self.actions.items():
            _require_places(name, phrase)
            if not ACTION.fullmatch(phrase):
                example = "possible for {x} to lift {y}"
                message = f"The words of the action “{name}” must have the form “{example}”."
                raise PhraseError("not_an_action", message)


def without_words(formula: Formula, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the predicates and actions of a formula that the lexicon lacks, sorted."""
    atoms = {part.name for part in every(formula) if isinstance(part, Atom)} - {POSS}
    actions = {term.name for term in every_term(formula) if isinstance(term, Apply)} - {DO}
    return tuple(sorted((atoms - set(lexicon.predicates)) | (actions - set(lexicon.actions))))


def _require_places(name: str, phrase: str) -> None:
    rest = PLACE.sub("", phrase)
    places = {match[1] for match in PLACE.finditer(phrase)}
    if not phrase.strip() or "{" in rest or "}" in rest or not places <= set(PLACES):
        message = (
            f"The words of “{name}” may have the places {{x}}, {{y}}, {{z}}, {{u}}, {{v}} and "
            "{w}, with a verb as in {x is|are}."
        )
        raise PhraseError("unreadable_words", message)


KIND = "object"
_SLOT = re.compile(r"\{([A-Z][0-9]?)([ }])")
_NAMES = [*"XYZUVW", *"ABCDEFGHIJKLMNOPQRST"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A formula in words.

    Parameters
    ----------
    text : str
        A sentence with slots, which `slots.read` reads.
    names : mapping of variable to slot name
        Of the variables that the whole formula binds or leaves free.
    """

    text: str
    names: Mapping[str, str]


def phrase(formula: Formula, lexicon: Lexicon, *, kinds: Mapping[str, str] | None = None) -> Phrase:
    """Return a formula as a sentence with slots, to be edited by people.

    Parameters
    ----------
    formula : Formula
    lexicon : Lexicon
    kinds : mapping of variable to kind, optional
        Such as ``{"x": "person"}``; "object" where it is missing. It may begin with an article.

    Raises
    ------
    PhraseError
        When a predicate or action has no words, or the formula has ``do`` or too many variables.

    Source: WinoLogic (EMNLP 2021), §4.1: variables and the symbols of predicates are kept.
    """
    missing = without_words(formula, lexicon)
    if missing:
        message = f"Give the lexicon words for {', '.join(f'“{name}”' for name in missing)}."
        raise PhraseError("no_words", message, missing)
    words = _Words(lexicon, kinds or {})
    text = words.sentence(formula)
    return Phrase(introduced(text, words.kinds) + ".", words.outer)


def phrase_part(part: Formula, lexicon: Lexicon, names: Mapping[str, str]) -> str:
    """Return a part of a formula in words, with the slot names of its variables and no kinds."""
    words = _Words(lexicon, {})
    for variable, name in names.items():
        words.taken[name] = variable
    return words.clause(part, dict(names))


def introduced(text: str, kinds: Mapping[str, str]) -> str:
    """Return a text whose slots have no kinds with the kind of each in its first slot.

    >>> introduced("If {X is|are} late, {Y} waits for {X}", {"X": "person", "Y": "a dog"})
    'If {X:person is|are} late, {Y:a dog} waits for {X}'
    """
    seen: set[str] = set()

    def slot(match: re.Match[str]) -> str:
        name, end = match.groups()
        if name in seen or name not in kinds:
            return match.group()
        seen.add(name)
        return f"{{{name}:{kinds[name]}{end}"

    return _SLOT.sub(slot, text)


class _Words:
    """Puts one formula into words; knows which slot names are taken."""

    def __init__(self, lexicon: Lexicon, kinds: Mapping[str, str]) -> None:
        self.lexicon = lexicon
        self.asked = kinds
        self.kinds: dict[str, str] = {}
        self.taken: dict[str, str] = {}
        self.outer: dict[str, str] = {}

    def sentence(self, formula: Formula) -> str:
        body, scope = formula, self.outer
        while isinstance(body, Quantified) and body.quantifier is Quantifier.FORALL:
            for variable in body.variables:
                self._name(variable, scope)
            body = body.body
        for variable in free_variables(body):
            self._name(variable, scope)
        text = self.clause(body, scope)
        return text if text.startswith("{") else text[:1].upper() + text[1:]

    def clause(self, formula: Formula, scope: dict[str, str]) -> str:
        match formula:
            case Atom() | Equal():
                return self._literal(formula, scope, positive=True)
            case Not(Atom() | Equal() as inner):
                return self._literal(inner, scope, positive=False)
            case Not(body):
                return f"it is not the case that {self.clause(body, scope)}"
            case Implies(left, right):
                return f"if {self.clause(left, scope)}, then {self.clause(right, scope)}"
            case Chain(connective, parts):
                return _joined(connective, [self._part(part, scope) for part in parts])
            case Quantified():
                return self._quantified(formula, dict(scope))
        raise TypeError(f"{formula!r} is no formula.")

    def _part(self, part: Formula, scope: dict[str, str]) -> str:
        """Return a part of a chain; an "or" in it says where it begins."""
        text = self.clause(part, scope)
        is_or = isinstance(part, Chain) and part.connective is Connective.OR
        return f"either {text}" if is_or else text

    def _quantified(self, formula: Quantified, scope: dict[str, str]) -> str:
        objects = [
            variable
            for variable in formula.variables
            if sort_of_variable(variable.name) is Sort.OBJECT
        ]
        names = [self._name(variable, scope, article=True) for variable in objects]
        body = self.clause(formula.body, scope)
        if not names:
            return body
        listed = _join([f"{{{name}}}" for name in names], "and")
        if formula.quantifier is Quantifier.EXISTS:
            return f"there is {listed} such that {body}"
        for name in names:
            self.kinds[name] = re.sub(r"^an? ", "", self.kinds[name])
        return f"for every {listed}, {body}"

    def _literal(self, formula: Atom | Equal, scope: dict[str, str], *, positive: bool) -> str:
        if isinstance(formula, Equal):
            left, right = (self._term(term, scope) for term in terms_of(formula))
            return f"{left} and {right} are {'the same' if positive else 'different'}"
        if formula.name == POSS:
            return self._possible(formula.terms[0], scope, positive=positive)
        words = self.lexicon.predicates[formula.name][0 if positive else 1]
        return self._filled(words, formula.terms, scope)

    def _possible(self, action: Term, scope: dict[str, str], *, positive: bool) -> str:
        begin = "it is" if positive else "it wouldn't be"
        if isinstance(action, Apply):
            return f"{begin} {self._filled(self.lexicon.actions[action.name], action.terms, scope)}"
        return f"{begin} possible {self._term(action, scope)}"

    def _filled(self, words: str, terms: Sequence[Term], scope: dict[str, str]) -> str:
        arguments = [term for term in terms if not _is_situation(term)]
        doer = next((term for term in arguments if isinstance(term, Variable | Name)), None)

        def place(match: re.Match[str]) -> str:
            number = PLACES.index(match[1])
            if number >= len(arguments):
                message = f"“{words}” has a place {{{match[1]}}} without an argument."
                raise PhraseError("no_argument", message)
            term, verb = arguments[number], match[2] or ""
            if isinstance(term, Variable) and sort_of_variable(term.name) is Sort.OBJECT:
                return f"{{{self._name(term, scope)}{verb}}}"
            return self._term(term, scope, doer) + verb.partition("|")[0]

        return PLACE.sub(place, words)

    def _term(self, term: Term, scope: dict[str, str], doer: Term | None = None) -> str:
        if isinstance(term, Variable):
            if sort_of_variable(term.name) is Sort.ACTION:
                return "to do something"
            return f"{{{self._name(term, scope)}}}"
        if isinstance(term, Name):
            return self.lexicon.things.get(term.name, term.name)
        phrase = ACTION.fullmatch(self.lexicon.actions[term.name])
        assert phrase is not None  # Lexicon has refused others
        who = PLACES.index(phrase["who"])
        same = doer is not None and who < len(term.terms) and term.terms[who] == doer
        words = phrase["what"] if same else f"for {{{phrase['who']}}} {phrase['what']}"
        return self._filled(words, term.terms, scope)

    def _name(self, variable: Variable, scope: dict[str, str], *, article: bool = False) -> str:
        """Return the slot name of a variable; a new one where it is bound again or unknown."""
        if sort_of_variable(variable.name) is not Sort.OBJECT:
            return ""
        if variable.name in scope and not article:
            return scope[variable.name]
        wished = variable.name.upper()
        free = (name for name in [wished, *_NAMES] if name not in self.taken)
        name: str | None = next(free, None)
        if name is None:
            raise PhraseError("too_many_variables", "The formula has too many variables.")
        scope[variable.name] = name
        self.taken[name] = variable.name
        kind = self.asked.get(variable.name, KIND)
        if article and not re.match(r"an? ", kind) and not is_plural(kind):
            kind = article_of(kind) + kind
        self.kinds[name] = kind
        return name


def _is_situation(term: Term) -> bool:
    if isinstance(term, Apply) and term.name == DO:
        message = "A formula with “do” has no words yet: write its sentence by hand."
        raise PhraseError("do_has_no_words", message)
    if isinstance(term, Variable):
        return sort_of_variable(term.name) is Sort.SITUATION
    return isinstance(term, Name) and term.name == START


def _joined(connective: Connective, parts: Sequence[str]) -> str:
    if connective is Connective.IFF:
        return " if and only if ".join(parts)
    if connective is not Connective.XOR:
        return _join(parts, connective.value)
    if len(parts) == 2:
        return f"either {parts[0]} or {parts[1]}, but not both"
    return f"an odd number of these hold: {'; '.join(parts)}"


def _join(parts: Sequence[str], word: str) -> str:
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else parts[0]
