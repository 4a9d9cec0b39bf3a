"""Files of published questions come in whole, once, and without their labels' leak."""

import gc
import itertools
import json
import random
import re
import time
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count, F, Value
from django.db.models.functions import Concat

from collection.imports import staging
from collection.imports import winogrande as importer
from collection.imports.report import QuestionReport, Reject
from collection.imports.winogrande import import_winogrande, slug_of
from collection.models import Campaign, Question, Twin
from tests.collection.import_lines import SENTENCES, pair, pairs, question, write
from tests.data_dir import needs_data
from tests.factories import TwinFactory, UserFactory
from tests.winogrande_data import winogrande_path
from winoplatform.errors import DomainError


def run(tmp_path: Path, rows: list[Any], *, name: str = "set.jsonl", **more: Any) -> QuestionReport:
    return import_winogrande(path=write(tmp_path / name, rows), slug="published", **more)


def stored(slug: str = "published") -> list[tuple[str, int, str, int]]:
    questions = Question.objects.filter(twin__campaign__slug=slug)
    rows = questions.order_by("twin__source_id", "number")
    return list(rows.values_list("twin__source_id", "number", "sentence", "answer"))


def outcome(report: QuestionReport) -> tuple[int, int, int, int, int]:
    return (report.imported, report.twins, report.unpaired, report.joined, report.already_there)


@pytest.mark.parametrize("name", ["set.jsonl", "set.jsonl.gz"])
def test_twins_come_in_together(tmp_path: Path, name: str) -> None:
    report = run(tmp_path, [*pair("AAA"), *pair("BBB", about="shelf")], name=name)

    twin = Twin.objects.get(source_id="AAA")
    assert outcome(report) == (4, 2, 0, 0, 0)
    assert (twin.origin, twin.domain, twin.anchor) == ("published", "unknown", "")
    assert (twin.author, twin.assignment, twin.client_key) == (None, None, None)
    assert (twin.option1, twin.option2, twin.warnings) == ("trophy", "suitcase", [])
    assert set(twin.questions.values_list("sentence", "answer")) == {
        (SENTENCES[0], 1),
        (SENTENCES[1], 2),
    }


def test_a_missing_campaign_is_made_closed(tmp_path: Path) -> None:
    report = import_winogrande(path=write(tmp_path / "my_set.v2.JSONL.gz", pair()))

    campaign = Campaign.objects.get()
    assert campaign.slug == report.campaign == "my_setv2"
    assert campaign.status == Campaign.Status.CLOSED
    campaign.full_clean()


def test_no_campaign_is_made_when_nothing_comes_in(tmp_path: Path) -> None:
    report = run(tmp_path, [question(answer=...)])

    assert report.rejected == {"answer_missing": 1}
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("slug", ["two words", "ü!", "x" * 51])
def test_a_slug_that_names_nothing_is_refused(tmp_path: Path, slug: str) -> None:
    with pytest.raises(DomainError) as caught:
        import_winogrande(path=write(tmp_path / "set.jsonl", pair()), slug=slug)
    assert caught.value.code == "slug_invalid"


def test_a_file_without_a_usable_name_needs_a_slug(tmp_path: Path) -> None:
    assert slug_of(Path("train_l.jsonl.gz")) == "train_l"
    with pytest.raises(DomainError):
        import_winogrande(path=write(tmp_path / "….jsonl", pair()))


def test_the_trigger_follows_the_numbers(tmp_path: Path) -> None:
    run(tmp_path, pair())

    twin = Twin.objects.get()
    first, second = twin.questions.order_by("number")
    last = {"first": first.sentence.split()[-1], "second": second.sentence.split()[-1]}
    assert twin.trigger == last
    assert set(last.values()) == {"large.", "small."}


def test_where_twins_stand_in_the_file_does_not_matter(tmp_path: Path) -> None:
    rows = pairs(50)
    run(tmp_path, rows)
    random.Random(1).shuffle(rows)

    import_winogrande(path=write(tmp_path / "shuffled.jsonl", rows), slug="shuffled")

    assert stored("shuffled") == stored()


def test_a_second_run_imports_nothing_and_says_so(tmp_path: Path) -> None:
    rows = [*pairs(3), question("UNPAIRED")]
    run(tmp_path, rows)
    before = stored()

    again = run(tmp_path, rows)

    assert outcome(again) == (0, 0, 0, 0, 7)
    assert not again.rejected
    assert stored() == before


def unnamed_pairs(count: int) -> list[dict[str, Any]]:
    """Return twins that differ from each other's enough, as Hugging Face's copy writes them."""
    rows = [row for n in range(count) for row in pair(about=f"{n}")]
    for n, row in enumerate(rows):
        del row["qID"]
        for name in ("sentence", "option1"):
            row[name] = row[name].replace("trophy", f"trophy{n // 2}")
    return rows


def test_without_qids_twins_are_found_by_their_text(tmp_path: Path) -> None:
    rows = unnamed_pairs(3)
    report = run(tmp_path, [rows[0], *rows[2:], rows[1]])

    assert outcome(report) == (6, 3, 0, 0, 0)
    assert {len(set(twin.questions.values_list("answer"))) for twin in Twin.objects.all()} == {2}


def test_a_second_run_without_qids_imports_nothing_in_any_order(tmp_path: Path) -> None:
    rows = unnamed_pairs(3)
    run(tmp_path, rows)

    report = run(tmp_path, [*rows[::-1], rows[0], rows[1]])

    assert outcome(report)[:4] == (0, 0, 0, 0)
    assert Question.objects.count() == 6


def test_a_question_without_a_qid_and_a_twin_comes_in_unpaired(tmp_path: Path) -> None:
    report = run(tmp_path, [unnamed_pairs(1)[0]])

    assert outcome(report) == (1, 1, 1, 0, 0)


def test_a_line_without_a_qid_in_a_file_that_has_them_is_rejected(tmp_path: Path) -> None:
    found = rejects(tmp_path, [unnamed_pairs(1)[0], *pair("AAA")])

    assert found == [(1, "qid_missing")]


def test_an_unpaired_question_is_a_twin_of_one(tmp_path: Path) -> None:
    report = run(tmp_path, [question("UNPAIRED", 2)])

    twin = Twin.objects.get()
    assert outcome(report) == (1, 1, 1, 0, 0)
    assert twin.trigger == {}
    assert twin.questions.get().answer == 2


@pytest.mark.parametrize("later", [1, 2])
def test_a_later_import_joins_the_missing_twin(tmp_path: Path, later: int) -> None:
    run(tmp_path, [question(ending=3 - later)])
    unpaired = Question.objects.get()

    report = run(tmp_path, pair())

    twin = Twin.objects.get()
    assert outcome(report) == (1, 0, 0, 1, 1)
    assert Question.objects.get(pk=unpaired.pk).number == unpaired.number
    first, second = twin.questions.order_by("number")
    assert twin.trigger["first"] in first.sentence
    assert twin.trigger["second"] in second.sentence


def test_joined_twins_are_warned_about_as_twins(tmp_path: Path) -> None:
    turned = SENTENCES[0].replace("brown suitcase on the bed", "suitcase on the brown bed")
    run(tmp_path, [question()])

    report = run(tmp_path, [question(ending=2, sentence=turned)])

    assert report.warnings == {"twins_reordered": 1}
    assert Twin.objects.get().warnings == ["twins_reordered"]


def test_warnings_are_counted_and_kept(tmp_path: Path) -> None:
    short = "The trophy did not fit the suitcase because the _ was large."

    report = run(tmp_path, [*pair(), question("SHORT", sentence=short)])

    assert report.warnings == {"too_few_words": 1}
    assert Twin.objects.get(source_id="SHORT").warnings == ["too_few_words"]


def rejects(tmp_path: Path, rows: list[Any], **more: Any) -> list[tuple[int, str]]:
    found: list[Reject] = []
    report = run(tmp_path, rows, on_reject=found.append, **more)
    assert report.first_rejects == tuple(found[:20])
    assert report.rejected == Counter(reject.code for reject in found)
    assert all(reject.message.endswith(".") for reject in found)
    assert "AAA-" not in str(found)  # an ending would give the answer away
    return [(reject.line, reject.code) for reject in found]


def test_a_repeated_qid_comes_in_once(tmp_path: Path) -> None:
    assert rejects(tmp_path, [*pair(), question(), question()]) == [
        (3, "qid_repeated"),
        (4, "qid_repeated"),
    ]
    assert len(stored()) == 2


def test_a_bad_line_does_not_take_the_place_of_a_good_one(tmp_path: Path) -> None:
    assert rejects(tmp_path, [question(answer="9"), *pair()]) == [(1, "answer_invalid")]
    assert len(stored()) == 2


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("answers_same", {"answer": "1"}),
        ("options_differ", {"option1": "bed"}),
        ("options_differ", {"option1": "suitcase", "option2": "trophy"}),
        ("twins_identical", {"sentence": SENTENCES[0].replace(".", " .")}),
    ],
)
def test_twins_that_contradict_each_other_both_stay_out(
    tmp_path: Path, code: str, changes: dict[str, str]
) -> None:
    rows = [question(), *pair("BBB", about="shelf"), question(ending=2, **changes)]

    assert rejects(tmp_path, rows) == [(1, code), (4, code)]
    assert {source_id for source_id, *_ in stored()} == {"BBB"}


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("answers_same", {"answer": "1"}),
        ("options_differ", {"option1": "bed"}),
        ("twins_identical", {"sentence": SENTENCES[0].replace(".", " .")}),
    ],
)
def test_a_line_that_contradicts_a_stored_question_stays_out(
    tmp_path: Path, code: str, changes: dict[str, str]
) -> None:
    run(tmp_path, [question()])

    assert rejects(tmp_path, [question(), question(ending=2, **changes)]) == [(2, code)]
    assert [sentence for *_, sentence, _ in stored()] == [SENTENCES[0]]


@pytest.mark.parametrize("space", ["  ", "\r", "\u00a0", "\u2003 "])
def test_questions_stored_with_the_white_space_of_their_file_are_there_already(
    tmp_path: Path, space: str
) -> None:
    run(tmp_path, pair())
    for stored_question in Question.objects.all():
        old = stored_question.sentence.replace(" ", space)
        Question.objects.filter(pk=stored_question.pk).update(sentence=old)
    Twin.objects.update(option1=Concat("option1", Value(space)))
    before = stored()

    report = run(tmp_path, pair())

    assert (report.already_there, report.rejected) == (2, {})
    assert stored() == before


def test_stored_twins_are_never_overwritten(tmp_path: Path) -> None:
    run(tmp_path, pair())
    before = stored()

    found = rejects(tmp_path, pair(about="shelf"))

    assert found == [(1, "stored_differently"), (2, "stored_differently")]
    assert stored() == before


def test_twins_know_the_split_of_their_file(tmp_path: Path) -> None:
    run(tmp_path, pair("AAA"), split="test")
    run(tmp_path, pair("BBB", about="shelf"))

    assert dict(Twin.objects.values_list("source_id", "source_split")) == {"AAA": "test", "BBB": ""}
    assert outcome(run(tmp_path, pair("AAA"), split="test")) == (0, 0, 0, 0, 2)
    assert outcome(run(tmp_path, pair("AAA"))) == (0, 0, 0, 0, 2)


@pytest.mark.parametrize(("before", "after"), [("train", "test"), ("test", "train"), ("", "test")])
def test_a_question_of_another_split_stays_out_and_is_told(
    before: str, after: str, tmp_path: Path
) -> None:
    """Otherwise users would think that its label is secret."""
    run(tmp_path, [question()], split=before)

    found = rejects(tmp_path, [question(), question(ending=2)], split=after)

    assert found == [(1, "split_differs"), (2, "split_differs")]
    assert Twin.objects.get().source_split == before
    assert len(stored()) == 1


def test_rejects_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [question(), "rubbish", question(), *[question("X", answer="x")] * 30]

    lines = [line for line, _ in rejects(tmp_path, rows)]

    assert lines == list(range(2, 34))


def test_a_cut_file_brings_in_what_is_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl.gz", pairs(100))
    path.write_bytes(path.read_bytes()[:-300])

    report = import_winogrande(path=path)

    assert report.rejected == {"file_broken": 1}
    assert 0 < report.imported < 200


def test_other_campaigns_keep_their_own_copy(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", pair())

    assert import_winogrande(path=path, slug="one").imported == 2
    assert import_winogrande(path=path, slug="two").imported == 2


@pytest.mark.parametrize("step", ["fill", "compare", "store_checks", "insert", "rejects"])
def test_an_import_that_breaks_leaves_nothing(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(staging, step)

    def break_afterwards(*args: Any, **named: Any) -> Any:
        real(*args, **named)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(staging, step, break_afterwards)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, pairs(5))

    assert not Twin.objects.exists()
    assert not Campaign.objects.exists()
    assert run(tmp_path, pairs(5)).imported == 10


def test_an_import_that_breaks_while_it_reads_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = itertools.count()

    def decide(*args: Any, **named: Any) -> Any:
        if next(lines) == 7:
            raise MemoryError
        return real(*args, **named)

    real = importer.decide
    monkeypatch.setattr(importer, "decide", decide)
    with pytest.raises(MemoryError):
        run(tmp_path, pairs(5))

    assert not Campaign.objects.exists()


@pytest.mark.long
def test_an_import_needs_less_memory_than_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "BATCH", 50)
    path = write(tmp_path / "set.jsonl", pairs(10_000))
    gc.collect()
    tracemalloc.start()
    try:
        report = import_winogrande(path=path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert report.imported == 20_000
    assert peak < path.stat().st_size


def test_the_command_prints_a_table_and_writes_every_reject(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "set.jsonl", [*pair(), *["rubbish"] * 30])
    out = tmp_path / "rejects.jsonl"

    call_command("import_winogrande", str(path), campaign="mine", rejects=out, split="dev")

    shown = capsys.readouterr().out
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert re.search(r"questions imported +2$", shown, re.MULTILINE)
    assert shown.count("not_json: ") == 20
    assert Twin.objects.get().source_split == "dev"
    assert [row["line"] for row in written] == list(range(3, 33))
    assert set(written[0]) == {"line", "code", "message", "source_id"}


def test_the_command_says_when_nothing_is_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "set.jsonl", pair())
    call_command("import_winogrande", str(path))
    capsys.readouterr()

    call_command("import_winogrande", str(path))

    assert "Nothing new: 2 of 2 were there already." in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_an_empty_file_is_no_error(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "set.jsonl").write_bytes(content)

    call_command("import_winogrande", str(path))

    assert "Nothing was imported: the file is empty." in capsys.readouterr().out


def test_the_command_refuses_what_it_cannot_open(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", pair())
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_winogrande", str(tmp_path / "absent.jsonl"))
    with pytest.raises(CommandError, match="Is a directory"):
        call_command("import_winogrande", str(tmp_path))
    with pytest.raises(CommandError, match="would be overwritten"):
        call_command("import_winogrande", str(path), rejects=path)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_winogrande", str(path), rejects=tmp_path / "absent" / "out")
    with pytest.raises(CommandError, match="cannot name a campaign"):
        call_command("import_winogrande", str(path), campaign="two words")
    assert not Campaign.objects.exists()


@pytest.mark.long
@needs_data
def test_the_real_train_l_comes_in_whole_and_quickly() -> None:
    start = time.process_time()
    report = import_winogrande(path=winogrande_path("train_l"))

    assert outcome(report) == (10_234, 5_117, 0, 0, 0)
    assert not report.rejected
    assert time.process_time() - start < 15  # of this process, however many share its cores
    assert not Twin.objects.filter(trigger={}).exists()


@pytest.mark.long
@needs_data
def test_no_stored_field_of_train_m_tells_the_answer() -> None:
    import_winogrande(path=winogrande_path("train_m"))

    rows = list(Question.objects.values_list("pk", "public_id", "number", "twin__pk", "answer"))
    for name, guess in {
        "number": [number for _, _, number, _, _ in rows],
        "order": [1 + pk % 2 for pk, *_ in rows],
        "public id": [1 + int(public_id, 16) % 2 for _, public_id, *_ in rows],
        "id's first digit": [1 + (public_id[0] > "7") for _, public_id, *_ in rows],
    }.items():
        right = sum(one == row[-1] for one, row in zip(guess, rows, strict=True))
        assert 0.46 < right / len(rows) < 0.54, name  # 4 standard errors
    endings = Twin.objects.filter(source_id__regex=r"-[12]$")
    assert not endings.exists()


@needs_data
def test_dev_with_most_twins_missing_comes_in_and_can_be_completed(tmp_path: Path) -> None:
    lines = winogrande_path("dev").read_text(encoding="utf-8").splitlines()
    half = run(tmp_path, lines[::2])
    whole = run(tmp_path, lines)

    assert half.imported + whole.imported == 1_267
    assert whole.joined > 0
    counts = Twin.objects.annotate(n=Count("questions")).values_list("n", flat=True)
    assert Counter(counts) == {1: 699, 2: 284}


@pytest.mark.long
@needs_data
def test_nested_parts_of_the_real_set_add_up() -> None:
    part = import_winogrande(path=winogrande_path("train_s"), slug="train")
    whole = import_winogrande(path=winogrande_path("train_m"), slug="train")

    assert (part.imported, whole.already_there, whole.imported) == (640, 640, 1_918)


@needs_data
def test_the_blind_test_file_is_refused_line_by_line() -> None:
    report = import_winogrande(path=winogrande_path("test"))

    assert report.rejected == {"answer_missing": 1_767}
    assert not Question.objects.filter(number=F("answer")).exists()


def test_texts_of_simulated_people_make_a_simulated_campaign_of_any_import(tmp_path: Path) -> None:
    run(tmp_path, pair("AAA"))
    assert Campaign.objects.get().people_origin == ""
    twin = TwinFactory(author=UserFactory(origin="simulated"))
    texts = twin.questions.order_by("number").values_list("sentence", "answer")
    rows = [
        question("BBB", n, sentence=text.replace(" did ", "  DID "), answer=str(answer))
        for n, (text, answer) in enumerate(texts, 1)
    ]
    run(tmp_path, rows, name="more.jsonl")
    assert Campaign.objects.get(slug="published").people_origin == "simulated"
