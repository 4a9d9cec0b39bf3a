"""Ids, order and files of several releases tell no label; a planted leak is found."""

import hashlib
from collections.abc import Iterator

import pytest

from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.report import leak_report
from corpora.core.leaks.results import LeakReport
from corpora.core.publish import Publisher
from knowledge import proving
from knowledge.models import KnowledgeRelease, Sentence
from knowledge.prover.process import Prover
from tests.knowledge.releasing import a_set, files, lines, released

N_PAIRS = 40
TEXTS = {"option1": "true", "option2": "false"}


@pytest.fixture(autouse=True)
def one_prover(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "shared", lambda: prover)


def sealed(text: str) -> str:
    """The same for the same text, and nothing of it: what the text tells is no leak."""
    return hashlib.sha256(text.encode()).hexdigest()


def published(release: KnowledgeRelease) -> Iterator[PublishedFile]:
    """The problems as the search for leaks reads questions: true is the first option."""
    for variant in ("variable", "grounded", "natural"):
        content = files(release)[f"{variant}.jsonl"]
        rows = lines(content)
        yield PublishedFile(
            name=f"{variant}.jsonl",
            rows=[
                {"qID": row["id"], "sentence": sealed(row["knowledge"]), **TEXTS} for row in rows
            ],
            answers=[1 if row["label"] else 2 for row in rows],
            n_rows=len(rows),
            size=len(content),
        )


def searched(*releases: KnowledgeRelease) -> LeakReport:
    found = {release.name: list(published(release)) for release in releases}
    last = releases[-1].name
    return leak_report(found.pop(last), name=last, earlier=found, blind=())


def test_nothing_of_three_releases_tells_a_label() -> None:
    of = a_set(N_PAIRS)
    report = searched(*(released(of, name) for name in ("one", "two", "three")))
    assert report.n_tests > 500
    assert report.found == ()


def test_ids_of_one_length_have_no_letter_of_another_release() -> None:
    of = a_set(10)
    ids = [{row["id"] for row in lines(files(released(of, name))["natural.jsonl"])}
           for name in ("one", "two")]  # fmt: skip
    assert not ids[0] & ids[1]
    assert {len(id) for found in ids for id in found} == {32}
    order = [row["id"] for row in lines(files(released(of, "three"))["natural.jsonl"])]
    assert order == sorted(order)


def plant_ending(self: Publisher, ids: list[str]) -> dict[str, int]:
    """The true sentence of a pair ends with 1."""
    is_true = {
        str(one.public_id): one.is_true for one in Sentence.objects.filter(public_id__in=ids)
    }
    return {id: 1 if is_true[id] else 2 for id in ids}


def test_an_ending_that_is_the_label_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Publisher, "endings", plant_ending)
    assert searched(released(a_set(N_PAIRS), "one")).leaks
