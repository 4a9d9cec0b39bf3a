"""Items with the labels that people gave them, and intervals of measures of agreement.

A measure of agreement is a function of means over items. Its variance is that of its linearised
value: what each item, or each vote, adds to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from stats.intervals import NOTHING, Estimate, Flags, Floats, ends_with_variance
from stats.people import NO_PEOPLE, Ends, People, PeopleEstimate, people_variance
from stats.tables import Counts, Ints, as_counts


@dataclass(frozen=True, slots=True, eq=False)
class LabelledVotes:
    """Who gave which label: ``people`` with rows of the table of counts, and a label per vote."""

    people: People
    label: Ints


@dataclass(frozen=True, slots=True, eq=False)
class RatedItems:
    """Items with at least two votes.

    Parameters
    ----------
    counts : int (n, n_labels)
    times : int (n,)
        How many items have each row.
    groups : int (n,)
    votes : LabelledVotes, optional
    """

    counts: Counts
    times: Ints
    groups: Ints
    votes: LabelledVotes | None = None

    @classmethod
    def of(
        cls,
        counts: ArrayLike,
        *,
        times: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        votes: LabelledVotes | None = None,
    ) -> RatedItems:
        """Return the rows with two votes or more; see `agreement.agreement`.

        Raises
        ------
        ValueError
            When a length differs from that of ``counts``, or a number of items is below 1.
        """
        table = as_counts(counts)
        often = np.ones(len(table), dtype=np.int64) if times is None else np.asarray(times)
        if often.shape != (len(table),) or often.dtype.kind not in "iu" or (often < 1).any():
            raise ValueError(
                "times must be integers from 1, one for each row of counts; "
                f"got {often.dtype} of shape {often.shape}"
            )
        of_row = np.arange(len(table)) if groups is None else np.asarray(groups)
        if of_row.shape != (len(table),):
            raise ValueError(
                f"groups must have an entry for each row of counts, got shape {of_row.shape}"
            )
        every = cls(table, often.astype(np.int64, copy=False), of_row, votes)
        return every.where(table.sum(axis=1) >= 2)

    def where(self, chosen: np.ndarray) -> RatedItems:
        """Return the items for which *chosen* (n,) is true, and their votes."""
        votes = self.votes
        if votes is not None:
            kept, place = chosen[votes.people.row], np.cumsum(chosen) - 1
            people = People(place[votes.people.row[kept]], votes.people.person[kept])
            votes = LabelledVotes(people, votes.label[kept])
        return RatedItems(self.counts[chosen], self.times[chosen], self.groups[chosen], votes)

    def mirrored(self, mirror: Sequence[int] | None) -> tuple[Counts, Ints]:
        """Return counts and times, each item once more with its labels permuted."""
        if mirror is None:
            return self.counts, self.times
        other = self.counts[:, list(mirror)]
        return np.concatenate([self.counts, other]), np.concatenate([self.times, self.times])

    def raw(self, value: float | None) -> Estimate:
        """Return the raw agreement with its intervals."""
        if value is None:
            return NOTHING if self.votes is None else NO_PEOPLE
        size, n = self.counts.sum(axis=1), int(self.times.sum())
        effects = None
        if self.votes is not None:
            effects = -2 * self._differing_votes / size[self.votes.people.row] / n
        rest = (1 - self._differing / size - value) / n
        return self._estimate(value, rest, effects, scale=1.0, used=np.ones(len(size), dtype=bool))

    def corrected(self, value: float | None, mirror: Sequence[int] | None) -> Estimate:
        """Return alpha or kappa with its intervals.

        Notes
        -----
        Both are 1 - A / E, observed over expected disagreement. With s the share of the most
        frequent label, (1 - alpha) s is a share: of two labels it is how often another vote
        differs from one for the rarer label. Its interval is Wilson's for the variance of alpha,
        with a limit on the independent rows: each item that has a rarer label counts as one, and
        each further vote on it as 1 - s. Without this limit it would cover in 60 % where 3 % of
        the votes on 100 items are for the rarer label.
        """
        if value is None:
            n = int(self.times.sum())
            return replace(NOTHING if self.votes is None else NO_PEOPLE, n=n)
        size = self.counts.sum(axis=1)
        total = int(self.times @ size)
        both = (self.counts + self.counts[:, list(mirror)]) / 2 if mirror else self.counts
        shares = self.times @ both / total
        observed = float(self.times @ self._differing) / total
        expected = observed / (1 - value) if value < 1 else 1 - float(shares @ shares)
        slope = 2 * observed / expected**2
        rest = (observed * size - self._differing) / expected
        rest += slope * (size * (shares @ shares) - both @ shares)
        effects = None
        if self.votes is not None:
            label = self.votes.label
            effects = -(2 * self._differing_votes / expected + slope * shares[label]) / total
        used = both[:, shares.argmax()] < size
        return self._estimate(value, rest / total, effects, scale=float(shares.max()), used=used)

    @property
    def _differing(self) -> Floats:
        """Sum over an item's votes of the share of its other votes that differ: (n,)."""
        size = self.counts.sum(axis=1)
        differing = (size * size - (self.counts**2).sum(axis=1)) / (size - 1)
        return np.asarray(differing, dtype=np.float64)

    @property
    def _differing_votes(self) -> Floats:
        """For each vote the share of the item's other votes that differ."""
        assert self.votes is not None
        row = self.votes.people.row
        size = self.counts.sum(axis=1)[row]
        differing = (size - self.counts[row, self.votes.label]) / (size - 1)
        return np.asarray(differing, dtype=np.float64)

    def _estimate(
        self, value: float, rest: Floats, effects: Floats | None, *, scale: float, used: Flags
    ) -> Estimate:
        """Return a value with its intervals.

        ``rest`` is what each item, and ``effects`` what each vote adds to the value; (1 - value)
        times ``scale`` is a share of the votes on the items ``used``.
        """
        _, first, of_row = np.unique(self.groups, return_index=True, return_inverse=True)
        often = self.times[first]
        questions = float(often @ np.bincount(of_row, weights=rest) ** 2) * scale**2
        share, n_items = min(1.0, (1 - value) * scale), int(self.times.sum())
        n_used, n_votes = self.times @ used, self.times[used] @ self.counts[used].sum(axis=1)
        rows = {
            "n": float(n_used + (n_votes - n_used) * (1 - scale)),
            "n_groups": int(often[np.unique(of_row[used])].sum()),
        }
        ends = _turned(*ends_with_variance(share, questions, **rows), scale=scale)
        if self.votes is None or effects is None:
            return Estimate(value, *ends, n_items)
        people = self.votes.people
        between = people_variance(effects, self.groups[people.row], people, n=1) * scale**2
        # Who answers with a person is drawn from the others, who differ from the person in the
        # other direction: this makes the effects of few people more alike than they are.
        few = (people.effective - 1) / max(1.0, people.effective - 2)
        wide = people.ends(share, questions + between * few**2, **rows)
        return PeopleEstimate(value, *ends, n_items, *_turned(*wide, scale=scale), people.n)


def _turned(low: float | None, high: float | None, *, scale: float) -> Ends:
    """Return the ends of agreement from those of scaled disagreement."""
    return (None, None) if low is None or high is None else (1 - high / scale, 1 - low / scale)
