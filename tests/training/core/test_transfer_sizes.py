"""The parts of published transfer settings on the published files, against the papers' counts."""

import pytest

from corpora.core.items import Item
from evaluation.methods.fine_tuned import questions
from tests.corpora.real_sets import items
from tests.data_dir import needs_data
from training.core.drawing import parted, sample
from training.core.transfer import DERIVED, RESOURCE, SEED, SETTINGS, TUNED_ON, with_those_before

READ = {
    "wsc273 test": lambda: items("wsc273", lines="wsc/wsc273.txt"),
    "pdp test": lambda: items("pdp", lines="pdp/PDP60.txt"),
    "dpr train": lambda: items("dpr", lines="dpr/train.c.txt"),
    "dpr test": lambda: items("dpr", lines="dpr/test.c.txt"),
    "knowref test": lambda: items("knowref", lines="knowref/knowref_test.json"),
    "copa val": lambda: items("copa", lines="copa/copa_val100_llm-foundry.jsonl"),
    "superglue-wsc train": lambda: items("superglue_wsc", lines="superglue_wsc/train.jsonl"),
    "superglue-wsc val": lambda: items("superglue_wsc", lines="superglue_wsc/val.jsonl"),
    "winogender test": lambda: items("winogender", lines="winogender/all_sentences.tsv"),
}


def read(part) -> list[Item]:
    """The questions of a part, as the documented commands import them."""
    if part.set in DERIVED:
        derived = DERIVED[part.set]
        train, dev = parted(of(derived), n_train=derived.n_train, n_dev=derived.n_dev, seed=SEED)
        return {"train": train, "dev": dev}[part.split]
    return [one for split in part.split.split("+") for one in READ[f"{part.set} {split}"]()]


def of(derived) -> list[Item]:
    if derived.of == "dpr":
        return READ["dpr train"]()
    found = items("balanced_copa", lines="copa/balanced-copa-dev-all.xml")
    return [
        item for item in found
        if all(item.metadata[name] == value for name, value in derived.only.items())
    ]  # fmt: skip


PARTS = {
    str(part): part
    for setting in SETTINGS.values()
    for part in (setting.train, setting.dev, *setting.targets)
    if part is not None and part.set != RESOURCE
}


@pytest.mark.long
@needs_data
@pytest.mark.parametrize("name", PARTS)
def test_a_part_has_the_published_size_and_can_be_trained_on(name):
    part = PARTS[name]
    found = read(part)
    assert len(found) == part.size
    assert all(item.answer is not None for item in found)
    for form in ("authors", "printed", "square_one"):
        asked = questions(found, form, "multiple_choice")
        assert asked.counts == [len(item.options) for item in found]


@needs_data
def test_dpr_is_parted_in_1200_and_122_with_pairs_whole():
    """The paper prints a training set of 1,332, a misprint: 1,200 + 122 = 1,322."""
    train, dev = read(SETTINGS["dpr-ft"].train), read(SETTINGS["dpr-ft"].dev)
    assert (len(train), len(dev)) == (1200, 122)
    assert not {item.group for item in train} & {item.group for item in dev}
    assert len({item.group for item in dev}) == 61
    assert len(read(SETTINGS["dpr"].train)) == 1886


@needs_data
def test_copa_is_parted_in_400_and_100_original_questions():
    train, dev = read(SETTINGS["copa-ft"].train), read(SETTINGS["copa-ft"].targets[0])
    assert (len(train), len(dev)) == (400, 100)
    assert not {item.group for item in train} & {item.group for item in dev}
    assert not any(item.metadata["mirrored"] for item in [*train, *dev])


def test_no_setting_is_scored_on_what_it_was_trained_on():
    for setting in SETTINGS.values():
        learned = set()
        for one in with_those_before((setting.name,)):
            learned |= {f"{one.train.set} {split}" for split in one.train.split.split("+")}
        assert not learned & {str(target) for target in setting.targets}


def test_arxiv_v1_tunes_wsc_on_pdp_and_the_other_way_round_and_winogender_on_dev():
    assert TUNED_ON["wsc273 test"] == "pdp test"
    assert TUNED_ON["pdp test"] == "wsc273 test"
    assert TUNED_ON["winogender test"] == "winogrande dev"
    targets = {str(target) for target in SETTINGS["arxiv-winogrande"].targets}
    assert {*TUNED_ON, *TUNED_ON.values()} <= targets


def test_an_unknown_setting_is_refused():
    with pytest.raises(ValueError, match="got nothing"):
        with_those_before(("nothing",))


def test_samples_that_whole_groups_cannot_fill_are_refused():
    pairs = [
        Item(id=str(n), group=str(n // 2), sentence="_ is.", options=("a", "b")) for n in range(6)
    ]
    assert len(sample(pairs, size=4, seed=0)) == 4
    with pytest.raises(ValueError, match="whole groups of the 6 questions make 2"):
        sample(pairs, size=3, seed=0)
    with pytest.raises(ValueError, match="must be 6 together"):
        parted(pairs, n_train=4, n_dev=4, seed=0)
