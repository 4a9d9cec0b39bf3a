"""What everybody learns of blind labels and golds who also has the public reference sets."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from collection.models import Campaign, Question, Twin
from corpora import drawing
from corpora.models import Draw, ReferenceSet, Release
from tests.collection.import_lines import line, pair, pairs
from tests.corpora.sets import imported as imported_set
from tests.corpora.test_blind_for_ever import (
    Outsider,
    Row,
    imported,
    plain,
    released,
    snapshot_of_campaign,
    with_labels,
)
from tests.corpora.test_released_golds import a_valid_question, kitchen
from tests.corpora.test_unfiltered_releases import unfiltered
from tests.factories import CampaignFactory, QuestionFactory, TwinFactory, UserFactory
from tests.filtering.stages import contents, rows
from validation.models import GoldQuestion, PublishedSentence
from validation.services import golds
from winoplatform import clock
from winoplatform.errors import DomainError

N = 20


def public_set(name: str, lines: Sequence[Row]) -> ReferenceSet:
    return imported_set(name, splits={"all": [line(row) for row in lines]}, is_public=True)


def is_refused(lines: Sequence[Row]) -> bool:
    try:
        public_set("secret", lines)
    except DomainError as refusal:
        return refusal.code == "labels_secret"
    return False


def of(row: Row, **fields: Any) -> Twin:
    """A valid twin of one question, a line's."""
    twin = Twin.objects.create(
        origin=Twin.Origin.PUBLISHED, option1=row["option1"], option2=row["option2"], **fields
    )
    QuestionFactory(twin=twin, sentence=row["sentence"], answer=int(row["answer"]))
    return twin


def drawn(split: str, campaign: Campaign, *lines: Row) -> Twin:
    twin = of(lines[0], campaign=campaign)
    for row in lines[1:]:
        answer = 3 - int(lines[0]["answer"])
        QuestionFactory(twin=twin, number=2, sentence=row["sentence"], answer=answer)
    Draw.objects.create(twin=twin, split=split, origin="linked", is_pair=True)
    return twin


def campaign_of_shares() -> Campaign:
    return CampaignFactory(slug="later", dev_share="0.10", test_share="0.50")


def written(lines: Sequence[Row], folder: Path) -> Campaign:
    campaign = campaign_of_shares()
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        TwinFactory(
            campaign=campaign,
            published=True,
            sentences=[first["sentence"].upper(), second["sentence"]],
        )
    return campaign


def brought_by_a_file(lines: Sequence[Row], folder: Path) -> Campaign:
    return imported(folder, lines, slug="later", split="test")


def linked_over_one_that_is_not_valid(lines: Sequence[Row], folder: Path) -> Campaign:
    """A draft of each shares one sentence with the set, and the other with a valid twin."""
    campaign = campaign_of_shares()
    for n, (first, second) in enumerate(zip(lines[::2], lines[1::2], strict=True)):
        bridge = f"The trophy left the suitcase on floor {n} since the _ was new."
        TwinFactory(campaign=campaign, sentences=[first["sentence"], bridge])
        of(second | {"sentence": bridge}, campaign=campaign)
    return campaign


def joined_after_the_draw(lines: Sequence[Row], folder: Path) -> Campaign:
    """The first question is drawn blind; then an import brings the second, which is public."""
    campaign = campaign_of_shares()
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        other = first | {"sentence": first["sentence"].replace("brown", "red")}
        half = of(other, campaign=campaign)
        Draw.objects.create(twin=half, split="test", origin="linked", is_pair=False)
        QuestionFactory(twin=half, number=2, sentence=second["sentence"])
    return campaign


def all_alike(outsider: Outsider) -> Outsider:
    """Assume that an attacker who sees two twins recognises them as twins."""
    for twin in Twin.objects.prefetch_related("questions"):
        outsider.knows_twins(plain(question.sentence) for question in twin.questions.all())
    return outsider


@pytest.mark.parametrize(
    "come", [written, brought_by_a_file, linked_over_one_that_is_not_valid, joined_after_the_draw]
)
def test_a_twin_that_comes_after_its_public_set_tells_no_blind_label(
    come: Callable[[Sequence[Row], Path], Campaign], tmp_path: Path
) -> None:
    known = pairs(N)
    public_set("known", known)
    campaign = come(known, tmp_path)
    unfiltered(snapshot_of_campaign(campaign))
    assert all_alike(Outsider().read_everything()).labels_of_blind_questions() == {}


def test_what_is_public_is_in_train_and_the_rest_has_its_shares(tmp_path: Path) -> None:
    known, others = pairs(N), [pair(about=f"box {n}") for n in range(N)]
    public_set("known", known)
    campaign = written(known + [row for both in others for row in both], tmp_path)
    snapshot_of_campaign(campaign)
    splits = dict(Question.objects.values_list("sentence", "twin__draw__split"))
    assert {splits[row["sentence"]] for row in known[1::2]} == {"train"}
    assert Counter(splits[row["sentence"]] for _, row in others) == {
        "test": N / 2, "dev": N / 10, "train": N * 4 / 10,
    }  # fmt: skip


def test_what_is_public_and_shown_in_dev_stays_there() -> None:
    first, second = pair()
    Draw.objects.create(
        twin=of(first, campaign=kitchen()), split="dev", origin="linked", is_pair=False
    )
    public_set("known", [first, second])
    twin = of(first, campaign=CampaignFactory())
    assert drawing.splits_of_twins(twin.campaign, {str(twin.public_id): 1}) == {
        str(twin.public_id): "dev"
    }


@pytest.mark.parametrize("is_public_first", [True, False])
def test_the_answer_of_one_question_of_a_set_is_that_of_its_group(is_public_first: bool) -> None:
    """Before: the twin stayed blind, and the label of the other question told its own."""
    first, second = pair()
    half_blind = [first, {**second, "answer": ""}]
    campaign = campaign_of_shares()
    if is_public_first:
        public_set("half", half_blind)
        twin = of(second, campaign=campaign, source_split="test")
        assert set(drawing.splits_of_twins(campaign, {str(twin.public_id): 1}).values()) == {
            "withheld"
        }
    else:
        drawn("test", campaign, second)
        assert is_refused(half_blind)


def test_no_set_shows_the_answer_of_a_twin_beside_a_blind_one() -> None:
    """Before: the shown twin alone was looked at, whose other question is blind elsewhere."""
    (first, second), (third, _) = pair(), pair(about="box")
    drawn("train", kitchen(), first, second)
    drawn("test", campaign_of_shares(), second, third)
    assert is_refused([first])


def test_a_writer_takes_no_twin_out_of_the_blind_test_by_mixing_it_with_what_is_public() -> None:
    (first, second), (third, _) = pair(), pair(about="box")
    public_set("known", [third])
    blind = drawn("test", kitchen(), first, second)
    TwinFactory(campaign=blind.campaign, sentences=[first["sentence"], third["sentence"]])
    asked = {str(blind.public_id): 2}
    assert list(drawing.splits_of_twins(blind.campaign, asked).values()) == ["test"]


def test_no_set_shows_the_answer_of_a_twin_beside_one_in_validation() -> None:
    (first, second), (third, _) = pair(), pair(about="box")
    drawn("train", kitchen(), first, second)
    TwinFactory(
        campaign=campaign_of_shares(), sentences=[second["sentence"], third["sentence"]], seats=3
    )
    assert is_refused([first])


@pytest.mark.parametrize("odd", ["\u200b", "\u00ad", "\ufeff", "\u2066", " \u2026 "])
def test_characters_that_nobody_sees_make_no_other_sentence(odd: str) -> None:
    first, second = pair()
    drawn("test", kitchen(), first, second)
    assert is_refused([first | {"sentence": first["sentence"].replace("fit", f"f{odd}it")}])


def ready(campaign: Campaign, row: Row) -> Question:
    question = a_valid_question(campaign, 1)
    Question.objects.filter(pk=question.pk).update(sentence=row["sentence"])
    question.refresh_from_db()
    return question


@pytest.mark.parametrize("is_labelled", [True, False])
def test_a_question_that_is_copied_from_a_set_is_never_gold(
    is_labelled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before: an unlabelled set went unseen, and tells that a question is complete."""
    monkeypatch.setattr(golds._dice, "random", lambda: 0.0)
    first, second = pair()
    answers = {} if is_labelled else {"answer": ""}
    public_set("known", [first | answers, second | answers])
    campaign, dana = kitchen(), UserFactory(curator=True)
    copied = ready(campaign, second | {"sentence": second["sentence"].upper()})
    with pytest.raises(DomainError) as caught:
        golds.add_gold(campaign=campaign, question_id=copied.public_id, by=dana)
    assert caught.value.code == "is_public"
    GoldQuestion.objects.create(campaign=campaign, question=copied, origin="chosen")
    assert golds.seat_for(worker=UserFactory(), campaign=campaign, now=clock.now()) is None
    assert not GoldQuestion.objects.in_use().exists()


@pytest.mark.parametrize("is_labelled", [True, False])
def test_a_gold_whose_sentence_a_set_shows_is_retired(is_labelled: bool) -> None:
    first, _ = pair()
    campaign = kitchen()
    question = ready(campaign, first)
    gold = GoldQuestion.objects.create(campaign=campaign, question=question, origin="grown")
    Draw.objects.create(twin=question.twin, split="train", origin="linked", is_pair=True)
    public_set("known", [first | ({} if is_labelled else {"answer": ""})])
    gold.refresh_from_db()
    assert gold.retired_for == "public"


def test_a_sentence_whose_answer_becomes_public_later_is_noted_as_answered() -> None:
    first, second = pair()
    blind = [first | {"answer": ""}, second | {"answer": ""}]
    public_set("blind", blind)
    assert set(PublishedSentence.objects.values_list("is_answered", flat=True)) == {False}
    public_set("open", [first, second])
    public_set("again", blind)
    assert list(PublishedSentence.objects.values_list("is_answered", flat=True)) == [True, True]


@pytest.mark.long
def test_all_that_is_public_of_three_campaigns_tells_no_blind_label_together(
    tmp_path: Path,
) -> None:
    """Releases with and without a filter, imports of them, and sets made of what they hold."""
    texts = pairs(80)
    campaign = imported(tmp_path, texts[:120], slug="kitchen")
    Campaign.objects.update(test_share="0.30")
    campaign.refresh_from_db()
    snapshot = snapshot_of_campaign(campaign)
    first = released(snapshot, "first", seed=1)
    public_set("first-download", downloaded(first))
    assert is_refused(with_labels(first, "test"))

    elsewhere = [row for n in range(12) for row in pair(f"E{n}", about=f"box {n}")]
    public_set("elsewhere", elsewhere[:12] + elsewhere[13::2])

    imported(tmp_path, texts[100:] + elsewhere[:8], slug="kitchen")  # joins, adds and copies
    imported(tmp_path, with_labels(first, "train", "dev", "test"), slug="second")
    second = imported(tmp_path, elsewhere[8:], slug="second")
    third = imported(tmp_path, elsewhere[4:20] + texts[130:], slug="third", split="test")
    snapshots = [snapshot_of_campaign(one) for one in (second, third, campaign)]
    releases = [released(one, f"later-{n}", keep=0.6, seed=n) for n, one in enumerate(snapshots)]
    releases += [unfiltered(one, name=f"all-{n}") for n, one in enumerate([snapshot, *snapshots])]
    for release in releases:
        public_set(f"{release.name}-download", downloaded(release))
        assert is_refused(with_labels(release, "test"))

    outsider = all_alike(Outsider().read_everything())
    assert len(outsider.blind) >= 30
    assert len(outsider.answers) >= 100
    assert outsider.labels_of_blind_questions() == {}


def downloaded(release: Release) -> list[Row]:
    """What anybody can make of a release's files: the blind questions without an answer."""
    files = contents(release)
    return [row for name in ("train_xl", "dev", "test") for row in rows(files[f"{name}.jsonl"])]
