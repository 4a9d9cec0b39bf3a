"""Folders of articles come in batch by batch, and an import that was stopped continues."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from collection.imports import articles as importer
from collection.imports.articles import import_article_files
from collection.imports.report import Reject
from collection.models import Article, Campaign
from tests.factories import ARTICLE, CampaignFactory

BODY = ARTICLE.split("\n", 1)[1]


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="guide")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Articles of every kind, three of them good for nothing."""
    root = tmp_path / "articles"
    (root / "travel" / "packing").mkdir(parents=True)
    (root / "suitcase.txt").write_text(ARTICLE)
    (root / "travel" / "trip.md").write_text(f"# How to Travel\n\n{BODY}")
    (root / "travel" / "packing" / "one.json").write_text(
        json.dumps({"title": "One", "text": BODY}, indent=2)
    )
    lines = [json.dumps({"title": f"Line {n}", "text": BODY}) for n in range(2)]
    (root / "travel" / "many.jsonl").write_text("\n".join([*lines, "rubbish"]))
    (root / "latin.txt").write_bytes("Übergröße\nKoffer".encode("latin-1"))
    (root / "picture.png").write_bytes(b"\x89PNG")
    (root / ".hidden.txt").write_text(ARTICLE)
    (root / "loop").symlink_to(root, target_is_directory=True)
    return root


def test_a_folder_is_read_however_deep(campaign: Campaign, folder: Path) -> None:
    rejects: list[Reject] = []

    report = import_article_files(campaign=campaign, path=folder, on_reject=rejects.append)

    assert report.imported == 5
    assert [(reject.source_id, reject.code) for reject in rejects] == [
        ("latin.txt", "not_utf8"),
        ("picture.png", "unknown_kind"),
        ("travel/many.jsonl", "not_json"),
    ]
    trip = Article.objects.get(source_id="travel/trip.md")
    assert (trip.title, trip.category, trip.text) == ("How to Travel", "travel", BODY)


@pytest.mark.parametrize("imports", [1, 2])
def test_folders_with_a_file_of_the_same_name_are_an_article_each(
    campaign: Campaign, tmp_path: Path, imports: int
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.txt").write_text(f"{ARTICLE} It is {name}.")
    reports = [
        import_article_files(campaign=campaign, path=tmp_path / name)
        for _ in range(imports)
        for name in ("a", "b")
    ]
    assert [report.imported for report in reports] == [1, 1, *[0, 0] * (imports - 1)]
    assert [report.already_there for report in reports] == [0, 0, *[1, 1] * (imports - 1)]
    first, second = campaign.articles.order_by("pk").values_list("source_id", flat=True)
    assert first == "index.txt"
    assert second.startswith("index.txt-")


def test_a_text_of_one_line_takes_its_title_from_its_name(
    campaign: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "How-to-pack.txt").write_text(BODY)

    import_article_files(campaign=campaign, path=tmp_path)

    assert campaign.articles.get().title == "How to pack"


def test_a_file_too_long_for_an_article_is_never_read_whole(
    campaign: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "long.txt").write_text("word " * 100_000)

    assert import_article_files(campaign=campaign, path=tmp_path).rejected == {"file_too_long": 1}


def test_an_import_that_was_stopped_continues_without_finding_anchors_twice(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "BATCH", 3)
    for number in range(10):
        (tmp_path / f"{number}.txt").write_text(f"Title {number}\n{BODY}")

    def stop_after_two_batches(lines: int, imported: int) -> None:
        if lines == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_article_files(campaign=campaign, path=tmp_path, progress=stop_after_two_batches)
    assert campaign.articles.count() == 6

    looked_at: list[str] = []
    find = importer.find_anchors
    monkeypatch.setattr(importer, "find_anchors", lambda text: looked_at.append(text) or find(text))
    report = import_article_files(campaign=campaign, path=tmp_path)

    assert (report.imported, report.already_there) == (4, 6)
    assert len(looked_at) == 4


def test_the_command_says_how_far_it_is(
    campaign: Campaign, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("import_articles", str(folder), campaign="guide")

    said: Any = capsys.readouterr()
    assert "8 read, 5 imported" in said.err
    assert "latin.txt" in said.out


LATIN = os.fsdecode("café".encode("latin-1"))


def test_a_name_that_is_not_utf8_keeps_no_article_out(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, rejects = tmp_path / "articles", tmp_path / f"{LATIN}.jsonl"
    (root / LATIN).mkdir(parents=True)
    (root / LATIN / f"{LATIN}.txt").write_text(BODY)
    (root / f"{LATIN}.png").write_bytes(b"PNG")

    for _ in range(2):
        call_command("import_articles", str(root), campaign="guide", rejects=rejects)

    article = campaign.articles.get()
    assert (article.source_id, article.category) == ("caf\\xe9/caf\\xe9.txt", "caf\\xe9")
    assert json.loads(rejects.read_text())["source_id"] == "caf\\xe9.png"
    assert "caf\\xe9.png" in capsys.readouterr().out


def test_an_article_is_not_refused_for_where_it_lies(campaign: Campaign, tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 200) / ("y" * 200)
    deep.mkdir(parents=True)
    (deep / f"{LATIN * 60}.txt").write_text(BODY)

    assert import_article_files(campaign=campaign, path=tmp_path).imported == 1


def close(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system refuse to list *folder*; root, who runs tests in places, may read all."""
    scandir = os.scandir

    def listed(path: Any) -> Any:
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listed)


def test_a_subfolder_that_cannot_be_read_keeps_only_its_own_out(
    campaign: Campaign, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close(folder / "travel" / "packing", monkeypatch)
    rejects: list[Reject] = []

    report = import_article_files(campaign=campaign, path=folder, on_reject=rejects.append)

    assert report.imported == 4
    unreadable = [reject.source_id for reject in rejects if reject.code == "file_unreadable"]
    assert unreadable == ["travel/packing"]


def test_a_folder_that_cannot_be_read_at_all_is_said(
    campaign: Campaign, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close(folder, monkeypatch)

    with pytest.raises(CommandError, match="Permission denied"):
        call_command("import_articles", str(folder), campaign="guide")
