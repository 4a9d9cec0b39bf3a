"""Plan a release: the split of each twin, what is left out and why, which blind ones appear."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from collection.models import Twin
from collection.models.expressions import SentenceKey
from corpora import drawing, selectors
from corpora.building.groups import Candidate, Group, Groups
from corpora.building.near_duplicates import NEAR_DUPLICATE, leave_out
from corpora.building.tables import execute, fetch, insert, planning
from corpora.core.bundle.layout import BLIND
from corpora.models import BlindSentence, Draw, ReleasePlan
from validation.selectors import twins_with_open_seats
from winoplatform import clock

IN_VALIDATION, WITHHELD = "in_validation", str(Draw.Split.WITHHELD)
NOT_PUBLISHED = "blind_not_published"
_DECIDED = BlindSentence._meta.db_table

# A decision about a sentence is final. What is left out for the time being is not decided.
_DECIDE = f"""
UPDATE planned_blind b SET is_new = d.key IS NULL, is_published = coalesce(d.is_published, k.kept)
FROM (
    SELECT key, bool_or(is_kept AND t.left_out = '') AS kept
    FROM planned_blind JOIN planned_twin t USING (twin) GROUP BY key
) k LEFT JOIN {_DECIDED} d USING (key)
WHERE b.key = k.key
"""
_STORE = f"""
INSERT INTO {_DECIDED} (key, is_published, release_id)
SELECT key, bool_or(is_published), %s FROM planned_blind JOIN planned_twin USING (twin)
WHERE is_new AND left_out IN ('', '{NEAR_DUPLICATE}') GROUP BY key ORDER BY key
"""
_DRAW_TABLES = f"""
SELECT DISTINCT table_id FROM {Draw._meta.db_table} d JOIN planned_twin p ON p.twin = d.twin_id
WHERE table_id IS NOT NULL ORDER BY table_id
"""


@dataclass(frozen=True, slots=True)
class PlannedGroup:
    """A twin's questions that are published, with its split; of dev only those kept."""

    split: str
    questions: Group


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned; the temporary tables have the rest."""

    groups: Groups

    def batches(self) -> Iterator[list[PlannedGroup]]:
        """Yield the twins to publish, in the order of their ids."""
        for batch in self._reasons():
            shown = (
                PlannedGroup(split, [one for one, why_not in group if not why_not])
                for split, group in batch
            )
            yield [group for group in shown if group.questions]

    def store_decisions(self, release_id: int) -> None:
        """Record which blind sentences this release decided, for ever."""
        execute(_STORE, [release_id])

    def draw_tables(self) -> list[int]:
        """Return the draw tables that the snapshot's twins are in."""
        rows = fetch(_DRAW_TABLES)
        return [table for (table,) in rows]

    def left_out(self) -> dict[str, int]:
        """Return the questions of the snapshot that are in no file, by reason."""
        reasons = (
            why_not for batch in self._reasons() for _, group in batch for _, why_not in group
        )
        return dict(sorted(Counter(filter(None, reasons)).items()))

    def _reasons(self) -> Iterator[list[tuple[str, list[tuple[Candidate, str]]]]]:
        """Yield twins with their split, and why each question is in no file; empty if it is."""
        for batch in self.groups.batches():
            planned = _planned(group[0].item.group for group in batch)
            blind = _blind(planned)
            yield [
                (split, [(one, reason or _why_not(one, split, blind)) for one in group])
                for group in batch
                for split, reason in [planned[group[0].item.group]]
            ]


@contextmanager
def planned(
    plan: ReleasePlan, groups: Groups, *, progress: Callable[[str, int], None]
) -> Iterator[Plan]:
    """Decide about every question of the snapshot; the plan lives as long as the block.

    *progress* is given the activity and the number of questions done.
    """
    with planning():
        done = 0
        for batch in groups.batches():
            _place(plan, batch)
            done += sum(map(len, batch))
            progress("building the splits", done)
        execute("ANALYZE planned_twin, planned_blind")
        execute(_DECIDE)
        leave_out(
            threshold=float(plan.near_duplicate),
            progress=lambda activity: progress(activity, done),
        )
        execute(_DECIDE)  # again, without blind ones that something public is similar to
        yield Plan(groups)


def _place(plan: ReleasePlan, batch: list[Group]) -> None:
    """Store the split of each twin, whether it is left out, and the blind questions."""
    sizes = {group[0].item.group: len(group) for group in batch}
    splits = drawing.splits_of_twins(plan.snapshot.campaign, sizes)
    keys = {
        str(public_id): pk
        for public_id, pk in Twin.objects.filter(public_id__in=sizes).values_list("public_id", "pk")
    }
    waiting = _in_validation(keys.values())
    left_out = {
        twin: WITHHELD if splits[twin] == WITHHELD else IN_VALIDATION if pk in waiting else ""
        for twin, pk in keys.items()
    }
    rows = [(keys[twin], twin, splits[twin], left_out[twin]) for twin in sizes]
    insert("planned_twin", rows, columns=("twin", "public_id", "split", "left_out"))
    insert(
        "planned_blind",
        (
            (question.item.id, keys[question.item.group], question.item.sentence, question.is_kept)
            for group in batch
            if splits[group[0].item.group] == BLIND
            for question in group
        ),
        columns=("question", "twin", "key", "is_kept"),
    )
    key = SentenceKey.template % {"expressions": "key"}
    execute(f"UPDATE planned_blind SET key = {key}, is_new = true WHERE is_new IS NULL")


def _in_validation(twins: Collection[int]) -> set[int]:
    """Return those of *twins* that reveal the answer of a question that can still get a vote.

    The question may be its own, of a twin that revises it, or the same sentence in any campaign.
    """
    twins = set(twins)
    related = selectors.showing_each_other(twins)
    waiting = twins_with_open_seats({*twins, *chain(*related)}, now=clock.now())
    return waiting.union(*(group for group in related if group & waiting)) & twins


def _why_not(one: Candidate, split: str, blind: Collection[str]) -> str:
    """Return why a question of a twin that is not left out is in no file; empty if it is in one."""
    if split == BLIND:
        return "" if one.item.id in blind else NOT_PUBLISHED
    # Training's full set does not depend on a selection.
    return "not_selected" if split == Draw.Split.DEV and not one.is_kept else ""


def _planned(twins: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the split of each twin, by public id, and why it is left out."""
    rows = fetch(
        "SELECT public_id, split, left_out FROM planned_twin WHERE public_id = ANY(%s)",
        [[UUID(twin) for twin in twins]],
    )
    return {str(twin): (split, left_out) for twin, split, left_out in rows}


def _blind(planned: dict[str, tuple[str, str]]) -> set[str]:
    """Return the blind questions of these twins that are published."""
    twins = [UUID(twin) for twin, (split, _) in planned.items() if split == BLIND]
    rows = fetch(
        "SELECT question FROM planned_blind JOIN planned_twin t USING (twin) "
        "WHERE is_published AND t.public_id = ANY(%s)",
        [twins],
    )
    return {question for (question,) in rows}
