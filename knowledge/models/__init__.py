"""Knowledge sets, formulas, formalised questions, proofs, sentences, releases."""

from knowledge.models.formalisations import Formalisation, Formula
from knowledge.models.formalising import FormalisingTask
from knowledge.models.knowledge_sets import (
    KnowledgeRelease,
    KnowledgeReleaseFile,
    KnowledgeSet,
    LexiconEntry,
)
from knowledge.models.proofs import Proof, Sweep, SweepStep
from knowledge.models.reasons import Reason
from knowledge.models.sentences import Sentence
