"""Search a corpus for the knowledge of items, and score options by the evidence found."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from bm25s import BM25
from numpy.typing import NDArray

from evaluation.core.gapped import Gapped
from evaluation.core.retrieval.antecedents import Evidence, find_evidence
from evaluation.core.retrieval.english import is_word, stem, tokens
from evaluation.core.retrieval.queries import (
    Queries,
    Role,
    Term,
    Unparsed,
    generate_queries,
)

Floats = NDArray[np.float64]
DEPTH = 50

# bm25s sets its logger to DEBUG when imported.
logging.getLogger("bm25s").setLevel(logging.WARNING)


class SentenceIndex:
    """A BM25 index of the sentences of a corpus.

    Parameters
    ----------
    corpus : sequence of str
        One sentence each, at least one word in all. Kept by reference.

    Raises
    ------
    ValueError
        When the corpus has no word.
    """

    def __init__(self, corpus: Sequence[str]) -> None:
        self.corpus = corpus
        stems = [[stem(word) for word in tokens(text) if is_word(word)] for text in corpus]
        if not any(stems):
            raise ValueError("corpus must hold at least one word, got none")
        self._index = BM25(method="lucene", dtype="float64")
        self._index.index(stems, show_progress=False)

    def search(self, queries: Queries, *, depth: int = DEPTH) -> list[int]:
        """Return the positions of sentences with a word of both sets, the best first.

        Parameters
        ----------
        queries : Queries
        depth : int, at least 1
            How many to return at most.

        Returns
        -------
        list of int
            By the sum of the BM25 scores of the words of both sets; of equal ones the first in
            the corpus. A sentence with all words of ``queries.excluded`` is left out.
        """
        if depth < 1:
            raise ValueError(f"depth must be at least 1, got {depth}")
        context, query = self._scores(queries.context), self._scores(queries.query)
        is_match = (context > 0) & (query > 0)
        if queries.excluded:
            is_match &= ~np.logical_and.reduce([self._scores([(w,)]) > 0 for w in queries.excluded])
        places = np.flatnonzero(is_match)  # (n_found,)
        order = np.argsort(-(context + query)[places], kind="stable")[:depth]
        return [int(place) for place in places[order]]

    def _scores(self, terms: Sequence[Term]) -> Floats:
        """Return the BM25 score (n_sentences,) of the words of terms; above 0 with any of them."""
        words = sorted({word for term in terms for word in term} & self._index.vocab_dict.keys())
        if not words:
            return np.zeros(len(self.corpus))
        return np.asarray(self._index.get_scores(words), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunt:
    """What a corpus says about one item.

    Parameters
    ----------
    scores : float64 (k,)
        For each option the sum of the strengths of the evidence for its role, at least 0. All are
        equal without evidence, or if it is balanced.
    queries : Queries, optional
        None if the item was not parsed.
    n_found : int
        Sentences retrieved and examined.
    evidence : tuple of Evidence
        Those in which a rule decided, in order of retrieval.
    reason : str
        Why there is no evidence; empty if there is.
    """

    scores: Floats
    queries: Queries | None
    n_found: int
    evidence: tuple[Evidence, ...]
    reason: str


def hunt(
    index: SentenceIndex,
    clozes: Sequence[Gapped],
    *,
    depth: int = DEPTH,
    progress: Callable[[int, int], None] | None = None,
) -> list[Hunt]:
    """Score the options of items by sentences of a local corpus that hold the same predicates.

    An item such as "E1 yelled at E2 because _ was upset" is answered by sentences in which someone
    yells and someone is upset: is it the one who yells, or the other?

    Parameters
    ----------
    index : SentenceIndex
        Of any local text. It is no web search: a small corpus has evidence for few items.
    clozes : sequence of Gapped
    depth : int, at least 1
        Sentences examined for an item at most. Memory is bounded by it, and by one score for each
        sentence of the corpus.
    progress : callable (done, total), optional
        Called after each item; may raise to stop.

    Returns
    -------
    list of Hunt
        One for each item. Permuting an item's options permutes its scores.

    Raises
    ------
    ValueError
        When ``depth`` is below 1.

    Source: Emami et al., A knowledge hunting framework for common sense reasoning (EMNLP 2018).
    Departures: BM25 over a local corpus for a web search engine, which must find both terms
    likewise; closed word lists and word order for a parser; no synonyms from WordNet; equal
    strengths are a tie (the authors' program then takes the patient).
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    hunts = []
    for done, cloze in enumerate(clozes, start=1):
        hunts.append(_hunt_one(index, cloze, depth))
        if progress:
            progress(done, len(clozes))
    return hunts


def _hunt_one(index: SentenceIndex, cloze: Gapped, depth: int) -> Hunt:
    try:
        queries = generate_queries(cloze)
    except Unparsed as error:
        nothing = np.zeros(len(cloze.options))
        return Hunt(scores=nothing, queries=None, n_found=0, evidence=(), reason=str(error))
    places = index.search(queries, depth=depth)
    read = (find_evidence(index.corpus[place], place, queries) for place in places)
    evidence = tuple(sentence for sentence in read if sentence)
    return Hunt(
        scores=role_scores(evidence, queries.roles),
        queries=queries,
        n_found=len(places),
        evidence=evidence,
        reason=_reason(len(places), len(evidence)),
    )


def role_scores(evidence: Sequence[Evidence], roles: Sequence[Role | None]) -> Floats:
    """Return for each option the sum of the strengths of the evidence for its role."""
    return np.array(
        [sum(found.strength for found in evidence if found.role == role) for role in roles],
        dtype=np.float64,
    )


def _reason(n_found: int, n_evidence: int) -> str:
    if not n_found:
        return "no sentence of the corpus has both predicates"
    return "" if n_evidence else "no rule decided any sentence found"
