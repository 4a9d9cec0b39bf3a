"""An imported campaign keeps its splits: what is blind on one platform is blind on the other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from collection.models import Campaign, PublishedAnswer
from corpora import services
from corpora.models import BlindSentence, Draw, DrawTable, Release
from tests.corpora.test_blind_once import selected
from tests.factories import SnapshotFactory
from tests.filtering.stages import carried, contents, frozen, rows, snapshot_of
from validation.exports.campaigns import write_campaign
from validation.imports.campaigns import import_export
from validation.models import PublishedSentence
from winoplatform.artifacts import store
from winoplatform.errors import DomainError

FORMS = ("jsonl", "csv", "parquet")
ANSWERED = ("train_xl", "dev")


@pytest.fixture
def first() -> Release:
    """A filtered release of the first platform; some twins are not drawn yet."""
    snapshot = snapshot_of(frozen(pairs=50, unpaired=6), dev_share="0.3", test_share="0.3")
    return selected(snapshot, 0.7, 1, "first")


def files_of(campaign: Campaign, form: str, folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in write_campaign(campaign, form, folder)}


def another_platform() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(
            "TRUNCATE collection_campaign, workers_user, validation_publishedsentence, "
            "corpora_blindsentence, corpora_drawtable CASCADE"
        )


def released_again(lines: str) -> Release:
    """An unfiltered release of everything, on the platform that imported the campaign."""
    Campaign.objects.update(near_duplicate=1)  # hand-made sentences are alike
    snapshot = SnapshotFactory(
        finished=True,
        campaign=Campaign.objects.get(slug="elsewhere"),
        questions=store.put_bytes(lines.encode()),
        n_questions=lines.count("\n"),
        n_pairs=50,
    )
    made: Release = carried(services.build_release(snapshot=snapshot, name="second", by=None))
    return made


def sentences(release: Release, *stems: str) -> set[str]:
    files = contents(release)
    return {row["sentence"] for stem in stems for row in rows(files[f"{stem}.jsonl"])}


def secret(release: Release) -> set[str]:
    """Sentences whose answers the release does not tell: blind, published or not."""
    told = sentences(release, *ANSWERED)
    snapshot = release.snapshot.questions
    assert snapshot is not None
    with store.open_artifact(snapshot) as file:
        return {json.loads(line)["sentence"] for line in file} - told


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_an_import_has_the_same_splits_and_decisions(
    first: Release, tmp_path: Path, form: str
) -> None:
    before = files_of(first.snapshot.campaign, form, tmp_path)
    counts = [kind.objects.count() for kind in (Draw, DrawTable, BlindSentence, PublishedSentence)]
    assert min(counts) >= 1
    # Each question except those of dev that the filter removed, whose answers stay open.
    disclosed = 106 - json.loads(contents(first)["manifest.json"])["left_out"]["not_selected"]
    another_platform()
    done = import_export(folder=tmp_path, slug="elsewhere")
    assert done.new == done.read
    assert (done.read["draws"], done.read["disclosures"]) == (56, disclosed)
    assert counts == [
        kind.objects.count() for kind in (Draw, DrawTable, BlindSentence, PublishedSentence)
    ]
    assert files_of(Campaign.objects.get(), form, tmp_path / "again") == before
    assert set(import_export(folder=tmp_path, slug="elsewhere").new.values()) == {0}


@pytest.mark.long
def test_an_import_publishes_the_answers_of_train_and_no_others(
    first: Release, tmp_path: Path
) -> None:
    files_of(first.snapshot.campaign, "jsonl", tmp_path)
    another_platform()
    import_export(folder=tmp_path, slug="elsewhere")
    published = set(PublishedAnswer.objects.values_list("twin", flat=True))
    assert published == set(Draw.objects.filter(split="train").values_list("twin", flat=True))
    assert 0 < len(published) < Draw.objects.count()


@pytest.mark.long
def test_no_blind_question_of_one_platform_is_published_by_another(
    first: Release, tmp_path: Path
) -> None:
    lines, blind, hidden = snapshot_lines(first), sentences(first, "test"), secret(first)
    files_of(first.snapshot.campaign, "jsonl", tmp_path)
    another_platform()
    import_export(folder=tmp_path, slug="elsewhere")
    second = released_again(lines)
    told = sentences(second, *ANSWERED)
    assert len(blind) > 10
    assert sentences(second, "test") == blind
    # What the filter removed from dev was never blind: an unfiltered release may publish it.
    assert told.isdisjoint(blind | (hidden - dev_sentences()))


@pytest.mark.long
def test_without_the_splits_blind_answers_would_be_published(
    first: Release, tmp_path: Path
) -> None:
    """The control."""
    lines, blind = snapshot_lines(first), sentences(first, "test")
    files_of(first.snapshot.campaign, "jsonl", tmp_path)
    for name in ("draws", "disclosures"):
        (tmp_path / f"{name}.jsonl").write_text("")
    another_platform()
    import_export(folder=tmp_path, slug="elsewhere")
    assert sentences(released_again(lines), *ANSWERED) & blind


def snapshot_lines(release: Release) -> str:
    assert release.snapshot.questions is not None
    with store.open_artifact(release.snapshot.questions) as file:
        return file.read().decode()


def dev_sentences() -> set[str]:
    return set(Draw.objects.filter(split="dev").values_list("twin__questions__sentence", flat=True))


def changed(folder: Path, name: str, **values: Any) -> None:
    path = folder / f"{name}.jsonl"
    head, *rest = path.read_text().splitlines(keepends=True)
    path.write_text(json.dumps(json.loads(head) | values) + "\n" + "".join(rest))


def shortened(folder: Path) -> None:
    path = folder / "draws.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))


ATTACKS: dict[str, tuple[Callable[[Path], None], str]] = {
    "another split": (lambda f: changed(f, "draws", split="withheld"), "draws.jsonl: The draws"),
    "a draw left out": (shortened, "draws.jsonl: The draws"),
    "another salt": (lambda f: changed(f, "draws", table_salt="0" * 64), "draws.jsonl"),
    "half a table": (lambda f: changed(f, "draws", table_salt=None), "draws.jsonl, line 1"),
    "an unknown split": (lambda f: changed(f, "draws", split="x"), "draws.jsonl, line 1"),
    "a share of 2": (lambda f: changed(f, "draws", dev_share=2), "draws.jsonl, line 1"),
    "no share": (lambda f: changed(f, "draws", dev_share=None), "draws.jsonl, line 1"),
    "an unknown twin": (
        lambda f: changed(f, "draws", twin="f" * 32), "draws.jsonl, line 1: Its twin",
    ),
    "an unknown question": (
        lambda f: changed(f, "disclosures", question="x"), "disclosures.jsonl, line 1",
    ),
}  # fmt: skip


@pytest.mark.long
def test_draws_that_were_changed_are_refused(first: Release, tmp_path: Path) -> None:
    files_of(first.snapshot.campaign, "jsonl", tmp_path)
    another_platform()
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for attack, (change, place) in ATTACKS.items():
        change(tmp_path)
        with pytest.raises(DomainError) as refused:
            import_export(folder=tmp_path, slug="elsewhere")
        assert place in refused.value.message, attack
        assert not Draw.objects.exists(), attack
        for path, content in whole.items():
            path.write_bytes(content)


@pytest.mark.long
def test_a_platform_that_drew_or_decided_otherwise_refuses_the_file(
    first: Release, tmp_path: Path
) -> None:
    files_of(first.snapshot.campaign, "jsonl", tmp_path)
    lines = snapshot_lines(first)
    another_platform()
    draws = (tmp_path / "draws.jsonl").read_bytes()
    disclosures = (tmp_path / "disclosures.jsonl").read_bytes()
    for name in ("draws", "disclosures"):
        (tmp_path / f"{name}.jsonl").write_bytes(b"")
    import_export(folder=tmp_path, slug="elsewhere")
    (tmp_path / "disclosures.jsonl").write_bytes(disclosures)
    released_again(lines)
    (tmp_path / "draws.jsonl").write_bytes(draws)
    with pytest.raises(DomainError, match=r"draws.jsonl|disclosures.jsonl"):
        import_export(folder=tmp_path, slug="elsewhere")
