"""A formalisation as its form has it: read, filled in, and what is wrong with each field."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.http import QueryDict
from django.utils.translation import gettext as _

from corpora.core.items import BLANK, Item
from frontend.knowledge.reads import pronoun_of
from knowledge.core import formalisation as core
from knowledge.core.language.errors import Problem
from knowledge.core.language.limits import MOST_CHARACTERS, MOST_FORMULAS
from knowledge.core.slots import inside_sentence
from knowledge.models import Formula

BLANK_THINGS, BLANK_FORMULAS = 2, 2
MOST_THINGS = 40
_WORD = re.compile(r"[^\W\d_][\w’']*")


@dataclass(frozen=True, slots=True)
class NewFormula:
    """A formula that is to be added to the set."""

    name: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class FormValues:
    """What the fields of the form hold.

    Parameters
    ----------
    things
        Those of the options first, in the order of the question's options.
    scene
        One formula a line.
    chosen
        Public ids of the set's formulas.
    """

    things: tuple[core.Thing, ...]
    pronoun: str
    scene: str = ""
    clause: str = ""
    outcome: str = ""
    chosen: tuple[str, ...] = ()
    new: tuple[NewFormula, ...] = ()

    @classmethod
    def sent(cls, post: QueryDict) -> FormValues:
        """Read a posted form; whatever it holds, the values are texts."""
        columns = (_texts(post, f"thing_{part}") for part in ("name", "words", "kind"))
        things = [core.Thing(*row) for row in zip(*columns, strict=False)]
        names, texts = _texts(post, "new_name"), _texts(post, "new_text")
        new = zip_longest(names, texts, fillvalue="")
        return cls(
            things=tuple(things[:MOST_THINGS]),
            pronoun=_text(post.get("pronoun", "")).strip(),
            scene=_text(post.get("scene", "")),
            clause=_text(post.get("clause", "")).strip(),
            outcome=_text(post.get("outcome", "")).strip(),
            chosen=tuple(one for one in post.getlist("formula")[:MOST_FORMULAS] if _is_id(one)),
            new=tuple(NewFormula(*row) for row in new if row[1]),
        )

    @classmethod
    def from_version(cls, content: Mapping[str, object], formulas: Iterable[Formula]) -> FormValues:
        """Return the form of a stored version."""
        core_form = core.Formalisation.from_dict(content)
        by_name = {thing.name: thing for thing in core_form.things}
        first = [by_name[name] for name in core_form.options]
        others = [thing for thing in core_form.things if thing.name not in core_form.options]
        return cls(
            things=(*first, *others),
            pronoun=core_form.pronoun,
            scene="\n".join(core_form.scene),
            clause=core_form.clause,
            outcome=core_form.outcome or "",
            chosen=tuple(str(formula.public_id) for formula in formulas),
        )

    @classmethod
    def blank(cls, item: Item) -> FormValues:
        """Return the form of a question that is not formalised yet: its options, its pronoun."""
        names = _names_of(item.options)
        words = [inside_sentence(option) for option in item.options]
        things = [core.Thing(name, word) for name, word in zip(names, words, strict=True)]
        pronoun = pronoun_of(item)
        return cls(tuple(things), "It" if pronoun == BLANK else pronoun.capitalize())

    def filled(self, n_options: int) -> FormValues:
        """Return the same with a row for each option and some empty rows at the end.

        Rows that were sent empty are not kept, or each refusal would add as many.
        """
        empty = core.Thing("")
        further = [thing for thing in self.things[n_options:] if thing.name or thing.words]
        things = [*self.things[:n_options], *further]
        things += [empty] * max(0, n_options - len(things))
        new = (*self.new, *([NewFormula()] * BLANK_FORMULAS))
        return replace(self, things=(*things, *([empty] * BLANK_THINGS)), new=new)

    @property
    def lines(self) -> tuple[str, ...]:
        """The formulas of the scene."""
        return tuple(line.strip() for line in self.scene.splitlines() if line.strip())

    def formalisation(self, item: Item) -> core.Formalisation:
        """Return what would be stored; empty rows after the options are left out."""
        k = len(item.options)
        things = self.things[:k] + tuple(thing for thing in self.things[k:] if thing.name)
        options = tuple(thing.name for thing in self.things[:k])
        right = 0 if item.answer is None else item.answer - 1
        return core.Formalisation(
            things=things,
            options=options,
            answer=options[right] if right < len(options) else "",
            pronoun=self.pronoun,
            scene=self.lines,
            clause=self.clause,
            outcome=self.outcome or None,
        )

    def problems(self, item: Item, formulas: Iterable[Formula]) -> tuple[Problem, ...]:
        """Return what is wrong with all formulas together; see ``formalisation.read``."""
        texts = {formula.name: formula.text for formula in formulas}
        texts |= {formula.name or _("new"): formula.text for formula in self.new}
        try:
            core.read(self.formalisation(item), texts)
        except core.Refused as refused:
            return refused.problems
        return ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A problem at its field, with the text before, at and after the place."""

    problem: Problem
    before: str = ""
    at: str = ""
    after: str = ""


def marks(
    problems: Sequence[Problem], texts: Mapping[str, str], *, is_typing: bool = False
) -> dict[str, list[Mark]]:
    """Return the problems by field: things, scene, clause, outcome, knowledge.

    Parameters
    ----------
    texts
        Formulas by the place that a problem names.
    is_typing
        Whether to leave out what is still empty.
    """
    places: dict[str, list[Mark]] = {}
    for problem in problems:
        field = problem.formula.partition(" ")[0] or "things"
        text = texts.get(problem.formula, "")
        if is_typing and problem.formula and not text.strip():
            continue
        places.setdefault(field, []).append(_mark(problem, text))
    return places


def _mark(problem: Problem, text: str) -> Mark:
    lines = text.split("\n")
    if not problem.formula or problem.line > len(lines):
        return Mark(problem)
    line, at = lines[problem.line - 1], problem.column - 1
    start = max(0, at - 60)
    return Mark(problem, line[start:at], line[at : at + 1], line[at + 1 : at + 60])


def texts_of(typed: FormValues, item: Item, formulas: Iterable[Formula]) -> dict[str, str]:
    """Return the formulas by the place that a problem names."""
    texts = typed.formalisation(item).texts
    texts |= {f"knowledge {formula.name}": formula.text for formula in formulas}
    return texts | {f"knowledge {formula.name or _('new')}": formula.text for formula in typed.new}


def _texts(post: QueryDict, name: str) -> list[str]:
    return [_text(value).strip() for value in post.getlist(name)[:MOST_THINGS]]


def _text(value: str) -> str:
    """Return a text as the database can hold it; a formula that is too long stays too long."""
    return value.replace("\r\n", "\n").replace("\x00", "")[: 20 * MOST_CHARACTERS]


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def _names_of(options: Sequence[str]) -> list[str]:
    """Return a name for each option: its last word, or all its words where last words are alike."""
    words = [_WORD.findall(option) for option in options]
    last, whole = [_joined(word[-1:]) for word in words], [_joined(word) for word in words]
    names = last if len(set(last)) == len(last) else whole
    if len(set(names)) < len(names) or not all(len(name) > 1 for name in names):
        return [f"Thing{number}" for number in range(1, len(options) + 1)]
    return names


def _joined(words: Sequence[str]) -> str:
    capital = (word[:1].upper() + word[1:] for word in words)
    return re.sub(r"['’]", "", "".join(capital))
