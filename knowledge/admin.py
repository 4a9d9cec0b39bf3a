from knowledge.models import (
    Formalisation,
    FormalisingTask,
    Formula,
    KnowledgeRelease,
    KnowledgeReleaseFile,
    KnowledgeSet,
    LexiconEntry,
    Proof,
    Reason,
    Sentence,
    Sweep,
    SweepStep,
)
from workers.admin import read_only

read_only(KnowledgeSet, "public_id", "name", "release", "reference_set", "campaign", "created_at")
read_only(Formula, "knowledge_set", "name", "text", "author", "created_at")
read_only(Formalisation, "knowledge_set", "question", "number", "author", "created_at")
read_only(FormalisingTask, "knowledge_set", "question", "worker", "reward", "verified_at")
read_only(Proof, "fingerprint", "prover", "verified", "seconds", "created_at")
read_only(Sweep, "public_id", "knowledge_set", "status", "n_verified", "created_at")
read_only(SweepStep, "run", "number", "formalisation", "verified", "seconds")
read_only(LexiconEntry, "knowledge_set", "name", "positive", "negative")
read_only(Sentence, "public_id", "knowledge_set", "kind", "text", "author", "created_at")
read_only(Reason, "collection", "question", "number", "text", "n_accepted", "n_votes")
read_only(KnowledgeRelease, "public_id", "name", "knowledge_set", "status", "created_at")
read_only(KnowledgeReleaseFile, "release", "name", "rows", "restricted")
