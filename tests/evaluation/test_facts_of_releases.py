"""What a release says of its questions, against a computation from the campaign's export."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from statsmodels.stats.inter_rater import fleiss_kappa

from collection.models import Campaign
from corpora import services
from corpora.core.bundle.collection import NAMES
from corpora.core.bundle.layout import CROISSANT, MANIFEST, README
from corpora.models import Release, ReleasePreview
from evaluation.core.verify import open_bundle
from evaluation.core.verify.documents import check_claims
from evaluation.core.verify.findings import Finding, Outcome
from tests.evaluation.bundles import resum, store_bundle, wrong
from tests.evaluation.collected import Collecting, collected
from tests.factories import UserFactory
from tests.filtering.stages import carried, contents
from tests.frontend.pages import words
from validation.exports.campaigns import write_campaign

NAME = "winter-1"
Frame = pd.DataFrame
SETTINGS = ["min_words", "max_words", "min_overlap", "votes_per_question", "verdict_policy"]


@pytest.fixture(scope="module")
def folder(kept: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release unpacked, the campaign's export as of its snapshot, and pay from the tables."""
    place = tmp_path_factory.mktemp("facts")
    here = collected()
    snapshot = carried(services.take_snapshot(campaign=here.campaign, by=here.dana))
    list(write_campaign(here.campaign, "jsonl", place / "export"))
    pay_of_work().to_json(place / "pay.json", orient="records")
    go_on(here)
    release = services.build_release(snapshot=snapshot, name=NAME, by=here.dana, title="Winter")
    carried(services.preview_release(snapshot=snapshot, by=here.dana))
    store_bundle(carried(release), place)
    (place / "index.jsonl").write_text(contents(release)["index.jsonl"])
    return place


def go_on(here: Collecting) -> None:
    """Whatever changes the present figures of the campaign and not those of the snapshot."""
    here.change(votes_per_question=5, max_words=40, reward_twin="0.99", verdict_policy="majority")
    here.vote(here.write(40)[0], True, True, True)
    first = here.campaign.twins.order_by("pk")[2].questions.get(number=1)
    here.decide(first, valid=False)


def pay_of_work() -> Frame:
    """The pay of every twin and vote, from the tables alone."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT unit AS id, amount::text AS pay FROM workers_ledgerentry WHERE kind = 'twin' "
            "UNION ALL SELECT v.public_id::text, s.reward::text FROM validation_vote v "
            "JOIN validation_seat s ON s.id = v.seat_id"
        )
        return Frame(cursor.fetchall(), columns=["id", "pay"])


def tables(folder: Path) -> tuple[Frame, Frame]:
    """The questions of training and dev that were released, and their votes, from the export."""
    read = {
        name: pd.read_json(folder / "export" / f"{name}.jsonl", lines=True, dtype=False)
        for name in ("questions", "twins", "votes")
    }
    index = pd.read_json(folder / "index.jsonl", lines=True)
    pay = pd.read_json(folder / "pay.json", dtype=False)
    twins = read["twins"].drop(columns=["domain", "option1", "option2", "withdrawn_at", "origin"])
    twins = twins.merge(pay, left_on="twin", right_on="id", how="left")
    released = index[index.split != "test"].question
    questions = read["questions"][read["questions"].question.isin(released)]
    questions = questions.merge(twins, on="twin", suffixes=("", "_twin"))
    votes = read["votes"].merge(pay, left_on="vote", right_on="id", how="left")
    votes = votes[votes.question.isin(questions.question) & ~votes.gold].sort_values("created_at")
    due = questions.set_index("question").votes_per_question
    counted = votes[~votes.excluded]
    place = counted.groupby("question").cumcount()
    votes["additional"] = (place >= counted.question.map(due)).reindex(
        votes.index, fill_value=False
    )
    return questions, votes


def expected(folder: Path) -> dict[str, Any]:
    """The facts of the collection, by pandas."""
    questions, votes = tables(folder)
    ours = questions[questions.origin == "authored"]
    n_votes = votes[~votes.excluded].groupby("question").size()
    by = np.where(questions.origin == "published", "import",
                  np.where(questions.decided_by.notna(), "curator", "votes"))  # fmt: skip
    ways = Frame({
        "by": by,
        "policy": np.where(by == "votes", questions.policy, ""),
        "version": np.where(by == "votes", questions.version.fillna(0), 0).astype(int),
        "votes": questions.question.map(n_votes).fillna(0).astype(int),
    })  # fmt: skip
    rules = [tuple(map(plain, row)) for row in ours[SETTINGS].itertuples(index=False)]
    months = pd.to_datetime(ours.created_at_twin).dt.strftime("%Y-%m")
    return {
        "questions": len(questions),
        "written": len(ours),
        "writers": ours.author.nunique(),
        "validators": votes.worker.nunique(),
        "votes": int((~votes.excluded).sum()),
        "votes_excluded": int(votes.excluded.sum()),
        "votes_additional": int(votes.additional.sum()),
        "months": (months.min(), months.max()),
        "rules": dict(Counter(rules)),
        "decided": ways.groupby(["by", "policy", "version", "votes"]).size().to_dict(),
        "guidelines": {"writing": of(ours.guidelines), "validating": of(votes.guidelines)},
        "pay": {"writing": of(ours.pay), "validating": of(votes.pay)},
        "hourly": {"writing": hourly_of_writing(ours), "validating": hourly_of_votes(votes)},
    }


def plain(value: Any) -> Any:
    """A setting as the manifest has it: pandas makes floats of integers beside nulls."""
    return value if isinstance(value, str) else round(float(value), 4)


def of(column: Any) -> dict[str, int]:
    shown = column.map(lambda x: "" if pd.isna(x) else x if isinstance(x, str) else str(int(x)))
    return dict(shown.value_counts().sort_index())


def hourly_of_writing(ours: Frame) -> tuple[float, int]:
    timed = ours.drop_duplicates("twin").dropna(subset=["active_seconds", "pay"])
    return rate(timed.author, timed.pay, timed.active_seconds)


def hourly_of_votes(votes: Frame) -> tuple[float, int]:
    return rate(votes.worker, votes.pay, votes.seconds_local + votes.seconds_sentence)


def rate(who: Any, pay: Any, seconds: Any) -> tuple[float, int]:
    sums = Frame({"who": who, "pay": pay.astype(float), "s": seconds}).groupby("who").sum()
    return round(median((3600 * sums.pay / sums.s).round(2)), 2), len(sums)


def test_every_fact_of_the_manifest_is_that_of_the_export(folder: Path) -> None:
    told = json.loads((folder / NAME / MANIFEST).read_text())["collection"]
    true = expected(folder)
    for name in ("questions", "written", "writers", "validators", "votes", "votes_excluded",
                 "votes_additional", "guidelines", "pay"):  # fmt: skip
        assert told[name] == true[name], name
    assert (told["first_written"], told["last_written"]) == true["months"]
    assert {key(one): one["questions"] for one in told["rules"]} == true["rules"]
    ways = {
        (one["by"], one["policy"] or "", one["version"] or 0, one["votes"]): one["questions"]
        for one in told["decided"]
    }
    assert ways == true["decided"]
    for work, (value, n) in true["hourly"].items():
        assert (float(told["hourly_pay"][work]["median"]), told["hourly_pay"][work]["n"]) == (
            pytest.approx(value, abs=0.011), n,
        )  # fmt: skip


def key(rules: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(rules[name] for name in SETTINGS)


def test_it_has_every_way_and_more_than_one_of_each_setting(folder: Path) -> None:
    """The campaign of this test is not poorer than it should be."""
    true = expected(folder)
    assert {way[:2] for way in true["decided"]} == {
        ("votes", "majority"), ("votes", "unanimous"), ("curator", ""), ("import", ""),
    }  # fmt: skip
    assert {way[3] for way in true["decided"]} == {0, 1, 3, 4}
    assert len(true["rules"]) == 2
    assert true["votes_excluded"] == true["votes_additional"] == 1
    assert set(true["guidelines"]["writing"]) == {"", "1", "4"}  # nobody accepted 2 or 3
    assert len(true["pay"]["writing"]) == len(true["pay"]["validating"]) == 2


def test_agreement_is_that_of_the_export(folder: Path) -> None:
    told = json.loads((folder / NAME / MANIFEST).read_text())["agreement"]
    _, votes = tables(folder)
    first = votes[~votes.excluded & ~votes.additional]
    parts = {
        "answer": ([1, 2], first.option, [0, 1]),
        "ambiguity": ([False, True], first.ambiguous, None),
        "local": ([0, 1, 2], first.local_option.fillna(0).astype(int), [1, 2]),
    }
    for part, (labels, given, mirrored) in parts.items():
        counts = np.array([
            [int((rows == label).sum()) for label in labels]
            for _, rows in given.groupby(first.question)
        ])  # fmt: skip
        counts = counts[counts.sum(axis=1) > 1]
        other = counts.copy()
        if mirrored:
            other[:, mirrored] = counts[:, mirrored[::-1]]
        both = np.concatenate([counts, other]) if mirrored else counts
        alpha = told[f"{part}_alpha"]["value"]
        if np.count_nonzero(both.sum(axis=0)) > 1:
            true = krippendorff.alpha(value_counts=both, level_of_measurement="nominal")
            assert alpha == pytest.approx(true, abs=1e-4)
            three = both[both.sum(axis=1) == 3]
            assert told[f"{part}_kappa"]["value"] == pytest.approx(fleiss_kappa(three), abs=1e-4)
        else:
            assert alpha is None
        assert told[f"{part}_alpha"]["n"] == len(counts)


def sentences(true: dict[str, Any]) -> list[str]:
    """What page, card and Croissant say, made from the figures of the export by hand."""
    n, w, v = true["questions"], true["written"], true["votes"] + true["votes_excluded"]
    found = [
        f"Of {n} questions of training and dev, {true['writers']} people wrote {w}, and {n - w} "
        "were imported from a published set.",
        f"Written: {' to '.join(true['months'])}.",
        f"{true['validators']} people gave {v} votes: {true['votes_excluded']} excluded, and "
        f"{true['votes_additional']} in addition to those that were due.",
    ]
    for (least, most, overlap, votes, policy), count in true["rules"].items():
        found.append(
            f"{count} questions were written under these settings: {least:g} to {most:g} words in "
            f"a sentence, at least {round(100 * overlap)} % of the words in common, "
            f"{several(int(votes), 'vote')} on each question, policy {policy}."
        )
    for (by, policy, version), how in {
        ("votes", "majority", 2): "decided by their votes, under policy majority, version 2",
        ("votes", "unanimous", 2): "decided by their votes, under policy unanimous, version 2",
        ("curator", "", 0): "decided by a curator",
    }.items():
        counts = {k[3]: n for k, n in true["decided"].items() if k[:3] == (by, policy, version)}
        parts = [
            f"{n} with {several(k, 'vote')}" if k else f"{n} without votes"
            for k, n in sorted(counts.items())
        ]
        total = sum(counts.values())
        found.append(f"{total} questions were {how}: {', '.join(parts)}.")
    n = true["decided"]["import", "", 0, 0]
    found.append(f"{n} questions were imported from a published set, and validated there.")
    for work, who in (("writing", "writers"), ("validating", "validators")):
        noun = "question" if work == "writing" else "vote"
        parts = [
            f"{f'version {one}' if one else 'not known'} ({several(n, noun)})"
            for one, n in true["guidelines"][work].items()
        ]
        found.append(f"Guidelines that the {who} had accepted: {', '.join(parts)}.")
        parts = [f"{one} USD ({several(n, noun)})" for one, n in true["pay"][work].items()]
        paid_for = "a pair" if work == "writing" else "a vote"
        found.append(f"Pay for {paid_for}: {', '.join(parts)}.")
    return found


def several(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def test_page_preview_card_and_croissant_say_the_same(folder: Path, client: Client) -> None:
    client.force_login(UserFactory(curator=True))
    release, preview = Release.objects.get(), ReleasePreview.objects.get()
    about = json.loads((folder / NAME / CROISSANT).read_text())
    places = {
        "card": (folder / NAME / README).read_text().replace("\\", ""),
        "page": words(client.get(reverse("release", args=[release.name]))),
        "preview": words(client.get(reverse("release-preview", args=[preview.public_id]))),
        "croissant": " ".join([about["rai:dataCollection"], *about["rai:dataAnnotationProtocol"]]),
    }
    for sentence in (*sentences(expected(folder)), *NAMES):
        for place, text in places.items():
            assert sentence in text, (place, sentence)
    counts: dict[int, int] = {}
    for (_, _, _, votes), n in expected(folder)["decided"].items():
        counts[votes] = counts.get(votes, 0) + n
    parts = [f"{k} ({several(n, 'question')})" for k, n in sorted(counts.items())]
    assert about["rai:annotationsPerItem"] == ", ".join(parts)


def test_a_pair_that_a_curator_decided_is_described_so(folder: Path) -> None:
    """One question had three votes, its twin none: no sentence says that votes decided."""
    questions, _ = tables(folder)
    odd_one = questions[questions.sentence.str.startswith("The cup 8 ")]
    assert odd_one.decided_by.notna().all()
    assert "without votes" in " ".join(sentences(expected(folder)))


def claims(path: Path) -> list[Finding]:
    with open_bundle(path) as bundle:
        manifest = bundle.document(MANIFEST)
        return [one for one in check_claims(bundle, manifest) if one.outcome is Outcome.WRONG]


def test_the_release_is_right(folder: Path) -> None:
    assert wrong(folder / f"{NAME}.zip", folder / "opened") == []


@pytest.mark.long
def test_a_changed_number_of_any_sentence_of_the_card_is_named(folder: Path) -> None:
    card = folder / NAME / README
    lines = card.read_text().split("\n")
    first, n_changed, missed = lines.index("## Datasheet"), 0, []
    try:
        for place, line in enumerate(lines[first:], first):
            numbers = [*re.finditer(r"(?<![\w.])\d", line)]
            if not numbers:
                continue
            at, n_changed = numbers[place % len(numbers)].start(), n_changed + 1
            changed = f"{line[:at]}{(int(line[at]) + 1) % 10}{line[at + 1 :]}"
            card.write_text("\n".join([*lines[:place], changed, *lines[place + 1 :]]))
            said = [one.sentence for one in claims(folder / NAME) if one.place == README]
            if len(said) != 1 or repr(changed[:300])[1:-1] not in said[0]:
                missed.append(changed)
    finally:
        card.write_text("\n".join(lines))
    assert n_changed > 30
    assert missed == []


WORDS = {
    "a curator": "their votes",
    "policy majority": "policy unanimous",
    "without votes": "with 3 votes",
    "in common": "in a row",
    "excluded": "counted",
    "not known": "version 1",
}


@pytest.mark.parametrize("old", WORDS)
def test_a_changed_word_is_named_with_its_sentence(folder: Path, old: str) -> None:
    card = folder / NAME / README
    whole = card.read_text()
    assert old in whole
    try:
        card.write_text(whole.replace(old, WORDS[old], 1))
        (found,) = claims(folder / NAME)
    finally:
        card.write_text(whole)
    assert (found.place, WORDS[old] in found.sentence, old in found.sentence) == (
        README,
        True,
        True,
    )


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [
        leaf
        for name, one in items
        for leaf in (
            leaves(one, (*path, name)) if isinstance(one, dict | list) else [(*path, name)]
        )
    ]


TOLD = ("collection", "agreement", "splits", "origin", "leaks", "commitments", "limits", "warnings")


@pytest.mark.long
def test_every_forged_figure_is_named_even_if_all_documents_repeat_it(
    folder: Path, tmp_path: Path
) -> None:
    """The forger changes the manifest, makes every document again, and the hashes."""
    forged = Path(shutil.copytree(folder / NAME, tmp_path / NAME))
    genuine = json.loads((forged / MANIFEST).read_text())
    missed = []
    for path in leaves({name: genuine[name] for name in TOLD}):
        if path == ("origin", "pasted_from_share") or path[:2] in (
            ("collection", "currency"), ("leaks", "detectable"),
            ("collection", "writers"), ("collection", "validators"), ("collection", "erased"),
        ):  # fmt: skip
            continue
        about = json.loads(json.dumps(genuine))
        place = about
        for name in path[:-1]:
            place = place[name]
        old = place[path[-1]]
        place[path[-1]] = other(old)
        (forged / MANIFEST).write_text(json.dumps(about))
        resum(forged)
        said = [one.sentence for one in claims(forged)]
        if not any(str(path[0]) in sentence for sentence in said):
            missed.append(path)
    assert missed == []


def other(value: Any) -> Any:
    if isinstance(value, str):
        return value[:-1] + ("1" if value.endswith("0") else "0") if value else "x"
    return 1 if value is None else value + 1


def test_two_campaigns_later_settings_do_not_reach_the_release(folder: Path) -> None:
    about = json.loads((folder / NAME / MANIFEST).read_text())
    assert Campaign.objects.get().max_words == 40
    assert "40 words" not in json.dumps(about)
    assert 40 not in {one["max_words"] for one in about["collection"]["rules"]}
