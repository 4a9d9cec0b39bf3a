"""Read formulas while they are being written; nothing is stored or proved."""

from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.core import formalisation as core
from knowledge.core.language import FormulaError, parse, show, signature_of
from knowledge.core.language.errors import Problem
from knowledge.core.language.limits import MOST_FORMULAS


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong, and the canonical form of each text that can be read, by its place."""

    problems: tuple[Problem, ...]
    shown: Mapping[str, str]


def check_formula(*, text: str) -> Checked:
    """Read one formula of knowledge."""
    try:
        tree = parse(text)
        signature_of([tree])
    except FormulaError as error:
        return Checked((error.problem,), {})
    return Checked((), {"knowledge": show(tree, reach=True)})


def check_formalisation(
    *, formalisation: core.Formalisation, knowledge: Mapping[str, str]
) -> Checked:
    """Read a formalisation with its knowledge, as ``formalise`` does."""
    try:
        core.read(formalisation, knowledge)
    except core.Refused as refused:
        return Checked(refused.problems, _shown(formalisation, knowledge))
    return Checked((), _shown(formalisation, knowledge))


def _shown(formalisation: core.Formalisation, knowledge: Mapping[str, str]) -> dict[str, str]:
    named = {f"knowledge {name}": text for name, text in knowledge.items()}
    shown = {}
    for place, text in [*formalisation.texts.items(), *named.items()][:MOST_FORMULAS]:
        try:
            shown[place] = show(parse(text), reach=True)
        except FormulaError:
            continue  # among the problems
    return shown
