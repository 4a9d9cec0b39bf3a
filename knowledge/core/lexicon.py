"""The words of predicates, actions and things, by which formulas are phrased."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.core.language.tree import DO, POSS, Apply, Atom, Formula, every, every_term

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
