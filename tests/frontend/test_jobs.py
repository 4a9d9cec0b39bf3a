"""The list of all runs, and what curators do with a run as a row."""

import pytest
from django.test import Client
from django.urls import reverse

from filtering.models import FilterRun
from filtering.services import choose_run
from frontend.runs.reads import listed_kinds
from tests.factories import (
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    ReleaseFactory,
    SnapshotFactory,
)
from tests.frontend.pages import source, words
from tests.frontend.test_filter_run import measured
from winoplatform.runs.models import Run
from workers.models import User


def listed(client: Client, **chosen: str) -> list[Run]:
    return [row.run for row in client.get(reverse("jobs"), chosen).context["page"].rows]


def keep(client: Client, run: Run, **changes: str) -> None:
    path = reverse("keep-run", args=[run._meta.model_name, run.public_id])
    assert client.post(path, changes).status_code == 302


def test_the_star_button_saves_the_name_as_well_and_the_page_says_both(as_dana: Client) -> None:
    run = SnapshotFactory(finished=True)
    listed_at = reverse("jobs")
    keep(as_dana, run, caption="First  try", is_starred="true", back=listed_at)
    run.refresh_from_db()
    assert (run.caption, run.is_starred) == ("First try", True)
    page = as_dana.get(listed_at)
    assert "The name is saved: First try. The run is starred." in words(page)
    form = page.content.decode().partition('name="caption"')[2].partition("</form>")[0]
    assert 'name="is_starred"' in form


@pytest.mark.long
def test_runs_of_every_kind_are_in_one_order_over_pages(as_dana: Client) -> None:
    runs: list[Run] = []
    for _ in range(8):
        runs += [SnapshotFactory(), EncodingFactory(snapshot=SnapshotFactory())]
    newest = [*listed(as_dana), *listed(as_dana, page="2")]
    assert len(newest) == 24
    ages = [run.created_at for run in newest]
    assert ages == sorted(ages, reverse=True)
    assert set(runs) <= set(newest)
    assert "1–24 of 24" in words(as_dana.get(reverse("jobs")))


@pytest.mark.long
@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, {"snapshot", "encoding", "failed"}),
        ({"state": "failed"}, {"failed"}),
        ({"state": "open"}, {"encoding"}),
        ({"kind": "snapshot"}, {"snapshot", "failed"}),
        ({"kept": "archived"}, {"archived"}),
        ({"kept": "starred"}, {"failed"}),
        ({"kind": "nonsense", "state": "open"}, {"encoding"}),
        ({"campaign": "nowhere"}, {"snapshot", "encoding", "failed"}),
    ],
)
def test_the_list_shows_what_was_chosen(
    as_dana: Client, chosen: dict[str, str], expected: set[str]
) -> None:
    done = SnapshotFactory(finished=True)
    runs = {
        "snapshot": done,
        "encoding": EncodingFactory(snapshot=done),
        "failed": SnapshotFactory(status="failed", campaign=done.campaign),
        "archived": SnapshotFactory(status="cancelled", campaign=done.campaign),
    }
    keep(as_dana, runs["archived"], is_archived="true")
    keep(as_dana, runs["failed"], is_starred="true")
    assert set(listed(as_dana, **chosen)) == {runs[name] for name in expected}


def test_the_runs_of_a_campaign_include_those_built_on_its_snapshots(as_dana: Client) -> None:
    run = FilterRunFactory()
    SnapshotFactory()
    DetectionFactory()
    found = listed(as_dana, campaign=run.encoding.snapshot.campaign.slug)
    assert set(found) == {run, run.encoding, run.encoding.snapshot}


@pytest.mark.long
def test_a_curator_names_a_run_and_the_name_is_shown_as_text(as_dana: Client) -> None:
    run = SnapshotFactory(finished=True)
    keep(as_dana, run, caption="<b>for the paper</b>")
    assert "<b>for the paper</b>" in words(as_dana.get(reverse("jobs")))
    keep(as_dana, run, caption="x" * 101)
    assert "A name has at most 100 characters." in words(as_dana.get(reverse("jobs")))


@pytest.mark.long
def test_runs_are_sorted_by_what_a_curator_chooses(as_dana: Client, dana: User) -> None:
    first, second = SnapshotFactory(), SnapshotFactory(created_by=dana, finished=True)
    keep(as_dana, first, caption="b")
    third = EncodingFactory(snapshot=second, caption="a", is_starred=True)
    for sort, expected in {
        "": [third, second, first],
        "oldest": [first, second, third],
        "name": [third, first, second],  # who has none comes last
        "by": [second, third, first],
        "starred": [third, second, first],
        "state": [second, third, first],
        "kind": [second, first, third] if first_kind() == "snapshot" else [third, second, first],
        "nonsense": [third, second, first],
    }.items():
        assert listed(as_dana, sort=sort) == expected, sort


def first_kind() -> str:
    names = [str(kind._meta.model_name) for kind in listed_kinds()]
    return min(("snapshot", "encoding"), key=names.index)


def test_a_row_says_who_started_a_run_from_what_and_its_figure(as_dana: Client, dana: User) -> None:
    run = FilterRunFactory(
        finished=True,
        created_by=dana,
        fresh_models={"all": measured(0.61), "kept": measured(0.505)},
        encoding__caption="Small encoder",
    )
    choose_run(run=run, by=dana)
    text = words(as_dana.get(reverse("jobs")))
    assert "fresh models after: 50.5% (" in text
    assert "Small encoder" in text
    assert f"by {dana.username}" in text
    assert "chosen" in text


def test_a_release_was_made_from_its_filter_run(as_dana: Client) -> None:
    release = ReleaseFactory(finished=True, name="beds")
    run = release.selection.filter_run
    evaluation = EvaluationFactory(release=release, finished=True)
    page = as_dana.get(reverse("pipeline", args=[run.encoding.snapshot.campaign.slug]))
    found = page.context["lineage"]
    places = {box.row.run: (box.x, box.y) for box in found.boxes}
    chain = [run.encoding.snapshot, run.encoding, run, release, evaluation]
    assert sorted(places, key=places.__getitem__) == chain
    assert len(found.paths) == len(chain) - 1
    assert "What was made from what" in source(page)


def test_an_address_of_a_run_is_never_undefined(as_dana: Client) -> None:
    release = ReleaseFactory(status="failed", name="beds")  # has no page
    slug = release.snapshot.campaign.slug
    page = source(as_dana.get(reverse("pipeline", args=[slug])))
    assert "undefined" not in page
    assert 'href=""' not in page


def test_a_refusal_to_delete_says_why(as_dana: Client) -> None:
    release = ReleaseFactory(finished=True, name="beds")
    run = release.selection.filter_run
    path = reverse("delete-run", args=["filterrun", run.public_id])
    said = words(as_dana.post(path, {"back": reverse("jobs")}, follow=True))
    assert "others depend on it: release beds" in said
    assert FilterRun.objects.exists()


@pytest.mark.long
def test_the_overview_says_which_run_the_kept_questions_are_of(as_dana: Client) -> None:
    released = ReleaseFactory(finished=True).selection.filter_run
    campaign = released.encoding.snapshot.campaign
    overview = reverse("campaign", args=[campaign.slug])
    assert "run of the latest release" in words(as_dana.get(overview))
    other = FilterRunFactory(encoding=released.encoding, finished=True, seed=3)
    as_dana.post(reverse("choose-run", args=[other.public_id]))
    assert "chosen by dana" in words(as_dana.get(overview))
    page = as_dana.get(reverse("filter-run", args=[other.public_id]))
    assert "The campaign’s pages count the questions of this run as kept." in words(page)
    as_dana.post(reverse("show-latest-release", args=[campaign.slug]))
    assert "run of the latest release" in words(as_dana.get(overview))
