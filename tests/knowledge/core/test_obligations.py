"""What is verified, in which way, and what the world is like that refutes it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knowledge.core.answers import Answer, Limit, Verdict
from knowledge.core.formalisation import Formalisation, Thing, read
from knowledge.core.groundings import MOST_FACTS, in_words, probes_of
from knowledge.core.language import parse
from knowledge.core.language.tree import Formula
from knowledge.core.obligations import Examination, Way, examine, examine_pair
from knowledge.core.reporting import as_dict, from_dict, obligations, warnings
from knowledge.core.smt import Claim, script
from knowledge.prover.process import Prover
from tests.data_dir import data_dir, needs_data
from tests.knowledge.wsc_formal import (
    FOLDER,
    LARGE,
    SMALL,
    THANKING,
    THANKS,
    TROPHY,
    formalised,
    lines,
)

KNOWLEDGE = {"large": LARGE, "small": SMALL}


def found(made: Formalisation, prover: Prover, **knowledge: str) -> Examination:
    return examine(read(made, knowledge), prover)


def unmet(examination: Examination) -> set[str]:
    return {one.code for one in obligations(examination) if not one.met}


def test_the_clause_of_the_answer_explains_the_outcome(prover: Prover) -> None:
    done = found(TROPHY, prover, **KNOWLEDGE)
    assert done.verified
    assert (done.ways, done.core, done.unused) == ((Way.EXPLAINS,), ("large",), ("small",))
    assert all(one.met for one in obligations(done))
    assert warnings(done) == ("The formula “small” is not used.",)


def test_the_clause_of_the_answer_follows(prover: Prover) -> None:
    done = found(THANKS, prover, thanks=THANKING)
    assert (done.verified, done.ways, done.core) == (True, (Way.FOLLOWS,), ("thanks",))


def test_the_clause_of_the_other_is_excluded(prover: Prover) -> None:
    done = found(THANKS, prover, thanks="thanks(x, y) -> not received_help(y)")
    assert (done.verified, done.ways) == (True, (Way.EXCLUDES,))


def test_the_other_answer_is_not_verified_and_a_world_says_why(prover: Prover) -> None:
    done = found(replace(TROPHY, answer="Suitcase"), prover, **KNOWLEDGE)
    assert not done.verified
    assert unmet(done) == {"picks_answer", "picks_no_other", "needs_knowledge"}
    assert done.other == {"Trophy": (Way.EXPLAINS,)}
    words = {thing.name: thing.words for thing in TROPHY.things}
    said = in_words(done.worlds[Way.EXPLAINS], words=words)
    assert "It is true that “fit into” of the trophy, the suitcase is possible." in said
    assert "It is true that “too large” holds of the suitcase." in said
    assert "It is false that “too large” holds of the trophy." in said


def test_a_lexicon_says_the_world_in_its_words(prover: Prover) -> None:
    done = found(TROPHY, prover, small=SMALL)
    said = in_words(
        done.worlds[Way.EXPLAINS],
        phrase=lambda atom, holds: "It is large." if atom.name == "too_large" and holds else None,
    )
    assert "It is large." in said


def test_many_variables_and_things_give_a_short_world() -> None:
    names = tuple(f"Thing{number}" for number in range(40))
    wide = parse(
        "rel(b, c, d, e, f, g, h, i, j, k, l, m) and rel(b, b, b, b, b, b, b, b, b, b, b, b)"
    )
    assert len(probes_of(Claim((wide, wide), None, names))) == MOST_FACTS


def test_contradictions_are_not_verified(prover: Prover) -> None:
    done = found(TROPHY, prover, large=LARGE, never="not too_large(x)")
    assert not done.verified
    assert "consistent" in unmet(done)
    assert done.ways == (Way.FOLLOWS,) or Way.EXPLAINS not in done.ways


def test_what_contradicts_itself_explains_nothing(prover: Prover) -> None:
    done = found(TROPHY, prover, large=LARGE, heavy="too_large(x) -> Heavy(x) and not Heavy(x)")
    assert Way.EXPLAINS not in done.ways


def test_an_outcome_that_needs_no_clause_is_not_explained(prover: Prover) -> None:
    done = found(TROPHY, prover, never="not Poss(fit_into(x, y), s)")
    assert not done.verified
    assert Way.EXPLAINS not in done.ways


def test_an_answer_that_the_scene_gives_needs_no_knowledge(prover: Prover) -> None:
    done = found(replace(THANKS, clause="thanks(She, Susan)"), prover, thanks=THANKING)
    assert (done.verified, done.ways, done.core) == (False, (Way.FOLLOWS,), ())
    assert unmet(done) == {"needs_knowledge"}


def test_formulas_that_pick_both_options_are_not_verified(prover: Prover) -> None:
    done = found(THANKS, prover, both="thanks(x, y) -> received_help(x) and received_help(y)")
    assert (done.verified, done.other) == (False, {"Susan": (Way.FOLLOWS,)})
    assert unmet(done) == {"picks_no_other"}


def test_a_core_is_minimal_where_formulas_repeat_each_other(prover: Prover) -> None:
    done = found(TROPHY, prover, one=LARGE, two=f"forall x, y: {LARGE}", three=SMALL)
    assert len(done.core) == 1
    assert len(done.unused) == 2


def test_one_of_three_options_is_picked(prover: Prover) -> None:
    made = replace(
        THANKS,
        things=(*THANKS.things, Thing("Ann")),
        options=("Joan", "Susan", "Ann"),
        scene=("thanks(Joan, Susan)", "thanks(Joan, Ann)"),
    )
    done = found(made, prover, thanks="thanks(x, y) -> not received_help(y)")
    assert (done.verified, done.ways) == (True, (Way.EXCLUDES,))
    half = found(
        replace(made, scene=made.scene[:1]), prover, no="thanks(x,y)-> not received_help(y)"
    )
    assert half.ways == ()


@pytest.mark.parametrize("last", range(1, 13))
def test_an_undecided_claim_ends_the_examination_and_is_never_verified(
    prover: Prover, last: int
) -> None:
    asked = 0

    def until(script: str, *, probes: int = 0, session: str = "") -> Answer:
        nonlocal asked
        asked += 1
        if asked == last:
            return Answer(Verdict.UNDECIDED, Limit.STEPS)
        return prover(script, probes=probes, session=session)

    done = examine(read(TROPHY, KNOWLEDGE), until)
    assert asked == last
    assert not done.verified
    assert "decided" in unmet(done)
    (said,) = (one.sentence for one in obligations(done) if one.code == "decided")
    assert "2,000,000 steps" in said
    assert from_dict(as_dict(done)) == replace(done, claims=())


def test_twins_are_resolved_by_the_same_formulas(prover: Prover) -> None:
    twin = replace(TROPHY, answer="Suitcase", clause="too_small(It)")
    first, second = read(TROPHY, {"large": LARGE}), read(twin, {"small": SMALL})
    assert examine_pair(first, second, prover).resolved
    bad = read(twin, {"small": SMALL, "odd": "too_large(y) -> not Poss(fit_into(x, y), s)"})
    assert examine(bad, prover).verified
    assert not examine_pair(first, bad, prover).resolved
    with pytest.raises(ValueError, match="different answers"):
        examine_pair(first, first, prover)
    with pytest.raises(ValueError, match="'large'"):
        examine_pair(first, read(twin, {"large": SMALL}), prover)


@needs_data
def test_the_formalised_questions_come_out_as_expected(prover: Prover) -> None:
    rows = lines("questions.jsonl")
    ways: list[Way] = []
    verified = []
    for row in rows:
        done = examine(read(formalised(row), row["knowledge"]), prover)
        ways += done.ways
        verified += [row["wsc273"]] * done.verified
        assert {
            "consistent": done.consistent,
            "ways": [*done.ways],
            "supports_other": bool(done.other),
            "without_knowledge": bool(done.without_knowledge),
            "core": [*done.core],
            "unused": [*done.unused],
        } == row["expected"], row["wsc273"]
    assert [ways.count(way) for way in Way] == [10, 6, 4]
    assert {row["wsc273"] for row in rows} - {*verified} == {27}


def test_twenty_more_questions_are_verified_and_so_are_their_pairs(prover: Prover) -> None:
    path = Path(__file__).parents[1] / "more_questions.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ways: list[Way] = []
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        theories = [read(formalised(row), row["knowledge"]) for row in (first, second)]
        pair = examine_pair(*theories, prover)
        assert pair.resolved, first["wsc273"]
        for row, done in ((first, pair.first), (second, pair.second)):
            assert ([*done.ways], [*done.core]) == ([row["way"]], row["core"]), row["wsc273"]
            ways += done.ways
    assert [ways.count(way) for way in Way] == [12, 6, 2]


ONE_IS_WEAK = "exactly one of the two is not strong"


def example() -> dict[str, Any]:
    path = data_dir() / FOLDER / "paper_example.json"
    (row,) = json.loads(path.read_text(encoding="utf-8"))
    return dict(row)


def premise(name: str, formulas: dict[str, str]) -> Formula:
    if name == ONE_IS_WEAK:
        return parse("Strong(Father, S0) xor Strong(Son, S0)")
    if name == "1 with x named He":
        return parse(formulas["1"].removeprefix("∃x.").replace("x,", "He,").replace("x≡", "He≡"))
    return parse(formulas.get(name, name))


@needs_data
@pytest.mark.parametrize("number", range(6))
def test_the_papers_formulas_prove_what_they_should(prover: Prover, number: int) -> None:
    row = example()
    expected = row["expected"][number]
    claim = Claim(
        tuple(premise(name, row["formulas"]) for name in expected["from"]),
        premise(expected["goal"], row["formulas"]),
        tuple(row["things"]),
    )
    assert (prover(script(claim)).verdict is Verdict.PROVED) == expected["proved"]
