"""The names of people in a release."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from collection.models import Twin
from corpora import selectors
from corpora.building.tables import execute, fetch, insert
from corpora.core.publish import Publisher
from corpora.models import ReleasePlan
from validation.models import Seat, Vote

WRITER, VALIDATOR = "writer", "validator"
FRESH_NAMES_SINCE = 4
"""The format from which on a person has more than one name in a release."""
_TURNS = f"""
INSERT INTO planned_turn (role, unit, turn)
SELECT '{VALIDATOR}', v.id,
    row_number() OVER (PARTITION BY v.worker_id ORDER BY v.created_at, v.id) - 1
FROM {Vote._meta.db_table} v JOIN {Seat._meta.db_table} s ON s.id = v.seat_id
WHERE s.campaign_id = %(campaign)s
UNION ALL
SELECT '{WRITER}', id, row_number() OVER (PARTITION BY author_id ORDER BY created_at, id) - 1
FROM {Twin._meta.db_table} WHERE campaign_id = %(campaign)s AND author_id IS NOT NULL
"""
_FIRST = """
SELECT question, min(place) FROM planned_named WHERE question = ANY(%s) GROUP BY question
"""


@dataclass(frozen=True, slots=True)
class Names:
    """Name a person by the work, and by the release that published the question first.

    A question that an earlier release has keeps its names, so that nobody learns from the later
    one which of its new names are the same people.

    Parameters
    ----------
    publisher : Publisher
        Of this release.
    earlier : sequence of Publisher
        Of the campaign's releases before it, in the order in which they were built.
    with_one_name : collection of int
        The places of those in which each person has one name.
    """

    publisher: Publisher
    earlier: Sequence[Publisher] = ()
    with_one_name: Collection[int] = ()

    def of(self, worker: object, *, role: str, turn: int | None, first: int | None) -> str:
        """Return the name for a piece of work on a question; *first* is the place that has it."""
        publisher = self.publisher if first is None else self.earlier[first]
        has_one = first in self.with_one_name
        return publisher.pseudonym(worker, role=role, turn=None if has_one else turn)


def names_of(plan: ReleasePlan, publisher: Publisher) -> Names:
    """Fill the temporary tables that tell the turns and the earlier releases of questions."""
    campaign = plan.snapshot.campaign
    execute(_TURNS, {"campaign": campaign.pk})
    earlier = list(selectors.releases_before(plan))
    for place, release in enumerate(earlier):
        with selectors.open_index(release) as file:
            rows = ((json.loads(line)["question"], place) for line in file)
            insert("planned_named", rows, columns=("question", "place"))
    execute("ANALYZE planned_turn, planned_named")
    formats = [selectors.read_manifest(release)["format"] for release in earlier]
    return Names(
        publisher,
        [Publisher(bytes.fromhex(release.key)) for release in earlier],
        {place for place, format in enumerate(formats) if format < FRESH_NAMES_SINCE},
    )


def turns(role: str, units: Collection[int]) -> dict[int, int]:
    """Return how much work its person had done before each twin, or vote, by primary key."""
    return dict(
        fetch("SELECT unit, turn FROM planned_turn WHERE role = %s AND unit = ANY(%s)",
              [role, list(units)])
    )  # fmt: skip


def first_releases(questions: Collection[str]) -> dict[str, int]:
    """Return the place of the earliest release that has a question, for those that have one."""
    return dict(fetch(_FIRST, [list(questions)]))
