"""Transformations beside the files that the authors of Back to Square One published.

The numbers are exact, so that a change of a rule shows what it does to real sentences.
"""

import gzip
import json
import re
from collections import Counter

import pytest

from corpora.core.items import Item
from corpora.core.readers import READERS
from corpora.core.transformations import no_candidates, part_sentence, switched, zero_shot
from tests.data_dir import data_dir, needs_data
from tests.winogrande_data import winogrande_path

pytestmark = needs_data


def rows(*path):
    file = data_dir().joinpath(*path)
    open_text = gzip.open if file.suffix == ".gz" else open
    with open_text(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def authors(name):
    return rows("back_to_square_one", name)


def text(sentence):
    return " ".join(sentence.split())


@pytest.fixture(scope="module")
def pairs():
    """The authors' input: 136 pairs of WSC273."""
    return {
        row["qID"]: Item(
            id=row["qID"],
            group=str(row["pair_id"]),
            sentence=row["sentence"],
            options=(row["option1"].strip(), row["option2"].strip()),
            answer=int(row["answer"]),
        )
        for row in authors("pairs_wsc.jsonl")
    }


# Questions of train_l that have a part, and those that are left out.
TRAIN_L = (9_950, 284)


def compared(transformed, theirs):
    """Return the ids of equal sentences, different ones, only ours, and only theirs."""
    ours = {item.id: text(item.sentence) for item in transformed.items}
    other = {row["qID"]: text(row["sentence"]) for row in theirs}
    both = ours.keys() & other.keys()
    same = {name for name in both if ours[name] == other[name]}
    return same, both - same, ours.keys() - other.keys(), other.keys() - ours.keys()


def test_part_sentences_are_all_equal_to_the_authors(pairs):
    same, *differences = compared(
        part_sentence(list(pairs.values())), authors("truncated_wsc.jsonl")
    )
    assert len(same) == 242
    assert not any(differences)


def test_no_part_of_a_real_sentence_begins_before_an_end_of_a_sentence():
    with gzip.open(winogrande_path("train_l"), "rt", encoding="utf-8") as lines:
        found = part_sentence(list(READERS["winogrande"](lines)))
    assert (len(found.items), found.dropped.total()) == TRAIN_L
    stops = re.compile(r"\w['’](?:t|s)\. |\w{2}\.[A-Z]")
    assert not [one for one in found.items if stops.search(one.sentence.partition("_")[0])]


def test_no_candidates_differs_only_where_the_authors_cut_words(pairs):
    found = compared(no_candidates(list(pairs.values())), authors("no_cands_wsc.jsonl"))
    same, different, ours, theirs = found
    assert (len(same), different, ours, len(theirs)) == (220, set(), set(), 8)
    # They remove an option inside a longer word or inside the other option:
    # "one of the tellers" becomes "one of s", "Emma's mother" becomes "'s mother".
    cut = {row["qID"]: row["sentence"] for row in authors("no_cands_wsc.jsonl")}
    assert all(re.search(r"(^|\s)'?s\b", cut[name]) for name in theirs)


def test_zero_shot_differs_from_the_authors_for_four_reasons(pairs):
    found = zero_shot(list(pairs.values()))
    theirs = authors("transformation_wsc.jsonl")
    same, different, only_ours, only_theirs = compared(found, theirs)
    assert (len(same), len(different), len(only_ours), len(only_theirs)) == (206, 8, 12, 12)
    ours = {item.id: item for item in found.items}
    other = {row["qID"]: row for row in theirs}
    words = [(other[name]["option1"], other[name]["option2"]) for name in same]
    assert words == [ours[name].options for name in same]
    # 1. They append a full stop after "!" or nothing; 2. a comma belongs to their special word.
    reasons = Counter(_reason(ours[name], other[name]) for name in different)
    assert reasons == {"full stop": 4, "comma": 4}
    # 3. They replace the letters of the special word everywhere, and omit a pair if there are
    # several places: "in" is also in "raining".
    several = {pairs[name].group for name in only_ours if _inside(pairs[name], ours[name])}
    assert several == {pairs[name].group for name in only_ours}
    # 4. They compare word by word up to the end of the shorter sentence, so longer ones may differ
    # in more than one word: "a police station" and "a hospital".
    lengths = Counter(pairs[name].group for name in only_theirs)
    assert set(lengths.values()) == {2}
    for group in lengths:
        one, two = (item.sentence.split() for item in pairs.values() if item.group == group)
        assert len(one) != len(two)


def _reason(ours, theirs):
    if text(theirs["sentence"]) == text(ours.sentence) + ".":
        return "full stop"
    return "comma" if theirs["option1"].endswith(",") else "other"


def _inside(item, transformed):
    """Whether the letters of a special word occur in the sentence more than once."""
    raw = {word for word in item.sentence.split() if word.strip(".,") in transformed.options}
    return any(item.sentence.count(word) > 1 for word in raw)


def test_the_pairs_of_wsc273_are_the_authors_pairs():
    path = data_dir() / "wsc" / "wsc273.txt"
    with path.open(encoding="utf-8") as lines:
        items = list(READERS["wsc273"](lines))
    ours, theirs = Counter(item.group for item in items), authors("pairs_wsc.jsonl")
    assert Counter(ours.values()) == {2: 135, 3: 1}
    triplet = max(ours, key=ours.__getitem__)
    left_out = [i for i, item in enumerate(items) if item.group == triplet][2]
    numbers = [int(row["qID"].removeprefix("wsc")) for row in theirs]
    assert set(range(273)) - set(numbers) == {left_out}
    in_pairs = {row["qID"]: row["pair_id"] for row in theirs}
    for first, second in zip(theirs[::2], theirs[1::2], strict=True):
        assert in_pairs[first["qID"]] == in_pairs[second["qID"]]
        one, two = (items[int(row["qID"].removeprefix("wsc"))] for row in (first, second))
        assert one.group == two.group


def edits(one, two):
    """Return Levenshtein's distance of two sequences of words."""
    row = list(range(len(two) + 1))
    for i, word in enumerate(one, 1):
        before, row = row, [i]
        for j, other in enumerate(two, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (word != other)))
    return row[-1]


def close(one, two):
    words = one.sentence.split(), two.sentence.split()
    return edits(*words) / min(map(len, words)) <= 0.3


@pytest.mark.parametrize(("name", "total", "theirs"), [("dev", 284, 284), ("test", 387, 385)])
def test_the_authors_pairs_are_ours_without_those_that_differ_in_over_30_percent(
    name, total, theirs
):
    with winogrande_path(name).open(encoding="utf-8") as lines:
        items = list(READERS["winogrande"](lines))
    assert len(list(_pairs(items))) == total
    assert sum(close(*pair) for pair in _pairs(items)) == theirs


@pytest.mark.long
def test_the_authors_pairs_of_the_large_training_set_are_found():
    with gzip.open(winogrande_path("train_l"), "rt", encoding="utf-8") as lines:
        items = list(READERS["winogrande"](lines))
    ours = list(_pairs(items))
    kept = {frozenset(item.id for item in pair) for pair in ours if close(*pair)}
    theirs: dict[int, set[str]] = {}
    for row in authors("pairs_train_l.jsonl.gz"):
        theirs.setdefault(row["pair_id"], set()).add(row["qID"])
    assert (len(ours), len(theirs)) == (5117, 5100)
    assert kept == {frozenset(names) for names in theirs.values()}


def _pairs(items):
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item)
    return (group for group in groups.values() if len(group) == 2)


def test_switches_of_wsc273_are_those_of_trichelair_and_others():
    labels = switched_labels()
    items = [_labelled(row) for row in labels]
    theirs = {str(row["index"]): _blanked(row["sentence_switched"]) for row in labels}
    found = switched(items)
    ours = {
        item.group: text(item.sentence) for item in found.items if item.id.endswith("-switched")
    }
    # Of their 131 switchable sentences, ten do not contain both options literally ("the younger
    # ones", "Kamtchatka", "a man").
    assert len(ours) == 121
    assert found.dropped == {
        "its options are marked as not switchable": 142,
        "an option is not in the sentence": 10,
    }
    # Their file is in lower case in places, and replaces letters inside words ("botray").
    same = [name for name in ours if ours[name].casefold() == theirs[name].casefold()]
    other = {theirs[name] for name in ours} - {theirs[name] for name in same}
    assert len(same) == 119
    assert other == {
        "The son couldn't lift the man because _ was so weak.",
        "Ray threw his schoolbag down to tom after _ reached the botray of the stairs.",
    }


def test_without_labels_only_switchable_sentences_are_switched():
    labels = switched_labels()
    may = {str(row["index"]) for row in labels if row["is_switchable"]}
    unlabelled = [_labelled(row, metadata={}) for row in labels]
    ours = {item.group for item in switched(unlabelled).items}
    assert len(ours) == 67
    assert ours <= may


def switched_labels():
    file = data_dir() / "wsc" / "WSC_switched_label.json"
    return json.loads(file.read_text(encoding="utf-8"))


def _labelled(row, metadata=None):
    options = (row["answer0"].strip(), row["answer1"].strip())
    return Item(
        id=str(row["index"]),
        group=str(row["index"]),
        sentence=_blanked(row["sentence"]),
        options=options,
        answer=1 + options.index(row["correct_answer"].strip()),
        metadata={"switchable": bool(row["is_switchable"])} if metadata is None else metadata,
    )


def _blanked(sentence):
    return text(re.sub(r"\[\w+\]", "_", sentence))
