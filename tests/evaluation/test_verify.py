"""What a stranger finds out about a release from its files alone, and a curator with the rest."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from corpora.core.bundle.archive import write_parquet
from corpora.core.bundle.layout import (
    CHANGELOG,
    CITATION,
    CROISSANT,
    HARNESS_CODE,
    MANIFEST,
    README,
    SCORER,
    SUMS,
)
from corpora.core.bundle.manifest import EARLIER
from evaluation.core.verify import Outcome, open_bundle
from tests.data_dir import ROOT
from tests.evaluation.bundles import (
    NAME,
    change_lines,
    change_manifest,
    filtered_release,
    findings,
    places,
    relabel,
    release_without_dev,
    resum,
    store_bundle,
    wrong,
)

VOTES, QUESTIONS = "provenance/votes.jsonl", "provenance/questions.jsonl"
NOWHERE = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none"}


@pytest.fixture(scope="module")
def genuine(kept: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the archive, its files (`NAME`) and the curators' (`opened`)."""
    folder = tmp_path_factory.mktemp("genuine")
    store_bundle(filtered_release(), folder)
    return folder


@pytest.fixture
def release(genuine: Path, tmp_path: Path) -> Path:
    """The unpacked files, to be changed."""
    return Path(shutil.copytree(genuine / NAME, tmp_path / NAME))


@pytest.fixture
def opened(genuine: Path, tmp_path: Path) -> Path:
    """The curators' files, to be changed."""
    return Path(shutil.copytree(genuine / "opened", tmp_path / "opened"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_a_good_bundle_is_right_and_says_what_it_cannot_check(genuine: Path) -> None:
    for path in (genuine / f"{NAME}.zip", genuine / NAME):
        found = findings(path)
        assert [one for one in found if one.outcome is Outcome.WRONG] == []
        said = " ".join(one.sentence for one in found if one.outcome is Outcome.UNCHECKED)
        assert "blind questions: committed, not checked" in said
        assert any("verdicts follow" in one.sentence for one in found)


def test_a_bundle_with_an_empty_file_is_right(db: None, tmp_path: Path) -> None:
    store_bundle(release_without_dev(), tmp_path)
    assert lines(tmp_path / "no-dev" / "dev.jsonl") == []
    assert [one for one in findings(tmp_path / "no-dev") if one.outcome is Outcome.WRONG] == []


def test_a_good_bundle_is_opened_and_its_filter_run_repeated(genuine: Path) -> None:
    found = findings(genuine / f"{NAME}.zip", genuine / "opened")
    assert [one for one in found if one.outcome is Outcome.WRONG] == []
    said = " ".join(one.sentence for one in found)
    for sentence in ("commitments are opened", "splits that were drawn", "that AFLite keeps"):
        assert sentence in said


def test_one_changed_byte_in_any_file_is_found_and_the_file_named(release: Path) -> None:
    missed = []
    for place, name in enumerate(names(release)):
        content = (release / name).read_bytes()
        if not content:
            continue
        at = (0, len(content) // 2, len(content) - 1)[place % 3]
        (release / name).write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        if not any(name in (one.place, *one.sentence.split()) for one in wrong(release)):
            missed.append((name, at))
        (release / name).write_bytes(content)
    assert missed == []


@pytest.mark.long
def test_files_added_and_removed_are_named(release: Path) -> None:
    (release / "extra.txt").write_text("more\n")
    (release / "dev.jsonl").unlink()
    assert {"extra.txt", "dev.jsonl"} <= places(release)


def test_swapped_files_are_named(release: Path) -> None:
    for stem in ("train_xl", "dev"):
        shutil.move(release / f"{stem}.jsonl", release / f"{stem}.away")
    shutil.move(release / "train_xl.away", release / "dev.jsonl")
    shutil.move(release / "dev.away", release / "train_xl.jsonl")
    assert {"train_xl.jsonl", "dev.jsonl"} <= places(release)
    resum(release)
    assert {"train_xl-labels.lst", "dev-labels.lst", "data/dev.parquet"} <= places(release)


def flip_vote(rows: list[dict[str, Any]]) -> None:
    rows[0]["option"] = 3 - rows[0]["option"]


def drop_vote(rows: list[dict[str, Any]]) -> None:
    del rows[0]


def exclude_vote(rows: list[dict[str, Any]]) -> None:
    rows[0]["excluded"] = True


@pytest.mark.parametrize("change", [flip_vote, drop_vote, exclude_vote])
def test_a_changed_vote_is_found_even_with_new_hashes(
    change: Callable[[list[dict[str, Any]]], None], release: Path
) -> None:
    change_lines(release / VOTES, change)
    assert VOTES in places(release)
    resum(release)
    assert QUESTIONS in places(release)


def test_a_vote_on_a_question_that_is_not_there_is_found(release: Path) -> None:
    change_lines(release / VOTES, lambda rows: rows.append({**rows[0], "qID": "none-1"}))
    resum(release)
    assert VOTES in places(release)


def test_a_changed_label_is_found_in_each_form_and_by_the_votes(release: Path) -> None:
    qid = lines(release / VOTES)[0]["qID"]
    stem = next(
        stem
        for stem in ("train_xl", "dev")
        if any(row["qID"] == qid for row in lines(release / f"{stem}.jsonl"))
    )
    row = next(row for row in lines(release / f"{stem}.jsonl") if row["qID"] == qid)
    other = {qid: str(3 - int(row["answer"]))}
    untouched = {path: path.read_bytes() for path in release.glob(f"{stem}-labels.lst")}
    relabel(release, stem, other)
    resum(release)
    assert {MANIFEST, README, QUESTIONS} <= places(release)
    for path, content in untouched.items():
        path.write_bytes(content)
        resum(release)
        assert path.name in places(release)


def test_labels_that_differ_between_training_sizes_are_found(release: Path) -> None:
    """Two labels change places, so that every count stays as it was."""
    row, twin = lines(release / "train_l.jsonl")[:2]
    assert row["answer"] != twin["answer"] or row["qID"][:-1] == twin["qID"][:-1]
    other = {one["qID"]: str(3 - int(one["answer"])) for one in (row, twin)}
    relabel(release, "train_l", other)
    change_manifest(
        release,
        lambda about: about["splits"]["train_l"].update(
            label_1=sum(r["answer"] == "1" for r in lines(release / "train_l.jsonl"))
        ),
    )
    resum(release)
    assert "train_l.jsonl" in places(release)


STATISTICS: list[tuple[tuple[str, ...], Any]] = [
    (("splits", "dev", "questions"), 99),
    (("splits", "train_xl", "mean_words"), 20.6),
    (("splits", "train_debiased", "vocabulary"), 16469),
    (("splits", "test", "domains"), {"social": 1}),
    (("splits", "dev", "label_1"), 999),
    (("splits", "test", "label_1"), 3),
    (("agreement", "answer_alpha", "value"), 0.99),
    (("agreement", "answer_kappa", "n"), 1),
    (("commitments",), 1),
]


DOCUMENTS = {
    "README.md": (b"A release is never changed.", b"A release is seldom changed."),
    "CITATION.cff": (b'cff-version: "1.2.0"', b'cff-version: "1.2.1"'),
    "croissant.json": (b"1.1", b"1.0"),
    "CHANGELOG.md": (b"1.0.0", b"1.0.2"),
    "score.py": (b"import", b"import os, "),
    "harness/utils.py": (b"return", b"return 1 or"),
    f"harness/{NAME}.yaml": (b"dataset", b"dataset_"),
    f"harness/{NAME}_answers.yaml": (b"dataset", b"dataset_"),
    "inspect/answers.py": (b"accuracy", b"Accuracy"),
    "eval.yaml": (b"validation", b"test"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_changed_sentence_of_a_document_is_named_even_with_new_hashes(
    name: str, release: Path
) -> None:
    content = (release / name).read_bytes()
    old, new = DOCUMENTS[name]
    assert old in content
    resum(release)
    (release / name).write_bytes(content.replace(old, new, 1))
    sums = (
        (release / SUMS)
        .read_text()
        .replace(
            hashlib.sha256(content).hexdigest(),
            hashlib.sha256(content.replace(old, new, 1)).hexdigest(),
        )
    )
    (release / SUMS).write_text(sums)
    (one,) = wrong(release)
    line = 1 + content[: content.index(old)].count(b"\n")
    assert one.place == name
    assert f"line {line} is not what" in one.sentence
    assert new.decode().strip() in one.sentence


def test_a_table_without_the_canary_of_its_release_is_named(release: Path) -> None:
    path = release / "data" / "dev.parquet"
    rows = pq.read_table(path).to_pylist()
    with path.open("wb") as file:
        write_parquet(rows, file)
    resum(release)
    (one,) = [one for one in wrong(release) if "canary" in one.sentence]
    assert one.place == "data/dev.parquet"


@pytest.mark.parametrize("format", EARLIER)
def test_a_release_of_an_earlier_format_is_still_checked(format: int) -> None:
    """In format 3, people had one name, with times beside it; format 4 had no canary."""
    path = Path(__file__).parent / "releases" / f"format-{format}.zip"
    assert places(path) == set()
    read = findings(path)
    texts = {one.place for one in read if "earlier format" in one.sentence}
    assert README in texts <= {README, CROISSANT, CHANGELOG, CITATION, SCORER, HARNESS_CODE}
    assert len([one for one in read if "collection." in one.sentence]) > 10


FACTS: list[tuple[tuple[str, ...], Any]] = [
    (("snapshot", "questions"), 1_000),
    (("leaks", "tests"), 1),
    (("leaks", "alpha"), 0.5),
    (("leaks", "found"), ["dev: leak found."]),
    (("collection", "votes"), 1),
    (("collection", "validators"), 1),
    (("collection", "written"), 1),
    (("collection", "votes_excluded"), 1),
    (("collection", "votes_additional"), 1),
    (("collection", "first_written"), "2020-01"),
    (("collection", "rules"), []),
    (("collection", "decided"), []),
    (("collection", "guidelines", "writing"), {"1": 1}),
    (("collection", "pay", "validating"), {"0.03": 1}),
    (("collection", "hourly_pay", "writing", "median"), "80.00"),
    (("limits",), []),
    (("warnings",), []),
    (("origin", "questions"), {"typed": 1}),
    (("left_out",), {"withheld": 99}),
]


def set_in_manifest(release: Path, path: tuple[str, ...], value: Any) -> None:
    def change(about: dict[str, Any]) -> None:
        for key in path[:-1]:
            about = about[key]
        assert about[path[-1]] != value
        about[path[-1]] = value

    change_manifest(release, change)


@pytest.mark.parametrize(("path", "value"), FACTS)
def test_a_wrong_fact_is_found_even_with_new_documents_and_hashes(
    path: tuple[str, ...], value: Any, release: Path
) -> None:
    set_in_manifest(release, path, value)
    resum(release)
    said = [one for one in wrong(release) if one.place == MANIFEST]
    assert [one for one in said if ".".join(path) in one.sentence or path[0] in one.sentence]


@pytest.mark.parametrize(("path", "value"), STATISTICS)
def test_a_wrong_statistic_is_found_with_and_without_new_hashes(
    path: tuple[str, ...], value: Any, release: Path
) -> None:
    set_in_manifest(release, path, value)
    assert MANIFEST in places(release)
    resum(release)
    assert [one for one in wrong(release) if ".".join(path) in one.sentence]
    assert not {SUMS} & places(release)


def test_a_split_that_the_manifest_leaves_out_is_found(release: Path) -> None:
    change_manifest(release, lambda about: about["splits"].pop("train_debiased"))
    resum(release)
    assert "train_debiased.jsonl" in places(release)


def test_a_file_that_the_manifest_leaves_out_is_found(release: Path) -> None:
    name = json.loads((release / MANIFEST).read_text())["files"][0]["name"]
    change_manifest(release, lambda about: about["files"].pop(0))
    resum(release)
    assert places(release) == {name}


def test_a_truncated_zip_file_is_refused(genuine: Path, tmp_path: Path) -> None:
    content = (genuine / f"{NAME}.zip").read_bytes()
    for share in (0.1, 0.5, 0.9, 0.999):
        (tmp_path / "cut.zip").write_bytes(content[: int(len(content) * share)])
        with pytest.raises(ValueError, match=r"cut\.zip cannot be read"):
            findings(tmp_path / "cut.zip")


def test_a_damaged_member_of_the_zip_file_is_named(genuine: Path, tmp_path: Path) -> None:
    content = bytearray((genuine / f"{NAME}.zip").read_bytes())
    with zipfile.ZipFile(genuine / f"{NAME}.zip") as archive:
        members = {
            one.filename.removeprefix(f"{NAME}/"): one.header_offset
            + 30
            + len(one.filename)
            + int.from_bytes(content[one.header_offset + 28 : one.header_offset + 30], "little")
            + one.compress_size // 2
            for one in archive.infolist()
            if one.file_size
        }
    for name, at in members.items():
        damaged = bytearray(content)
        damaged[at] ^= 0x55
        (tmp_path / "damaged.zip").write_bytes(damaged)
        assert name in places(tmp_path / "damaged.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_file_with_a_file_twice_is_refused(genuine: Path, tmp_path: Path) -> None:
    twice = Path(shutil.copy(genuine / f"{NAME}.zip", tmp_path))
    with zipfile.ZipFile(twice, "a") as archive:
        archive.writestr(f"{NAME}/dev.jsonl", "{}\n")
    with pytest.raises(ValueError, match=r"dev\.jsonl"):
        findings(twice)


def test_a_changed_opening_is_found(genuine: Path, opened: Path) -> None:
    path = opened / "opening.jsonl"
    first, *others = path.read_bytes().splitlines(keepends=True)
    qid = json.loads(first)["qID"]
    for changed in (first.replace(b'"answer":"1"', b'"answer":"9"'), first.replace(b"2", b"1")):
        if changed != first:
            path.write_bytes(b"".join([changed, *others]))
            said = " ".join(one.sentence for one in wrong(genuine / NAME, opened))
            assert qid in said or "commit" in said
    path.write_bytes(b"".join(others))
    assert "opening.jsonl" in places(genuine / NAME, opened)


def test_a_changed_draw_table_is_found(genuine: Path, opened: Path) -> None:
    (path,) = (opened / "draws").glob("*.tsv")
    path.write_bytes(path.read_bytes().replace(b"\ttest\t", b"\tdev\t", 1))
    assert path.name in places(genuine / NAME, opened)


def test_a_draw_table_that_is_missing_is_found(genuine: Path, opened: Path) -> None:
    (path,) = (opened / "draws").glob("*.tsv")
    path.unlink()
    assert wrong(genuine / NAME, opened)


def test_changed_features_and_questions_are_found(genuine: Path, opened: Path) -> None:
    features = np.load(opened / "features.npy")
    np.save(opened / "features.npy", -features[:, ::-1] * np.arange(1, 7, dtype=np.float32))
    assert "features.npy" in places(genuine / NAME, opened)
    questions = opened / "questions.jsonl"
    questions.write_bytes(b"\n".join(questions.read_bytes().split(b"\n")[1:]))
    assert "questions.jsonl" in places(genuine / NAME, opened)


def test_a_filter_run_that_keeps_other_questions_is_found(genuine: Path, release: Path) -> None:
    def change(about: dict[str, Any]) -> None:
        about["selection"]["filter"]["seed"] += 1
        about["selection"]["filter"]["tau"] = 0.5

    change_manifest(release, change)
    resum(release)
    assert MANIFEST in places(release, genuine / "opened")


def said_by(*arguments: object) -> tuple[int, str]:
    """Run the command where nobody could connect: it needs no database."""
    command = [sys.executable, "manage.py", "verify", *map(str, arguments)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=NOWHERE,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.long
def test_the_command_needs_no_database(genuine: Path) -> None:
    archive = genuine / f"{NAME}.zip"
    with open_bundle(archive) as bundle:
        digest = bundle.sha256(SUMS)
    status, said = said_by(archive, "--opened", genuine / "opened", "--sha256", digest)
    assert status == 0
    assert "Everything that can be recomputed is as the release says." in said
    assert "WRONG" not in said


@pytest.mark.long
def test_the_command_fails_for_a_changed_release(release: Path) -> None:
    change_lines(release / VOTES, flip_vote)
    other = hashlib.sha256(b"another").hexdigest()
    status, said = said_by(release, "--sha256", other)
    assert status == 1
    assert "WRONG" in said
    assert f"{VOTES}: the file or {SUMS} has changed" in said
    assert "it is not the release with this hash" in said
