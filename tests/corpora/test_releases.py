"""A release: what is published, what is not, and what nobody can tell from it."""

import io
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from collection.models import Provenance
from corpora import selectors
from corpora.building import bundling
from corpora.models import Release
from corpora.selectors import read_index
from filtering.models import Encoding, FilterRun
from tests.factories import ReleaseFactory, TwinFactory
from tests.factories.runs import tell_provenance
from tests.filtering.stages import (
    Killed,
    assert_done,
    contents,
    filtered,
    frozen,
    kill,
    lease_ends,
    release_of,
    rows,
)
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

QUESTIONS = frozen(pairs=200, unpaired=40)
KEY = "5f" * 32
SPLITS = ("train_debiased", "dev", "test")


@pytest.fixture(scope="module")
def first(kept: str) -> tuple[int, int]:
    """A filter run that kept all but a few whole twins and a few halves, and its release."""
    run = filtered(QUESTIONS, [question for n, question in enumerate(QUESTIONS) if n % 17])
    return run.pk, build(run, "first").pk


@pytest.fixture(scope="module")
def few(kept: str) -> tuple[int, int]:
    """A filter run of a few questions, for what does not depend on them, and its release."""
    run = filtered(frozen(pairs=400, unpaired=8)[2 * 370 :])  # not those of others
    return run.pk, build(run, "few").pk


@pytest.fixture
def small(few: tuple[int, int]) -> FilterRun:
    return FilterRun.objects.get(pk=few[0])


@pytest.fixture
def run(first: tuple[int, int]) -> FilterRun:
    return FilterRun.objects.get(pk=first[0])


@pytest.fixture
def release(first: tuple[int, int]) -> Release:
    return Release.objects.get(pk=first[1])


@pytest.fixture
def files(release: Release) -> dict[str, str]:
    return contents(release)


def build(run: FilterRun, name: str = "second", *, key: str = KEY) -> Release:
    release = release_of(run, name)
    Release.objects.filter(pk=release.pk).update(key=key)
    execute_here(release)
    assert_done(release)
    return release


def public(release: Release) -> dict[str, str]:
    names = release.files.filter(restricted=False).values_list("name", flat=True)
    return {name: text for name, text in contents(release).items() if name in set(names)}


def test_a_release_has_winograndes_columns(files: dict[str, str]) -> None:
    (first, *_) = rows(files["train_xl.jsonl"])
    assert list(first) == ["qID", "sentence", "option1", "option2", "answer"]
    assert first["answer"] in ("1", "2")


def test_every_kept_question_is_published_once(run: FilterRun, release: Release) -> None:
    kept = selectors.kept_ids(run.selection)
    index = [row for row in read_index(release) if {*row["files"]} & {*SPLITS}]
    assert sorted(row["question"] for row in index) == sorted(kept)
    counts = dict(release.files.values_list("name", "rows"))
    assert sum(counts[f"{split}.jsonl"] for split in SPLITS) == len(kept) == run.n_kept


def test_twins_are_never_in_two_splits(release: Release) -> None:
    splits = defaultdict(set)
    for row in read_index(release):
        splits[row["question"].split("-")[0]].add(row["split"])
    assert all(len(split) == 1 for split in splits.values())


def test_twins_share_the_base_of_their_ids_and_nobody_else_does(release: Release) -> None:
    twins = defaultdict(set)
    for row in read_index(release):
        twins[row["qID"].rpartition("-")[0]].add(row["question"].split("-")[0])
    assert all(len(twin) == 1 for twin in twins.values())
    assert len(twins) == len({twin for group in twins.values() for twin in group})


@pytest.mark.long
def test_splits_have_the_shares_of_their_campaign() -> None:
    questions = frozen(pairs=300, unpaired=40)[2 * 240 :]  # not those of `first`
    release = build(filtered(questions, dev_share="0.2", test_share="0.3"))
    counts = dict(release.files.values_list("name", "rows"))
    total = len(questions)
    # One twin of rounding among pairs, and one among single questions.
    assert abs(counts["dev.jsonl"] - 0.2 * total) <= 3
    assert abs(counts["test.jsonl"] - 0.3 * total) <= 3
    (manifest,) = rows(contents(release)["manifest.json"].replace("\n", ""))
    splits = manifest["splits"]
    assert {name: splits[name]["questions"] for name in splits} == {
        name: counts[f"{name}.jsonl"] for name in splits
    }
    assert sum(splits[name]["pairs"] for name in SPLITS) == 60
    assert manifest["left_out"] == {}


def test_the_test_split_is_blind_and_its_labels_are_for_curators(
    release: Release, files: dict[str, str]
) -> None:
    assert {row["answer"] for row in rows(files["test.jsonl"])} == {""}
    restricted = set(release.files.filter(restricted=True).values_list("name", flat=True))
    assert restricted == {"test-labels.lst", "index.jsonl", "opening.jsonl"}


def test_how_each_text_came_to_be_stands_in_a_file_of_its_own(files: dict[str, str]) -> None:
    flags = {row["qID"]: row["origin"] for row in rows(files["provenance/questions.jsonl"])}
    shown = [row["qID"] for row in rows(files["index.jsonl"]) if row["split"] != "test"]
    assert list(flags) == shown
    assert set(flags.values()) == {"unknown"}  # nothing was counted for these
    assert '"origin"' not in "".join(files[f"{split}.jsonl"] for split in SPLITS)
    assert "provenance/questions.jsonl" in files["SHA256SUMS"]


def test_the_flag_is_the_twins_and_says_nothing_of_the_counts_behind_it() -> None:
    twins = TwinFactory.create_batch(3)
    Provenance.objects.create(twin=twins[0], typed_characters=230, active_seconds=417)
    Provenance.objects.create(twin=twins[1], typed_characters=17, pasted_characters=229)
    questions = [
        replace(
            QUESTIONS[0], id=question.public_id, group=str(twin.public_id), answer=question.answer
        )
        for twin in twins
        for question in twin.questions.all()
    ]
    files = contents(build(filtered(questions, dev_share="0", test_share="0")))
    source = {row["qID"]: row["question"] for row in rows(files["index.jsonl"])}
    lines = rows(files["provenance/questions.jsonl"])
    flags = {source[row["qID"]]: row["origin"] for row in lines}
    assert [flags[question.id] for question in questions] == [
        *["typed"] * 2, *["pasted"] * 2, *["unknown"] * 2
    ]  # fmt: skip
    (manifest,) = rows(files["manifest.json"].replace("\n", ""))
    assert manifest["origin"] == {
        "questions": {"typed": 2, "pasted": 2, "unknown": 2}, "pasted_from_share": 0.6667
    }  # fmt: skip
    assert "typed_characters" not in str(lines)


def test_label_lists_follow_the_rows_of_their_split(files: dict[str, str]) -> None:
    answers = {row["qID"]: str(row["answer"]) for row in rows(files["index.jsonl"])}
    for split in SPLITS:
        expected = [answers[row["qID"]] for row in rows(files[f"{split}.jsonl"])]
        assert files[f"{split}-labels.lst"].split() == expected


def test_the_answer_still_names_the_right_option_after_the_shuffle(files: dict[str, str]) -> None:
    by_id = {question.id: question for question in QUESTIONS}
    names = ("train_xl", "dev", "test")
    published = {row["qID"]: row for name in names for row in rows(files[f"{name}.jsonl"])}
    for entry in rows(files["index.jsonl"]):
        row, question = published[entry["qID"]], by_id[entry["question"]]
        assert row["sentence"] == question.sentence
        assert row[f"option{entry['answer']}"] == question.options[question.answer - 1]


def guesses(release: Release) -> dict[str, tuple[int, int]]:
    """How often each published field, read as a guess, agrees with the answer; and of how many.

    Twins answer oppositely, so each pair is one throw: its first row by qID.
    """
    firsts = {}
    for row in read_index(release):
        firsts.setdefault(row["qID"].rpartition("-")[0], row)
    by_id = {question.id: question for question in QUESTIONS}
    sentences = {row["qID"]: by_id[row["question"]].sentence for row in firsts.values()}
    clues = {
        "ending": lambda row: row["qID"].endswith("1"),
        "first character": lambda row: row["qID"][0] < "N",
        "sentence": lambda row: "large" in sentences[row["qID"]],
        "order of options": lambda row: not row["swapped"],
    }
    return {
        name: (sum(clue(row) == (row["answer"] == 1) for row in firsts.values()), len(firsts))
        for name, clue in clues.items()
    }


def test_no_published_field_tells_the_answer(release: Release) -> None:
    """The questions' own ids end in the answer, their sentences name it: none of it gets out."""
    for name, (agreed, of) in guesses(release).items():
        assert abs(agreed - of / 2) < 4 * (of / 4) ** 0.5, name


def test_rows_stand_in_the_order_of_their_random_ids(files: dict[str, str]) -> None:
    for split in SPLITS:
        ids = [row["qID"] for row in rows(files[f"{split}.jsonl"])]
        assert ids == sorted(ids)


def test_public_files_name_no_question_of_the_platform_and_not_the_key(release: Release) -> None:
    text = "".join(public(release).values())
    assert KEY not in text
    assert not any(question.id in text or question.group in text for question in QUESTIONS)


def test_the_same_key_gives_the_same_bytes_and_another_key_others(
    run: FilterRun, files: dict[str, str]
) -> None:
    first, second = files, contents(build(run))
    other = contents(build(run, "third", key="a0" * 32))
    data = [name for name in first if name.endswith((".jsonl", ".lst")) and first[name]]
    assert all(first[name] == second[name] for name in data)
    assert all(first[name] != other[name] for name in data if "labels" not in name)


def test_every_release_gets_a_key_of_its_own(run: FilterRun) -> None:
    keys = {release_of(run, name).key for name in "ab"}
    assert len(keys) == 2
    assert {len(key) for key in keys} == {64}


@pytest.mark.long
@pytest.mark.parametrize("at", ["stored_data", "document"])
def test_killed_while_it_is_built_it_ends_with_the_same_bytes(
    small: FilterRun, few: tuple[int, int], at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed, unbroken = release_of(small, "killed"), contents(Release.objects.get(pk=few[1]))
    Release.objects.filter(pk=killed.pk).update(key=KEY)
    with monkeypatch.context() as patch:
        patch.setattr(bundling, at, kill)
        with pytest.raises(Killed):
            execute_here(killed)
    assert not killed.files.exists()
    lease_ends(killed)
    execute_here(killed)
    assert_done(killed)
    names = ("test.jsonl", "train_xl.jsonl", "provenance/questions.jsonl", "opening.jsonl")
    again = contents(killed)
    assert all(again[name] == unbroken[name] != "" for name in names)


@pytest.mark.long
def test_killed_at_its_very_end_it_has_no_files_yet(
    small: FilterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = release_of(small, "killed")
    with monkeypatch.context() as patch:
        patch.setattr(Attempt, "finish", kill)
        with pytest.raises(Killed):
            execute_here(release)
    assert not release.files.exists()


def test_the_manifest_says_what_the_release_was_made_from(small: FilterRun) -> None:
    run = small
    encoder = {"weights_sha256": "a" * 64, "config_sha256": "b" * 64}
    Encoding.objects.update(**encoder, pooling_used="cls", dtype="bfloat16")
    tell_provenance(FilterRun.objects.get(pk=run.pk))
    run.refresh_from_db()
    (manifest,) = rows(contents(build(run))["manifest.json"].replace("\n", ""))
    assert manifest["snapshot"]["questions_sha256"] == run.encoding.snapshot.questions_id
    assert manifest["selection"]["encoding"]["matrix_sha256"] == run.encoding.matrix_id
    used = encoder | {"pooling": "cls", "dtype": "bfloat16"}
    assert manifest["selection"]["encoding"].items() >= used.items()
    used = manifest["selection"]["filter"]
    assert used["kept_sha256"] == run.selection.kept_id
    assert (used["stop"], "tau" in used) == ("neutral", False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("encoder", "told"),
    [
        ("/home/ann/models/roberta/", "roberta"),
        ("acme/roberta", "acme/roberta"),
        ("pkg:acme/model", "pkg:acme/model"),
    ],
)
def test_nothing_public_names_a_place_on_this_machine(
    small: FilterRun, encoder: str, told: str
) -> None:
    Encoding.objects.update(encoder=encoder)
    tell_provenance(FilterRun.objects.get(pk=small.pk))
    small.refresh_from_db()
    files = public(build(small))
    (manifest,) = rows(files["manifest.json"].replace("\n", ""))
    assert manifest["selection"]["encoding"]["encoder"] == told
    assert "/home/ann" not in "".join(files.values())


@pytest.mark.parametrize("status", Release.LIVE)
def test_a_name_is_held_by_one_release(run: FilterRun, status: RunStatus) -> None:
    ReleaseFactory(name="held", status=status, content_hash="0" * 64)
    with pytest.raises(ValidationError, match="A release with this name") as caught:
        release_of(run, "held")
    assert set(caught.value.message_dict) == {"name"}


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_release_that_came_to_nothing_lets_its_name_go(run: FilterRun, status: RunStatus) -> None:
    lost = ReleaseFactory(name="again", status=status)
    assert Release.objects.named("again") == lost
    release = release_of(run, "again")
    assert Release.objects.named("again") == release
    ReleaseFactory(name="again", status=status)
    assert Release.objects.named("again") == release
    assert Release.objects.named("never") is None


def test_the_command_exports_the_release_that_holds_the_name(
    files: dict[str, str], tmp_path: Path
) -> None:
    ReleaseFactory(name="first", status=RunStatus.FAILED)
    ReleaseFactory(name="first", status=RunStatus.CANCELLED)
    call_command("export_release", "first", str(tmp_path), stdout=io.StringIO())
    assert (tmp_path / "train_xl.jsonl").read_text() == files["train_xl.jsonl"]


def test_a_release_that_is_not_built_cannot_be_exported(tmp_path: Path) -> None:
    ReleaseFactory(name="waiting")
    with pytest.raises(CommandError, match="no finished release “waiting”"):
        call_command("export_release", "waiting", str(tmp_path))


def test_the_database_refuses_a_name_twice() -> None:
    ReleaseFactory(name="twice")
    with pytest.raises(IntegrityError, match="corpora_release_name_is_held_once"):
        ReleaseFactory(name="twice")
