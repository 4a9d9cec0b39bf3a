"""Scores on two versions of a set, from the stored answers to the first one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext as _

from corpora.core.bundle.layout import BLIND
from corpora.core.items import Item
from corpora.core.metrics import accuracy, credits
from corpora.models import ReferenceSet, Release
from corpora.selectors import Labelled, labelled_of_release, load_items
from evaluation.models import Evaluation
from evaluation.selectors.answers import Floats, scored_items, scores_of
from evaluation.selectors.comparisons import (
    Comparable,
    System,
    compared,
    evaluations_of,
    find_comparable,
)
from stats.intervals import Estimate
from winoplatform.errors import DomainError
from workers.models import User

SetVersion = Release | ReferenceSet


@dataclass(frozen=True, slots=True)
class ScoredTwice:
    """The accuracy of a system's newest evaluation with the keys of both versions."""

    system: System
    before: Estimate
    after: Estimate

    @property
    def change(self) -> float | None:
        if self.before.value is None or self.after.value is None:
            return None
        return self.after.value - self.before.value


@dataclass(frozen=True, slots=True)
class BothVersions:
    """All systems that were evaluated on a version, with its keys and with those of a later one.

    Parameters
    ----------
    later
        All later versions that the reader may see, newest first.
    after
        The one whose keys are used; its new questions were not answered.
    n : int
        Questions of the version that was answered.
    n_changed : int
        Those with another key in the later one.
    n_missing : int
        Those that the later one does not have.
    """

    data: Comparable
    later: tuple[SetVersion, ...]
    after: SetVersion
    rows: tuple[ScoredTwice, ...]
    n: int
    n_changed: int
    n_missing: int

    @property
    def later_names(self) -> list[str]:
        return [version.name for version in self.later]


def later_versions(user: User, data: Comparable) -> list[SetVersion]:
    """Return the later versions of a set that *user* may see, newest first.

    Of a blind test only members compare versions: a difference of two scores of one file tells the
    labels that have changed.
    """
    if data.transformation or data.kind == "snapshot":
        return []
    if data.kind == "reference-set":
        sets = ReferenceSet.objects.visible_to(user)
        return list(sets.filter(revises__name=data.name, splits__name=data.split).order_by("-pk"))
    before = Release.objects.named(data.name)
    if before is None or (data.split == BLIND and not before.is_of_member(user)):
        return []
    later = Release.objects.visible_to(user).filter(
        status="done", snapshot__campaign=before.campaign, ended_at__gt=before.ended_at
    )
    return list(later.order_by("-ended_at", "-pk"))


def both_versions(user: User, kind: str, name: str, split: str, after: str = "") -> BothVersions:
    """Score the evaluations of a set with its keys and with those of a later version.

    Parameters
    ----------
    kind, name, split
        As in `find_comparable`.
    after
        The name of the later version; empty for the newest.

    Raises
    ------
    DomainError
        When there are no evaluations, or no such version, that *user* may see.
    """
    data, _others = find_comparable(user, kind, name, split)
    later = later_versions(user, data)
    chosen = next((one for one in later if after in ("", one.name)), None)
    if chosen is None:
        missing = _("There is no later version of these questions, or you may not see it.")
        raise DomainError("not_found", missing, status=404)
    result = compared(list(evaluations_of(user, data)))
    run = result.systems[0].newest
    items = scored_items(run).items
    keys = _later_items(run, chosen, items)
    rows = [n for n, item in enumerate(items) if item.id in keys]
    both = [(items[n], keys[items[n].id]) for n in rows]
    return BothVersions(
        data=data,
        later=tuple(later),
        after=chosen,
        rows=tuple(_scored_twice(system, items, keys, rows) for system in result.systems),
        n=len(items),
        n_changed=sum(before.answer != item.answer for before, item in both),
        n_missing=len(items) - len(rows),
    )


def _scored_twice(
    system: System, items: Sequence[Item], later: Mapping[str, Item], rows: Sequence[int]
) -> ScoredTwice:
    scores = scores_of(system.newest, items)
    after = [later[items[n].id] for n in rows]
    return ScoredTwice(
        system, _accuracy(items, scores), _accuracy(after, [scores[n] for n in rows])
    )


def _accuracy(items: Sequence[Item], scores: Sequence[Floats | None]) -> Estimate:
    """Return the accuracy as an evaluation has it: dropped questions do not count."""
    kept = [(item, own) for item, own in zip(items, scores, strict=True) if own is None or len(own)]
    right = np.zeros(len(kept))
    given = [(n, item, own) for n, (item, own) in enumerate(kept) if own is not None]
    if given:
        answers = np.array([item.answer for _n, item, _own in given], dtype=np.int64)
        right[[n for n, _item, _own in given]] = credits([own for *_, own in given], answers)
    return accuracy(right, [item.group for item, _own in kept])


def _later_items(run: Evaluation, after: SetVersion, items: Sequence[Item]) -> dict[str, Item]:
    """Return the items that a later version has, as they were scored, with its answers, by id."""
    if isinstance(after, ReferenceSet):
        split = after.splits.get(name=run.split)
        keys = {item.id: item.answer or 0 for item in load_items(split)}
    else:
        assert run.release is not None
        keys = _keys(labelled_of_release(run.release, run.split), _by_question(after, run.split))
    return {item.id: replace(item, answer=keys[item.id]) for item in items if item.id in keys}


def _by_question(release: Release, split: str) -> dict[str, int]:
    """Return the answers of a release's questions, numbered as in the snapshot, by question."""
    labelled = labelled_of_release(release, split)
    return {
        labelled.origins[item.id].id: _turned(item.answer or 0, labelled.origins[item.id].swapped)
        for item in labelled.items
    }


def _keys(labelled: Labelled, answers: Mapping[str, int]) -> dict[str, int]:
    origins = ((item.id, labelled.origins[item.id]) for item in labelled.items)
    return {
        id: _turned(answers[origin.id], origin.swapped)
        for id, origin in origins
        if origin.id in answers
    }


def _turned(answer: int, swapped: bool) -> int:
    return 3 - answer if swapped else answer
