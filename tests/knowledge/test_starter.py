"""The formalised twins of the starter: each is proved here, and they arrive with its release."""

import json
from itertools import product
from typing import Any

import pytest

from collection.models import Question, Twin
from collection.starter.simulate import Validator
from corpora import services as corpora
from corpora.core.items import Item
from corpora.models import Draw
from knowledge import starter
from knowledge.core.false_versions import Pick
from knowledge.core.formalisation import Theory, read
from knowledge.core.obligations import examine, examine_pair
from knowledge.models import Formalisation, KnowledgeSet, Sentence
from knowledge.prover.process import Prover
from knowledge.services import begin_validation
from tests.filtering.stages import carried
from validation import starter as campaign_starter

DATA = json.loads(starter.FILE.read_text())
TEXTS = {row["name"]: row["text"] for row in DATA["formulas"]}
TWINS = {row["key"]: row for row in campaign_starter.read_lines("twins.jsonl")}
each_twin = pytest.mark.parametrize("twin", DATA["twins"], ids=[t["key"] for t in DATA["twins"]])


def theory(twin: dict[str, Any], number: int, text: str = "") -> Theory:
    """The formalisation of a question as the starter has it, with its formula or another one."""
    source, question = TWINS[twin["key"]], twin["questions"][number - 1]
    item = Item(
        id="q",
        group="g",
        sentence=source[f"sentence{number}"],
        options=(source["option1"], source["option2"]),
        answer=source[f"answer{number}"],
    )
    made = starter.formalisation_of(twin, question, item)
    return read(made, {question["formula"]: text or TEXTS[question["formula"]]})


def test_twenty_twins_of_the_starter_are_formalised_and_never_blind() -> None:
    keys = [twin["key"] for twin in DATA["twins"]]
    assert len(set(keys)) == 20
    assert set(keys) == {key for key, twin in TWINS.items() if twin.get("split") == "train"}
    assert all(TWINS[key]["flaw"] is None for key in keys)


@pytest.mark.long
@each_twin
def test_both_questions_are_verified_and_the_pair_is_resolved(
    twin: dict[str, Any], prover: Prover
) -> None:
    both = [theory(twin, number) for number in (1, 2)]
    for one in both:
        found = examine(one, prover)
        assert found.verified
        assert found.unused == ()
    assert examine_pair(*both, prover).resolved


@pytest.mark.long
@each_twin
def test_each_false_version_picks_the_other_option(twin: dict[str, Any], prover: Prover) -> None:
    for number, question in enumerate(twin["questions"], 1):
        found = examine(theory(twin, number, question["false"]["formula"]), prover)
        assert not found.ways
        assert found.other


def test_every_validator_finds_every_formalised_question_valid() -> None:
    validators = [Validator(**row) for row in campaign_starter.read_validators()]
    for (key, number), validator in product(
        product([twin["key"] for twin in DATA["twins"]], (1, 2)), validators
    ):
        question = Question(number=number, answer=TWINS[key][f"answer{number}"])
        vote = campaign_starter._simulated_vote(question, validator, TWINS[key])
        assert (vote.option, vote.ambiguous, vote.local_option) == (question.answer, False, None)


@pytest.mark.long  # `make demo` loads them too
def test_they_are_loaded_with_the_starters_release(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [TWINS[twin["key"]] for twin in DATA["twins"][:3]] + [TWINS["s001"]]
    read_lines, validators = campaign_starter.read_lines, campaign_starter.read_validators()[:6]
    monkeypatch.setattr(
        campaign_starter,
        "read_lines",
        lambda name: chosen if name == "twins.jsonl" else read_lines(name),
    )
    monkeypatch.setattr(campaign_starter, "read_validators", lambda: validators)
    monkeypatch.setattr(campaign_starter, "LEFT_FOR_PEOPLE", 1)
    campaign = campaign_starter.load()
    assert campaign is not None
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    release = carried(corpora.build_release(snapshot=snapshot, name="starter-1", by=None))
    told = Twin.objects.filter(source_split="train")
    assert told.count() == 3
    assert set(Draw.objects.filter(twin__in=told).values_list("split", flat=True)) <= {"train"}
    of = KnowledgeSet.objects.get(name="starter", release=release)
    n_formalised = Formalisation.objects.filter(is_held_back=False).count()
    assert n_formalised == 6  # the twin that is left for people is another one
    second = carried(corpora.build_release(snapshot=snapshot, name="starter-2", by=None))
    assert starter.load(release) == starter.load(second) == of
    assert Formalisation.objects.count() == n_formalised
    assert Sentence.objects.filter(kind="true").count() == n_formalised
    assert set(Sentence.objects.exclude(kind="true").values_list("pick", flat=True)) == {Pick.OTHER}
    sweep = carried(of.sweeps.get())
    assert sweep.n_verified == n_formalised
    begun = begin_validation(knowledge_set=of, by=None, whole_set=1)  # type: ignore[arg-type]
    assert begun.n_problems == 2 * n_formalised
