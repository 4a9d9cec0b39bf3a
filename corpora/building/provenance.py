"""How each published question came to be: its text, its votes and its verdict."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import F, Q

from collection.core.origin import Origin
from collection.core.people import Account, PeopleOrigin, resolved
from collection.models import Question
from corpora import selectors
from corpora.core.publish import PublishedRow, Publisher
from validation.models import Vote

IMPORTED: Account = (PeopleOrigin.IMPORTED.value, "")
VERDICT = ("policy", "version", "valid", "reasons", "counts")


@dataclass(frozen=True, slots=True)
class Source:
    """What the database knows of one question; options are numbered as in the source.

    ``writer`` is the origin of its writer; each vote has that of its validator as ``person``.
    """

    origin: Origin = Origin.UNKNOWN
    written: str = ""
    guidelines: int | None = None
    verdict: Mapping[str, Any] | None = None
    writer: Account = (PeopleOrigin.NOT_STATED.value, "")
    votes: list[Mapping[str, Any]] = field(default_factory=list)


def sources(
    questions: Collection[str], *, at: datetime, chosen: Account = ("", "")
) -> dict[str, Source]:
    """Read the sources of questions, by public id, in four queries or five.

    Votes and verdicts are those of the time *at*, also where they have changed since. *chosen* is
    what the campaign states of people whose accounts do not tell who they are.
    """
    ids = list(questions)
    origins = selectors.origins(ids)
    verdicts, changed = selectors.states_before(ids, at=at)
    votes = _votes(ids, at, changed, chosen)
    rows = Question.objects.filter(public_id__in=ids).values(
        "public_id",
        written=F("twin__created_at"),
        guidelines=F("twin__provenance__guideline__version"),
        decided_by=F("verdict__decided_by"),
        decided_at=F("verdict__created_at"),
        author=F("twin__author"),
        person=F("twin__author__origin"),
        platform=F("twin__author__platform"),
        **{name: F(f"verdict__{name}") for name in VERDICT},
    )
    return {
        row["public_id"]: Source(
            origin=origins.get(row["public_id"], Origin.UNKNOWN),
            written=f"{row['written']:%Y-%m}",
            guidelines=row["guidelines"],
            verdict=_verdict(verdicts.get(row["public_id"], _unchanged(row, at))),
            writer=_person(row, chosen) if row["author"] else IMPORTED,
            votes=votes.get(row["public_id"], []),
        )
        for row in rows
    }


def _unchanged(row: Mapping[str, Any], at: datetime) -> Mapping[str, Any] | None:
    return row if row["decided_at"] is not None and row["decided_at"] <= at else None


def _verdict(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {name: row[name] for name in VERDICT} | {"by_curator": row["decided_by"] is not None}


def _person(row: Mapping[str, Any], chosen: Account) -> Account:
    return resolved((row["person"], row["platform"]), chosen)


def _votes(
    ids: Collection[str],
    at: datetime,
    changed: Mapping[str, Mapping[str, Any]],
    chosen: Account,
) -> dict[str, list[Mapping[str, Any]]]:
    """Return the votes given until a time; *changed* has those that were changed after it."""
    votes = Vote.objects.filter(question__public_id__in=ids, is_gold=False, created_at__lte=at)
    rows = votes.values(
        "public_id",
        "worker",
        "option",
        "ambiguous",
        "local_option",
        "created_at",
        of=F("question__public_id"),
        begun=F("seat__local_at"),
        person=F("worker__origin"),
        platform=F("worker__platform"),
        excluded=Q(excluded_at__isnull=False, excluded_at__lte=at),
    )
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows.order_by():
        before = changed.get(str(row["public_id"]))
        vote = row | {"person": _person(row, chosen)}
        found[row["of"]].append(vote if before is None else vote | _before(before))
    return found


def _before(vote: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an event changes of a vote. One that was amended was not excluded."""
    return {
        "option": vote["option"],
        "ambiguous": vote["ambiguous"],
        "excluded": vote.get("excluded_at") is not None,
    }


def about_question(row: PublishedRow, source: Source) -> dict[str, Any]:
    """Return the line of ``provenance/questions.jsonl``."""
    return {
        "qID": row.qid,
        "origin": source.origin.value,
        "people_origin": source.writer[0],
        "written": source.written,
        "guidelines": source.guidelines,
        "verdict": source.verdict,
    }


def about_votes(row: PublishedRow, source: Source, publisher: Publisher) -> list[dict[str, Any]]:
    """Return the lines of ``provenance/votes.jsonl``, by pseudonym."""
    lines = [
        {
            "qID": row.qid,
            "validator": publisher.pseudonym(vote["worker"]),
            "people_origin": vote["person"][0],
            "option": row.option(vote["option"]),
            "ambiguous": vote["ambiguous"],
            "local_option": row.option(vote["local_option"]),
            "excluded": vote["excluded"],
            "seconds": _seconds(vote),
        }
        for vote in source.votes
    ]
    return sorted(lines, key=lambda line: line["validator"])


def opening(row: PublishedRow, source: Source, publisher: Publisher) -> dict[str, Any]:
    """Return what a commitment commits to: the answer and all that is published of other splits."""
    votes = about_votes(row, source, publisher)
    return {
        **about_question(row, source),
        "answer": str(row.answer),
        "sentence": row.sentence,
        "option1": row.option1,
        "option2": row.option2,
        "salt": publisher.salt(row.source_id),
        "votes": [{name: vote[name] for name in vote if name != "qID"} for vote in votes],
    }


def _seconds(vote: Mapping[str, Any]) -> int | None:
    """Seconds from the local answer to the vote; null if unknown."""
    if vote["begun"] is None:
        return None
    seconds: float = (vote["created_at"] - vote["begun"]).total_seconds()
    return round(max(0.0, seconds))
