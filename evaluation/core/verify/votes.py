"""Recompute verdicts from the votes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corpora.core.bundle.layout import BLIND, COMMITMENTS, DEV, FULL, QUESTIONS, VOTES
from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.findings import Finding, equal, ok, unchecked, wrong
from validation.core.verdicts import Ballot, Policy, decide


def check_votes(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Recompute each verdict on the questions that are not blind."""
    answers = {
        row["qID"]: int(row["answer"])
        for name in (FULL, DEV)
        for row in bundle.rows(f"{name}.jsonl")
    }
    questions = {row["qID"]: row for row in bundle.rows(QUESTIONS)}
    yield equal(QUESTIONS, "questions", said=len(answers), found=len(questions))
    if questions.keys() - answers.keys():
        yield wrong(QUESTIONS, "it has questions that no split has")
        return
    votes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for vote in bundle.rows(VOTES):
        votes[vote["qID"]].append(vote)
    if votes.keys() - questions.keys():
        yield wrong(VOTES, "it has votes on questions that no split has")
    yield from check_verdicts(QUESTIONS, questions.values(), votes, answers)
    yield from _check_additional(questions, votes)


def _check_additional(
    questions: Mapping[str, Mapping[str, Any]], votes: Mapping[str, list[dict[str, Any]]]
) -> Iterator[Finding]:
    """Check that as many votes are said to be additional as were given beyond those due.

    Lines do not tell which came first.
    """
    for qid, given in votes.items():
        settings = questions[qid]["settings"] if qid in questions else None
        due = settings["votes_per_question"] if settings else 0
        counted = [vote for vote in given if not vote["excluded"]]
        said = sum(vote["additional"] for vote in counted)
        if said != max(0, len(counted) - due) or any(
            vote["additional"] and vote["excluded"] for vote in given
        ):
            yield wrong(VOTES, f"other votes on {qid} are additional than beyond {due}")


def check_verdicts(
    place: str,
    questions: Iterable[Mapping[str, Any]],
    votes: Mapping[str, list[dict[str, Any]]],
    answers: Mapping[str, int],
) -> Iterator[Finding]:
    """Recompute verdicts; those of curators and of imported questions cannot be."""
    n_equal = n_curated = n_without = 0
    for question in questions:
        said = question["verdict"]
        if said is None:
            n_without += 1
            if question["settings"] is not None:
                yield wrong(place, f"{question['qID']} was written here, and has no verdict")
        elif said["by_curator"]:
            n_curated += 1
        elif _decided(question, votes, answers) == _told(said):
            n_equal += 1
        else:
            yield wrong(place, f"the verdict on {question['qID']} does not follow from its votes")
    yield ok(place, f"{n_equal:,} verdicts follow from their votes")
    if n_curated:
        yield unchecked(place, f"{n_curated:,} verdicts are curators' decisions")
    if n_without:
        yield unchecked(place, f"{n_without:,} questions were imported without votes")


def _decided(
    question: Mapping[str, Any],
    votes: Mapping[str, list[dict[str, Any]]],
    answers: Mapping[str, int],
) -> tuple[Any, ...] | None:
    said = question["verdict"]
    ballots = [
        Ballot(vote["option"], vote["ambiguous"], vote["local_option"])
        for vote in votes.get(question["qID"], [])
        if not vote["excluded"]
    ]
    try:
        found = decide(
            ballots,
            answer=answers[question["qID"]],
            policy=Policy(said["policy"]),
            version=said["version"],
        )
    except ValueError:
        return None
    return found.valid, [str(reason) for reason in found.reasons], found.counts


def _told(verdict: Mapping[str, Any]) -> tuple[Any, ...]:
    return verdict["valid"], verdict["reasons"], verdict["counts"]


def check_commitments(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Check that each blind question has one commitment."""
    blind = {row["qID"] for row in bundle.rows(f"{BLIND}.jsonl")}
    committed = [row["qID"] for row in bundle.rows(COMMITMENTS)]
    yield equal(COMMITMENTS, "commitments", said=manifest["commitments"], found=len(committed))
    if sorted(committed) == sorted(blind):
        yield unchecked(
            COMMITMENTS,
            f"the labels and votes of {len(blind):,} blind questions: committed, not checked",
        )
    else:
        yield wrong(COMMITMENTS, "not every blind question has one commitment")
