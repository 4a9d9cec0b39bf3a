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
        label_text = _("People, majority of %(n)d (%(who)s)")
        return label_text % {"n": self.panel.votes_per_item, "who": self._marks}

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
    panels_of_user = Panel.objects.visible_to(user).of_whole_sets()
    wanted = panels_of_user.filter(split=data.split, **{FIELDS[data.kind]: data.name})
    each = [_beside(panel, found) for panel in wanted.order_by("pk")]
    return [row for row in each if row is not None]


def _beside(panel: Panel, result: Compared) -> BesidePeople | None:
    run = result.systems[0].newest
    ids = {item.id for item in _questions(run, result.subset)}
    answered = [answer for answer in panels.panel_answers(panel) if answer.item.id in ids]
    if not answered:
        return None
    runs = tuple(system.runs for system in result.systems)
    key = (key_of(run), *(tuple(each_run.predictions_id for each_run in of) for of in runs))
    votes = tuple((item.item.id, item.counts) for item in answered)
    margin = result.about.margin
    about = _side_by_side(Keyed((key, votes, margin), (votes, runs, margin)))
    people, *rest = about.systems
    scores = panels.scores_of(answered)
    majority = replace(people, accuracy=scores.majority, group_score=scores.group)
    systems = [replace(s, figures=own) for s, own in zip(result.systems, rest, strict=True)]
    systems.sort(key=lambda system: -(system.figures.accuracy.value or 0))
    who, single = panels.voters_people(panel), scores.individual
    return BesidePeople(panel, result.about.n, about, majority, single, tuple(systems), who)


def _questions(run: Evaluation, subset: Subset | None) -> Sequence[Any]:
    items = scored_items(run).items
    return [items[n] for n in subset.rows(items)] if subset else items


@lru_cache(maxsize=64)
def _side_by_side(
    key: Keyed[tuple[Votes, Sequence[Sequence[Evaluation]], float]],
) -> SideBySide:
    """Return the figures of people, first, and of the systems; the votes are people's scores."""
    of_items, of_systems, margin = key.of
    items = scored_items(of_systems[0][0]).items
    votes = {id: np.array(counts, dtype=np.float64) for id, counts in of_items}
    rows = [n for n, item in enumerate(items) if item.id in votes]
    each = [
        [[scores[n] for n in rows] for scores in (scores_of(run, items) for run in runs)]
        for runs in of_systems
    ]
    people = [[votes[items[n].id] for n in rows]]
    return side_by_side([items[n] for n in rows], [people, *each], margin=margin)
