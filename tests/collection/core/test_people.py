"""The words for who the people are."""

import inspect

import pytest
from huggingface_hub import DatasetCardData

from collection.core.people import (
    DEMONSTRATION,
    People,
    PeopleOrigin,
    creators,
    marks,
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
