"""The starter campaign's files: every twin obeys the rules, and together they are varied."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import collection.starter
from collection.core.anchors import is_function_word
from collection.core.guidelines import part_for
from collection.core.rules import Domain, Report, Thresholds, TwinDraft, check_twin
from collection.core.words import local_window
from collection.starter.simulate import FLAWS, SimulatedVote, Validator, validate
from validation.core.verdicts import Ballot, Decision, Policy, Reason, decide

FOLDER = next(iter(collection.starter.__path__))
OPTIONS = ("option1", "option2")
ARTICLE_WORDS = range(120, 201)
SOMEBODY = Validator(
    name="v", skill=0.9, spots_ambiguity=0.9, local_guess=0.1, careless=0.1, seconds=20
)


def text(name: str) -> str:
    with open(f"{FOLDER}/{name}", encoding="utf-8") as file:
        return file.read()


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text(name).splitlines()]


CAMPAIGN = json.loads(text("campaign.json"))
VALIDATORS = [Validator(**row) for row in json.loads(text("validators.json"))]
AUTHORS = json.loads(text("authors.json"))
ARTICLES = {row["source_id"]: row for row in lines("articles.jsonl")}
TWINS = lines("twins.jsonl")
GOOD = [twin for twin in TWINS if twin["flaw"] is None]
PLANTED = [twin for twin in TWINS if "author" in twin]
OTHERS = [twin for twin in TWINS if "author" not in twin]
each_twin = pytest.mark.parametrize("twin", TWINS, ids=[twin["key"] for twin in TWINS])


def report(twin: dict[str, Any]) -> Report:
    draft = TwinDraft(
        sentences=(twin["sentence1"], twin["sentence2"]),
        options=(twin["option1"], twin["option2"]),
        answers=(twin["answer1"], twin["answer2"]),
        anchor=twin["anchor"],
        domain=Domain(twin["domain"]),
    )
    limits = Thresholds(
        min_words=CAMPAIGN["min_words"],
        max_words=CAMPAIGN["max_words"],
        min_overlap=float(CAMPAIGN["min_overlap"]),
    )
    return check_twin(draft, thresholds=limits)


def plain(sentence: str) -> list[str]:
    """The sentence as words without case and punctuation; a blank that owns is still a blank."""
    bare = "".join(char if char.isalnum() or char in "_-'’" else " " for char in sentence)
    return bare.casefold().replace("'s", "").replace("’s", "").split()


def times(phrase: str, sentence: str) -> int:
    """How often the phrase occurs in the sentence in whole words."""
    whole, part = plain(sentence), plain(phrase)
    return sum(whole[at : at + len(part)] == part for at in range(len(whole)))


def trigger(twin: dict[str, Any]) -> tuple[str, str]:
    found = report(twin).trigger
    pair = sorted(" ".join(side).casefold() for side in (found.first_words, found.second_words))
    return pair[0], pair[1]


@each_twin
def test_a_twin_passes_every_rule_without_a_warning(twin: dict[str, Any]) -> None:
    assert report(twin).findings == ()


@each_twin
def test_each_option_stands_once_in_each_sentence_as_written(twin: dict[str, Any]) -> None:
    for sentence in (twin["sentence1"], twin["sentence2"]):
        for option in (twin["option1"], twin["option2"]):
            assert times(option, sentence) == 1
            assert option in sentence


@each_twin
def test_the_anchor_is_a_content_word_of_the_article(twin: dict[str, Any]) -> None:
    article = ARTICLES[twin["article"]]
    assert times(twin["anchor"], article["text"]) >= 1
    assert times(twin["anchor"], twin["sentence1"]) >= 1
    assert times(twin["anchor"], twin["sentence2"]) >= 1
    assert not all(is_function_word(word) for word in twin["anchor"].split())


@pytest.mark.parametrize("twin", GOOD, ids=[twin["key"] for twin in GOOD])
def test_the_local_context_of_a_good_twin_does_not_name_both_options(twin: dict[str, Any]) -> None:
    for sentence in (twin["sentence1"], twin["sentence2"]):
        window = local_window(sentence)
        assert sum(times(twin[option], window) for option in OPTIONS) <= 1


def test_people_have_one_word_names_and_things_start_in_lower_case() -> None:
    for twin in TWINS:
        for option in (twin["option1"], twin["option2"]):
            if twin["domain"] == "social":
                assert option.istitle()
                assert " " not in option
            else:
                assert option.islower()


def test_no_name_and_no_sentence_is_used_by_two_twins() -> None:
    names = Counter(
        twin[option] for twin in TWINS if twin["domain"] == "social" for option in OPTIONS
    )
    sentences = Counter(twin[field] for twin in TWINS for field in ("sentence1", "sentence2"))
    assert max(names.values()) == 1
    assert max(sentences.values()) == 1


def test_the_twins_are_spread_over_anchors_triggers_and_domains() -> None:
    triggers = Counter(trigger(twin) for twin in TWINS)
    assert len(TWINS) >= 200
    assert len({twin["key"] for twin in TWINS}) == len(TWINS)
    assert len({twin["anchor"].casefold() for twin in TWINS}) >= 80
    assert len(triggers) >= 100
    assert max(triggers.values()) <= 3
    assert 0.45 <= sum(twin["domain"] == "social" for twin in OTHERS) / len(OTHERS) <= 0.55


def test_neither_the_first_option_nor_the_one_named_first_is_the_usual_answer() -> None:
    for twins in (OTHERS, PLANTED):
        assert 0.4 <= sum(twin["answer1"] == 1 for twin in twins) / len(twins) <= 0.6
    assert 0.4 <= sum(named_second(twin, 1) for twin in OTHERS) / len(OTHERS) <= 0.6


def named_second(twin: dict[str, Any], number: int) -> bool:
    """Whether the right option is the one that the sentence names second."""
    sentence, answer = twin[f"sentence{number}"], twin[f"answer{number}"]
    return sentence.index(twin[f"option{answer}"]) > sentence.index(twin[f"option{3 - answer}"])


def test_writers_with_the_planted_habit_always_name_the_right_person_second() -> None:
    habits = {author["name"] for author in AUTHORS if "habit" in author}
    assert {twin["author"] for twin in PLANTED} == habits
    assert len({twin["article"] for twin in PLANTED}) >= 25
    for twin in PLANTED:
        assert (twin["flaw"], twin["domain"]) == (None, "social")
        assert named_second(twin, 1), twin["key"]
        assert named_second(twin, 2), twin["key"]


def test_the_campaign_states_the_planted_habit_and_that_its_people_are_simulated() -> None:
    assert len(CAMPAIGN["population"]) <= 500
    for said in ("Simulated", "planted habit", *(a["name"] for a in AUTHORS if "habit" in a)):
        assert said in CAMPAIGN["population"]


def test_a_few_twins_have_each_flaw() -> None:
    flaws = Counter(twin["flaw"] for twin in TWINS)
    assert set(flaws) == set(FLAWS)
    assert all(flaws[flaw] >= 5 for flaw in FLAWS)
    assert 18 <= len(TWINS) - flaws[None] <= 26


def test_a_trigger_of_a_good_twin_is_never_a_plain_negation() -> None:
    negations = {"not", "no", "never", "nobody", "nothing", "none"}
    for twin in GOOD:
        one, other = (set(plain(side)) for side in trigger(twin))
        assert not one ^ other <= negations, twin["key"]


def test_articles_are_of_moderate_length_and_all_are_used() -> None:
    assert len(ARTICLES) >= 45
    assert {twin["article"] for twin in TWINS} == set(ARTICLES)
    assert len({row["category"] for row in ARTICLES.values()}) >= 12
    for row in ARTICLES.values():
        assert len(row["text"].split()) in ARTICLE_WORDS, row["source_id"]
        assert row["title"].startswith("How to ")


def test_authors_and_validators_are_different_people() -> None:
    names = [author["name"] for author in AUTHORS] + [validator.name for validator in VALIDATORS]
    assert len(set(names)) == len(names)
    assert sum(author["share"] for author in AUTHORS) == pytest.approx(1)


def test_the_same_seed_gives_the_same_vote_and_another_seed_others() -> None:
    def votes(seed: int) -> list[SimulatedVote]:
        return [
            validate(SOMEBODY, question=f"q{n}", flaw=None, answer=1, seed=seed) for n in range(50)
        ]

    assert votes(1) == votes(1)
    assert votes(1) != votes(2)


def test_no_vote_takes_less_than_a_second() -> None:
    careless = max(VALIDATORS, key=lambda validator: validator.careless)
    votes = [
        validate(careless, question=f"{twin['key']}-{number}", flaw=None, answer=1, seed=20)
        for twin in TWINS
        for number in (1, 2)
    ]
    assert min(vote.seconds for vote in votes) == 1


@pytest.mark.parametrize(
    ("field", "value"), [("skill", 1.1), ("careless", -0.1), ("local_guess", 2), ("seconds", 0)]
)
def test_a_validator_refuses_an_impossible_number(field: str, value: float) -> None:
    fields = {**json.loads(text("validators.json"))[0], field: value}
    with pytest.raises(ValueError, match=f"{field} must be"):
        Validator(**fields)


def test_validating_refuses_an_unknown_flaw_and_answer() -> None:
    with pytest.raises(ValueError, match="flaw must be one of"):
        validate(SOMEBODY, question="q", flaw="boring", answer=1, seed=1)
    with pytest.raises(ValueError, match="answer must be 1 or 2"):
        validate(SOMEBODY, question="q", flaw=None, answer=3, seed=1)


def decisions(seed: int) -> Iterator[tuple[str | None, Decision]]:
    """Let three validators validator each question, others for its twin."""
    random = Random(seed)
    for twin in TWINS:
        seats = random.sample(VALIDATORS, 6)
        for number, validators in ((1, seats[:3]), (2, seats[3:])):
            answer = twin[f"answer{number}"]
            name = f"{twin['key']}-{number}"
            votes = [
                validate(v, question=name, flaw=twin["flaw"], answer=answer, seed=seed)
                for v in validators
            ]
            ballots = [Ballot(vote.option, vote.ambiguous, vote.local_option) for vote in votes]
            yield twin["flaw"], decide(ballots, answer=answer, policy=Policy.MAJORITY)


@pytest.mark.parametrize("seed", range(20, 25))
def test_about_four_questions_of_five_turn_out_valid_and_every_reason_appears(seed: int) -> None:
    results = list(decisions(seed))
    reasons = Counter(reason for _, result in results for reason in result.reasons)
    assert 0.75 <= sum(result.valid for _, result in results) / len(results) <= 0.86
    assert set(reasons) == {Reason.WRONG_ANSWER, Reason.AMBIGUOUS, Reason.LOCAL}
    assert min(reasons.values()) >= 8


def test_flawed_questions_are_rejected_for_their_flaw() -> None:
    reason = {
        "ambiguous": Reason.AMBIGUOUS,
        "associative": Reason.LOCAL,
        "wrong": Reason.WRONG_ANSWER,
    }
    flawed = [(flaw, result) for flaw, result in decisions(20) if flaw is not None]
    hit = sum(reason[flaw] in result.reasons for flaw, result in flawed)
    assert hit / len(flawed) >= 0.8


@pytest.mark.parametrize("name", ["exercise", "exercise_people", "exercise_things"])
def test_the_exercise_teaches_with_items_that_can_be_set(name: str) -> None:
    items = json.loads(text(f"{name}.json"))
    assert len(items) >= 3
    for item in items:
        assert set(item) == {"prompt", "choices", "answer", "explanation"}
        assert len(set(item["choices"])) == len(item["choices"]) >= 3
        assert 1 <= item["answer"] <= len(item["choices"])
        assert len(item["explanation"].split()) > 10
        assert all(len(choice) <= 300 for choice in item["choices"])
    taught = " ".join(item["explanation"] for item in items).casefold()
    for lesson in ("association", "ambiguous", "negation"):
        assert lesson in taught or any(lesson in item["prompt"].casefold() for item in items), (
            lesson
        )


def test_the_policy_on_aids_says_what_is_allowed_and_what_is_not() -> None:
    assert "language models" in CAMPAIGN["aids_policy"]
    assert "spell checker" in CAMPAIGN["aids_policy"]


def test_the_campaign_has_the_papers_thresholds_and_guidelines() -> None:
    assert CAMPAIGN["slug"] == "starter"
    assert (CAMPAIGN["min_words"], CAMPAIGN["max_words"]) == (15, 30)
    assert (CAMPAIGN["reward_twin"], CAMPAIGN["reward_vote"]) == ("0.40", "0.03")
    for rule in ("anchor", "same gender", "both singular", "negation", "15 to 30 words", "70%"):
        assert rule in CAMPAIGN["guidelines"]


def test_each_kind_of_work_reads_its_own_short_part() -> None:
    parts = {skill: part_for(CAMPAIGN["guidelines"], skill) for skill in ("write", "validate")}
    assert "anchor" not in parts["validate"]
    assert "Report" not in parts["write"]
    n_words = {skill: len(part.split()) for skill, part in parts.items()}
    assert n_words["write"] + len(CAMPAIGN["aids_policy"].split()) <= 280
    assert n_words["validate"] <= 170


@pytest.mark.parametrize("part", ["exercise", "validator_training"])
def test_exercises_about_people_have_no_things_and_the_other_way_round(part: str) -> None:
    """A blank after an article is one for things."""
    of = {task: json.loads(text(f"{part}_{task}.json")) for task in ("people", "things")}
    of_things = {
        task: {re.search(r"\bthe _", item["prompt"]) is not None for item in items}
        for task, items in of.items()
    }
    assert of_things == {"people": {False}, "things": {True}}


@pytest.mark.parametrize(
    "name",
    [
        f"{part}{about}"
        for part in ("exercise", "validator_training")
        for about in ("", "_people", "_things")
    ],
)
def test_explanations_name_no_choice_by_its_place(name: str) -> None:
    """Each worker sees the choices in an order of their own."""
    for item in json.loads(text(f"{name}.json")):
        said = f"{item['prompt']} {item['explanation']}".casefold()
        named = re.search(r"\b(first|second|third|last|next) (choice|one|answer|option)\b", said)
        assert named is None
