"""The checker on what real workers wrote, and on the same twins broken in one way."""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from collection.core.rules import Domain, TwinDraft, check_twin
from tests.authoring_data import AUTHORING_FILE, read_authoring
from tests.breakers import BREAKERS, mirrored
from tests.data_dir import data_dir, needs_data

pytestmark = needs_data

# One twin may break several rules; a change of the checker that alters these must say why.
REFUSED_AUTHORING = {
    "too_few_words": 4,
    "option_missing": 3,  # "8-May" and "5-Apr" (a spreadsheet's), ".vitamins", ".bicycle"
    "anchor_missing": 1,  # "nails" where the sentences have "nail"
    "options_same": 1,
}
REFUSED_PUBLISHED = {"too_few_words": 21, "overlap_low": 2}
REORDERED_PUBLISHED = 14

# The breakers change the second sentence; every tenth draft is broken in its first one as well.
MIRRORED_EVERY = 10


@pytest.fixture(scope="module")
def authored() -> list[TwinDraft]:
    return list(read_authoring(data_dir() / AUTHORING_FILE))


@pytest.fixture(scope="module")
def accepted(authored: list[TwinDraft]) -> list[TwinDraft]:
    return [draft for draft in authored if check_twin(draft).accepted]


def published() -> Iterator[TwinDraft]:
    """Yield the twins of WinoGrande's train_l; what they are about is not recorded."""
    pairs = defaultdict(list)
    with gzip.open(data_dir() / "winogrande" / "train_l.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            pairs[row["qID"].rpartition("-")[0]].append(row)
    for first, second in pairs.values():
        yield TwinDraft(
            sentences=(first["sentence"], second["sentence"]),
            options=(first["option1"], first["option2"]),
            answers=(int(first["answer"]), int(second["answer"])),
        )


def refusals(drafts: Iterator[TwinDraft] | list[TwinDraft]) -> Counter[str]:
    codes = ({item.code for item in check_twin(draft).errors} for draft in drafts)
    return Counter(code for found in codes for code in found)


def test_the_crowd_file_holds_12083_twins(authored: list[TwinDraft]) -> None:
    assert len(authored) == 12_083


def test_what_the_crowd_was_paid_for_is_accepted(
    authored: list[TwinDraft], accepted: list[TwinDraft]
) -> None:
    assert len(accepted) / len(authored) >= 0.998


@pytest.mark.long
def test_the_crowd_twins_refused_are_known_with_their_reasons(authored: list[TwinDraft]) -> None:
    assert refusals(authored) == REFUSED_AUTHORING


@pytest.mark.long
@pytest.mark.parametrize("name", BREAKERS)
def test_every_accepted_twin_is_refused_once_broken(name: str, accepted: list[TwinDraft]) -> None:
    breaker = BREAKERS[name]
    drafts = [*accepted, *map(mirrored, accepted[::MIRRORED_EVERY])]
    missed = [draft for draft in drafts if breaker.code not in check_twin(breaker(draft)).codes]
    assert missed == []


@pytest.mark.long
def test_the_published_twins_refused_are_known_with_their_reasons() -> None:
    assert refusals(published()) == REFUSED_PUBLISHED


@pytest.mark.long
def test_twins_that_are_one_sentence_in_two_orders_are_only_warned_of() -> None:
    reports = [check_twin(draft) for draft in published()]
    turned = [report for report in reports if "twins_reordered" in report.codes]
    assert len(turned) == REORDERED_PUBLISHED
    assert all(report.accepted for report in turned)


def test_published_people_are_warned_of_only_when_they_differ_in_gender() -> None:
    people = [
        TwinDraft(
            sentences=draft.sentences,
            options=draft.options,
            answers=draft.answers,
            domain=Domain.SOCIAL,
        )
        for draft in published()
        if all(option[0].isupper() for option in draft.options)
    ]
    assert len(people) > 2_500
    assert not any("people_gender_differs" in check_twin(draft).codes for draft in people), (
        "WinoGrande's authors were told to use one gender"
    )
