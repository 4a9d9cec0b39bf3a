"""Repeated questions are counted where they come in, in snapshots, and in releases."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from collection.core.repeats import typed_alike
from collection.imports.winogrande import import_winogrande
from collection.models import Campaign, Question, Twin
from collection.models.expressions import key_of_each
from corpora import services
from corpora.building import trigrams
from corpora.building.tables import execute, planning
from corpora.building.trigrams import all_trigrams, similar_questions
from corpora.core.repeats import table_of
from corpora.models import ReferenceSet, Snapshot
from corpora.selectors import load_questions
from evaluation.core.verify import Outcome
from tests.collection.core.test_repeats import SAME, TEXT
from tests.collection.import_lines import pair, question, write
from tests.corpora.plain_near_duplicates import plain_near_duplicates
from tests.corpora.test_release_provenance import manifest
from tests.evaluation.bundles import findings, store_bundle
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import carried, read
from tests.frontend.pages import words

COUNTED = {"questions": 7, "repeated": 6, "same_answer": 4, "other_answer": 2}


def typed_otherwise(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The same question, with other white space and case, and its options in the other order."""
    other = {"sentence": row["sentence"].replace(" ", "  ").upper().replace("TROPHY", "Trophy")}
    return row | other | {"option1": row["option2"].upper(), "option2": row["option1"]} | changes


def rows() -> list[dict[str, Any]]:
    """Two twins, a copy of the first, and single copies of two questions with the other answer."""
    first, second = pair("AAA"), pair("BBB", about="shelf")
    copies = [
        typed_otherwise(row, qID=f"CCC-{3 - number}", answer=str(3 - number))
        for number, row in enumerate(first, 1)
    ]
    wrong = [row | {"qID": f"{name}-1", "answer": "2"} for row, name in ((second[0], "DDD"),)]
    return [*first, *second, *copies, *wrong]


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    import_winogrande(path=write(tmp_path / "set.jsonl", rows()), slug="published")
    return Campaign.objects.get(slug="published")


def as_curator() -> Client:
    client = Client()
    client.force_login(UserFactory(curator=True))
    return client


def taken(campaign: Campaign, **options: Any) -> Snapshot:
    snapshot: Snapshot = carried(services.take_snapshot(campaign=campaign, by=None, **options))
    return snapshot


def test_texts_that_are_typed_alike_have_one_sentence_key() -> None:
    """So a repeat is always in the split of what it repeats."""
    texts = [*SAME, TEXT, "The Straße – “İ” ﬁts", 'the straße - "i̇" fits.']
    keys = key_of_each(texts)
    assert {
        (typed_alike(one) == typed_alike(two), keys[one] == keys[two])
        for one in texts
        for two in texts
    } <= {(True, True), (False, False), (False, True)}


def test_an_import_warns_of_contradictory_copies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "set.jsonl", rows())
    call_command("import_winogrande", str(path), campaign="published")
    shown = capsys.readouterr()
    assert "repeated in the campaign    6" in shown.out
    assert "2 of 7 questions contradict another one" in shown.err
    call_command("import_winogrande", str(write(tmp_path / "one.jsonl", pair())), campaign="one")
    assert capsys.readouterr().err == ""


def test_an_import_of_an_export_warns_too(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("export_campaign", "published", str(tmp_path / "out"))
    call_command("import_export", str(tmp_path / "out"), campaign="published")
    assert "2 of 7 questions contradict another one" in capsys.readouterr().err


def test_a_snapshot_counts_repeats_and_leaves_out_whole_twins(campaign: Campaign) -> None:
    whole = taken(campaign)
    assert whole.repeats == COUNTED | {"left_out": 0}
    reduced, again = taken(campaign, without_repeats=True), taken(campaign, without_repeats=True)
    assert reduced.repeats == COUNTED | {"left_out": 3}
    assert (reduced.n_questions, reduced.n_pairs, reduced.total) == (4, 2, 4)
    assert reduced.questions_id == again.questions_id
    left = load_questions(reduced)
    assert table_of(left).count().repeated == 0
    stays = {(one.group, one.id) for one in left}
    assert stays < {(one.group, one.id) for one in load_questions(whole)}


def test_the_api_takes_and_tells_it(campaign: Campaign) -> None:
    client = APIClient()
    client.force_authenticate(UserFactory(curator=True))
    asked = {"campaign": "published", "without_repeats": True}
    made = client.post("/api/v1/snapshots/", asked, format="json")
    assert (made.status_code, made.data["repeats"]) == (201, None)
    carried(Snapshot.objects.get())
    told = client.get(f"/api/v1/snapshots/{made.data['id']}/").data
    assert (told["without_repeats"], told["repeats"]["left_out"]) == (True, 3)


def test_the_page_offers_it_and_says_how_many(campaign: Campaign) -> None:
    client = as_curator()
    address = reverse("take-snapshot", args=["published"])
    client.post(address, {"without_repeats": "true"})
    snapshot = carried(Snapshot.objects.get(without_repeats=True))
    text = words(client.get(reverse("pipeline", args=["published"])))
    assert "6 repeat another: 4 with the same answer, 2 with the other · 3 left out" in text
    preview = carried(services.preview_release(snapshot=snapshot, by=None))
    text = words(client.get(reverse("release-preview", args=[preview.public_id])))
    assert "No question in train (xl), dev and test has the same sentence and options" in text


def test_all_runs_can_start_without_repeats(campaign: Campaign) -> None:
    Campaign.objects.update(dev_share=0, test_share=0)  # so two pairs are enough
    client, address = as_curator(), reverse("pipeline", args=["published"])
    client.post(address, {"without_repeats": "true"})
    assert carried(Snapshot.objects.get()).repeats == COUNTED | {"left_out": 3}
    client.post(address)
    assert not Snapshot.objects.latest("pk").without_repeats


def test_the_api_and_the_command_start_all_runs_without_repeats(campaign: Campaign) -> None:
    Campaign.objects.update(dev_share=0, test_share=0)
    client = APIClient()
    client.force_authenticate(UserFactory(curator=True))
    wanted = {"release_name": "first", "without_repeats": True}
    made = client.post("/api/v1/campaigns/published/pipeline/", wanted, format="json")
    assert made.data["snapshot"]["without_repeats"] is True
    carried(Snapshot.objects.get())
    call_command("start_pipeline", "published", "second", without_repeats=True)
    assert Snapshot.objects.latest("pk").without_repeats


@pytest.fixture
def across(tmp_path: Path) -> Campaign:
    """Twins of train and of dev that share a sentence since an import after their draw."""
    other = pair("BBB", about="shelf")
    for name, row in (("train", question()), ("dev", other[0])):
        path = write(tmp_path / f"{name}.jsonl", [row])
        import_winogrande(path=path, slug="published", split=name)
    found = Campaign.objects.get(slug="published")
    taken(found)
    for name, row in (("train", question("AAA", 2)), ("dev", question("BBB", 2))):
        path = write(tmp_path / f"{name}.jsonl", [row])
        import_winogrande(path=path, slug="published", split=name)
    return found


@pytest.mark.long
def test_a_preview_and_a_release_say_which_repeats_cross_splits(
    across: Campaign, tmp_path: Path
) -> None:
    snapshot = taken(across)
    preview = carried(services.preview_release(snapshot=snapshot, by=None))
    said = {"questions": 4, "repeated": 2, "across_splits": 2, "same_answer": 2, "other_answer": 0}
    assert preview.facts["repeats"] == said
    text = words(as_curator().get(reverse("release-preview", args=[preview.public_id])))
    assert "2 of 4 questions in train (xl), dev and test repeat another one" in text
    assert "2 of them repeat one of another split" in text
    release = carried(services.build_release(snapshot=snapshot, name="one", by=None))
    assert manifest(release)["repeats"] == said
    card = read(release.files.get(name="README.md").artifact)
    assert "2 of 4 questions repeat another one" in card
    assert "2 repeat one of another split." in card
    store_bundle(release, tmp_path)
    about = tmp_path / "one" / "manifest.json"
    facts = json.loads(about.read_text())
    facts["repeats"]["across_splits"] = 0
    about.write_text(json.dumps(facts))
    wrong = [one for one in findings(tmp_path / "one") if one.outcome is Outcome.WRONG]
    assert any("repeats.across_splits is said to be" in one.sentence for one in wrong)


def test_a_release_tells_nothing_of_blind_labels(tmp_path: Path) -> None:
    """Two blind copies with different answers: only that they are copies is public."""
    first, copy = pair("AAA"), [typed_otherwise(row) for row in pair("BBB")]
    path = write(tmp_path / "set.jsonl", [*first, *copy])
    import_winogrande(path=path, slug="published", split="test")
    snapshot = taken(Campaign.objects.get(slug="published"))
    assert snapshot.repeats
    assert snapshot.repeats["other_answer"] == 4
    release = carried(services.build_release(snapshot=snapshot, name="one", by=None))
    found = manifest(release)["repeats"]
    assert (found["repeated"], found["same_answer"], found["other_answer"]) == (4, 0, 0)


def test_a_reference_set_says_which_items_contradict_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "set.jsonl", rows())
    call_command("import_reference_set", "tiny", f"test={path}", format="winogrande")
    assert "tiny/test: 2 of 7 items contradict another one" in capsys.readouterr().err
    split = ReferenceSet.objects.get().splits.get()
    assert split.repeats == COUNTED
    text = words(as_curator().get(reverse("reference-set", args=["tiny"])))
    assert "6 same answer 4, other 2" in text


WORDS = (
    *("carpenter", "garden", "fence", "rotten", "winter", "kettle", "potato", "Zoë", "café", "水"),
    *("O'Neill", "x", "3.5", "co-op", "naïve", "violin", "trumpet", "orchestra", "melody"),
    *("harbour", "sailor", "lantern", "storm", "running", "runs", "runner"),
)
THRESHOLDS = (0.3, 0.45, 0.6, 0.7, 0.9, 1.0)


def twins(seed: int, n: int) -> list[int]:
    """Twins whose sentences have many words in common, or none."""
    rng, campaign, made = random.Random(seed), CampaignFactory(), []
    for _ in range(n):
        twin = Twin.objects.create(campaign=campaign, origin="published", option1="a", option2="b")
        words = rng.choices(WORDS, k=rng.choice([0, 1, 2, 4, 6, 8]))
        for number in (1, 2):
            more = rng.choices(WORDS, k=rng.choice([0, 1, 2]))
            sentence = " ".join(rng.sample(["the", "_", *words, *more], 2 + len(words + more)))
            Question.objects.create(twin=twin, number=number, answer=number, sentence=sentence)
        made.append(twin.pk)
    return made


def found(blind: Sequence[int], threshold: float) -> list[tuple[int, int]]:
    with planning():
        execute("INSERT INTO planned_secret SELECT unnest(%s::bigint[])", [list(blind)])
        with all_trigrams(progress=lambda _: None) as stored:
            parts = similar_questions(stored, threshold=threshold, progress=lambda _: None)
            return [pair for i, j in parts for pair in zip(i.tolist(), j.tolist(), strict=True)]


@pytest.mark.long
@pytest.mark.parametrize(("seed", "threshold"), [*enumerate(THRESHOLDS)])
def test_they_are_those_of_the_index(
    seed: int, threshold: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in several blocks, and where the similarity equals the threshold."""
    monkeypatch.setattr(trigrams, "PAGES_IN_BLOCK", 1 + seed % 2)
    monkeypatch.setattr(trigrams, "CHUNK", 20)
    monkeypatch.setattr(trigrams, "_PAGE", trigrams._PAGE.replace("LIMIT 5000", "LIMIT 17"))
    made = twins(seed, 40)
    blind = made[:: 1 + seed % 3]

    pairs = found(blind, threshold)

    assert set(pairs) == plain_near_duplicates(blind, threshold=threshold)
    assert pairs


def test_without_a_blind_twin_there_are_none() -> None:
    twins(0, 3)
    assert found([], 0.3) == []
