"""A question as formulas: what it is made of, and what is refused."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from knowledge.core.language.errors import FormulaError, Problem
from knowledge.core.language.limits import MOST_FORMULAS
from knowledge.core.language.parsing import parse
from knowledge.core.language.signature import Signature, SignatureReader, Sort
from knowledge.core.language.tree import (
    DO,
    POSS,
    START,
    Equal,
    Formula,
    Name,
    Variable,
    every_term,
    free_variables,
    show,
    with_names,
)

CLAUSE, OUTCOME = "clause", "outcome"
MOST_WORDS = 200  # characters
_NAME = re.compile(r"(?![a-z][0-9]?$)[^\W\d_][\w’']*")
_WORDS = frozenset(
    ["forall", "all", "exists", "some", "if", "then", "not", "and", "or", "xor", POSS, DO, START]
)


class Refused(ValueError):
    """A formalisation that cannot be used, with all that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(problem.sentence for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing of a question.

    Parameters
    ----------
    name
        In the formulas, such as ``Trophy``.
    words
        The noun phrase of the question, such as "the trophy".
    kind
        What it is called where it has no name, such as "person" or "object".
    """

    name: str
    words: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Formalisation:
    """One question's formulas as texts.

    Parameters
    ----------
    things
        With different names, so they are different things.
    options
        Names of the things among which the pronoun chooses.
    answer
        The right option.
    pronoun
        The name that stands for the pronoun in the clause.
    scene
        What the sentence says without the pronoun's clause.
    clause
        What it says of the pronoun.
    outcome
        What the clause explains, if it explains something.
    """

    things: tuple[Thing, ...]
    options: tuple[str, ...]
    answer: str
    pronoun: str
    scene: tuple[str, ...]
    clause: str
    outcome: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what ``as_dict`` returned, also after JSON."""
        return cls(
            **{
                **values,
                "things": tuple(Thing(**thing) for thing in values["things"]),
                "options": tuple(values["options"]),
                "scene": tuple(values["scene"]),
            }
        )

    @property
    def texts(self) -> dict[str, str]:
        """The formulas by the name of their place: ``scene 1`` …, ``clause``, ``outcome``."""
        texts = {f"scene {number}": text for number, text in enumerate(self.scene, 1)}
        texts[CLAUSE] = self.clause
        if self.outcome is not None:
            texts[OUTCOME] = self.outcome
        return texts


@dataclass(frozen=True, slots=True)
class Theory:
    """A formalisation and its knowledge as trees that fit together."""

    things: tuple[str, ...]
    options: tuple[str, ...]
    answer: str
    pronoun: str
    scene: tuple[Formula, ...]
    clause: Formula
    outcome: Formula | None
    knowledge: dict[str, Formula]
    signature: Signature

    def clause_of(self, option: str) -> Formula:
        """Return the clause with the pronoun read as an option."""
        return with_names(self.clause, {self.pronoun: option})

    @property
    def setting(self) -> tuple[Formula, ...]:
        """The scene, and the outcome, which belongs to it unless it is to be explained."""
        return self.scene + ((self.outcome,) if self.outcome is not None else ())

    @property
    def different(self) -> tuple[str, ...]:
        """The names of different things: all named objects except the pronoun."""
        named = {*self.things, *self.signature.constants_of(Sort.OBJECT)}
        return tuple(sorted(named - {self.pronoun}))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all that the proof depends on; words, kinds and the order do not count."""
        content = {
            "things": sorted(self.things),
            "options": sorted(self.options),
            "answer": self.answer,
            "pronoun": self.pronoun,
            "scene": sorted(show(formula) for formula in self.scene),
            "clause": show(self.clause),
            "outcome": None if self.outcome is None else show(self.outcome),
            "knowledge": {name: show(self.knowledge[name]) for name in sorted(self.knowledge)},
        }
        text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def read(formalisation: Formalisation, knowledge: Mapping[str, str]) -> Theory:
    """Read a formalisation with formulas of knowledge.

    Parameters
    ----------
    knowledge
        Name → formula; free variables are universal.

    Raises
    ------
    Refused
        With every problem found: those of a formula have its place (``scene 1``, ``clause``,
        ``outcome``, ``knowledge NAME``), line and column.
    """
    problems = list(_problems_of_names(formalisation))
    texts = formalisation.texts | {_knowledge_place(name): text for name, text in knowledge.items()}
    if len(texts) > MOST_FORMULAS:
        problems.append(_too_many(len(texts)))
        raise Refused(tuple(problems))
    trees: dict[str, Formula] = {}
    for place, text in texts.items():
        try:
            trees[place] = parse(text)
        except FormulaError as error:
            problems.append(_at(error, place))
    reader = SignatureReader()
    of_sorts = list(_problems_of_sorts(reader, formalisation, trees))
    problems += of_sorts or _unknown(formalisation, trees, reader.signature())
    for place, tree in trees.items():
        problems += [_at(error, place) for error in _problems_of(formalisation, place, tree)]
    if problems:
        raise Refused(tuple(problems))
    return _theory(formalisation, trees, reader.signature())


def _theory(
    formalisation: Formalisation, trees: Mapping[str, Formula], signature: Signature
) -> Theory:
    return Theory(
        things=tuple(thing.name for thing in formalisation.things),
        options=formalisation.options,
        answer=formalisation.answer,
        pronoun=formalisation.pronoun,
        scene=tuple(tree for place, tree in trees.items() if place.startswith("scene ")),
        clause=trees[CLAUSE],
        outcome=trees.get(OUTCOME),
        knowledge={
            place.removeprefix(_knowledge_place("")): tree
            for place, tree in trees.items()
            if _is_knowledge(place)
        },
        signature=signature,
    )


def _knowledge_place(name: str) -> str:
    return f"knowledge {name}"


def _is_knowledge(place: str) -> bool:
    return place.startswith(_knowledge_place(""))


def _at(error: FormulaError, place: str) -> Problem:
    problem = error.problem
    return Problem(problem.code, problem.sentence, problem.line, problem.column, place)


def _too_many(n: int) -> Problem:
    return Problem(
        "too_many_formulas",
        f"A question has at most {MOST_FORMULAS} formulas with its knowledge; this one has {n}. "
        "Leave out knowledge that it does not need.",
    )


def _problems_of_names(formalisation: Formalisation) -> Iterator[Problem]:
    things = [thing.name for thing in formalisation.things]
    for name in [*things, formalisation.pronoun]:
        if not _NAME.fullmatch(name) or name in _WORDS or len(name) > MOST_WORDS:
            yield Problem(
                "bad_name",
                f"“{name}” cannot be a name: it begins with a letter, has letters, digits and “_”, "
                "is no variable (one small letter, perhaps with a digit) and no word of the "
                "language.",
            )
    for name in sorted({name for name in things if things.count(name) > 1}):
        yield Problem("same_name", f"Two things are named “{name}”. Give each its own name.")
    if formalisation.pronoun in things:
        yield Problem(
            "pronoun_is_a_thing",
            f"“{formalisation.pronoun}” is the pronoun, so no thing can have this name.",
        )
    for words in (text for thing in formalisation.things for text in (thing.words, thing.kind)):
        if len(words) > MOST_WORDS or not words.isprintable():
            yield Problem(
                "bad_words",
                f"The words and the kind of a thing have at most {MOST_WORDS} characters, all of "
                "them printable.",
            )
    options = formalisation.options
    if len(set(options)) < 2 or len(set(options)) < len(options) or not set(options) <= {*things}:
        yield Problem(
            "bad_options", "The options are two or more different things of the question."
        )
    if formalisation.answer not in options:
        yield Problem("bad_answer", f"The answer “{formalisation.answer}” is none of the options.")


def _problems_of_sorts(
    reader: SignatureReader, formalisation: Formalisation, trees: Mapping[str, Formula]
) -> Iterator[Problem]:
    # What things and the pronoun are is known before any formula is read.
    for name in (*(thing.name for thing in formalisation.things), formalisation.pronoun):
        try:
            reader.read(Equal(Name(name), Variable("x")))
        except FormulaError:
            continue  # a bad name, which is said already
    for place, tree in trees.items():
        try:
            reader.read(tree)
        except FormulaError as error:
            yield _at(error, place)


def _problems_of(formalisation: Formalisation, place: str, tree: Formula) -> Iterator[FormulaError]:
    if _is_knowledge(place):
        yield from _names_option(formalisation, tree)
        return
    yield from _free(tree)
    pronoun = _first(tree, {formalisation.pronoun})
    if place == CLAUSE and pronoun is None:
        yield FormulaError(
            "clause_without_pronoun",
            f"The clause says nothing of the pronoun: use the name “{formalisation.pronoun}” in "
            "it.",
        )
    elif place != CLAUSE and pronoun is not None:
        yield FormulaError(
            "pronoun_outside_clause",
            f"“{pronoun.name}” is the pronoun, which only the clause may name.",
            pronoun.at,
        )


def _names_option(formalisation: Formalisation, tree: Formula) -> Iterator[FormulaError]:
    named = _first(tree, {*formalisation.options, formalisation.pronoun})
    if named is not None:
        what = "the pronoun" if named.name == formalisation.pronoun else "an option"
        yield FormulaError(
            "knowledge_names_option",
            f"Knowledge must hold for other questions too, so it cannot name {what}: use a "
            f"variable in the place of “{named.name}”.",
            named.at,
        )


def _free(tree: Formula) -> Iterator[FormulaError]:
    for variable in free_variables(tree)[:1]:
        yield FormulaError(
            "free_variable",
            f"“{variable.name}” is a variable that no “forall” or “exists” binds. Bind it, or use "
            "the name of a thing.",
            variable.at,
        )


def _unknown(
    formalisation: Formalisation, trees: Mapping[str, Formula], signature: Signature
) -> Iterator[Problem]:
    """Refuse a name that stands as a thing and is none: most often it is misspelt."""
    names = {thing.name for thing in formalisation.things} | {formalisation.pronoun}
    unknown = {*signature.constants_of(Sort.OBJECT)} - names
    for place, tree in trees.items():
        named = None if _is_knowledge(place) else _first(tree, unknown)
        if named is not None:
            yield Problem(
                "unknown_thing",
                f"“{named.name}” is not among the things of this question. Add it, or correct "
                "the name.",
                *named.at,
                place,
            )


def _first(tree: Formula, names: Iterable[str]) -> Name | None:
    wanted = set(names)
    for term in every_term(tree):
        if isinstance(term, Name) and term.name in wanted:
            return term
    return None
