"""Articles come in once, with their anchors found."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from collection.imports import articles as importer
from collection.imports.articles import (
    REASONS,
    NewArticle,
    decide,
    import_article_files,
    import_articles,
)
from collection.imports.report import Reject
from collection.models import Article, Campaign
from tabular import Record
from tests.data_dir import data_dir, needs_data
from tests.factories import ARTICLE, CampaignFactory

TITLE = "How to Pack a Suitcase"


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="guide")


def row(**changes: Any) -> dict[str, Any]:
    return {"title": TITLE, "text": ARTICLE} | changes


HOSTILE: list[tuple[str, dict[str, Any]]] = [
    ("field_missing", {"text": ARTICLE}),
    ("field_missing", row(title="")),
    ("field_missing", row(title=None)),
    ("field_missing", row(text=" \n ")),
    ("field_not_text", row(title=7)),
    ("field_not_text", row(text=["Lay", "every"])),
    ("field_not_text", row(source_id=17)),
    ("field_not_text", row(category=False)),
    ("field_has_nul", row(text=ARTICLE + "\0")),
    ("field_has_nul", row(source_id="\0")),
    ("field_has_surrogate", row(text=ARTICLE + "\ud800")),
    ("field_too_long", row(title="x" * 301)),
    ("field_too_long", row(text="word " * 20_001)),
    ("field_too_long", row(source_id="x" * 201)),
    ("field_too_long", row(category="x" * 121)),
]


@pytest.mark.parametrize(("code", "fields"), HOSTILE)
def test_a_hostile_record_is_refused_with_a_sentence(code: str, fields: dict[str, Any]) -> None:
    reject = decide(Record(7, fields))

    assert isinstance(reject, Reject)
    assert (reject.line, reject.code) == (7, code)
    assert reject.message.endswith(".")


def test_every_reason_is_shown_by_a_hostile_record() -> None:
    assert {code for code, _ in HOSTILE} | {"no_anchor", "id_taken"} == set(REASONS)


def test_a_source_id_is_made_of_title_and_text_when_none_is_given() -> None:
    one, same, other = (
        decide(Record(n, row(title=title))) for n, title in enumerate([TITLE, f" {TITLE} ", "B"])
    )

    assert isinstance(one, NewArticle)
    assert isinstance(other, NewArticle)
    assert one == same
    assert one.source_id != other.source_id


def test_an_article_comes_in_with_its_anchors(campaign: Campaign) -> None:
    report = import_articles(
        campaign=campaign, rows=[row(source_id="a1", category="Travel", url="https://x")]
    )

    article = Article.objects.get()
    assert (report.imported, report.already_there, report.n_rejected) == (1, 0, 0)
    assert (article.source_id, article.title, article.category) == ("a1", TITLE, "Travel")
    anchor = article.anchors[0]
    assert set(anchor) == {"text", "sentence", "start", "end", "score"}
    assert article.text[anchor["start"] : anchor["end"]] == anchor["text"]


def test_a_second_run_imports_nothing(campaign: Campaign) -> None:
    rows = [row(), row(title="Another"), row()]

    assert import_articles(campaign=campaign, rows=rows).imported == 2
    again = import_articles(campaign=campaign, rows=rows)

    assert (again.imported, again.already_there) == (0, 3)
    assert Article.objects.count() == 2


@pytest.mark.parametrize("imports", [1, 2], ids=["in one file", "in two"])
def test_another_text_with_an_id_that_is_taken_is_rejected_with_its_line(
    campaign: Campaign, imports: int
) -> None:
    rows = [row(source_id="7"), row(source_id="7"), row(source_id="7", text=f"New. {ARTICLE}")]
    found: list[Reject] = []

    reports = [
        import_articles(campaign=campaign, rows=rows, on_reject=found.append)
        for _ in range(imports)
    ]

    assert [report.imported for report in reports] == [1, 0][:imports]
    assert [report.already_there for report in reports] == [1, 2][:imports]
    assert [(reject.line, reject.code) for reject in found] == [(3, "id_taken")] * imports


def test_another_campaign_gets_its_own_copy(campaign: Campaign) -> None:
    import_articles(campaign=campaign, rows=[row()])

    assert import_articles(campaign=CampaignFactory(), rows=[row()]).imported == 1


def test_bad_rows_do_not_keep_good_ones_out(campaign: Campaign) -> None:
    found: list[Reject] = []
    rows: list[Any] = ["text", row(), row(title=""), row(text="And so it was."), row(title="B")]

    report = import_articles(campaign=campaign, rows=rows, on_reject=found.append)

    assert (report.lines, report.imported) == (5, 2)
    assert sorted((reject.line, reject.code) for reject in found) == [
        (1, "not_an_object"),
        (3, "field_missing"),
        (4, "no_anchor"),
    ]


def test_a_files_articles_stream_through_in_batches(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "BATCH", 3)
    path = tmp_path / "articles.jsonl"
    path.write_text("\n".join(json.dumps(row(title=f"Title {n}")) for n in range(10)))
    stored: list[tuple[int, int]] = []

    def count(lines: int, imported: int) -> None:
        stored.append((imported, Article.objects.count()))

    import_article_files(campaign=campaign, path=path, progress=count)

    assert stored == [(3, 3), (6, 6), (9, 9), (10, 10)]


def test_an_import_that_breaks_leaves_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "BATCH", 3)

    def rows() -> Any:
        yield from (row(title=f"Title {number}") for number in range(7))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_articles(campaign=campaign, rows=rows())
    assert not Article.objects.exists()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_file_may_be_csv_or_json_lines_and_packed(
    campaign: Campaign, tmp_path: Path, form: str, packed: bool
) -> None:
    path = tmp_path / "articles"
    rows = [row(source_id="a1", category=""), row(source_id="a2", category="Travel")]
    if form == "csv":
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        path.write_text("\n".join(map(json.dumps, rows)))
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))

    report = import_article_files(campaign=campaign, path=path)

    assert (report.imported, report.n_rejected) == (2, 0)
    assert set(Article.objects.values_list("text", flat=True)) == {ARTICLE}


def test_the_command_reports_and_writes_the_rejects(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "articles.jsonl"
    path.write_text(json.dumps(row()) + "\nrubbish\n")
    out = tmp_path / "rejects.jsonl"

    call_command("import_articles", str(path), campaign="guide", rejects=out)

    assert "line 2: not_json" in capsys.readouterr().out
    assert json.loads(out.read_text())["line"] == 2


def test_the_command_refuses_an_unknown_campaign_and_an_absent_file(
    campaign: Campaign, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="no campaign"):
        call_command("import_articles", str(tmp_path), campaign="other")
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_articles", str(tmp_path / "absent"), campaign="guide")


@pytest.mark.long
@needs_data
def test_real_articles_come_in_by_the_thousand(campaign: Campaign) -> None:
    with gzip.open(data_dir() / "wikihow" / "annotated_step_goal.json.gz", "rt") as stream:
        steps = json.load(stream)
    texts: dict[str, list[str]] = {}
    for step, title in steps.items():
        texts.setdefault(title, []).append(step)
    rows = [{"title": title, "text": "\n".join(steps)} for title, steps in texts.items()]

    report = import_articles(campaign=campaign, rows=rows[:2_000])

    assert report.imported + report.rejected.get("no_anchor", 0) == 2_000
    assert report.imported >= 1_990
