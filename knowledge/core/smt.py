"""Claims as SMT-LIB 2.6 scripts: what is proved here is what others can check elsewhere.

Names are prefixed by their kind, so that none is a word of SMT-LIB, and letters beyond ASCII are
written as their code points. Things with different names are different; nothing else is assumed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge.core.language.signature import (
    Signature,
    Sort,
    signature_of,
    sort_of_variable,
)
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
    Term,
    Variable,
    closed,
    every,
    every_term,
)

SORTS = {Sort.OBJECT: "Object", Sort.ACTION: "Action", Sort.SITUATION: "Situation"}


@dataclass(frozen=True, slots=True)
class Claim:
    """That the premises entail the goal; without a goal, that the premises contradict each other.

    Parameters
    ----------
    premises, goal
        Free variables are universal.
    different
        Names of things that are different from one another.
    """

    premises: tuple[Formula, ...]
    goal: Formula | None = None
    different: tuple[str, ...] = ()

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return self.premises + ((self.goal,) if self.goal is not None else ())


def script(
    claim: Claim, *, probes: Sequence[Formula] = (), comment: str = "", status: str = ""
) -> str:
    """Return the script whose answer ``unsat`` proves the claim and whose ``sat`` refutes it.

    Parameters
    ----------
    probes
        Ground formulas; the constant ``probe_N`` is true in a model iff the N-th of them is.
    comment
        Stands above the script.
    status
        The answer expected, for other provers.
    """
    things = [Equal(Name(name), Variable("x")) for name in claim.different]
    signature = signature_of([*claim.formulas, *probes, *things])
    lines = [f"; {line}" for line in comment.splitlines()]
    lines += [f"(set-info :status {status})"] if status else []
    lines += ["(set-logic UF)", *_declarations(signature, (*claim.formulas, *probes))]
    different = sorted(claim.different)
    if len(different) > 1:
        lines.append(f"(assert (distinct {' '.join(_symbol('the', x) for x in different)}))")
    lines += [_assertion(closed(premise)) for premise in claim.premises]
    if claim.goal is not None:
        lines.append(_assertion(Not(closed(claim.goal))))
    for number, probe in enumerate(probes):
        lines.append(f"(declare-const probe_{number} Bool)")
        lines.append(f"(assert (= probe_{number} {_formula(probe)}))")
    return "\n".join([*lines, "(check-sat)", ""])


def _declarations(signature: Signature, formulas: Sequence[Formula]) -> Iterable[str]:
    for sort in Sort:
        yield f"(declare-sort {SORTS[sort]} 0)"
    if _mentions(formulas, START):
        yield f"(declare-const {START} {SORTS[Sort.SITUATION]})"
    if _mentions(formulas, DO):
        yield f"(declare-fun {DO} (Action Situation) Situation)"
    if _mentions(formulas, POSS):
        yield f"(declare-fun {POSS} (Action Situation) Bool)"
    for name, sort in signature.constants.items():
        yield f"(declare-const {_symbol('the', name)} {SORTS[sort]})"
    for name, sorts in signature.actions.items():
        yield f"(declare-fun {_symbol('act', name)} ({_sorts(sorts)}) Action)"
    for name, sorts in signature.predicates.items():
        yield f"(declare-fun {_symbol('is', name)} ({_sorts(sorts)}) Bool)"


def _mentions(formulas: Iterable[Formula], word: str) -> bool:
    return any(
        (isinstance(part, Atom) and part.name == word)
        for formula in formulas
        for part in every(formula)
    ) or any(term.name == word for formula in formulas for term in every_term(formula))


_WORDS = {Connective.AND: "and", Connective.OR: "or", Connective.XOR: "xor"}


def _sorts(sorts: Sequence[Sort]) -> str:
    return " ".join(SORTS[sort] for sort in sorts)


def _assertion(formula: Formula) -> str:
    return f"(assert {_formula(formula)})"


def _formula(formula: Formula) -> str:
    match formula:
        case Atom(name, terms):
            symbol = POSS if name == POSS else _symbol("is", name)
            return _applied(symbol, terms)
        case Equal(left, right):
            return f"(= {_term(left)} {_term(right)})"
        case Not(body):
            return f"(not {_formula(body)})"
        case Implies(left, right):
            return f"(=> {_formula(left)} {_formula(right)})"
        case Quantified(quantifier, variables, body):
            names = dict.fromkeys(variable.name for variable in variables)
            bound = " ".join(f"({name} {SORTS[sort_of_variable(name)]})" for name in names)
            return f"({quantifier} ({bound}) {_formula(body)})"
        case Chain(connective, parts):
            return _chain(connective, [_formula(part) for part in parts])


def _chain(connective: Connective, parts: Sequence[str]) -> str:
    if connective is not Connective.IFF:
        return f"({_WORDS[connective]} {' '.join(parts)})"
    # "=" of three would say that all are alike.
    joined = parts[0]
    for part in parts[1:]:
        joined = f"(= {joined} {part})"
    return joined


def _applied(symbol: str, terms: Sequence[Term]) -> str:
    return f"({symbol} {' '.join(_term(term) for term in terms)})" if terms else symbol


def _term(term: Term) -> str:
    match term:
        case Variable(name):
            return name
        case Apply(name, terms):
            return _applied(DO if name == DO else _symbol("act", name), terms)
        case Name(name):
            return START if name == START else _symbol("the", name)


def _symbol(prefix: str, name: str) -> str:
    plain = (c if c.isascii() and (c.isalnum() or c == "_") else f"~{ord(c):x}~" for c in name)
    return f"{prefix}.{''.join(plain)}"
