"""Values for the parameters of every address, in a world with secrets (``tests/blind.py``)."""

import re
import uuid
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from corpora.models import DrawTable, Release
from knowledge.models import KnowledgeSet
from panels.models import PanelItem, PanelSeat
from tests.access.routes import Route
from tests.blind import FIRST, SLUG, World
from tests.factories import (
    FormalisationFactory,
    FormalisingTaskFactory,
    GridFactory,
    KnowledgeEvaluationFactory,
    KnowledgeReleaseFactory,
    KnowledgeSetFactory,
    PanelSeatFactory,
    PublicationFactory,
    ReleasePreviewFactory,
    SentenceEncodingFactory,
    SentenceFactory,
    SweepFactory,
    UserFactory,
)
from tests.factories.knowledge import TOO_LARGE, TOO_SMALL
from tests.frontend.page_addresses import addresses_of
from validation.models import GoldQuestion, Seat, Vote

PARAMETER = re.compile(r"<(\w+)>")
Samples = dict[str, list[str]]
OF_THE_QUESTION = ("check", "exercise", "preview", "prove", "prove-pair", "return", "take")


class NoSample(Exception):
    """An address has a parameter for which `samples` has no value."""


def samples(world: World) -> Samples:
    """Return values by what stands before a parameter: the planted rows and some of Bob's own."""
    own = {page: [str(value) for value in args] for page, args in _own(world).items()}
    twin, question = world.question.twin, world.question.public_id
    votes = Vote.objects.filter(question=world.question)
    gold = GoldQuestion.objects.filter(question=world.question).first()
    others = Seat.objects.filter(twin__campaign=world.campaign, worker=None)
    seats = [str(FIRST), *_ids(others[:1])]
    # The order of options is drawn for each seat: here it is the same in every world.
    Seat.objects.exclude(public_id=FIRST).update(swapped=world.mirrored)
    people = [str(twin.author and twin.author.public_id), world.bob.public_id]
    knowledge, runs = _knowledge(world), _of_runs(own)
    return {
        "campaigns": [SLUG],
        "members": [UserFactory(curator=True).public_id],
        "seats": seats,
        "validate": seats,
        "twins": [str(twin.public_id), *own["receipt"]],
        "questions": [question],
        "review": [question],
        "votes": [*_ids(votes[:1]), own["exclude-vote"][1]],
        "votes.": ["csv"],
        "data": [question],
        "consents": own["my-consent"],
        "questions.": ["csv"],
        "help": ["work"],
        "actions": own["data-action"][1:],
        "views": own["delete-data-view"][1:],
        "comments": own["delete-data-comment"][1:],
        "bulk-actions": own["data-action"][1:],
        "export": ["questions"],
        "golds": [str(gold.public_id if gold else uuid.UUID(int=1))],
        "workers": people,
        "people": people,
        "pay": people,
        "articles": own["campaign-article"][1:],
        "assignments": own["draft"],
        "write": own["draft"],
        "appeals": own["answer-appeal"],
        "appeal": ["vote", "pause"],
        "<subject>": own["make-appeal"][1:],
        "payouts": own["payout"],
        "studies": own["study"],
        "arrive": own["study"],
        "sessions": own["crowd-session"],
        "new-password": ["1"],
        "<uidb36>-": ["no-token"],
        "confirm-address": ["no-key"],
        "institution": ["institution"],
        "passkeys": ["1"],
        "invitations": own["revoke-invitation"],
        "audit-log.": ["csv"],
        "tokens": own["revoke-token"],
        "human-evaluations": own["human-evaluation"],
        "human-votes": [own["exclude-human-vote"][1]],
        **knowledge,
        **dict.fromkeys(("answer", "human-seats"), _human_seats(world, *own["beat-human"])),
        **runs,
        "evaluations": [*runs["evaluations"], *knowledge["evaluations"]],
    }


def _of_runs(own: Samples) -> Samples:
    """Return values of the addresses of runs, of what they read, and of what they publish."""
    tuning, run, release = own["tuning"][0], own["filter-run"][0], own["release"][0]
    return {
        "snapshots": own["new-encoding"],
        "encodings": own["compare-runs"],
        "sentence-encodings": _ids([SentenceEncodingFactory(finished=True)]),
        "tunings": [tuning],
        "tuning": [tuning],
        "filter-runs": [run],
        "filter": [run],
        "assessments": [run],
        "fine-tunings": own["fine-tuning"],
        "grids": [*own["grid"], *_ids([GridFactory(finished=True)])],
        "curve.": ["csv"],
        "paper-tables": own["paper-table"],
        "<name>.": ["csv"],
        "evaluations": [own["evaluation"][0], run],
        "artifact-detections": own["detection"],
        "detection": own["detection"],
        "key-audits": own["key-audit"],
        "key-audit": own["key-audit"],
        "keys": own["audited-key"][1:],
        "runs": ["filterrun"],
        "<kind>": [run, own["comparison"][1]],
        "<name>": ["test"],
        "comparisons": ["reference-set"],
        "comparison.": ["csv"],
        "reference-sets": ["tiny"],
        "splits": ["test"],
        "releases": [release],
        "proposals": own["decide-proposal"],
        "by-name": own["release-file"][:1],
        "reports": own["release-report"][1:],
        "publications": _ids([PublicationFactory(release=Release.objects.get(name=release))]),
        "release-previews": _ids([ReleasePreviewFactory(finished=True)]),
        "draw-tables": _ids([DrawTable.objects.create(sha256="0" * 64, n_twins=1)]),
        "files": [own["release-file"][1], own["payout-file"][1]],
        "v1": ["nothing/"],
    }


def _human_seats(world: World, evaluation: str, held: str) -> list[str]:
    """Return Bob's seat and another's vote on an item whose answer is the planted one."""
    items = PanelItem.objects.filter(panel__public_id=evaluation)
    question = world.question
    options = question.twin.options
    for row in items:
        item = replace(row.item, options=options, answer=question.answer)
        items.filter(pk=row.pk).update(line=item.to_line())
    seats = PanelSeat.objects.filter(panel__public_id=evaluation)
    # In the same order in every world, as with the seats of validation.
    seats.update(order=[1, 2] if world.mirrored else [2, 1])
    voter = UserFactory(username="human-voter-secret")
    PanelSeatFactory(item=items.get(seats__public_id=held), worker=voter, option=question.answer)
    return [held, *_ids(seats.exclude(public_id=held))]


def _knowledge(world: World) -> Samples:
    """Return values of the addresses of knowledge, with formulas that tell the planted answer."""
    of = KnowledgeSetFactory(name="kitchen-logic", campaign=world.campaign)
    right = TOO_LARGE if world.question.answer == 1 else TOO_SMALL
    made = FormalisationFactory(knowledge_set=of, content=right.as_dict())
    sentence = SentenceFactory(formalisation=made, text=f"{right.answer} comment-secret.")
    return {
        "knowledge-sets": [of.name],
        "knowledge": [of.name],
        **{key: [made.question] for key in OF_THE_QUESTION},
        "<public_id>": [str(uuid.UUID(int=4))],
        "formalisations": _ids([made]),
        "formalising-tasks": _ids([FormalisingTaskFactory(knowledge_set=of)]),
        "sentences": _ids([sentence]),
        "enrolments": [str(uuid.UUID(int=3))],
        "sweeps": _ids([SweepFactory(knowledge_set=of)]),
        **_of_knowledge_releases(of),
    }


def _of_knowledge_releases(of: KnowledgeSet) -> Samples:
    """Return a release of a set, with evaluations of it and of reasons, and their tables."""
    release = KnowledgeReleaseFactory(knowledge_set=of, finished=True)
    of_reasons = KnowledgeEvaluationFactory(finished=True)
    of_release = KnowledgeEvaluationFactory(finished=True, knowledge_release=release)
    return {
        "knowledge-releases": [*_ids([release]), release.name],
        "evaluations": _ids([of_release, of_reasons]),
        "knowledge-tables": _ids([release]),
        "tables": ["winologic-2"],
        "<table>.": ["csv"],
        "reason-tables": [of_reasons.reasons],
        "reasons": [of_reasons.reasons],
        "table.": ["csv"],
    }


def _own(world: World) -> dict[str, list[object]]:
    return addresses_of(world.bob, world.campaign)


def _ids(rows: object) -> list[str]:
    return [str(row.public_id) for row in rows]  # type: ignore[attr-defined]


def addresses(route: Route, known: Samples) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the route's path with every combination of known values, and these values.

    Raises
    ------
    NoSample
        Nothing is known for a parameter: add a row of its kind to `samples`.
    """
    values = []
    for match in PARAMETER.finditer(route.path):
        before = route.path[: match.start()].rstrip("/").rpartition("/")[2]
        if before not in known:
            raise NoSample(f"{route.path}: nothing is known for {match[0]} after {before!r}")
        values.append(known[before])
    for chosen in product(*values):
        left = iter(chosen)
        filled = PARAMETER.sub(lambda _, left=left: next(left), route.path)  # type: ignore[misc]
        yield f"/{filled}", chosen
