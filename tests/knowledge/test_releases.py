"""Releases of knowledge sets: their files and figures, and builds that die."""

import csv
import gc
import io
import json
from collections import Counter
from typing import Any
from weakref import ref

import pytest
import yaml

from corpora.models import ReferenceSet
from knowledge import proving
from knowledge.building import build
from knowledge.building.content import content_of
from knowledge.core.problems import read_problem
from knowledge.imports.winowhy import read_examples
from knowledge.models import KnowledgeRelease, KnowledgeReleaseFile, KnowledgeSet
from knowledge.prover.process import Prover
from knowledge.selectors import released_problems
from panels.services import change_panel_status
from tests.filtering.stages import Killed, carried, lease_ends
from tests.knowledge import annotating
from tests.knowledge.cvc5_check import answer_of
from tests.knowledge.releasing import (
    a_set,
    archive,
    asked,
    files,
    lines,
    released,
    validated,
)
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus
from workers.models import User

VARIANTS = ("variable", "grounded", "natural")


@pytest.fixture(autouse=True)
def one_prover(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "shared", lambda: prover)


def test_a_set_that_nobody_validated_has_no_valid_problems_and_says_so() -> None:
    release = released(a_set())
    found = list(released_problems(release))
    assert (release.n_pairs, release.n_valid, len(found)) == (2, None, 12)
    assert {one.valid for one in found} == {None}
    assert not [name for name in files(release) if name.startswith("valid/")]
    assert "Nobody was asked about these problems" in files(release)["README.md"].decode()


def test_valid_files_have_the_pairs_whose_two_problems_are_valid() -> None:
    release = released(validated(3, wrong=2))
    assert (release.n_pairs, release.n_valid) == (3, 2)
    whole = lines(files(release)["natural.jsonl"])
    assert Counter(row["valid"] for row in whole) == {True: 5, False: 1}
    doubted = next(row["pair"] for row in whole if not row["valid"])
    for variant in VARIANTS:
        valid = lines(files(release)[f"valid/{variant}.jsonl"])
        assert Counter(row["label"] for row in valid) == {True: 2, False: 2}
        assert doubted not in {row["pair"] for row in valid}


@pytest.mark.long
def test_what_is_frozen_leaves_memory_at_once() -> None:
    of = validated(2)
    gc.disable()
    try:
        content = content_of(of, progress=lambda activity: None)
        rows = [*content.formalisations, *(sentence for pair in content.pairs for sentence in pair)]
        left = [ref(row) for row in rows]
        assert len(left) == 5
        del rows
        del content
        assert not [one for one in left if one() is not None]
    finally:
        gc.enable()


def test_the_files_of_a_variant_say_the_same() -> None:
    release = released(validated())
    found = files(release)
    for variant in VARIANTS:
        rows = {row["id"]: row for row in lines(found[f"{variant}.jsonl"])}
        problems = [one for one in released_problems(release) if one.variant == variant]
        assert [one.id for one in problems] == list(rows)
        for one in problems:
            row = rows[one.id]
            assert row["text"] == one.problem.text
            assert read_problem(row["text"]) == one.problem
            assert (row["label"], row["kind"]) == (one.label, one.kind)
        nli = csv.DictReader(io.StringIO(found[f"nli/{variant}.csv"].decode()))
        said = {row["id"]: row for row in nli}
        assert {id: row["label"] == "entailment" for id, row in said.items()} == {
            id: row["label"] for id, row in rows.items()
        }
        assert {row["hypothesis"] for row in said.values()} == {
            "The trophy does not fit into the suitcase because the trophy is too large."
        }


@pytest.mark.long
def test_the_layout_of_winowhy_is_read_by_its_reader() -> None:
    release = released(validated())
    content = files(release)["winowhy/grounded.csv"].decode()
    examples = list(read_examples(io.StringIO(content)))
    assert [one.problem for one in examples] == [
        one.problem for one in released_problems(release) if one.variant == "grounded"
    ]
    assert {(one.question, one.fold) for one in examples} == {(0, 0)}
    assert sum(one.is_valid for one in examples) == 2


@pytest.mark.long
def test_votes_have_names_of_one_release_and_give_the_figures() -> None:
    of = validated(3, wrong=2)
    one, other = (files(released(of, name)) for name in ("first", "second"))
    names = [{vote["annotator"] for vote in lines(found["votes.jsonl"])} for found in (one, other)]
    assert list(map(len, names)) == [6, 6]
    assert not names[0] & names[1]
    found = json.loads(one["statistics.json"])["agreement"]
    assert (found["answers"], found["valid_problems"], found["problems"]) == (36, 5, 6)
    assert found["raw"]["value"] == pytest.approx(34 / 36, abs=1e-6)


def test_figures_are_those_of_table_1() -> None:
    found = json.loads(files(released(a_set()))["statistics.json"])
    alike = found["likeness"]["all"]["variable"]
    # "late" against "on time": one word replaced, one inserted.
    assert (alike["edit_distance"], alike["length_difference"], alike["n"]) == (2.0, 1.0, 2)
    assert found["problems"]["all"] == {"changed": 2, "true": 2}
    assert found["proofs"]["verified"] == found["proofs"]["by_explains"] == 1


@pytest.mark.long
def test_every_claim_stands_as_a_script_on_which_cvc5_agrees() -> None:
    claims = lines(files(released(a_set()))["proofs.jsonl"])
    assert len(claims) >= 8
    assert {claim["expected"] for claim in claims} == {"sat", "unsat"}
    assert [claim["claim"] for claim in claims if answer_of(claim["script"]) != claim["expected"]] \
        == []  # fmt: skip


@pytest.mark.long
def test_the_card_has_front_matter_that_names_the_files() -> None:
    found = files(released(validated(), title="A: b", licence="ask us"))
    front = yaml.safe_load(found["README.md"].decode().split("---\n")[1])
    assert (front["pretty_name"], front["license_name"]) == ("A: b", "ask us")
    assert {one["data_files"] for one in front["configs"]} < set(found)
    assert len(front["configs"]) == 6


def test_a_set_whose_annotators_can_still_be_asked_is_not_released() -> None:
    validation = annotating.validation()
    with pytest.raises(DomainError) as refused:
        asked(validation.knowledge_set, "early")
    assert refused.value.code == "validation_not_over"
    change_panel_status(panel=validation, status="closed")
    assert released(validation.knowledge_set).n_valid == 0


def test_a_set_without_a_whole_pair_has_nothing_to_release() -> None:
    of = a_set(0)
    with pytest.raises(DomainError) as refused:
        asked(of, "nothing")
    assert refused.value.code == "nothing_to_release"


def begun_again(release: KnowledgeRelease) -> KnowledgeRelease:
    """The same release as if no worker had looked at it yet."""
    release.files.all().delete()
    KnowledgeRelease.objects.filter(pk=release.pk).update(
        status=RunStatus.QUEUED, frozen=None, problems=None, n_pairs=None, n_valid=None,
        content_hash=None, ended_at=None, attempt=0,
    )  # fmt: skip
    release.refresh_from_db()
    return release


@pytest.mark.parametrize(
    "place",
    [
        "freeze",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("made_of", "note_published")),
        "store_files",
    ],
)
def test_a_build_killed_anywhere_ends_with_the_same_bytes(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = a_set()
    release = released(of)
    whole = archive(release)
    begun_again(release)

    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(build, place, killed)
        with pytest.raises(Killed):
            execute_here(release)
    assert not release.files.exists()
    lease_ends(release)
    if place != "freeze":
        # Written meanwhile, so it belongs to the next release.
        annotating.pair(of, 7, formalisation=of.formalisations.get())
    assert archive(carried(release)) == whole


@pytest.mark.long
def test_two_builds_at_once_and_a_message_twice_leave_whole_releases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of = validated()
    alone = {name: archive(released(of, name)) for name in ("first", "second")}
    first, second = (
        begun_again(KnowledgeRelease.objects.get(name=name)) for name in ("first", "second")
    )
    made_of = build.made_of

    def interrupted(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(build, "made_of", made_of)
        execute_here(first)  # the message came twice: nothing happens
        execute_here(second)
        return made_of(*args, **options)

    monkeypatch.setattr(build, "made_of", interrupted)
    assert archive(carried(first)) == alone["first"]
    assert archive(carried(second)) == alone["second"]
    assert KnowledgeReleaseFile.objects.filter(name="README.md").count() == 2


@pytest.mark.long
def test_a_release_with_simulated_annotators_is_a_demonstration() -> None:
    of = validated()
    real = released(of, "real", title="Sense")
    assert real.title == "Sense"
    assert "not stated who did" in files(real)["README.md"].decode()
    User.objects.filter(role="worker").update(origin="simulated")
    release = released(of, title="Sense")
    release.refresh_from_db()
    card = files(release)["README.md"].decode()
    assert release.title == "Sense (demonstration)"
    assert "# Sense (demonstration)" in card
    assert "simulated" in card
    assert yaml.safe_load(card.split("---")[1])["annotations_creators"][0] == "machine-generated"
    about = json.loads(files(release)["manifest.json"])["about"]
    assert about["people"]["validators"] == ["simulated"]


def test_knowledge_of_simulated_questions_is_a_demonstration() -> None:
    of = a_set()
    assert of.reference_set is not None
    ReferenceSet.objects.filter(pk=of.reference_set.pk).update(people_origin="simulated")
    assert "(demonstration)" in files(released(KnowledgeSet.objects.get()))["README.md"].decode()
