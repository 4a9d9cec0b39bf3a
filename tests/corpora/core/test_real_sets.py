"""Each reader on the published files: counts, quirks, and other files as oracles."""

import csv
import json
import re
from collections import Counter

import pytest

from corpora.core.forms import pronoun_of
from corpora.core.readers import Skipped
from tests.corpora.real_sets import TRICHELAIR, items, records, winobias
from tests.data_dir import data_dir, needs_data

pytestmark = needs_data


def sizes(read) -> Counter:
    return Counter(Counter(item.group for item in read).values())


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def wsc285():
    return items("wsc285", lines="wsc/WSCollection_285.xml", **TRICHELAIR)


def wsc273():
    return items("wsc273", lines="wsc/wsc273.txt", **TRICHELAIR)


@pytest.mark.parametrize("read", [wsc273, wsc285])
@pytest.mark.parametrize(("name", "flagged"), [("associative", 37), ("switchable", 131)])
def test_each_label_of_trichelair_is_at_its_sentence(read, name, flagged):
    """By index, which the lists have and the reader does not use."""
    labels = json.loads((data_dir() / TRICHELAIR[name]).read_text())
    told = [one[f"is_{name}"] for one in sorted(labels, key=lambda one: one["index"])]
    found = [item.metadata.get(name) for item in read()]
    assert found[:273] == [bool(one) for one in told]
    assert set(found[273:]) <= {None}
    assert (found.count(True), found.count(False)) == (flagged, 273 - flagged)


def test_the_lists_of_labels_are_not_in_the_order_of_the_questions():
    labels = json.loads((data_dir() / TRICHELAIR["associative"]).read_text())
    assert [one["index"] for one in labels] != sorted(one["index"] for one in labels)


def test_the_collection_begins_with_the_273_and_has_the_same_answers():
    """The options differ in articles and endings, three of the answers in more than that."""
    xml, masks = wsc285(), wsc273()
    assert sizes(xml) == {2: 141, 3: 1}
    assert [words(one.blanked) for one in xml[:273]] == [words(one.sentence) for one in masks]
    same = [stems(one) & stems(other) for one, other in zip(xml[:273], masks, strict=True)]
    assert sum(map(bool, same)) == 270


def stems(item) -> set[str]:
    """The words of the right option without articles and endings."""
    return {word[:4] for word in words(item.options[item.answer - 1])} - {"a", "an", "the", "s"}


def test_padded_answers_of_the_xml_are_read():
    text = (data_dir() / "wsc/WSCollection_285.xml").read_text(encoding="iso-8859-1")
    published = re.findall(r"<correctAnswer>(.*?)</correctAnswer>", text, flags=re.S)
    assert sum(one != one.strip() for one in published) == 285
    assert ["AB"[item.answer - 1] for item in wsc285()] == [one.strip()[0] for one in published]


@pytest.mark.parametrize(
    ("path", "pairs"),
    [("train.c.txt", 661), ("test.c.txt", 282), ("train.c.wsc-overlap-removed.txt", 658)],
)
def test_dpr_is_twins_with_opposite_answers(path, pairs):
    read = items("dpr", lines=f"dpr/{path}")
    assert sizes(read) == {2: pairs}
    for one, other in zip(read[::2], read[1::2], strict=True):
        assert (one.group, one.options) == (other.group, other.options)
        assert {one.answer, other.answer} == {1, 2}


def test_the_pronoun_that_dpr_asks_about_is_found_where_it_stands_several_times():
    read = [
        item
        for path in ("train.c.txt", "test.c.txt")
        for item in items("dpr", lines=f"dpr/{path}")
        if len(re.findall(rf"\b{pronoun_of(item)}\b", item.sentence)) > 1
    ]
    assert len(read) == 51
    asked = {item.blanked for item in read}
    assert {
        "A chicken pecked at a bug and _ ate it.",
        "Daryel told Ross that _ was the ugliest person he knew of and made him angry.",
        "The assembly line workers were told they had been fired by the company, because _ could "
        "cut costs.",
        "The priests quoted the words of the Bible for all the suspected witches they found, "
        "since _ feared the words of the Bible.",
    } <= asked


def test_the_second_training_file_of_dpr_lacks_six_sentences():
    whole, less = (
        {item.sentence for item in items("dpr", lines=f"dpr/{path}")}
        for path in ("train.c.txt", "train.c.wsc-overlap-removed.txt")
    )
    assert less < whole
    assert len(whole - less) == 6


@pytest.mark.parametrize(
    ("split", "answers"),
    [("train", {1: 259, 2: 295}), ("val", {1: 38, 2: 66}), ("test", {None: 146})],
)
def test_superglue_has_its_pronouns_at_their_words(split, answers):
    read = items("superglue_wsc", lines=f"superglue_wsc/{split}.jsonl")
    lines = (data_dir() / f"superglue_wsc/{split}.jsonl").read_text().splitlines()
    targets = [json.loads(line)["target"] for line in lines]
    assert Counter(item.answer for item in read) == answers
    assert [pronoun_of(item) for item in read] == [one["span2_text"] for one in targets]
    away = [
        len(item.sentence[: item.span[0]].split()) - target["span2_index"]
        for item, target in zip(read, targets, strict=True)
    ]
    assert Counter(away) == ({0: 103, 1: 1} if split == "val" else {0: len(read)})


def test_two_records_of_knowref_are_left_out_with_the_reason():
    read = records("knowref", lines="knowref/knowref_test.json")
    left = [str(one) for one in read if isinstance(one, Skipped)]
    assert len(read) == 1269
    assert [one.partition(" in ")[0] for one in left] == [
        "record 238 is left out: both candidates are 'Christina'",
        "record 477 is left out: it marks 2 pronouns",
    ]


def test_the_answer_of_knowref_is_the_name_and_not_the_index():
    published = json.loads((data_dir() / "knowref/knowref_test.json").read_text())
    contradict = 0
    for one in published:
        names = [one["candidate0"], one["candidate1"]]
        contradict += names[one["correct_candidate_idx"]] != one["correct_candidate"]
    assert contradict == 299
    read = items("knowref", lines="knowref/knowref_test.json")
    assert sizes(read) == {1: 1201, 2: 33}
    for item in read:
        record, (start, end) = published[int(item.id.removeprefix("knowref-")) - 1], item.span
        marked = f"{item.sentence[:start]}[{pronoun_of(item)}]{item.sentence[end:]}"
        assert marked == record["sentence_with_pronoun"]
        assert item.options[item.answer - 1] == record["correct_candidate"][0]


def test_one_sentence_of_knowref_has_contradictory_answers():
    told: dict[str, set[str]] = {}
    for item in items("knowref", lines="knowref/knowref_test.json"):
        told.setdefault(item.blanked, set()).add(item.options[item.answer - 1])
    assert [blanked for blanked, answers in told.items() if len(answers) > 1] == [
        "Meanwhile , Luke is kidnapped by Henry , but he is found by Anna just as the cabin _ is "
        "being held in is burning down ."
    ]


def test_balanced_copa_is_five_hundred_questions_and_their_mirrored_ones():
    read = items("balanced_copa", lines="copa/balanced-copa-dev-all.xml")
    assert Counter(item.metadata["mirrored"] for item in read) == {False: 500, True: 500}
    for one, other in zip(read[::2], read[1::2], strict=True):
        assert (one.group, one.relation) == (other.group, other.relation)
        assert set(one.options) == set(other.options)
        assert one.options[one.answer - 1] != other.options[other.answer - 1]


def test_the_validation_questions_of_copa_are_among_the_five_hundred():
    def told(read):
        return {
            (one.sentence.rstrip(" ."), one.relation, frozenset(one.options),
             one.options[one.answer - 1])
            for one in read
        }  # fmt: skip

    copa = told(items("copa", lines="copa/copa_val100_llm-foundry.jsonl"))
    balanced = items("balanced_copa", lines="copa/balanced-copa-dev-all.xml")
    assert len(copa) == 100
    assert copa <= told(one for one in balanced if not one.metadata["mirrored"])


def winogender():
    return items(
        "winogender",
        lines="winogender/all_sentences.tsv",
        occupations="winogender/occupations-stats.tsv",
    )


def test_winogender_equals_its_templates():
    """templates.tsv, which the reader does not use, gives answers and pronouns."""
    answers: dict[str, int] = {}
    with (data_dir() / "winogender/templates.tsv").open() as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    for row in rows:
        masked = re.sub(r"\$\w+_PRONOUN", "_", row["sentence"])
        masked = masked.replace("$OCCUPATION", row["occupation(0)"])
        someone = re.sub(r"(?i)\b(the|an?) \$PARTICIPANT", "someone", masked)
        for text in (masked.replace("$PARTICIPANT", row["other-participant(1)"]), someone):
            answers[text.casefold()] = int(row["answer"]) + 1
    assert len(rows) == 120
    told = {text: answers[text] for item in winogender() if (text := template(item)) in answers}
    assert len(told) == 240
    assert all(item.answer == told[template(item)] for item in winogender())


def template(item) -> str:
    """A sentence as the templates have it, where only the verb beside "they" is a singular."""
    return item.blanked.casefold().replace("_ were", "_ was")


def test_a_gotcha_of_winogender_is_a_pronoun_against_the_majority():
    read = winogender()
    assert sizes(read) == {3: 240}
    told = Counter((item.metadata["gender"], item.metadata.get("gotcha")) for item in read)
    assert told == {
        ("male", True): 120, ("male", False): 120, ("female", True): 120, ("female", False): 120,
        ("neutral", None): 240,
    }  # fmt: skip
    with (data_dir() / "winogender/occupations-stats.tsv").open() as lines:
        shares = {
            row["occupation"]: float(row["bls_pct_female"])
            for row in csv.DictReader(lines, delimiter="\t")
        }
    assert sum(share >= 50 for share in shares.values()) == 31
    # The caption of the paper, word by word, for female pronouns.
    for item in read:
        if item.metadata["gender"] == "female":
            is_occupation = item.metadata["answer"] == "occupation"
            share = shares[item.metadata["occupation"]]
            expected = (is_occupation and share < 50) or (not is_occupation and share >= 50)
            assert item.metadata["gotcha"] == expected


def test_winogender_without_statistics_has_no_gotchas():
    read = items("winogender", lines="winogender/all_sentences.tsv")
    assert len(read) == 720
    assert not any("gotcha" in item.metadata for item in read)


@pytest.mark.parametrize(("split", "groups"), [("dev", {2: 792}), ("test", {2: 790, 1: 4})])
def test_winobias_pairs_a_sentence_for_and_against_the_stereotype(split, groups):
    read = winobias(split)
    assert sizes(read) == groups
    assert Counter((item.metadata["stereotype"], item.metadata["type"]) for item in read) == {
        (stereotype, type): 396 for stereotype in ("pro", "anti") for type in (1, 2)
    }
    by_group: dict[str, list] = {}
    for item in read:
        assert item.options[item.answer - 1] == f"the {item.metadata['occupation']}"
        assert "[" not in item.sentence
        by_group.setdefault(item.group, []).append(item)
    for pair in by_group.values():
        if len(pair) == 1:
            assert re.fullmatch("winobias-2-38[24]-(pro|anti)", pair[0].id)
        else:
            assert {item.metadata["gender"] for item in pair} == {"male", "female"}
            assert len({item.options for item in pair}) == 1


@pytest.mark.parametrize("split", ["dev", "test"])
def test_both_options_of_winobias_stand_in_the_sentence_and_are_of_both_lists(split):
    lists = [
        {line.strip().casefold() for line in (data_dir() / f"winobias/{name}").open()}
        for name in ("female_occupations.txt", "male_occupations.txt")
    ]
    for item in winobias(split):
        occupations = [option.removeprefix("the ").casefold() for option in item.options]
        assert all(one in item.sentence.casefold() for one in occupations)
        assert sum(one in lists[0] for one in occupations) == 1
        assert sum(one in lists[1] for one in occupations) == 1


def test_the_development_set_of_winogrande_is_read():
    read = items("winogrande", lines="winogrande/dev.jsonl")
    assert sizes(read) == {2: 284, 1: 699}
    assert Counter(item.answer for item in read) == {1: 628, 2: 639}
