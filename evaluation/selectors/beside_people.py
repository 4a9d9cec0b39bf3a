"""Models and people on the same questions: those with all their votes in a human evaluation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from collection.core.people import People, marks
from evaluation.core.side_by_side import Figures, SideBySide, side_by_side
from evaluation.models import Evaluation
from evaluation.selectors.answers import Keyed, key_of, scored_items, scores_of
from evaluation.selectors.comparisons import FIELDS, Comparable, Compared, System
from evaluation.selectors.questions import Subset
from panels import selectors as panels
from panels.models import Panel
from stats.people import PeopleEstimate
from workers.models import User

Votes = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """People and systems on the questions that have all their votes in a human evaluation.

    Every figure, interval and p-value is over these ``about.n`` of the ``n_all`` questions
    compared, and over their groups: differences from people are for these people. ``majority`` has
    the figures of people's majorities, compared with the systems as one of them; ``single`` is the
    accuracy of single votes. Both also have intervals for people like them. The systems are the
    most accurate first. ``who`` are the people.
    """

    panel: Panel
    n_all: int
    about: SideBySide
    majority: Figures
    single: PeopleEstimate
    systems: tuple[System, ...]
    who: People

    @property
    def is_sample(self) -> bool:
        return self.about.n < self.n_all

    @property
    def label(self) -> str:
        said = _("People, majority of %(n)d (%(who)s)")
        return said % {"n": self.panel.votes_per_item, "who": self._marks}

    @property
    def single_label(self) -> str:
        return _("People, single votes (%s)") % self._marks

    @property
    def _marks(self) -> str:
        return ", ".join(marks(self.who, _))


def beside_people(user: User, data: Comparable, found: Compared) -> list[BesidePeople]:
    """Compare people with the systems of *found*, for each human evaluation of its questions.

    Results of people are for curators, as they contain answers of blind splits. People answer
    questions that are not transformed.
    """
    if not user.is_curator or data.transformation:
        return []
    wanted = Panel.objects.filter(split=data.split, **{FIELDS[data.kind]: data.name})
    each = [_beside(panel, found) for panel in wanted.order_by("pk")]
    return [one for one in each if one is not None]


def _beside(panel: Panel, found: Compared) -> BesidePeople | None:
    run = found.systems[0].newest
    asked = {item.id for item in _questions(run, found.subset)}
    answered = [one for one in panels.panel_answers(panel) if one.item.id in asked]
    if not answered:
        return None
    runs = tuple(system.runs for system in found.systems)
    key = (key_of(run), *(tuple(one.predictions_id for one in of) for of in runs))
    votes = tuple((one.item.id, one.counts) for one in answered)
    about = _side_by_side(Keyed((key, votes), (votes, runs)))
    people, *rest = about.systems
    scores = panels.scores_of(answered)
    majority = replace(people, accuracy=scores.majority, group_score=scores.group)
    systems = [replace(s, figures=own) for s, own in zip(found.systems, rest, strict=True)]
    systems.sort(key=lambda one: -(one.figures.accuracy.value or 0))
    who, single = panels.voters_people(panel), scores.individual
    return BesidePeople(panel, found.about.n, about, majority, single, tuple(systems), who)


def _questions(run: Evaluation, subset: Subset | None) -> Sequence[Any]:
    items = scored_items(run).items
    return [items[n] for n in subset.rows(items)] if subset else items


@lru_cache(maxsize=64)
def _side_by_side(asked: Keyed[tuple[Votes, Sequence[Sequence[Evaluation]]]]) -> SideBySide:
    """Return the figures of people, first, and of the systems; the votes are people's scores."""
    of_items, of_systems = asked.of
    items = scored_items(of_systems[0][0]).items
    votes = {id: np.array(counts, dtype=np.float64) for id, counts in of_items}
    rows = [n for n, item in enumerate(items) if item.id in votes]
    each = [
        [[scores[n] for n in rows] for scores in (scores_of(run, items) for run in runs)]
        for runs in of_systems
    ]
    people = [[votes[items[n].id] for n in rows]]
    return side_by_side([items[n] for n in rows], [people, *each])
