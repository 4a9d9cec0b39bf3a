"""The words for who the people are."""

import inspect

import pytest
from huggingface_hub import DatasetCardData
from hypothesis import given
from hypothesis import strategies as st

from collection.core.people import (
    DEMONSTRATION,
    Origin,
    People,
    PeopleOrigin,
    creators,
    marks,
    origin_flag,
    people_from,
    people_of,
    sentences,
    title_of,
)
from workers.models import User

ORIGINS = [one.value for one in PeopleOrigin]


def test_accounts_have_the_origins_that_are_said_of_people() -> None:
    assert [*User.Origin.values, PeopleOrigin.NOT_STATED] == ORIGINS


@pytest.mark.parametrize("origin", ORIGINS)
def test_each_origin_has_a_mark_and_a_sentence(origin: str) -> None:
    people = people_of(writers=[(origin, "")])
    assert len(marks(people)) == len(sentences(people)) == 1
    assert "this work" in sentences(people)[0]


def test_of_mixed_people_all_are_said_and_each_did_a_part() -> None:
    people = people_of(
        writers=[("simulated", ""), ("", "")], validators=[("crowd", "{a}")], chosen=("invited", "")
    )
    assert people.origins == ("simulated", "invited", "crowd")
    assert marks(people) == ["simulated people", "invited people", "crowd workers ({a})"]
    assert all("a part of this work" in said for said in sentences(people))
    assert (people.writers, people.validators) == (("simulated", "invited"), ("crowd",))


def test_what_curators_state_is_said_of_accounts_that_do_not_tell() -> None:
    of = {"validators": [("", ""), ("crowd", "")]}
    assert people_of(**of, chosen=("crowd", "Toloka")).platforms == ("Toloka",)
    assert people_of(**of).origins == ("crowd", "not_stated")


def test_work_that_is_stated_to_be_simulated_is_so_whoever_did_it() -> None:
    people = people_of(writers=[("invited", "")], chosen=("simulated", ""))
    assert (people.origins, people.is_simulated) == (("simulated", "invited"), True)
    assert people_of(chosen=("simulated", "")).origins == ()


@pytest.mark.parametrize(
    "title", ["Kitchen", "A demonstration", "(demonstration) of people", "x" * 200, ""]
)
def test_the_title_of_simulated_people_ends_with_the_word(title: str) -> None:
    simulated = people_of(others=[("simulated", "")])
    found = title_of(title, simulated)
    assert found.endswith(DEMONSTRATION)
    assert len(found) <= 200
    assert title_of(found, simulated) == found
    assert title_of(title, people_of(others=[("invited", "")])) == title


def test_creators_are_values_of_hugging_faces_tags() -> None:
    documented = inspect.getdoc(DatasetCardData) or ""
    assert creators(ORIGINS) == ["machine-generated", "other", "crowdsourced", "found"]
    assert all(f"'{one}'" in documented for one in creators(ORIGINS))
    assert creators(["not_stated"]) == []


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"origins": ["invented"]}, "origins"),
        ({"origins": ["crowd", "simulated"]}, "in order"),
        ({"origins": ["invited"], "writers": ["simulated"]}, "writers"),
        ({"origins": ["invited"], "platforms": ["Prolific"]}, "platforms"),
    ],
)
def test_people_that_contradict_themselves_are_refused(
    wrong: dict[str, list[str]], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        people_from(wrong)
    assert people_from({"origins": ["invited"]}) == People(origins=("invited",))


COUNT = st.integers(min_value=0, max_value=10**9)


@pytest.mark.parametrize(
    ("typed", "pasted", "largest", "flag"),
    [
        (0, 0, 0, Origin.UNKNOWN),
        (240, 0, 6, Origin.TYPED),
        (130, 115, 115, Origin.TYPED),  # the first sentence copied over for the second
        (20, 220, 110, Origin.PASTED),
        (110, 220, 110, Origin.PASTED),  # exactly two thirds
        (15, 0, 230, Origin.PASTED),  # put in by a program, without the clipboard
    ],
)
def test_a_text_is_flagged_by_the_share_that_came_at_once(
    typed: int, pasted: int, largest: int, flag: Origin
) -> None:
    found = origin_flag(typed_characters=typed, pasted_characters=pasted, largest_insert=largest)
    assert found is flag


@given(COUNT, COUNT, COUNT)
def test_more_typing_never_makes_a_text_pasted(typed: int, pasted: int, largest: int) -> None:
    def flag(more: int) -> Origin:
        return origin_flag(
            typed_characters=typed + more, pasted_characters=pasted, largest_insert=largest
        )

    if flag(0) is Origin.TYPED:
        assert flag(10) is Origin.TYPED
