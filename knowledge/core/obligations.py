"""What must be proved so that a question's knowledge counts as verified.

Source: WinoLogic §3 ("Verification"), which names no query. From its own formulas (1)–(3) it does
not follow that the pronoun is the father, since the son may be weak too. So three ways are tried.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Any
from uuid import uuid4

from knowledge.core.answers import Limit, Prove, Verdict
from knowledge.core.formalisation import Theory
from knowledge.core.groundings import World, probes_of
from knowledge.core.language.tree import show
from knowledge.core.smt import Claim, script

VERSION = 1  # of the obligations: a change of what is proved makes it another prover


_STATUS = {Verdict.PROVED: "unsat", Verdict.REFUTED: "sat"}


class Way(StrEnum):
    """How knowledge picks an option.

    explains
        Scene, knowledge and the clause of this option are consistent and entail the outcome,
        which scene and knowledge alone do not.
    follows
        Scene, outcome and knowledge entail the clause of this option.
    excludes
        Scene, outcome and knowledge contradict the clause of every other option.
    """

    EXPLAINS = "explains"
    FOLLOWS = "follows"
    EXCLUDES = "excludes"


class Undecided(Exception):
    """A claim stayed open, so the examination ends: it can no longer verify."""

    def __init__(self, claim: str, limit: Limit) -> None:
        super().__init__(claim)
        self.claim = claim
        self.limit = limit


@dataclass(frozen=True, slots=True)
class NamedClaim:
    """A claim with a name that tells what it is for, and what was answered."""

    name: str
    claim: Claim
    verdict: Verdict

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.PROVED

    @property
    def script(self) -> str:
        """The SMT-LIB script of the claim, with the answer that it must give elsewhere."""
        return script(self.claim, comment=self.name, status=_STATUS[self.verdict])


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found for a formalisation.

    Parameters
    ----------
    consistent
        Whether scene, knowledge, right reading and outcome have a model together.
    ways
        The ways that pick the answer.
    other
        Option → the ways that pick it instead; None if an undecided claim left that open.
    without_knowledge
        The ways that pick the answer without any knowledge.
    cores
        Way → a minimal set of formulas with which it still picks the answer.
    unused
        Formulas in no core; without a way, none.
    worlds
        Way → a world that refutes it, if no way picks the answer.
    undecided, limit
        The claim that stayed open and what ended it. Then what came after it is not known, and the
        fields above hold what was found before; ``consistent`` is None if it was that claim.
    claims
        All claims with their answers, in the order in which they were asked.
    """

    consistent: bool | None = None
    ways: tuple[Way, ...] = ()
    other: Mapping[str, tuple[Way, ...]] | None = None
    without_knowledge: tuple[Way, ...] = ()
    cores: Mapping[Way, tuple[str, ...]] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    worlds: Mapping[Way, World] = field(default_factory=dict)
    undecided: str = ""
    limit: Limit | None = None
    claims: tuple[NamedClaim, ...] = ()

    @property
    def verified(self) -> bool:
        return bool(
            self.consistent
            and self.ways
            and self.other == {}
            and not self.without_knowledge
            and not self.undecided
        )

    @property
    def core(self) -> tuple[str, ...]:
        """The minimal core of the first way that picks the answer."""
        return self.cores[self.ways[0]] if self.ways and self.cores else ()


def examine(theory: Theory, prove: Prove) -> Examination:
    """Prove the obligations of a formalisation one by one.

    It ends at the first claim that stays undecided, so that a hostile formula costs one limit and
    not one for each claim. Formulas are tried in the order of their text for the cores, so the
    result does not depend on the order in which they are given.
    """
    finder = _Finder(theory, prove)
    try:
        finder.examine()
    except Undecided as end:
        return Examination(
            **finder.results, undecided=end.claim, limit=end.limit, claims=finder.claims
        )
    return Examination(**finder.results, claims=finder.claims)


class _Finder:
    """Asks claim after claim and gathers what they show."""

    def __init__(self, theory: Theory, prove: Prove) -> None:
        self.theory = theory
        self.results: dict[str, Any] = {}
        self._prove = partial(prove, session=uuid4().hex)
        self._asked: dict[str, NamedClaim] = {}
        self._everything = frozenset(theory.knowledge)

    @property
    def claims(self) -> tuple[NamedClaim, ...]:
        return tuple(self._asked.values())

    def examine(self) -> None:
        answer, found = self.theory.answer, self.results
        reading = Claim((*self.theory.setting, self.theory.clause_of(answer)))
        found["consistent"] = not self._ask("consistent", reading, self._everything).is_proved
        found["ways"] = ways = self._ways(answer, self._everything)
        found["other"] = {
            option: picked
            for option in self.theory.options
            if option != answer and (picked := self._ways(option, self._everything))
        }
        if ways:
            found["without_knowledge"] = self._ways(answer, frozenset())
            found["cores"] = {way: self._core(way) for way in ways}
            found["unused"] = tuple(sorted(self._everything.difference(*found["cores"].values())))
        else:
            found["worlds"] = self._worlds()

    def _ways(self, option: str, knowledge: frozenset[str]) -> tuple[Way, ...]:
        return tuple(way for way in Way if self._picks(way, option, knowledge))

    def _picks(self, way: Way, option: str, knowledge: frozenset[str]) -> bool:
        """Return whether a way picks an option with some of the knowledge."""
        if self._refuted(way, option, knowledge) is not None or not self._claims_of(way, option):
            return False
        return way is not Way.EXPLAINS or self._is_explanation(option, knowledge)

    def _is_explanation(self, option: str, knowledge: frozenset[str]) -> bool:
        """Return whether the clause is consistent and needed, given that it entails the outcome."""
        theory = self.theory
        alone = Claim(theory.scene, theory.outcome)
        if self._ask("outcome without the clause", alone, knowledge).is_proved:
            return False
        if option == theory.answer and self.results["consistent"]:
            return True
        # What contradicts itself entails everything, and explains nothing.
        clause = Claim((*theory.scene, theory.clause_of(option)))
        return not self._ask(f"contradicts {option}", clause, knowledge).is_proved

    def _claims_of(self, way: Way, option: str) -> dict[str, Claim]:
        """Return what a way must prove, by name; nothing if there is no outcome to explain."""
        theory = self.theory
        if way is Way.FOLLOWS:
            return {f"follows {option}": Claim(theory.setting, theory.clause_of(option))}
        if way is Way.EXCLUDES:
            return {
                f"excludes {other}": Claim((*theory.setting, theory.clause_of(other)))
                for other in theory.options
                if other != option
            }
        if theory.outcome is None:
            return {}
        premises = (*theory.scene, theory.clause_of(option))
        return {f"explains {option}": Claim(premises, theory.outcome)}

    def _refuted(self, way: Way, option: str, knowledge: frozenset[str]) -> NamedClaim | None:
        """Return the first claim of a way that is refuted with some of the knowledge."""
        for name, claim in self._claims_of(way, option).items():
            examination = self._ask(name, claim, knowledge)
            if not examination.is_proved:
                return examination
        return None

    def _core(self, way: Way) -> tuple[str, ...]:
        """Drop in turn each formula that the way does not need.

        Fewer formulas contradict and entail less, so what makes an explanation stays true.
        """
        texts = {name: show(tree) for name, tree in self.theory.knowledge.items()}
        core = self._everything
        for name in sorted(texts, key=lambda name: (texts[name], name)):
            if self._refuted(way, self.theory.answer, core - {name}) is None:
                core -= {name}
        return tuple(sorted(core))

    def _worlds(self) -> dict[Way, World]:
        refuted = {way: self._refuted(way, self.theory.answer, self._everything) for way in Way}
        return {way: self._world(claim) for way, claim in refuted.items() if claim is not None}

    def _world(self, refuted: NamedClaim) -> World:
        """Ask a refuted claim again, for the atoms that hold in the model."""
        probes = probes_of(refuted.claim)
        answer = self._prove(script(refuted.claim, probes=probes), probes=len(probes))
        if answer.limit is not None:
            raise Undecided(refuted.name, answer.limit)
        return World.of(probes, answer)

    def _ask(self, name: str, claim: Claim, knowledge: frozenset[str]) -> NamedClaim:
        """Ask a claim with some of the knowledge, once; raises ``Undecided``."""
        formulas = tuple(self.theory.knowledge[number] for number in sorted(knowledge))
        claim = Claim((*formulas, *claim.premises), claim.goal, self.theory.different)
        text = script(claim)
        if text not in self._asked:
            answer = self._prove(text)
            if answer.limit is not None:
                raise Undecided(name, answer.limit)
            self._asked[text] = NamedClaim(name, claim, answer.verdict)
        return self._asked[text]


@dataclass(frozen=True, slots=True)
class PairExamination:
    """Two twins with the formulas of both.

    Parameters
    ----------
    first, second
        The examination of each twin with all these formulas.
    """

    first: Examination
    second: Examination

    @property
    def resolved(self) -> bool:
        """Whether the same formulas resolve each twin to its own answer."""
        return self.first.verified and self.second.verified


def examine_pair(first: Theory, second: Theory, prove: Prove) -> PairExamination:
    """Prove the obligations of two twins with the same formulas: those of either.

    Raises
    ------
    ValueError
        When the twins have the same answer, or give one name to different formulas.
    """
    if first.answer == second.answer:
        raise ValueError(f"the twins must have different answers, got {first.answer!r} for both")
    for name in first.knowledge.keys() & second.knowledge.keys():
        if first.knowledge[name] != second.knowledge[name]:
            raise ValueError(f"the twins must mean one formula by the name {name!r}")
    knowledge = {**first.knowledge, **second.knowledge}
    both = (examine(replace(twin, knowledge=knowledge), prove) for twin in (first, second))
    return PairExamination(*both)
