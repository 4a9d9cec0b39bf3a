"""The split of a twin is drawn once, stored, and followed by whatever comes after."""

import hashlib
from collections import Counter
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.models import Campaign, Question, Twin
from corpora import drawing
from corpora import services as corpora
from corpora.models import Draw, DrawTable, Snapshot
from corpora.selectors import draw_table_lines, showing_each_other
from filtering.runner import encodings
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import (
    CampaignFactory,
    QuestionFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
)
from tests.filtering.stages import (
    Killed,
    assert_done,
    contents,
    filtered,
    frozen,
    kill,
    lease_ends,
    published_twins,
    release_of,
    rows,
    snapshot_of,
)
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here


def snapshot_of_campaign(campaign: Campaign) -> Snapshot:
    snapshot = corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(snapshot)
    assert_done(snapshot)
    return snapshot


def twin_of(campaign: Campaign, *sentences: str, **fields: Any) -> Twin:
    twin: Twin = TwinFactory(campaign=campaign, published=True, sentences=sentences, **fields)
    return twin


def alone(campaign: Campaign, sentence: str) -> Twin:
    """A question whose twin is missing."""
    twin = Twin.objects.create(
        campaign=campaign, origin=Twin.Origin.PUBLISHED, option1="cup", option2="jar"
    )
    QuestionFactory(twin=twin, sentence=sentence)
    return twin


def draw(*twins: Twin) -> list[str]:
    """Draw for twins, one after the other; return their splits."""
    found = []
    for twin in twins:
        found += drawing.splits_of_twins(twin.campaign, {str(twin.public_id): 2}).values()
    return found


def drawn(split: str, campaign: Campaign, *sentences: str) -> Twin:
    twin = twin_of(campaign, *sentences)
    Draw.objects.create(twin=twin, split=split, origin="linked", is_pair=True)
    return twin


def test_a_snapshot_draws_for_its_twins_and_no_later_one_draws_again(campaign: Campaign) -> None:
    published_twins(20, campaign=campaign)
    snapshot_of_campaign(campaign)
    before = dict(Draw.objects.values_list("twin", "split"))
    assert len(before) == 20
    Campaign.objects.update(dev_share="0.50", test_share="0.40")
    published_twins(10, campaign=campaign, option1="cup")  # the same sentences: as these
    snapshot_of_campaign(campaign)
    after = dict(Draw.objects.values_list("twin", "split"))
    assert len(after) == 30
    assert after.items() >= before.items()


@pytest.mark.parametrize("change", ["update", "delete"])
def test_a_draw_is_neither_changed_nor_taken_back(change: str) -> None:
    row = Draw.objects.get(twin=drawn("test", CampaignFactory(), "A _ b.", "A _ c."))
    with (
        pytest.raises(IntegrityError, match="drawn once") as caught,
        transaction.atomic(),
    ):
        Draw.objects.filter(pk=row.pk).update(split="train") if change == "update" else row.delete()
    assert "blind label" in str(caught.value)
    row.refresh_from_db()
    assert row.split == "test"


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("corpora_draw_twin_id_key", {}),
        ("corpora_draw_split_is_known", {"split": "valid"}),
        ("corpora_draw_origin_is_known", {"origin": "guessed"}),
        ("corpora_draw_dealt_has_its_shares", {"origin": "dealt"}),
    ],
)
def test_the_database_refuses(constraint: str, fields: dict[str, Any]) -> None:
    there = {"split": "test", "origin": "linked", "is_pair": True}
    twin = drawn("test", CampaignFactory(), "A _ b.", "A _ c.")
    if fields:
        twin = twin_of(twin.campaign, "B _ b.", "B _ c.")
    with pytest.raises(IntegrityError, match=constraint):
        Draw.objects.create(twin=twin, **(there | fields))


@pytest.mark.long
def test_shares_hold_over_many_small_snapshots_and_count_for_new_twins_only() -> None:
    campaign, numbers = CampaignFactory(), iter(range(1000))

    def grow(times: int, *, by: int) -> Counter[str]:
        before = set(Draw.objects.values_list("pk", flat=True))
        for _ in range(times):
            twins = [twin_of(campaign, f"{n} a _.", f"{n} b _.") for n in _next(numbers, by)]
            drawing.splits_of_twins(campaign, {str(twin.public_id): 2 for twin in twins})
        return Counter(Draw.objects.exclude(pk__in=before).values_list("split", flat=True))

    first = grow(20, by=3)
    assert abs(first["dev"] - 6) < 2
    assert abs(first["test"] - 6) < 2
    Campaign.objects.update(dev_share="0.50", test_share="0.00")
    campaign.refresh_from_db()
    second = grow(5, by=8)
    assert abs(second["dev"] - 20) < 3
    assert second["test"] <= 1  # what rounding left over from before


def _next(numbers: Any, n: int) -> list[int]:
    return [next(numbers) for _ in range(n)]


def test_pairs_and_single_questions_are_dealt_apart() -> None:
    campaign = CampaignFactory(dev_share="0.20", test_share="0.20")
    published_twins(30, campaign=campaign)
    for number in range(20):
        alone(campaign, f"Alone {number} the _ fell.")
    snapshot_of_campaign(campaign)
    for is_pair, most in ((True, 6), (False, 4)):
        got = Counter(Draw.objects.filter(is_pair=is_pair).values_list("split", flat=True))
        assert abs(got["dev"] - most) < 1
        assert abs(got["test"] - most) < 1


@pytest.mark.long
@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_a_sentence_has_one_split_in_whatever_twin_and_campaign_it_stands(split: str) -> None:
    here, there = CampaignFactory.create_batch(2)
    drawn(split, here, "The cup _ fell.", "The jar _ fell.")
    again = twin_of(here, "THE cup _ fell!", "The jar  _ fell.")
    elsewhere = twin_of(there, "The jar _ fell.", "The vase _ fell.")
    assert draw(again, elsewhere, alone(there, "The cup _ fell.")) == [split] * 3
    assert set(Draw.objects.values_list("origin")) == {("linked",)}


def test_twins_that_share_a_sentence_are_dealt_as_one() -> None:
    campaign = CampaignFactory(dev_share="0.40", test_share="0.40")
    twins = [twin_of(campaign, f"{n // 3} _ a.", f"{n} _ b.") for n in range(60)]
    splits = drawing.splits_of_twins(campaign, {str(twin.public_id): 2 for twin in twins})
    units = [{splits[str(twin.public_id)] for twin in twins[n : n + 3]} for n in range(0, 60, 3)]
    assert all(len(unit) == 1 for unit in units)
    assert set().union(*units) == {"train", "dev", "test"}


def test_a_revision_keeps_the_split_however_often_and_whether_drawn_in_between() -> None:
    campaign = CampaignFactory()
    for split in ("train", "dev", "test"):
        first = drawn(split, campaign, f"{split} _ a.", f"{split} _ b.")
        second = twin_of(campaign, f"{split} _ c.", f"{split} _ d.", revises=first)
        Twin.objects.filter(pk__in=[first.pk, second.pk]).update(withdrawn_at=timezone.now())
        third = twin_of(campaign, f"{split} _ e.", f"{split} _ f.", revises=second)
        assert draw(third) == [split]


def test_a_twin_between_train_and_test_is_in_no_release_and_binds_nobody() -> None:
    campaign = CampaignFactory()
    drawn("train", campaign, "The cup _ fell.", "The jar _ fell.")
    drawn("test", campaign, "The pot _ fell.", "The pan _ fell.")
    between = twin_of(campaign, "The jar _ fell.", "The pot _ fell.")
    after = twin_of(campaign, "The jar _ fell.", "The can _ fell.")
    assert draw(between, after) == ["withheld", "train"]


@pytest.mark.long
def test_twins_joined_by_one_that_has_no_split_yet_get_one_split(campaign: Campaign) -> None:
    for n in range(12):
        first = twin_of(campaign, f"The cup {n} _ fell.", f"The jar {n} _ fell.")
        other = twin_of(campaign, f"The pot {n} _ fell.", f"The pan {n} _ fell.")
        twin_of(campaign, f"The jar {n} _ fell.", f"The pot {n} _ fell.")
        assert len(set(draw(first, other))) == 1


def test_many_revisions_are_gathered_in_a_few_queries(django_assert_max_num_queries: Any) -> None:
    campaign = CampaignFactory()
    twins = []
    for n in range(15):
        first = twin_of(campaign, f"{n} _ a.", f"{n} _ b.", withdrawn_at=timezone.now())
        twins += [first, twin_of(campaign, f"{n} _ c.", f"{n} _ d.", revises=first)]
    with django_assert_max_num_queries(6):
        found = showing_each_other([twin.pk for twin in twins[1::2]])
    assert sorted(map(sorted, found)) == [
        [a.pk, b.pk] for a, b in zip(twins[::2], twins[1::2], strict=True)
    ]


@pytest.mark.long
@pytest.mark.parametrize("told", ["train", "dev", "test"])
def test_the_split_of_a_file_is_kept(told: str, campaign: Campaign) -> None:
    twins = [twin_of(campaign, f"{n} _ a.", f"{n} _ b.", source_split=told) for n in range(8)]
    assert draw(*twins) == [told] * 8
    assert set(Draw.objects.values_list("origin", flat=True)) == {"imported"}


def test_a_blind_question_that_comes_back_in_a_training_file_is_in_no_release() -> None:
    blind = drawn("test", CampaignFactory(), "The cup _ fell.", "The jar _ fell.")
    back = twin_of(CampaignFactory(), "The cup _ fell.", "The jar _ fell.", source_split="train")
    assert draw(back, blind) == ["withheld", "test"]


def test_a_question_that_an_import_adds_to_a_twin_takes_no_blind_label_along() -> None:
    """The twin has been drawn; then its missing half turns out to be blind elsewhere."""
    campaign = CampaignFactory()
    drawn("test", campaign, "The jar _ fell.", "The pan _ fell.")
    half = drawn("train", campaign, "The cup _ fell.")
    assert draw(half) == ["train"]
    QuestionFactory(twin=half, number=2, sentence="The jar _ fell.")
    assert draw(half) == ["withheld"]


def test_a_release_leaves_out_what_is_withheld_and_says_how_much() -> None:
    questions = frozen(pairs=12)
    run = filtered(questions, dev_share="0.20", test_share="0.20")
    twins = list(Twin.objects.filter(questions__public_id__in=[q.id for q in questions]).distinct())
    Draw.objects.create(twin=twins[0], split="withheld", origin="linked", is_pair=True)
    release = release_of(run, "first")
    execute_here(release)
    assert_done(release)
    files = contents(release)
    shown = {row["question"] for row in rows(files["index.jsonl"])}
    assert len(shown) == 22
    assert not shown & set(twins[0].questions.values_list("public_id", flat=True))
    (manifest,) = rows(files["manifest.json"].replace("\n", ""))
    assert manifest["left_out"] == {"withheld": 2}
    assert manifest["origin"]["questions"]["unknown"] == 22


def test_a_tuning_learns_from_the_training_side_only() -> None:
    snapshot = snapshot_of(frozen(pairs=60), dev_share="0.30", test_share="0.30")
    tuning = TuningFactory(snapshot=snapshot, n_train=24, n_validation=10)
    chosen = encodings._tuning_sample(tuning)
    used = Question.objects.filter(public_id__in=[q.id for q in chosen.train + chosen.validation])
    assert used.count() == 34
    assert set(used.values_list("twin__draw__split", flat=True)) == {"train"}


def test_a_tuning_that_wants_more_than_the_training_side_fails_with_a_sentence() -> None:
    snapshot = snapshot_of(frozen(pairs=20), dev_share="0.40", test_share="0.40")
    tuning = TuningFactory(snapshot=snapshot, n_train=12, n_validation=4)
    with pytest.raises(ValueError, match="wants more than 16 questions of the training split"):
        encodings._tuning_sample(tuning)


def test_killed_before_its_end_a_snapshot_has_drawn_nothing(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    published_twins(4, campaign=campaign)
    snapshot = corpora.take_snapshot(campaign=campaign, by=None)
    with monkeypatch.context() as patch:
        patch.setattr(Attempt, "finish", kill)
        with pytest.raises(Killed):
            execute_here(snapshot)
    assert not Draw.objects.exists()
    lease_ends(snapshot)
    execute_here(snapshot)
    assert Draw.objects.count() == 4


@pytest.mark.long
def test_a_file_of_one_sentence_many_times_is_drawn_in_no_time(campaign: Campaign) -> None:
    """Each with each would be half a million links."""
    twins = Twin.objects.bulk_create(
        Twin(campaign=campaign, origin="published", source_id=str(n), option1="a", option2="b")
        for n in range(1000)
    )
    Question.objects.bulk_create(
        Question(twin=twin, number=1, sentence="The _ fell.", answer=1) for twin in twins
    )
    sizes = {str(twin.public_id): 1 for twin in twins}
    assert len(set(drawing.splits_of_twins(campaign, sizes).values())) == 1


def test_an_import_that_joins_a_shown_and_a_blind_question_brings_neither_into_a_release() -> None:
    campaign = CampaignFactory()
    shown = drawn("train", campaign, "The cup _ fell.", "The jar _ fell.")
    blind = drawn("test", campaign, "The pot _ fell.", "The pan _ fell.")
    Question.objects.filter(twin=shown, number=2).update(sentence="The pan _ fell.")
    assert draw(shown, blind) == ["withheld", "withheld"]


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize(
    ("one", "other"),
    [("The café _ closed.", "The cafe\u0301 _ closed."), ("The ﬁsh _ swam.", "The fish _ swam.")],
)
def test_forms_of_a_letter_make_no_other_sentence(one: str, other: str, split: str) -> None:
    drawn(split, CampaignFactory(), one, "The cup _ fell.")
    assert draw(twin_of(CampaignFactory(), other, "The jar _ fell.")) == [split]


def test_batches_of_a_draw_have_the_shares_together_and_follow_what_later_ones_are_imported_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The split of a file is known before its twin is drawn, when a copy of it is."""
    monkeypatch.setattr(drawing, "BATCH", 5)
    campaign = CampaignFactory(dev_share="0.2", test_share="0.2")
    first = twin_of(campaign, "The cup _ fell.", "The jar _ fell.")
    others = [twin_of(campaign, f"{n} _ a.", f"{n} _ b.") for n in range(23)]
    copy = twin_of(campaign, "The cup _ fell.", "The pot _ fell.", source_split="test")
    drawing.draw_splits(campaign, ((str(twin.public_id), 2) for twin in (first, *others, copy)))
    splits = dict(Draw.objects.values_list("twin", "split"))
    assert (splits[first.pk], splits[copy.pk]) == ("test", "test")
    counts = Counter(splits[twin.pk] for twin in others)
    assert all(abs(counts[split] - 0.2 * 23) < 2 for split in ("dev", "test"))
    assert [table.n_twins for table in DrawTable.objects.order_by("pk")] == [5] * 5


def draw_campaign(count: int) -> DrawTable:
    campaign = CampaignFactory(dev_share="0.3", test_share="0.3")
    twins = [
        TwinFactory(campaign=campaign, published=True, sentences=(f"{n} a _.", f"{n} b _."))
        for n in range(count)
    ]
    drawing.splits_of_twins(campaign, {str(twin.public_id): 2 for twin in twins})
    return DrawTable.objects.latest("pk")


def test_a_draw_commits_to_its_table_and_a_later_one_to_its_own() -> None:
    first, second = draw_campaign(20), draw_campaign(5)
    assert (first.n_twins, second.n_twins) == (20, 5)
    for table in (first, second):
        lines = draw_table_lines(table)
        assert hashlib.sha256(b"".join(lines)).hexdigest() == table.sha256
    assert Draw.objects.filter(table=first).count() == 20


def test_another_split_has_another_hash() -> None:
    table = draw_campaign(20)
    rows = dict(table.draws.values_list("twin__public_id", "split"))
    twin, split = next(iter(rows.items()))
    rows[twin] = "train" if split == "test" else "test"
    changed = table.lines((str(twin), split) for twin, split in rows.items())
    assert hashlib.sha256(b"".join(changed)).hexdigest() != table.sha256


def test_the_hash_is_told_at_once_and_the_table_to_curators_alone() -> None:
    table, carol = draw_campaign(8), client_of(UserFactory())
    (told,) = ok(carol.get(f"{API}draw-tables/"))["results"]
    assert (told["sha256"], told["n_twins"]) == (table.sha256, 8)
    assert table.salt not in str(told)
    address = f"{API}draw-tables/{table.public_id}/lines/"
    assert_error(carol.get(address), 403, "permission_denied")
    opened = client_of(UserFactory(curator=True)).get(address).content
    assert hashlib.sha256(opened).hexdigest() == table.sha256
    assert table.salt.encode() not in opened


def test_nothing_new_to_draw_commits_to_nothing() -> None:
    table = draw_campaign(3)
    twins = {str(row.twin.public_id): 2 for row in table.draws.select_related("twin")}
    drawing.splits_of_twins(table.draws.first().twin.campaign, twins)
    assert DrawTable.objects.count() == 1
