"""Reference sets: imported, seen, scored and deleted, with no campaign anywhere."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from collection.models import Campaign, Twin
from corpora import services
from corpora.core.items import Item
from corpora.core.readers import BY_NAME, FIELDS
from corpora.management.commands.import_reference_set import Command
from corpora.models import Draw, ReferenceSet
from corpora.selectors import load_items
from evaluation import services as evaluation
from filtering.models import Encoding, FilterRun
from tests.corpora.sets import LINES, imported
from tests.data_dir import data_dir, needs_data
from tests.factories import TwinFactory
from tests.filtering.stages import carried, read, rows
from validation.models import GoldQuestion, PublishedSentence
from winoplatform.errors import DomainError

BLIND = LINES[0].replace(', "answer": "1"', "")


@pytest.mark.long
@needs_data
def test_wsc273_and_pdp_are_scored_without_campaign_encoding_or_filter_run() -> None:
    folder = data_dir()
    for name, path in (("wsc273", "wsc/wsc273.txt"), ("pdp", "pdp/PDP60.txt")):
        call_command("import_reference_set", name, f"test={folder / path}", format=name)
    found = {
        (name, method): carried(
            evaluation.evaluate(
                reference_set=ReferenceSet.objects.get(name=name),
                method=method,
                split="test",
                by=None,
            )
        ).metrics
        for name in ("wsc273", "pdp")
        for method in ("majority", "random")
    }
    # The most frequent answer: 137 of 273 second options, 30 of 60 first ones.
    assert found["wsc273", "majority"]["accuracy"]["value"] == pytest.approx(137 / 273)
    assert found["wsc273", "majority"]["group_score"] | {"low": 0} == {
        "value": 0.0, "low": 0, "high": pytest.approx(0.027, abs=0.001), "n": 136,
    }  # fmt: skip
    assert found["pdp", "majority"]["accuracy"]["value"] == 0.5
    assert found["pdp", "majority"]["group_score"]["value"] is None  # no groups
    for metrics in found.values():
        assert metrics["accuracy"]["low"] < metrics["accuracy"]["value"]
    models = (Campaign, Encoding, FilterRun)
    assert not any(model._default_manager.exists() for model in models)


def test_the_training_split_of_a_set_says_what_is_most_frequent() -> None:
    splits = {"train": [LINES[1], LINES[3]], "test": LINES}
    run = evaluation.evaluate(
        reference_set=imported(splits=splits), method="majority", split="test", by=None
    )
    assert {row["prediction"] for row in rows(read(carried(run).predictions))} == {2}


def test_random_answers_come_from_the_seed() -> None:
    made = imported()
    given = [
        read(carried(evaluation.evaluate(
            reference_set=made, method="random", split="test", seed=seed, by=None
        )).predictions)
        for seed in (1, 1, 2)
    ]  # fmt: skip
    assert given[0] == given[1] != given[2]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"method": "linear"}, "no_encoding"),
        ({"split": "dev"}, "split_unknown"),
        ({"split": "blind"}, "labels_unknown"),
    ],
)
def test_what_cannot_be_scored_is_refused(asked: dict[str, str], code: str) -> None:
    made = imported(splits={"test": LINES, "blind": [BLIND]})
    with pytest.raises(DomainError) as caught:
        evaluation.evaluate(
            **{"reference_set": made, "method": "majority", "split": "test", "by": None} | asked
        )
    assert caught.value.code == code


def test_texts_are_stored_with_composed_letters_and_twins_found_by_them() -> None:
    sentence = "Rene\u0301 saw Zoë on the stairs of the old house, so _ {} hello."
    lines = [
        json.dumps({"sentence": sentence.format("said"), "option1": "René", "option2": "Zoe\u0308",
                    "answer": "1"}),
        json.dumps({"sentence": sentence.format("heard"), "option1": "Rene\u0301",
                    "option2": "Zoë", "answer": "2"}),
    ]  # fmt: skip
    made = services.import_reference_set(
        name="accents", format="winogrande", splits={"test": lines}, by=None
    )
    items = load_items(made.splits.get())
    assert {item.options for item in items} == {("René", "Zoë")}
    assert all(option in item.sentence for item in items for option in item.options)
    assert items[0].group == items[1].group


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"format": "odd"}, "format_unknown"),
        ({"splits": {}}, "no_splits"),
        ({"splits": {"good": LINES, "test": []}}, "split_empty"),
        ({"splits": {"good": LINES, "test": ["{}"]}}, "items_unreadable"),
        ({"splits": {"good": LINES, "test": [LINES[0]] * 2}}, "id_repeated"),
    ],
)
def test_nothing_is_left_of_an_import_that_is_refused(fields: dict[str, Any], code: str) -> None:
    with pytest.raises(DomainError) as caught:
        imported(**fields)
    assert caught.value.code == code
    assert not ReferenceSet.objects.exists()


def test_a_name_is_taken_once_and_names_of_splits_are_slugs() -> None:
    imported()
    with pytest.raises(ValidationError, match="already exists"):
        imported()
    with pytest.raises(ValidationError, match="valid “slug”"):
        imported("other", splits={"..": LINES})


def test_items_are_kept_in_the_order_of_the_file() -> None:
    split = imported().splits.get()
    assert [item.id for item in load_items(split)] == ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"]
    assert (split.n_items, split.n_groups, split.n_labelled) == (6, 3, 6)


def test_the_command_says_what_it_brought_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.jsonl").write_text("\n".join(LINES))
    call_command("import_reference_set", "tiny", f"test={tmp_path}/t.jsonl", format="winogrande")
    assert capsys.readouterr().out == "tiny/test: 6 items in 3 groups\n"
    with pytest.raises(CommandError, match="“tiny” already exists"):
        call_command("import_reference_set", "tiny", f"a={tmp_path}/t.jsonl", format="winogrande")
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_reference_set", "new", f"a={tmp_path}/no", format="winogrande")
    (tmp_path / "latin").write_bytes(b"caf\xe9\n")
    with pytest.raises(CommandError, match="line 1: The line is not UTF-8 text"):
        call_command("import_reference_set", "new", f"a={tmp_path}/latin", format="winogrande")


def test_the_command_warns_where_a_format_with_groups_finds_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.jsonl").write_text("\n".join(LINES[::2]))
    call_command("import_reference_set", "tiny", f"test={tmp_path}/t.jsonl", format="winogrande")
    warned = capsys.readouterr().err
    assert "tiny/test has no two items in one group, so it gets no group score." in warned
    assert "import it again with another --format" in warned


def test_the_help_of_the_command_describes_every_format() -> None:
    help = " ".join(Command().create_parser("", "import_reference_set").format_help().split())
    assert all(f"{name}: {format.about}" in help for name, format in BY_NAME.items())
    assert all(part in help for format in BY_NAME.values() for part in format.files)
    assert all(f"{field}: {text}" in help for field, text in FIELDS.items())


def test_a_split_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="named twice"):
        call_command("import_reference_set", "tiny", "a=x", "a=y", format="winogrande")


SHOWN = "The cup stood on the tray, so _ fell."


def shown_by(split: str | None, *, open_seats: bool = False) -> Twin:
    """A twin of which the set has a sentence, typed otherwise."""
    twin = TwinFactory(sentences=(SHOWN.upper(), "The cup _ bent."), seats=3 if open_seats else 0)
    if split is not None:
        Draw.objects.create(twin=twin, split=split, origin="linked", is_pair=True)
    return twin


@pytest.mark.long
@pytest.mark.parametrize("is_public_at_once", [True, False])
@pytest.mark.parametrize(
    ("split", "open_seats"),
    [("test", False), ("withheld", False), (None, False), ("train", True), ("dev", True)],
)
def test_no_set_shows_everybody_an_answer_that_is_secret_here(
    split: str | None, open_seats: bool, is_public_at_once: bool
) -> None:
    shown_by(split, open_seats=open_seats)
    if is_public_at_once:
        make = partial(imported, is_public=True)
    else:
        make = partial(services.change_reference_set, reference_set=imported(), is_public=True)
    with pytest.raises(DomainError) as caught:
        make()
    assert caught.value.code == "labels_secret"
    assert not PublishedSentence.objects.exists()


def test_the_same_sentence_with_its_pronoun_is_as_secret() -> None:
    shown_by("test")
    sentence = SHOWN.replace("_", "it")
    start = sentence.index("it fell")
    item = Item(
        id="p",
        group="p",
        sentence=sentence,
        options=("the cup", "the tray"),
        answer=1,
        form="pronoun",
        span=(start, start + 2),
    )
    with pytest.raises(DomainError, match="only curators may see this set"):
        imported(format="items", splits={"test": [item.to_line()]}, is_public=True)


def test_what_a_public_set_shows_is_gold_no_more() -> None:
    question = shown_by("train").questions.first()
    gold = GoldQuestion.objects.create(
        campaign=question.twin.campaign, question=question, origin="grown"
    )
    services.change_reference_set(reference_set=imported(), is_public=True)
    gold.refresh_from_db()
    assert gold.retired_for == "public"
    assert not GoldQuestion.objects.in_use().exists()
