"""Releases, draws and conversions at once: each is whole, or fails and decides nothing."""

import io
import time
from collections.abc import Collection
from contextlib import contextmanager
from functools import partial
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import IntegrityError

from collection.models import Campaign, Twin
from corpora import drawing, services
from corpora.building import build
from corpora.core.bundle.archive import write_parquet
from corpora.core.bundle.layout import COLUMNS
from corpora.models import BlindSentence, Draw, Release, ReleaseFile, Snapshot, SplitForm
from corpora.selectors import read_index
from corpora.services import reference_sets, split_as, split_forms
from tests.corpora.sets import imported
from tests.factories import (
    ArtifactFactory,
    CampaignFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    TwinFactory,
)
from tests.filtering.stages import frozen, snapshot_of
from tests.races.threads import at_once
from winoplatform.db import locks
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here


def two_requests(**fields: str) -> list[Release]:
    """Requests for releases of the same twins, of which some are blind and not decided."""
    snapshot: Snapshot = snapshot_of(frozen(pairs=12), dev_share="0.2", test_share="0.4")
    return [
        services.build_release(snapshot=snapshot, name=name, by=None, **fields)
        for name in ("one", "two")
    ]


def built(requests: list[Release]) -> list[Release]:
    at_once(*[partial(execute_here, one) for one in requests])
    for one in requests:
        one.refresh_from_db()
    return requests


def blind(release: Release) -> set[str]:
    return {row["question"] for row in read_index(release) if row["split"] == "test"}


def test_two_builds_at_once_follow_each_other() -> None:
    made = built(two_requests())
    assert [one.status for one in made] == ["done", "done"]
    assert sorted(one.version for one in made) == ["1.0.0", "1.0.1"]
    first, second = sorted(made, key=lambda one: one.version)
    assert (first.previous, second.previous) == (None, first)
    assert blind(first) == blind(second) != set()
    assert set(BlindSentence.objects.values_list("release", flat=True)) == {first.pk}


def test_of_two_builds_with_one_version_the_second_fails_with_a_sentence() -> None:
    made = built(two_requests(version="1.0.0"))
    done, failed = sorted(made, key=lambda one: one.status)
    assert (done.status, failed.status) == ("done", "failed")
    assert failed.failure.startswith("Version 1.0.0 is too low, since a version is used once")
    assert not failed.files.exists()
    assert set(BlindSentence.objects.values_list("release", flat=True)) == {done.pk}


def test_without_the_lock_one_of_two_builds_breaks_the_constraint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: both plan before either decides, so the second decides again."""
    finish, planned = build._finish, Barrier(2)

    @contextmanager
    def nobody(name: str, **_: Any) -> Any:
        yield True

    def finish_together(*args: Any) -> None:
        planned.wait(60)
        finish(*args)

    monkeypatch.setattr(build.locks, "held", nobody)
    monkeypatch.setattr(build, "_finish", finish_together)
    made = built(two_requests())
    assert sorted(one.status for one in made) != ["done", "done"]
    assert [one.version for one in made] == ["1.0.0", "1.0.0"]
    assert len(set(BlindSentence.objects.values_list("release", flat=True))) == 1


CAMPAIGNS, TEXTS = 4, 12


def campaigns() -> list[Campaign]:
    """Campaigns that hold the same texts."""
    made: list[Campaign] = CampaignFactory.create_batch(
        CAMPAIGNS, dev_share="0.30", test_share="0.40"
    )
    for campaign in made:
        for number in range(TEXTS):
            sentences = (f"The cup {number} _ fell.", f"The jar {number} _ fell.")
            TwinFactory(campaign=campaign, published=True, sentences=sentences)
    return made


def draw(campaign: Campaign) -> dict[str, str]:
    return drawing.splits_of_twins(
        campaign, {str(id): 2 for id in campaign.twins.values_list("public_id", flat=True)}
    )


def without_taking_turns(monkeypatch: pytest.MonkeyPatch, *, draws: int) -> None:
    """Remove the guard, and let all draws read the others' splits before the first one writes."""
    known, all_read = drawing._required_splits, Barrier(draws)

    def read(*args: Any, **kwargs: Any) -> dict[int, set[str]]:
        found = known(*args, **kwargs)
        all_read.wait(30)
        return found

    monkeypatch.setattr(drawing, "take_turns", lambda: None)
    monkeypatch.setattr(drawing, "_required_splits", read)


def splits_of_a_text() -> list[set[str]]:
    found: dict[str, set[str]] = {}
    for twin in Twin.objects.select_related("draw"):
        for sentence in twin.questions.values_list("sentence", flat=True):
            found.setdefault(sentence, set()).add(twin.draw.split)
    return list(found.values())


def test_campaigns_that_draw_at_once_give_a_text_one_split() -> None:
    at_once(*[partial(draw, campaign) for campaign in campaigns()])
    assert Draw.objects.count() == CAMPAIGNS * TEXTS
    assert all(len(splits) == 1 for splits in splits_of_a_text())


def test_without_taking_turns_a_text_is_blind_here_and_shown_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: a draw that has read the others' splits does not see what they write next."""
    without_taking_turns(monkeypatch, draws=CAMPAIGNS)
    at_once(*[partial(draw, campaign) for campaign in campaigns()])
    assert any("test" in splits and len(splits) > 1 for splits in splits_of_a_text())


def test_a_snapshot_and_a_release_that_draw_the_same_twins_agree() -> None:
    campaign = campaigns()[0]
    first, *others = at_once(*[partial(draw, campaign)] * 6)
    assert isinstance(first, dict)
    assert others == [first] * 5


def test_without_taking_turns_the_second_of_two_draws_breaks_the_constraint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_taking_turns(monkeypatch, draws=6)
    campaign = campaigns()[0]
    ends = at_once(*[partial(draw, campaign)] * 6)
    assert any("corpora_draw_twin_id_key" in str(end) for end in ends)


def drawn_while_a_set_is_published(monkeypatch: pytest.MonkeyPatch) -> str:
    """Bring in and draw a blind twin once a set that has its sentences was found harmless."""
    found, campaign, note = imported(), CampaignFactory(), reference_sets.note_published
    checked, is_drawn = Event(), Event()

    def noted(answered: Collection[str], unanswered: Collection[str]) -> None:
        checked.set()
        is_drawn.wait(0.5)
        note(answered, unanswered)

    def bring() -> None:
        checked.wait(10)
        sentences = ("The cup stood on the tray, so _ fell.", "The tray stood, so _ fell.")
        TwinFactory(campaign=campaign, published=True, source_split="test", sentences=sentences)
        draw(campaign)
        is_drawn.set()

    monkeypatch.setattr(reference_sets, "note_published", noted)
    publish = partial(services.change_reference_set, reference_set=found, is_public=True)
    assert at_once(publish, bring) == [found, None]
    return Draw.objects.get().split


def test_a_twin_that_is_drawn_while_its_set_is_published_is_not_blind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert drawn_while_a_set_is_published(monkeypatch) == "withheld"


def test_without_taking_turns_such_a_twin_is_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    monkeypatch.setattr(drawing, "take_turns", lambda: None)
    assert drawn_while_a_set_is_published(monkeypatch) == "test"


def a_file() -> ReleaseFile:
    table = io.BytesIO()
    write_parquet([dict.fromkeys(COLUMNS, "x")], table)
    artifact = ArtifactFactory(content=table.getvalue())
    release = ReleaseFactory(finished=True)
    return ReleaseFileFactory(release=release, name="data/dev.parquet", artifact=artifact)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The conversions, each of which takes a moment."""
    found: list[str] = []
    make = split_forms._convert

    def slow(file: ReleaseFile, form: str) -> Any:
        found.append(form)
        time.sleep(0.3)
        return make(file, form)

    monkeypatch.setattr(split_forms, "_convert", slow)
    return found


def test_ten_requests_at_once_convert_once(made: list[str]) -> None:
    file = a_file()
    artifacts = at_once(*[partial(split_as, file, "csv")] * 10)
    assert {one.pk for one in artifacts} == {SplitForm.objects.get().artifact_id}
    assert made == ["csv"]


def test_without_the_lock_they_convert_more_often(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def unlocked(name: str) -> Any:
        yield True

    monkeypatch.setattr(locks, "held", unlocked)
    results = at_once(*[partial(split_as, a_file(), "csv")] * 4)
    assert len(made) == 4
    assert sum(isinstance(one, IntegrityError) for one in results) == 3


def test_who_waits_too_long_is_told_to_come_back(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(split_forms, "WAIT_SECONDS", 0.0)
    results = at_once(*[partial(split_as, a_file(), "csv")] * 2)
    [refused] = [one for one in results if isinstance(one, DomainError)]
    assert (refused.code, refused.status) == ("being_made", 503)
