"""docs/evaluation.md: what it lists and counts is so."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from corpora.core.forms import clozes
from corpora.core.items import Item
from corpora.core.transformations import TRANSFORMATIONS
from evaluation.methods import METHODS
from tests.corpora.real_sets import items, winobias
from tests.data_dir import ROOT, needs_data

TEXT = (ROOT / "docs/evaluation.md").read_text()


def listed(section: str) -> list[str]:
    """The names in the first column of a section's table."""
    table = TEXT.partition(section)[2].partition("\n\n|")[2].partition("\n\n")[0]
    return re.findall(r"`(\w+)`", " ".join(row.split("|")[0] for row in table.split("\n|")))


def test_every_method_and_every_transformation_is_listed_once() -> None:
    assert sorted(listed("## Methods")) == sorted(METHODS)
    assert sorted(listed("### Transformations")) == sorted(TRANSFORMATIONS)


def texts(group: Iterable[Item]) -> dict[object, tuple[str, ...]]:
    """What a method that fills the pronoun reads, by the pronoun's gender."""
    return {item.metadata["gender"]: tuple(clozes([item])[0].filled) for item in group}


def by_group(read: Iterable[Item]) -> list[list[Item]]:
    groups = defaultdict(list)
    for item in read:
        groups[item.group].append(item)
    return [group for group in groups.values() if len(group) > 1]


@needs_data
def test_texts_with_the_pronoun_filled_differ_in_as_many_groups_as_it_says() -> None:
    read = items("winogender", lines="winogender/all_sentences.tsv")
    found = [texts(group) for group in by_group(read)]
    same = sum(len(set(one.values())) == 1 for one in found)
    assert f"the same text in {same} of {len(found)} groups" in TEXT
    assert all(one["male"] == one["female"] for one in found)
    differ = Counter()
    for split in ("dev", "test"):
        pairs = [texts(group) for group in by_group(winobias(split))]
        differ[split, len(pairs)] = sum(len(set(one.values())) > 1 for one in pairs)
    assert [*differ.items()] == [(("dev", 792), 27), (("test", 790), 37)]
    assert "in 27 of 792 pairs of dev and in 37 of 790 of test" in TEXT
