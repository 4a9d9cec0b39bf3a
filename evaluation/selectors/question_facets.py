"""The facets of a list of questions, with counts: exact, in one pass over the facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Func, Sum

from corpora.models import Release
from evaluation.core.facets import Counted, Pattern, agreement_of, count_facets
from evaluation.selectors.memberships import Bit, Source, members_of
from evaluation.selectors.question_list import FACETS, RELEASE, RUN, QuestionList
from filtering.models import FilterRun
from winoplatform.runs.models import RunStatus
from workers.models import User

ON_REQUEST = ("writer", "validator", "anchor")
"""Facets with many values: each is counted by a query of its own, if it is asked for."""
IN_ONE_PASS = tuple(facet for facet in FACETS if facet not in ON_REQUEST)
NEWEST = 4
"""The runs and releases that are counted, beside the chosen ones."""
VALUES_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Facets:
    """The questions of a list counted by facets, and the runs and releases that are among them."""

    counted: Counted
    runs: Mapping[str, FilterRun]
    releases: Mapping[str, Release]


def facets_of(questions: QuestionList) -> Facets:
    """Count all facets but those ``ON_REQUEST``, of a list in one campaign.

    The numbers of a facet count what matches the choices in all other facets.
    """
    runs, releases = _runs(questions), _releases(questions)
    sets: list[tuple[str, str, Source]] = [(RUN, name, run.selection) for name, run in runs.items()]
    sets += [(RELEASE, name, release) for name, release in releases.items()]
    members = members_of([source for _, _, source in sets])
    chosen = questions.asked.chosen()
    asked = [facet for facet in (RUN, RELEASE) if facet in chosen]
    rows = (
        questions.facts(but=IN_ONE_PASS)
        .annotate(**{f"in_{facet}": questions.in_chosen(facet) for facet in asked})
        .values_list(
            "state", "reasons", "n_right", "n_votes", "domain", *(f"in_{facet}" for facet in asked)
        )
        .annotate(
            n=Count("*"),
            **{f"n_{at}": Sum(Bit(found)) for at, found in enumerate(members)},
        )
    )
    names = [(facet, name) for facet, name, _ in sets]
    counted = count_facets((_pattern(row, asked, names) for row in rows), chosen)
    return Facets(counted, runs, releases)


def _pattern(row: Any, asked: list[str], names: list[tuple[str, str]]) -> Pattern:
    state, reasons, n_right, n_votes, domain, *rest = row
    members: dict[str, dict[str, int]] = {}
    for (facet, name), n in zip(names, rest[len(asked) + 1 :], strict=True):
        members.setdefault(facet, {})[name] = n
    return Pattern(
        values={
            "verdict": [state],
            "reason": reasons,
            "agreement": [agreement_of(n_right, n_votes)],
            "domain": [domain],
        },
        n=rest[len(asked)],
        members=members,
        in_chosen={facet: bool(n) for facet, n in zip(asked, rest, strict=False)},
    )


def _runs(questions: QuestionList) -> dict[str, FilterRun]:
    rows = FilterRun.objects.filter(
        encoding__snapshot__campaign=questions.campaign, status=RunStatus.DONE
    )
    newest = rows.select_related("selection__kept").order_by("-pk")[:NEWEST]
    return {str(run.public_id): run for run in newest} | questions.runs


def _releases(questions: QuestionList) -> dict[str, Release]:
    rows = Release.objects.filter(snapshot__campaign=questions.campaign, status=RunStatus.DONE)
    return {each.name: each for each in rows.order_by("-pk")[:NEWEST]} | questions.releases


def count_values(questions: QuestionList, facet: str) -> dict[str, int]:
    """Count the values of a facet that is counted ``ON_REQUEST``, the most frequent first."""
    rows = questions.facts(but=[facet])
    if facet == "anchor":
        return dict(_largest(rows.exclude(anchor=""), F("anchor")))
    key = F("author_id") if facet == "writer" else Func(F("validators"), function="unnest")
    found = _largest(rows, key)
    names = User.objects.in_bulk([value for value, _ in found if value is not None])
    return {names[value].public_id: n for value, n in found if value in names}


def _largest(rows: Any, key: Any) -> list[tuple[Any, int]]:
    counts = rows.annotate(value=key).values_list("value").annotate(n=Count("*"))
    return list(counts.order_by("-n", "value")[:VALUES_SHOWN])
