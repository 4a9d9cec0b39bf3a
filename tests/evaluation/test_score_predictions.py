"""The command that scores predictions made elsewhere."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from corpora.selectors import read_index
from evaluation.models import Evaluation
from tests.corpora.sets import LINES, imported
from tests.evaluation.test_evaluations import QUESTIONS, built
from tests.filtering.stages import leaking


@pytest.fixture
def tiny():
    return imported("tiny")


def scored(path, text, data="tiny", **options):
    path.write_text(text)
    out = io.StringIO()
    call_command("score_predictions", data, str(path), stdout=out, **({"split": "test"} | options))
    return out.getvalue()


def lines(**answers):
    return "".join(
        json.dumps({"qID": id.replace("_", "-"), "prediction": answer}) + "\n"
        for id, answer in answers.items()
    )


def test_it_prints_accuracy_group_score_and_what_was_not_understood(tiny, tmp_path):
    said = scored(
        tmp_path / "p.jsonl", lines(a_1=1, a_2="the tray", b_1="the cup", b_2="No idea", x_1=1)
    )
    assert "tiny/test: 6 items, 6 with an answer" in said
    assert "Accuracy      50.0%" in said
    assert "Group score   33.3%" in said
    assert "Accuracy over the understood items: 100.0%" in said
    assert "1 × none_named" in said
    assert "b-2: 'No idea'" in said
    assert "Items without an answer: 2 (c-1, c-2, …)" in said
    assert "Answers to unknown items: 1 (x-1, …)" in said


def test_an_accuracy_far_below_chance_asks_whether_labels_are_reversed(tmp_path):
    verbs = ((1, "fell"), (2, "bent"))
    split = [LINES[0].replace("a-1", f"{n}-{m}").replace("fell", verb).replace('"1"}', f'"{m}"}}')
             for n in range(12) for m, verb in verbs]  # fmt: skip
    imported("many", splits={"test": split})
    reversed_, right = (
        "".join(
            json.dumps({"qID": f"{n}-{m}", "prediction": 3 - m if wrong else m}) + "\n"
            for n in range(12)
            for m in (1, 2)
        )
        for wrong in (True, False)
    )
    said = scored(tmp_path / "p.jsonl", reversed_, data="many", store="Turned")
    assert "Warning: Of 24 answered questions 0.0% are correct" in said
    assert "Are labels reversed" in Evaluation.objects.get().warning
    assert "Warning" not in scored(tmp_path / "p.jsonl", right, data="many")


def test_winograndes_list_is_scored_by_training_size(tiny, tmp_path):
    said = scored(tmp_path / "predictions.lst", "1,1,1,1,1\n2,1,2,2,2\n" * 3)
    assert said.index("\nxs\n") < said.index("\ns\n") < said.index("\nxl\n")
    assert said.count("Accuracy      100.0%") == 4
    assert said.count("Accuracy      50.0%") == 1


def test_columns_of_a_csv_file_can_be_named(tiny, tmp_path):
    text = "item,model\na-1,1\n,0.9\n"
    said = scored(tmp_path / "p.csv", text, id_column="item", prediction_column="model")
    assert "model: 0.9" in said
    with pytest.raises(CommandError, match="for the format csv only"):
        scored(tmp_path / "p.jsonl", lines(a_1=1), id_column="item")


def test_bad_input_is_a_sentence(tiny, tmp_path):
    with pytest.raises(CommandError, match=r"tiny has no split “dev”; its splits: test\."):
        scored(tmp_path / "p.jsonl", "", split="dev")
    with pytest.raises(
        CommandError, match="There is no reference set, release or snapshot “other”"
    ):
        scored(tmp_path / "p.jsonl", "", data="other")
    with pytest.raises(CommandError, match=r"Name the --format of p\.dat"):
        scored(tmp_path / "p.dat", "")
    with pytest.raises(
        CommandError, match=r"p\.jsonl: line 1: The first line must name the columns"
    ):
        scored(tmp_path / "p.jsonl", "no")
    with pytest.raises(CommandError, match=r"p\.txt: there must be one line per item, 6, got 1"):
        scored(tmp_path / "p.txt", "1\n")
    with pytest.raises(CommandError, match="No such file"):
        call_command("score_predictions", "tiny", str(tmp_path / "none.txt"), split="test")


def test_a_split_without_labels_is_not_scored(tmp_path):
    blind = json.dumps({"qID": "a-1", "sentence": "_ fell.", "option1": "x", "option2": "y"})
    imported("blind", splits={"test": [blind]})
    with pytest.raises(CommandError, match=r"No item of blind/test has an answer\."):
        scored(tmp_path / "p.txt", "1\n", data="blind")


@pytest.mark.long
def test_a_release_is_scored_on_its_dev_and_blind_splits(tmp_path):
    release = built(leaking(QUESTIONS))
    for split in ("dev", "test"):
        index = [row for row in read_index(release) if row["split"] == split]
        answers = "".join(
            json.dumps({"qID": row["qID"], "prediction": row["answer"]}) + "\n" for row in index
        )
        said = scored(tmp_path / "p.jsonl", answers, data=release.name, split=split)
        assert f"{len(index)} items, {len(index)} with an answer" in said
        assert "Accuracy      100.0%" in said
    with pytest.raises(CommandError, match="A release is scored on its split dev or test"):
        scored(tmp_path / "p.jsonl", "", data=release.name, split="train")
    imported(release.name)
    with pytest.raises(CommandError, match="A reference set and a release are called"):
        scored(tmp_path / "p.jsonl", "", data=release.name)
