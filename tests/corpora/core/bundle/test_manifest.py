"""The manifest: one text for equal facts, read back as it was; errors name field and rule."""

import json
from dataclasses import replace

import pytest

from corpora.core.bundle import codec
from corpora.core.bundle.facts import Figure, HumanPerformance, PeopleFigure
from corpora.core.bundle.manifest import (
    Changes,
    DrawFacts,
    EarlierRelease,
    LeakSummary,
    Manifest,
    SplitChanges,
)
from tests.corpora.core.bundle.releases import manifest_of, small_release

FIGURE = Figure(value=0.91, low=None, high=0.95, n=12)
OF_PEOPLE = PeopleFigure(
    value=0.91, low=None, high=0.95, n=12, people_low=0.8, people_high=0.97, n_people=3
)
CHANGES = Changes(since="1.0.0", splits={"dev": SplitChanges(added=1, removed=0, changed=2)})
FULL = manifest_of(
    small_release(),
    version="2.0.0",
    selection={"filter": {"tau": 0.75, "fresh_models": {"after": None}}},
    agreement={"answer_alpha": FIGURE},
    human=(
        HumanPerformance(
            split="dev", questions=5, people=3, votes=15, individual=OF_PEOPLE, majority=OF_PEOPLE,
            group=None,
        ),
    ),
    draws=(DrawFacts(sha256="a" * 64, created_at="2026-11-23T10:00:00+00:00", twins=7),),
    changes=CHANGES,
    earlier=(
        EarlierRelease(
            name="small-0", version="1.0.0", built_at="2026-01-01", changes=None, retracted="Wrong."
        ),
    ),
    leaks=LeakSummary(tests=20, alpha=0.01, detectable=0.62, found=("The id.",)),
    limits=("Short.",),
)  # fmt: skip
LEAKS = json.loads(codec.to_json(FULL))["leaks"]


def changed(**values) -> str:
    return json.dumps(json.loads(codec.to_json(FULL)) | values)


def test_a_manifest_is_read_back_as_it_was_written():
    assert codec.from_json(Manifest, codec.to_json(FULL)) == FULL


def test_equal_manifests_have_equal_texts():
    turned = replace(FULL, splits=dict(reversed(FULL.splits.items())))
    assert codec.to_json(turned) == codec.to_json(FULL)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "1.0"}, "version must be three numbers, such as 1.0.0, got '1.0'"),
        ({"version": 1}, "version must be a text, got 1"),
        ({"name": "a/b"}, "name must be at most 100 letters, digits, dots, dashes"),
        ({"authors": "Alice"}, 'authors must be a list, got "Alice"'),
        ({"authors": [None]}, r"authors\[0\] must be a text, got null"),
        ({"colour": "red"}, "colour is not a field of Manifest"),
        ({"built_at": "yesterday"}, "built_at must be an ISO 8601 date, got 'yesterday'"),
        ({"format": 1}, "format must be 5, got 1"),
        ({"splits": {"train": {}}}, "splits.train.questions is missing"),
        ({"leaks": LEAKS | {"tests": 1.5}}, "leaks.tests must be an integer, got 1.5"),
        ({"commitments": True}, "commitments must be an integer, got true"),
        ({"title": "\ud800"}, "title must be a text"),
    ],
)
def test_an_error_names_the_field_and_the_rule(change, message):
    with pytest.raises(ValueError, match=message):
        codec.from_json(Manifest, changed(**change))


def test_an_error_names_the_field_inside_a_part():
    splits = json.loads(codec.to_json(FULL))["splits"]
    splits["dev"]["pairs"] += 1
    with pytest.raises(ValueError, match=r"splits\.dev\.questions must be 2 \* pairs \+ unpaired"):
        codec.from_json(Manifest, changed(splits=splits))


def test_a_secret_file_is_not_listed():
    facts = {"name": "test-labels.lst", "sha256": "0" * 64, "size": 1, "rows": 1, "kind": "labels"}
    with pytest.raises(ValueError, match="files must be public, got"):
        codec.from_json(Manifest, changed(files=[facts]))


@pytest.mark.parametrize("text", ["", "{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 100_000])
def test_a_text_that_is_not_json_is_refused(text):
    with pytest.raises(ValueError, match=r"JSON|finite|differ"):
        codec.from_json(Manifest, text)
