"""The blind test stays blind: what can be learned from every public file of every release."""

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

from collection.imports.winogrande import import_winogrande
from collection.models import Campaign
from corpora import services as corpora
from corpora.core.items import Item, TwinItem
from corpora.models import Release, Snapshot
from corpora.selectors import load_questions, read_index
from tests.api.calls import API, client_of, ok
from tests.collection.import_lines import pairs, write
from tests.factories import EncodingFactory, FilterRunFactory, UserFactory
from tests.filtering.stages import assert_done, contents, release_of, rows
from winoplatform.artifacts import store
from winoplatform.runs.kinds import execute_here

Row = dict[str, Any]
FILES = {"train": "train_xl"}


@dataclass
class Outsider:
    """Anybody with an account: reads all that there is to read, and puts it together."""

    answers: dict[str, str] = field(default_factory=dict)  # by sentence: the right option
    options: dict[str, set[str]] = field(default_factory=dict)
    twins: dict[str, set[str]] = field(default_factory=dict)
    blind: set[str] = field(default_factory=set)

    def read_everything(self) -> "Outsider":
        Release.objects.update(is_public=True)
        client = client_of(UserFactory())
        for release in ok(client.get(f"{API}releases/"))["results"]:
            url = f"{API}releases/{release['id']}/files/"
            names = [file["name"] for file in ok(client.get(url))]
            files = {name: b"".join(client.get(f"{url}{name}").streaming_content) for name in names}
            self.read_release({name: data.decode(errors="replace") for name, data in files.items()})
        for found in ok(client.get(f"{API}reference-sets/"))["results"]:
            url = f"{API}reference-sets/{found['name']}/splits/"
            lines = [client.get(f"{url}{split['name']}/") for split in found["splits"]]
            text = b"".join(part for line in lines for part in line.streaming_content)
            self.read_items([Item.from_line(line) for line in text.decode().splitlines()])
        return self

    def read_items(self, items: Sequence[Item]) -> None:
        groups: dict[str, set[str]] = {}
        for item in items:
            sentence = plain(item.blanked)
            groups.setdefault(item.group, set()).add(sentence)
            self.options[sentence] = set(item.options)
            if item.answer is not None:
                self.answers[sentence] = item.options[item.answer - 1]
        for sentences in groups.values():
            self.knows_twins(sentences)

    def read_release(self, files: dict[str, str]) -> None:
        bases: dict[str, set[str]] = {}
        for split in ("train_xl", "dev", "test"):
            found = rows(files[f"{split}.jsonl"])
            labels = files.get(f"{split}-labels.lst", "").split() or [None] * len(found)
            for row, label in zip(found, labels, strict=True):
                sentence = plain(row["sentence"])
                bases.setdefault(row["qID"].rpartition("-")[0], set()).add(sentence)
                self.options[sentence] = {row["option1"], row["option2"]}
                answer = row.get("answer") or label
                if answer is None:
                    self.blind.add(sentence)
                else:
                    self.answers[sentence] = row[f"option{answer}"]
        for twins in bases.values():
            self.knows_twins(twins)

    def knows_twins(self, sentences: Iterable[str]) -> None:
        both = set(sentences)
        for sentence in both:
            self.twins.setdefault(sentence, set()).update(both - {sentence})

    def labels_of_blind_questions(self) -> dict[str, str]:
        """Conclude: of two twins, one has the answer that the other has not."""
        known, news = dict(self.answers), set(self.answers)
        while news:
            sentence = news.pop()
            for twin in self.twins.get(sentence, set()) - known.keys():
                rest = self.options.get(twin, self.options[sentence]) - {known[sentence]}
                known[twin] = rest.pop()
                news.add(twin)
        return {sentence: known[sentence] for sentence in self.blind & known.keys()}


def plain(sentence: str) -> str:
    return re.sub(r"\W", "", sentence.casefold())


def imported(folder: Path, lines: Sequence[Row], *, slug: str, **options: str) -> Campaign:
    import_winogrande(path=write(folder / "set.jsonl", lines), slug=slug, **options)
    Campaign.objects.update(near_duplicate=1)  # the lines differ in a number alone
    return Campaign.objects.get(slug=slug)


def snapshot_of_campaign(campaign: Campaign) -> Snapshot:
    snapshot = corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(snapshot)
    assert_done(snapshot)
    return snapshot


def released(snapshot: Snapshot, name: str, *, keep: float = 0.8, seed: int = 0) -> Release:
    """A release of what a filter leaves that breaks many twins."""
    rng, questions = random.Random(seed), load_questions(snapshot)
    kept = [question.id for question in questions if rng.random() < keep]
    run = FilterRunFactory(
        finished=True,
        encoding=EncodingFactory(finished=True, snapshot=snapshot),
        kept=store.put_bytes("".join(f"{id}\n" for id in kept).encode()),
        n_kept=len(kept),
    )
    release = release_of(run, name)
    execute_here(release)
    assert_done(release)
    return release


def with_labels(release: Release, *splits: str) -> list[Row]:
    """What a curator has of a release: the rows of any split, blind ones with their answers."""
    files = contents(release)
    answers = {row["qID"]: str(row["answer"]) for row in rows(files["index.jsonl"])}
    return [
        row | {"answer": answers[row["qID"]]}
        for split in splits
        for row in rows(files[f"{FILES.get(split, split)}.jsonl"])
    ]


@pytest.mark.long
def test_three_releases_and_imports_in_between_tell_no_blind_label(tmp_path: Path) -> None:
    campaign = imported(tmp_path, pairs(200), slug="kitchen")
    first = released(snapshot_of_campaign(campaign), "first", seed=1)

    # More questions; and the first release comes back, under its own ids and in its own order.
    imported(tmp_path, pairs(260, prefix="N")[400:], slug="kitchen")
    imported(tmp_path, with_labels(first, "train", "dev", "test"), slug="kitchen")
    second = released(snapshot_of_campaign(campaign), "second", seed=2)

    # Elsewhere the blind ones, with the labels that a curator has, and some of the first file.
    other = imported(tmp_path, with_labels(second, "test"), slug="other")
    imported(tmp_path, pairs(100)[100:], slug="other")
    released(snapshot_of_campaign(other), "third", keep=0.9, seed=3)
    released(first.snapshot, "fourth", keep=0.6, seed=4)

    outsider = Outsider().read_everything()
    for twin in Campaign.objects.get(slug="kitchen").twins.all():  # twins are alike: granted
        outsider.knows_twins(plain(question.sentence) for question in twin.questions.all())
    assert len(outsider.blind) >= 25
    assert len(outsider.answers) >= 250
    assert outsider.labels_of_blind_questions() == {}


@pytest.mark.long
def test_the_blind_file_of_another_data_set_stays_blind(tmp_path: Path) -> None:
    foreign = pairs(140)
    imported(tmp_path, foreign[:240], slug="foreign", split="train")
    campaign = imported(tmp_path, foreign[240:], slug="foreign", split="test")
    release = released(snapshot_of_campaign(campaign), "foreign", keep=0.9)
    again = imported(tmp_path, with_labels(release, "test", "train"), slug="again")
    released(snapshot_of_campaign(again), "again", keep=1)

    outsider = Outsider().read_everything()
    secret = {plain(row["sentence"]) for row in foreign[240:]}
    assert len(outsider.blind) >= 30
    assert outsider.blind <= secret
    assert outsider.labels_of_blind_questions() == {}
    assert not secret & outsider.answers.keys()


@pytest.mark.long
def test_what_two_releases_of_one_question_have_in_common_goes_with_no_label(
    tmp_path: Path,
) -> None:
    """Both orders of the options, both endings and both rows are seen: no comparison tells."""
    snapshot = snapshot_of_campaign(imported(tmp_path, pairs(400), slug="kitchen"))
    one, two = (in_place(released(snapshot, name, keep=1)) for name in ("one", "two"))
    # Of each pair one question, drawn by what is not published: its id.
    questions = {row["question"]: row for row in one.values()}
    throws = [questions[id] for id in a_question_of_each_twin(snapshot) if id in questions]
    after = {row["question"]: row for row in two.values()}
    clues = {
        "order changed": lambda a, b: a["option1"] != b["option1"],
        "ending changed": lambda a, b: a["qID"][-1] != b["qID"][-1],
        "ending and order": lambda a, b: (
            (a["qID"][-1] != b["qID"][-1]) ^ (a["option1"] != b["option1"])
        ),
        "went down": lambda a, b: a["place"] < b["place"],
        "same parity": lambda a, b: a["place"] % 2 == b["place"] % 2,
    }
    for name, clue in clues.items():
        agreed = sum(clue(row, after[row["question"]]) == (row["answer"] == 1) for row in throws)
        assert binomtest(agreed, len(throws)).pvalue > 1e-6, name


def in_place(release: Release) -> dict[str, Row]:
    files = contents(release)
    shown = {
        row["qID"]: row | {"place": place}
        for split in ("train_xl", "dev", "test")
        for place, row in enumerate(rows(files[f"{split}.jsonl"]))
    }
    return {row["qID"]: shown[row["qID"]] | row for row in read_index(release)}


def a_question_of_each_twin(snapshot: Snapshot) -> list[str]:
    first: dict[str, TwinItem] = {}
    for question in sorted(load_questions(snapshot), key=lambda one: one.id):
        first.setdefault(question.group, question)
    return [question.id for question in first.values()]
