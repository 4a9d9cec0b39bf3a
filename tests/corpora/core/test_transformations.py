"""Transformations of items: what is kept, what is left out and why."""

from collections import Counter
from dataclasses import replace

import pytest

from collection.core.triggers import name_gender
from corpora.core.items import Item
from corpora.core.transformations import (
    TRANSFORMATIONS,
    candidates_only,
    local_context,
    names_swapped,
    no_candidates,
    part_sentence,
    switched,
    zero_shot,
)
from corpora.core.transformations.names import NAMES

TROPHY = "The trophy doesn't fit into the brown suitcase because _ is too large."
THINGS = ("the trophy", "the suitcase")
TWINS = [
    Item(id="large", group="trophy", sentence=TROPHY, options=THINGS, answer=1),
    Item(
        id="small",
        group="trophy",
        sentence=TROPHY.replace("large", "small"),
        options=THINGS,
        answer=2,
    ),
]
PEOPLE = [
    Item(
        id=word,
        group="thanks",
        sentence=f"Sam's friend Samuel thanked Daniel because _ had {word} help, so Samuel left.",
        options=("Samuel", "Daniel"),
        answer=answer,
    )
    for word, answer in (("received", 1), ("given", 2))
]


def sentences(transformed):
    return [item.sentence for item in transformed.items]


def only(sentence, *options, **fields):
    return [Item(id="a", group="a", sentence=sentence, options=options, answer=1, **fields)]


def test_no_candidates_ignores_an_article_that_the_sentence_has_elsewhere():
    assert (
        sentences(no_candidates(TWINS))[0] == "doesn't fit into the brown because _ is too large."
    )


@pytest.mark.parametrize(
    ("sentence", "options", "reason"),
    [
        ("Ann met Anna, and _ left.", ("Ann", "Maria"), "an option is not in the sentence"),
        ("Ann met Eve, and Ann saw _.", ("Ann", "Eve"), "in the sentence more than once"),
        ("The cup's lid fell, so _ broke.", ("the cup's lid", "the cup"), "contains another one"),
    ],
)
def test_an_item_whose_options_cannot_be_removed_is_left_out(sentence, options, reason):
    found = no_candidates(only(sentence, *options))
    assert found.items == []
    (said,) = found.dropped
    assert reason in said


def test_a_name_inside_a_longer_one_is_not_a_mention():
    assert sentences(no_candidates(only("Ann met Annabel, so _ smiled.", "Ann", "Annabel"))) == [
        "met , so _ smiled."
    ]


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("He paid Dr. Smith $1,000.50 although _ was late.", "_ was late."),
        ("He so liked it. Then _ left, and she stayed.", "Then _ left, and she stayed."),
        ("Was it old? Or was _ new?", "Or was _ new?"),
        ("They ran; meanwhile the _ slept.", "meanwhile the _ slept."),
        ("Ann took the bar exam and Brett didn't. _ became a clerk.", "_ became a clerk."),
        ("Ann borrowed some of Kenneth’s. Now _ has one.", "Now _ has one."),
        ("Ann sat beside Bob and I. _ was late.", "_ was late."),
        ("Ann got an A and Eve a D. _ was annoyed.", "_ was annoyed."),
        ("She lacked vitamin C. Carrots gave _ some.", "Carrots gave _ some."),
        ("It cost only 5. _ paid.", "_ paid."),
        ("It cost 3.50. _ paid.", "_ paid."),
        ("They moved to the U.S. _ liked it.", "_ liked it."),
        ("They arrived at 7 p.m. The _ was open.", "The _ was open."),
        ("She bought nails, glue, etc. _ had none.", "_ had none."),
        ("They live in Main St. The _ is old.", "The _ is old."),
        ("He waited... _ never came.", "_ never came."),
        ('He said "I am late." _ ran.', "_ ran."),
        ("He said “I am late,” _ says.", "_ says."),
        ("(Eve had seen it.) Then _ left.", "Then _ left."),
        ("Eve went red.The teacher saw that _ was glad.", "The teacher saw that _ was glad."),
    ],
)
def test_the_part_starts_after_the_last_marker_before_the_blank(sentence, part):
    assert sentences(part_sentence(only(sentence, "one", "two"))) == [part]


@pytest.mark.parametrize(
    "sentence",
    [
        "A sofa in the sand _ fell.",
        "Mr. Ames paid 1,000 to _ so.",
        "George W. Bush met J. K. Rowling while _ was ill.",
        "They asked Dr. _ for help.",
        "He met John F. _ there.",
        "The U.S. Army or U.S. customs gave _ a job.",
        "He rose for an 8 a.m. meeting with _ there.",
        "He bought 10 lbs. of tea (e.g. Darjeeling) where _ did.",
        "A grade of 4.0 at St. Ives made _ glad.",
        "A site like example.com or Node.js made _ glad.",
        "House no. 5 was that of _ then.",
    ],
)
def test_parts_of_words_numbers_and_titles_are_not_markers(sentence):
    found = part_sentence(only(sentence, "one", "two"))
    assert found.dropped == {"no discourse marker or punctuation stands before the blank": 1}


def test_the_local_context_starts_two_words_before_the_blank():
    assert sentences(local_context(TWINS))[0] == "suitcase because _ is too large."


def test_candidates_only_keeps_the_options_and_the_answer():
    for before, after in zip(TWINS, candidates_only(TWINS).items, strict=True):
        assert after == replace(before, sentence="_")


def test_a_group_is_complete_or_absent():
    half = replace(TWINS[1], sentence="The trophy is small and _ too.")
    found = no_candidates([TWINS[0], half])
    assert found.items == []
    assert found.dropped == {
        "an option is not in the sentence": 1,
        "another item of its group was left out": 1,
    }


def test_zero_shot_asks_for_the_special_word_of_each_twin():
    found = zero_shot(TWINS).items
    fits = "The trophy doesn't fit into the brown suitcase because"
    assert [item.sentence for item in found] == [
        f"{fits} the trophy is too _.",
        f"{fits} the suitcase is too _.",
    ]
    assert [item.options for item in found] == [("large", "small")] * 2
    assert [item.answer for item in found] == [1, 2]
    assert [(item.id, item.group) for item in found] == [("large", "trophy"), ("small", "trophy")]


def test_the_first_special_word_is_that_of_the_smaller_answer():
    found = zero_shot(TWINS[::-1])
    assert [item.options for item in found.items] == [("large", "small")] * 2
    assert [item.answer for item in found.items] == [2, 1]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (
            replace(TWINS[1], sentence="It is small, _ is."),
            "its twin differs in more than one word",
        ),
        (replace(TWINS[1], answer=1), "its group is not a pair of twins with different answers"),
        (replace(TWINS[1], answer=None), "the right answer is not known"),
        (
            replace(TWINS[1], sentence=TROPHY.replace("_", "_'s")),
            "its twin differs at the blank",
        ),
    ],
)
def test_zero_shot_leaves_out_pairs_without_one_special_word(other, reason):
    found = zero_shot([TWINS[0], other])
    assert found.items == []
    assert found.dropped == {reason: 2}


def test_a_switch_exchanges_every_mention_and_the_answer():
    first, switch, _, _ = switched(PEOPLE).items
    assert first == replace(PEOPLE[0], group="received")
    assert switch.sentence == (
        "Sam's friend Daniel thanked Samuel because _ had received help, so Daniel left."
    )
    assert (switch.id, switch.group) == ("received-switched", "received")
    assert (switch.options, switch.answer) == (PEOPLE[0].options, 2)


def test_switching_twice_gives_the_item_back():
    switches = [item for item in switched(PEOPLE).items if item.id.endswith("-switched")]
    again = [item for item in switched(switches).items if item.id.endswith("-switched-switched")]
    assert [(item.sentence, item.answer) for item in again] == [
        (item.sentence, item.answer) for item in PEOPLE
    ]


def test_things_are_switched_only_where_they_are_marked_as_switchable():
    marked = [replace(item, metadata={"switchable": True}) for item in TWINS]
    unmarked = [replace(item, metadata={"switchable": False}) for item in PEOPLE]
    assert switched(TWINS).items == []
    assert switched(unmarked).items == []
    assert switched(marked).items[1].sentence == (
        "The suitcase doesn't fit into the brown trophy because _ is too large."
    )


def test_a_man_and_a_name_are_not_exchanged_after_an_article():
    found = switched(
        only("John saw a man, so _ ran.", "John", "The man", metadata={"switchable": True})
    )
    assert found.dropped == {"an option is not in the sentence": 1}


def test_swapped_names_are_the_same_in_both_twins_and_new():
    one, two = names_swapped(PEOPLE).items
    assert one.options == two.options
    assert one.sentence.replace("received", "given") == two.sentence
    assert set(one.options).isdisjoint({"Samuel", "Daniel", "Sam"})
    assert [name_gender(name) for name in one.options] == ["male", "male"]
    assert [(item.id, item.group, item.answer) for item in (one, two)] == [
        ("received", "thanks", 1),
        ("given", "thanks", 2),
    ]
    assert one.sentence.startswith("Sam's friend")


def test_names_of_different_or_unknown_gender_are_left_as_they_are():
    for options in (("Ann", "Paul"), ("Leslie", "Jordan"), ("the cup", "the vase")):
        found = names_swapped(only("{} met {}, so _ left.".format(*options), *options))
        assert found.dropped == {"the options are not names of people of the same gender": 1}


def test_every_name_of_the_list_has_the_gender_of_the_list():
    for gender, names in NAMES.items():
        assert {name_gender(name) for name in names} == {gender}
        assert len(set(names)) == len(names)


def test_a_pronoun_becomes_a_blank():
    start = TROPHY.index("_")
    asked = replace(
        TWINS[0], form="pronoun", sentence=TROPHY.replace("_", "it"), span=(start, start + 2)
    )
    assert part_sentence([asked]).items[0].sentence == "_ is too large."


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_every_transformation_counts_all_items_and_keeps_their_order(name):
    premise = Item(
        id="p", group="p", form="premise", relation="cause", sentence="It fell.", options=("a", "b")
    )
    items = [TWINS[0], PEOPLE[0], premise, TWINS[1], PEOPLE[1]]
    found = TRANSFORMATIONS[name](items)
    ids = [item.id for item in found.items if not item.id.endswith("-switched")]
    assert ids == [item.id for item in items if item.id in ids]
    assert len(ids) + found.dropped.total() == len(items)
    assert isinstance(found.dropped, Counter)
    assert "p" not in ids
