"""Draw the split of each twin once, and store it."""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from django.db import transaction

from collection.models import Campaign, PublishedAnswer, Twin
from corpora import selectors
from corpora.core.dealing import deal, groups
from corpora.core.items import TwinItem
from corpora.models import Draw, DrawTable
from winoplatform.db import locks

BATCH = 5000
# From the operating system: there is no seed that could be stored or guessed.
_COINS = random.SystemRandom()
_BLIND, _WITHHELD = Draw.Split.TEST, Draw.Split.WITHHELD


def drawn_of(campaign: Campaign, questions: Iterable[TwinItem]) -> dict[str, str]:
    """Return the stored split of each twin, which never changes, drawing those not yet drawn."""
    sizes: dict[str, int] = defaultdict(int)
    for question in questions:
        sizes[question.group] += 1
    splits_of_twins(campaign, sizes)
    stored = Draw.objects.filter(twin__public_id__in=sizes)
    return {str(twin): split for twin, split in stored.values_list("twin__public_id", "split")}


@transaction.atomic
def draw_splits(campaign: Campaign, sizes: Iterable[tuple[str, int]]) -> None:
    """Draw the splits of twins not yet drawn; memory holds `BATCH` of them.

    Parameters
    ----------
    campaign : Campaign
    sizes : iterable of (str, int)
        As for `splits_of_twins`. Each batch has a table and a deal of its own, which compensates
        for the rounding of those before.
    """
    left = iter(sizes)
    while batch := dict(islice(left, BATCH)):
        _drawn_now(campaign, batch)


@transaction.atomic
def splits_of_twins(campaign: Campaign, sizes: Mapping[str, int]) -> dict[str, str]:
    """Return the split of each twin, drawing those not yet drawn.

    Parameters
    ----------
    campaign : Campaign
        The campaign whose split shares are used.
    sizes : mapping of str to int
        The number of questions of each twin, 1 or 2, by public id.

    Returns
    -------
    dict of str to str
        'train', 'dev', 'test', or 'withheld': in no release, since that would show a blind label.
        A twin of train or dev and one of test are both withheld once they share a sentence, which
        an import may cause that brings a missing question: the label of that sentence is public.
        One whose sentence is public with its answer is never drawn blind.

    Raises
    ------
    ValueError
        When a twin is no longer in the database.
    """
    twins = _drawn_now(campaign, sizes)
    splits = _stored_splits(twins)
    for pk in _in_both(splits):
        splits[pk] = _WITHHELD
    return {twins[pk]: split for pk, split in splits.items()}


def _drawn_now(campaign: Campaign, sizes: Mapping[str, int]) -> dict[int, str]:
    """Draw for the twins without a split; return the public id of each by primary key."""
    rows = Twin.objects.filter(public_id__in=sizes).values_list("pk", "public_id")
    twins = {pk: str(public_id) for pk, public_id in rows}
    if len(twins) < len(sizes):
        raise ValueError(f"{len(sizes) - len(twins)} twins are no longer in the database.")
    if len(_stored_splits(twins)) < len(twins):
        take_turns()
        missing = twins.keys() - _stored_splits(twins).keys()
        _draw(campaign, {pk: sizes[twins[pk]] == 2 for pk in missing})
    return twins


def _stored_splits(twins: Collection[int]) -> dict[int, str]:
    return dict(Draw.objects.filter(twin__in=twins).values_list("twin", "split"))


def take_turns() -> None:
    """Let one transaction draw, or publish a reference set, at a time: the next one sees it all."""
    locks.take_turns("draw")


def _draw(campaign: Campaign, pairs: Mapping[int, bool]) -> None:
    """Draw for twins without a split; *pairs* has whether a twin has both questions."""
    links = _all_links(pairs)
    members = pairs.keys() | {twin for link in links for twin in link}
    imported = _of_files(members)  # also of those that are drawn later
    known_splits = _required_splits(imported, links, shown=selectors.answered_outside(members))
    rows, units = [], []
    for together in groups(sorted(members), links):
        splits = {split for twin in together for split in known_splits.get(twin, ())}
        unit = [twin for twin in together if twin in pairs]
        if not unit:
            continue
        if not splits:
            units.append(unit)
            continue
        split = splits.pop() if len(splits) == 1 else _WITHHELD
        for twin in unit:
            origin = Draw.Origin.IMPORTED if imported.get(twin) == split else Draw.Origin.LINKED
            rows.append(Draw(twin_id=twin, split=split, origin=origin, is_pair=pairs[twin]))
    for is_pair in (True, False):
        alike = [unit for unit in units if any(pairs[twin] for twin in unit) == is_pair]
        rows += _dealt(campaign, alike, is_pair=is_pair)
    _COINS.shuffle(rows)  # so that the order of primary keys reveals nothing
    _commit(rows)
    Draw.objects.bulk_create(rows, batch_size=BATCH)
    shown = (PublishedAnswer(twin_id=row.twin_id) for row in rows if row.split == Draw.Split.TRAIN)
    PublishedAnswer.objects.bulk_create(shown, batch_size=BATCH)


def _commit(rows: Collection[Draw]) -> None:
    """Store the commitment to these draws, which anyone may read at once."""
    names = dict(
        Twin.objects.filter(pk__in=[row.twin_id for row in rows]).values_list("pk", "public_id")
    )
    table = DrawTable()
    table.commit((str(names[row.twin_id]), row.split) for row in rows)
    table.save()
    for row in rows:
        row.table = table


def _of_files(twins: Collection[int]) -> dict[int, str]:
    of_source = Twin.objects.filter(pk__in=twins).exclude(source_split="")
    return dict(of_source.values_list("pk", "source_split"))


def _all_links(twins: Collection[int]) -> list[set[int]]:
    """Return the links of *twins*, direct or through others that have no split yet."""
    links: list[set[int]] = []
    seen: set[int] = set()
    ends = set(twins)
    while ends := ends - seen:
        seen |= ends
        pairs = _binding(selectors.showing_each_other(ends))
        links += pairs
        linked = {twin for link in pairs for twin in link}
        ends = linked - _stored_splits(linked).keys()
    return links


def _binding(links: Collection[set[int]]) -> list[set[int]]:
    """Remove withheld twins from links: they are in no release, so they reveal nothing."""
    drawn = _stored_splits({twin for link in links for twin in link})
    withheld = {twin for twin, split in drawn.items() if split == _WITHHELD}
    return [link - withheld for link in links]


def _required_splits(
    imported: Mapping[int, str], links: Collection[set[int]], *, shown: Collection[int]
) -> dict[int, set[str]]:
    """The splits that twins must have: that of their file, and those of twins beside them.

    Those of *shown*, whose answers are public, must be in train, or may be in dev.
    """
    known = defaultdict(set, {twin: {split} for twin, split in imported.items()})
    drawn = _stored_splits({twin for link in links for twin in link})
    for link in links:
        splits = {drawn[twin] for twin in link if twin in drawn}
        for twin in link if splits else ():
            known[twin] |= splits
    for twin in shown:
        if known[twin] != {Draw.Split.DEV}:
            known[twin].add(Draw.Split.TRAIN)
    return known


def _dealt(campaign: Campaign, units: list[list[int]], *, is_pair: bool) -> Iterable[Draw]:
    """Deal units of linked twins to the splits, evenly by domain and by answer of a single one."""
    shares = {"dev_share": campaign.dev_share, "test_share": campaign.test_share}
    splits = deal(
        selectors.strata([unit[0] for unit in units], is_pair=is_pair),
        dev=float(campaign.dev_share),
        test=float(campaign.test_share),
        owed=selectors.deal_balance(campaign, is_pair=is_pair),
        rng=_COINS,
    )
    for unit, split in zip(units, splits, strict=True):
        for twin in unit:
            yield Draw(
                twin_id=twin, split=split, origin=Draw.Origin.DEALT, is_pair=is_pair, **shares
            )


def _in_both(splits: Mapping[int, str]) -> set[int]:
    """The twins that are blind and shown, or share a sentence with one of the other side."""
    alone = [{twin} for twin, split in splits.items() if split == _BLIND]
    links = _binding([*selectors.showing_each_other(splits), *alone])
    drawn = _stored_splits({twin for link in links for twin in link})
    blind = {twin for twin, split in drawn.items() if split == _BLIND}
    published = (drawn.keys() - blind) | selectors.answered_outside(blind)
    both = [link for link in links if link & blind and link & published]
    return set(splits).intersection(twin for link in both for twin in link)
