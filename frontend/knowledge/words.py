"""A proof in words: its obligations, the worlds that refute it, and its minimal cores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from frontend.knowledge.reads import STATUSES, status_of
from frontend.runs.words import RunWords, register
from knowledge.core import formalisation as core
from knowledge.core.groundings import in_words
from knowledge.core.language.tree import Atom, Formula, Not
from knowledge.core.obligations import Examination, Way
from knowledge.core.phrasing import Lexicon, PhraseError, phrase_part, without_words
from knowledge.core.reporting import Obligation, from_dict, obligations, warnings
from knowledge.models import Formalisation, KnowledgeRelease, Proof, Sweep
from knowledge.selectors import lexicon_of
from winoplatform.runs.models import RunStatus

WAYS: dict[Way, Any] = {
    Way.EXPLAINS: _("explains the outcome"),
    Way.FOLLOWS: _("follows"),
    Way.EXCLUDES: _("excludes the other option"),
}
# Of a way that fails: what is possible in the world below.
REFUTES: dict[Way, Any] = {
    Way.EXPLAINS: _("The outcome need not come about. A world in which it does not:"),
    Way.FOLLOWS: _("The clause need not hold of the answer. A world in which it does not:"),
    Way.EXCLUDES: _("The clause may hold of the other option. A world in which it does:"),
}


@dataclass(frozen=True, slots=True)
class WorldInWords:
    """A world that refutes a way: what it shows, and its facts."""

    title: Any
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProofInWords:
    """A proof as its page shows it.

    Parameters
    ----------
    status : str
        A code of ``STATUSES``.
    cores
        Of each way that picks the answer: its name, and the formulas that it needs.
    """

    status: str
    obligations: tuple[Obligation, ...]
    warnings: tuple[str, ...]
    cores: tuple[tuple[Any, tuple[str, ...]], ...]
    worlds: tuple[WorldInWords, ...]
    seconds: float | None = None

    @property
    def words(self) -> Any:
        return STATUSES[self.status][0]

    @property
    def look(self) -> str:
        return STATUSES[self.status][1]


def proof_in_words(formalisation: Formalisation, proof: Proof) -> ProofInWords:
    """Return a stored proof in the words of a question's things and of the set's lexicon."""
    lexicon = lexicon_of(formalisation.knowledge_set)
    things = core.Formalisation.from_dict(formalisation.content).things
    words = examination_in_words(from_dict(proof.report), things, lexicon)
    return replace(words, seconds=proof.seconds)


def examination_in_words(
    found: Examination, things: Sequence[core.Thing], lexicon: Lexicon
) -> ProofInWords:
    """Return an examination in words."""
    named = {thing.name: thing.words for thing in things if thing.words}
    named_lexicon = replace(lexicon, things=named)
    return ProofInWords(
        status=status_of(found.verified, found.undecided),
        obligations=obligations(found),
        warnings=warnings(found),
        cores=tuple((WAYS[way], core) for way, core in found.cores.items()),
        worlds=_worlds(found, named, named_lexicon),
    )


def _worlds(
    result: Examination, named: Mapping[str, str], lexicon: Lexicon
) -> tuple[WorldInWords, ...]:
    def phrase(atom: Atom, holds: bool) -> str | None:
        return _in_own_words(atom if holds else Not(atom), lexicon)

    return tuple(
        WorldInWords(REFUTES[way], in_words(world, words=named, phrase=phrase))
        for way, world in sorted(result.worlds.items(), key=lambda pair: [*Way].index(pair[0]))
    )


def _in_own_words(literal: Formula, lexicon: Lexicon) -> str | None:
    """Say a literal about named things by the lexicon; None if it lacks words."""
    if without_words(literal, lexicon):
        return None
    try:
        text = phrase_part(literal, lexicon, {})
    except PhraseError:
        return None
    return f"{text[:1].upper()}{text[1:]}."


class SweepWords(RunWords[Sweep]):
    related = ("knowledge_set",)

    def about(self, run: Sweep) -> str:
        return run.knowledge_set.name

    def href(self, run: Sweep) -> str:
        return reverse("knowledge-set", args=[run.knowledge_set.name])

    def progress(self, run: Sweep) -> str:
        if run.status == RunStatus.DONE:
            text = now("%(verified)d of %(n)d verified, %(undecided)d undecided")
            n = len(run.formalisations)
            counts = {"verified": run.n_verified, "undecided": run.n_undecided}
            return text % {"n": n, **counts}
        return super().progress(run)


class KnowledgeReleaseWords(RunWords[KnowledgeRelease]):
    related = ("knowledge_set",)

    def about(self, run: KnowledgeRelease) -> str:
        return run.name

    def href(self, run: KnowledgeRelease) -> str:
        return reverse("knowledge-release", args=[run.name])


register(Sweep, SweepWords())
register(KnowledgeRelease, KnowledgeReleaseWords())
