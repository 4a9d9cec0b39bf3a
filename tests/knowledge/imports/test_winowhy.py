"""WinoWhy as published, and files that only look like it."""

import csv
import gzip
import io
import json
from collections import Counter
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from knowledge.core.reasons import TYPES, Flag, Validity, flags, folds
from knowledge.imports.winowhy import Example, WhyQuestion, WhyReason, read_examples, read_reasons
from knowledge.models import Reason
from tests.data_dir import data_dir, needs_data
from tests.factories import UserFactory

FOLDER = data_dir() / "winowhy"
QUESTION = {
    "text": {"txt1": "The cup broke because", "pron": "it", "txt2": "was thin."},
    "answers": ["the cup", "the table"],
    "correctAnswer": "A.",
    "reasons": [["thin cups break", "human", 1.0, "Valid"]],
}


@pytest.fixture(scope="module")
def published() -> tuple[tuple[WhyQuestion, ...], tuple[WhyReason, ...]]:
    text, types = ((FOLDER / name).read_text() for name in ("winowhy.json", "cat_ref.json"))
    return read_reasons(text, types)


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    with gzip.open(FOLDER / "dataset.csv.gz", "rt", newline="") as file:
        return list(read_examples(file))


@needs_data
def test_all_4095_reasons_are_read_and_2865_are_decided(published):
    _, reasons = published
    assert len(reasons) == 4095
    found = Counter(reason.validity for reason in reasons)
    assert found == {Validity.VALID: 1270, Validity.INVALID: 1595, Validity.UNDECIDED: 1230}


@needs_data
def test_the_frame_fits_all_2865_examples_and_gives_their_text_back(published, examples):
    with gzip.open(FOLDER / "dataset.csv.gz", "rt", newline="") as file:
        texts = [row["sentence"] for row in csv.DictReader(file)]
    assert [example.problem.text for example in examples] == texts
    questions, _ = published
    for example in examples:
        assert example.problem.pronoun == questions[example.question].asked.pronoun


@needs_data
def test_the_examples_are_the_decided_reasons(published, examples):
    _, reasons = published
    of_file = Counter((e.question, e.problem.knowledge, e.is_valid) for e in examples)
    decided = [reason for reason in reasons if reason.validity is not Validity.UNDECIDED]
    assert of_file == Counter(
        (reason.question, reason.text, reason.validity is Validity.VALID) for reason in decided
    )


@needs_data
def test_the_papers_first_example_has_its_shares_and_its_faults(published):
    questions, reasons = published
    expected = {
        "the brown suitcase is too large": ("0.8", {Flag.CONTRADICTING, Flag.CIRCULAR}),
        "it is a game.": ("1.0", {Flag.IRRELEVANT}),
        "The trophy is not fit into the suitcase.": ("0.8", {Flag.CIRCULAR}),
    }
    of_question = {r.text.strip(): r for r in reasons if r.question == 2}
    for text, (share, faults) in expected.items():
        assert of_question[text].share == Decimal(share)
        assert flags(text, questions[2].asked) == faults


@needs_data
def test_about_a_fifth_of_the_valid_reasons_are_circular(published):
    questions, reasons = published
    valid = [reason for reason in reasons if reason.validity is Validity.VALID]
    circular = [r for r in valid if Flag.CIRCULAR in flags(r.text, questions[r.question].asked)]
    assert 0.18 < len(circular) / len(valid) < 0.22


@needs_data
def test_each_knowledge_type_has_its_published_questions(published):
    questions, _ = published
    sizes = Counter(name for question in questions for name in question.types)
    of_file = json.loads((FOLDER / "cat_ref.json").read_text())
    assert set(sizes) == set(TYPES)
    assert sizes["spatial"] == len(set(of_file["Spatial"]))
    assert sizes["eventuality"] == len(set(of_file["Temporal"]))


@needs_data
def test_our_folds_keep_twins_together_where_the_published_ones_part_a_question(
    published, examples
):
    questions, _ = published
    groups = [questions[example.question].group for example in examples]
    ours = folds(groups, seed=1)
    assert len({question.group for question in questions}) == 136
    assert len(set(zip(groups, ours, strict=True))) == len(set(groups))
    published_folds = {(example.question, example.fold) for example in examples}
    assert len(published_folds) > 2 * len({example.question for example in examples})


def test_a_small_file_is_read_whole():
    questions, reasons = read_reasons(json.dumps([QUESTION]), '{"Property": [0], "Causal": []}')
    assert questions[0].types == ("property",)
    assert questions[0].asked.right == "the cup"
    assert reasons[0].share == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": ["a"]}, "question 0: expected two answers"),
        ({"correctAnswer": "C"}, "question 0: expected A or B"),
        ({"text": "no"}, "question 0: expected an object"),
        ({"reasons": 3}, "question 0: expected a list"),
        ({"reasons": [["a", "human", 0.5, "Valid"]]}, "reason 0: a share"),
        ({"reasons": [["a", "human", 1e400, "Valid"]]}, "Infinity is no number"),
        ({"reasons": [["a", "human", 0.2, "Valid"]]}, "are not 'Valid'"),
        ({"reasons": [["a", "robot", 0.2, "Invalid"]]}, "a source is one of"),
        ({"reasons": [[" ", "human", 0.2, "Invalid"]]}, "must be text"),
        ({"reasons": [["a", "human", True, "Valid"]]}, "a share"),
    ],
)
def test_another_format_is_refused_with_its_place(change, message):
    with pytest.raises(ValueError, match=message):
        read_reasons(json.dumps([QUESTION | change]))


@pytest.mark.parametrize("text", ["{}", "[1]", "[", '[{"text":{}}]'])
def test_text_that_is_no_list_of_questions_is_refused(text):
    with pytest.raises(ValueError, match=r"question|array|JSON"):
        read_reasons(text)


@pytest.mark.parametrize("types", ["[]", '{"Taste": [1]}', '{"Spatial": "1"}'])
def test_unknown_knowledge_types_are_refused(types):
    with pytest.raises(ValueError, match=r"cat_ref"):
        read_reasons("[]", types)


@pytest.mark.parametrize("row", ["x,1,0,0", "x,2,0,0", "x,1"])
def test_a_row_in_another_frame_is_refused_with_its_line(row):
    with pytest.raises(ValueError, match=r"line 2"):
        list(read_examples(["sentence,label,wsc_num,fold_num\n", row]))


def imported(folder, **options):
    out = io.StringIO()
    call_command("import_winowhy", str(folder), stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def small(tmp_path):
    reasons = [["a cup is thin", "human", 1.0, "Valid"], ["it was", "gpt", 0.6, "Undecided"]]
    (tmp_path / "winowhy.json").write_text(json.dumps([QUESTION | {"reasons": reasons}]))
    (tmp_path / "cat_ref.json").write_text('{"Property": [0]}')
    frame = "The cup broke because it was thin. The it is more likely to refer to that cup than "
    with (tmp_path / "dataset.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["sentence", "label", "wsc_num", "fold_num"])
        rows.writerow([frame + "the table because a cup is thin", 1, 0, 2])
    return tmp_path


def test_reasons_are_stored_with_their_frame_types_and_faults(small):
    assert imported(small) == "2 reasons for 1 questions\n"
    valid, undecided = Reason.objects.all()
    assert valid.problem.text.endswith("to that cup than the table because a cup is thin")
    assert (valid.validity, undecided.validity) == ("valid", "undecided")
    assert valid.types == ["property"]
    assert valid.flags == ["circular"]
    assert list(Reason.objects.decided()) == [valid]


def test_a_second_import_needs_another_name(small):
    imported(small)
    with pytest.raises(CommandError, match="already"):
        imported(small)
    imported(small, name="winowhy-2")
    assert Reason.objects.count() == 4


def test_a_broken_or_missing_file_stores_nothing(small):
    (small / "dataset.csv").write_text("sentence,label,wsc_num,fold_num\nx,1,0,0\n")
    with pytest.raises(CommandError, match="line 2"):
        imported(small)
    (small / "dataset.csv").unlink()
    with pytest.raises(CommandError):
        imported(small)
    assert not Reason.objects.exists()


def test_only_curators_see_reasons(small):
    imported(small)
    assert Reason.objects.visible_to(UserFactory(curator=True)).exists()
    assert not Reason.objects.visible_to(UserFactory()).exists()


@pytest.mark.long
@needs_data
def test_the_published_files_give_4095_reasons_of_which_2865_are_decided():
    assert imported(data_dir() / "winowhy") == "4095 reasons for 273 questions\n"
    assert Reason.objects.decided().count() == 2865
    assert Reason.objects.filter(question=2, text=" it is a game.", n_accepted=5).exists()
    assert {reason.wrong for reason in Reason.objects.filter(question=2)} == {"the brown suitcase"}
