"""The command that imports WinoWhy."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

from knowledge.models import Reason
from tests.data_dir import data_dir, needs_data
from tests.factories import UserFactory
from tests.knowledge.imports.test_winowhy import QUESTION


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


@needs_data
def test_the_published_files_give_4095_reasons_of_which_2865_are_decided():
    assert imported(data_dir() / "winowhy") == "4095 reasons for 273 questions\n"
    assert Reason.objects.decided().count() == 2865
    assert Reason.objects.filter(question=2, text=" it is a game.", n_accepted=5).exists()
    assert {reason.wrong for reason in Reason.objects.filter(question=2)} == {"the brown suitcase"}
