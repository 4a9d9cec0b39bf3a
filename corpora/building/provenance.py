"""How each published question came to be: its text, its votes and its verdict."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import CharField, F, OuterRef, Q, Subquery
from django.db.models.functions import Cast

from collection.core.people import Account, Origin, PeopleOrigin, resolved
from collection.models import Question
from corpora import selectors
from corpora.building.naming import VALIDATOR, WRITER, Names, first_releases, turns
from corpora.core.provenance import RULES, VALIDATING, WRITING, Piece
from corpora.core.publish import PublishedRow
from validation.models import Seat, Vote
from validation.selectors.tables.votes import ACCEPTED
from workers.models import LedgerEntry

IMPORTED: Account = (PeopleOrigin.IMPORTED.value, "")
VERDICT = ("policy", "version", "valid", "reasons", "counts")


@dataclass(frozen=True, slots=True)
class Source:
    """What the database knows of one question; options are numbered as in the source.

    ``settings`` are those under which it was submitted; None for one that was published elsewhere.
    ``writer`` is the origin of its writer; each vote has that of its validator as ``person``.
    ``first`` is the place of the earliest release that has it; ``turn``, also of each vote, how
    much work of the kind its person had done before.
    """

    origin: Origin = Origin.UNKNOWN
    written: str = ""
    author: int | None = None
    guidelines: int | None = None
    pay: str | None = None
    seconds: int | None = None
    settings: Mapping[str, Any] | None = None
    verdict: Mapping[str, Any] | None = None
    writer: Account = (PeopleOrigin.NOT_STATED.value, "")
    votes: list[Mapping[str, Any]] = field(default_factory=list)
    first: int | None = None
    turn: int | None = None


def sources(
    questions: Collection[str], *, at: datetime, chosen: Account = ("", "")
) -> dict[str, Source]:
    """Read the sources of questions, by public id, in seven queries or eight.

    Votes and verdicts are those of the time *at*, also where they have changed since. *chosen* is
    what the campaign states of people whose accounts do not tell who they are.
    """
    ids = list(questions)
    origins = selectors.origins(ids)
    verdicts, changed = selectors.states_before(ids, at=at)
    votes = _votes(ids, at, changed, chosen)
    first = first_releases(ids)
    rows: Iterable[Mapping[str, Any]] = Question.objects.filter(public_id__in=ids).values(
        "public_id",
        "twin",
        written=F("twin__created_at"),
        author=F("twin__author"),
        guidelines=F("twin__provenance__guideline__version"),
        seconds=F("twin__provenance__active_seconds"),
        pay=_pay(at),
        decided_by=F("verdict__decided_by"),
        decided_at=F("verdict__created_at"),
        person=F("twin__author__origin"),
        platform=F("twin__author__platform"),
        **{name: F(f"twin__{name}") for name in RULES},
        **{name: F(f"verdict__{name}") for name in VERDICT},
    )
    rows = list(rows)
    written = turns(WRITER, {row["twin"] for row in rows})
    return {
        row["public_id"]: Source(
            origin=origins.get(row["public_id"], Origin.UNKNOWN),
            written=f"{row['written']:%Y-%m}",
            author=row["author"],
            guidelines=row["guidelines"],
            pay=_money(row["pay"]),
            seconds=row["seconds"] or None,
            settings=_settings(row),
            verdict=_verdict(verdicts.get(row["public_id"], _unchanged(row, at))),
            writer=_person(row, chosen) if row["author"] else IMPORTED,
            votes=_in_turn(votes[row["public_id"]], due=row["votes_per_question"]),
            first=first.get(row["public_id"]),
            turn=written.get(row["twin"]),
        )
        for row in rows
    }


def _pay(at: datetime) -> Subquery:
    """Return what was recorded as pay for a question's twin."""
    entries = LedgerEntry.objects.filter(
        worker=OuterRef("twin__author"),
        kind=LedgerEntry.Kind.TWIN,
        unit=Cast(OuterRef("twin__public_id"), CharField()),
        created_at__lte=at,
    )
    return Subquery(entries.values("amount")[:1])


def _money(amount: object) -> str | None:
    return None if amount is None else str(amount)


def _settings(row: Mapping[str, Any]) -> dict[str, Any] | None:
    if row["min_overlap"] is None:
        return None
    return {name: row[name] for name in RULES} | {"min_overlap": float(row["min_overlap"])}


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
) -> defaultdict[str, list[Mapping[str, Any]]]:
    """Return the votes given until a time; *changed* has those that were changed after it."""
    votes = Vote.objects.filter(question__public_id__in=ids, is_gold=False, created_at__lte=at)
    rows = votes.values(
        "pk",
        "public_id",
        "worker",
        "option",
        "ambiguous",
        "local_option",
        "created_at",
        of=F("question__public_id"),
        claimed=F("seat__claimed_at"),
        before=_vote_before(),
        begun=F("seat__local_at"),
        pay=F("seat__reward"),
        guidelines=ACCEPTED,
        person=F("worker__origin"),
        platform=F("worker__platform"),
        excluded=Q(excluded_at__isnull=False, excluded_at__lte=at),
    )
    ballots: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    given = list(rows.order_by("created_at", "pk"))
    turn_of = turns(VALIDATOR, {row["pk"] for row in given})
    for row in given:
        before = changed.get(str(row["public_id"]))
        vote = row | {"person": _person(row, chosen), "turn": turn_of.get(row["pk"])}
        ballots[row["of"]].append(vote if before is None else vote | _before(before))
    return ballots


def _vote_before() -> Subquery:
    """Return when a vote's validator had answered the question before, from which reading began."""
    mine = Seat.objects.filter(worker=OuterRef("worker"), campaign=OuterRef("seat__campaign"))
    earlier = mine.filter(answered_at__lt=OuterRef("seat__answered_at")).order_by("-answered_at")
    return Subquery(earlier.values("answered_at")[:1])


def _before(vote: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an event changes of a vote. One that was amended was not excluded."""
    return {
        "option": vote["option"],
        "ambiguous": vote["ambiguous"],
        "excluded": vote.get("excluded_at") is not None,
    }


def _in_turn(votes: Iterable[Mapping[str, Any]], *, due: int) -> list[Mapping[str, Any]]:
    """Say of each vote, oldest first, whether as many as were *due* had been counted before."""
    counted = 0
    turns: list[Mapping[str, Any]] = []
    for vote in votes:
        counts = not vote["excluded"]
        turns.append({**vote, "additional": counts and counted >= due})
        counted += counts
    return turns


def about_question(row: PublishedRow, source: Source, names: Names) -> dict[str, Any]:
    """Return the line of ``provenance/questions.jsonl``."""
    is_ours = source.settings is not None
    writer = names.of(source.author, role=WRITER, turn=source.turn, first=source.first)
    return {
        "qID": row.qid,
        "origin": source.origin.value,
        "people_origin": source.writer[0],
        "written": source.written,
        "writer": writer if is_ours else None,
        "guidelines": source.guidelines,
        "settings": source.settings,
        "pay": source.pay,
        "verdict": source.verdict,
    }


def about_votes(row: PublishedRow, source: Source, names: Names) -> list[dict[str, Any]]:
    """Return the lines of ``provenance/votes.jsonl``, by name."""
    lines = [
        {
            "qID": row.qid,
            "validator": names.of(
                vote["worker"], role=VALIDATOR, turn=vote["turn"], first=source.first
            ),
            "people_origin": vote["person"][0],
            "option": row.option(vote["option"]),
            "ambiguous": vote["ambiguous"],
            "local_option": row.option(vote["local_option"]),
            "excluded": vote["excluded"],
            "additional": vote["additional"],
            "guidelines": vote["guidelines"],
            "pay": _money(vote["pay"]),
        }
        for vote in source.votes
    ]
    return sorted(lines, key=lambda line: line["validator"])


def opening(row: PublishedRow, source: Source, names: Names) -> dict[str, Any]:
    """Return what a commitment commits to: the answer and all that is published of other splits."""
    votes = about_votes(row, source, names)
    return {
        **about_question(row, source, names),
        "answer": str(row.answer),
        "sentence": row.sentence,
        "option1": row.option1,
        "option2": row.option2,
        "salt": names.publisher.salt(row.source_id),
        "votes": [{name: vote[name] for name in vote if name != "qID"} for vote in votes],
    }


def writing_of(source: Source) -> Piece | None:
    """Return the work on a question's twin; None for one that was published elsewhere."""
    if source.settings is None:
        return None
    return Piece(WRITING, source.author, pay=source.pay, seconds=source.seconds)


def validating_of(source: Source) -> list[Piece]:
    """Return the work on a question's votes."""
    return [
        Piece(
            VALIDATING,
            vote["worker"],
            pay=_money(vote["pay"]),
            seconds_local=_seconds(_begun(vote), vote["begun"]),
            seconds=_seconds(vote["begun"], vote["created_at"]),
        )
        for vote in source.votes
    ]


def _begun(vote: Mapping[str, Any]) -> datetime | None:
    """Return when reading began: at the claim, or at the vote before if that was later."""
    claimed: datetime | None = vote["claimed"]
    return claimed and max(claimed, vote["before"] or claimed)


def _seconds(since: datetime | None, until: datetime | None) -> int | None:
    """Whole seconds between two times; null if one is unknown."""
    if since is None or until is None:
        return None
    return round(max(0.0, (until - since).total_seconds()))
