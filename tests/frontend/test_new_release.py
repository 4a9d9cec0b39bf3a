"""From a snapshot over the preview to a release, and who sees what of it."""

import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora import services
from corpora.models import Release, ReleasePreview, Snapshot
from filtering.services import start_filter_run
from frontend.releases.reads import fresh_models, split_rows
from tests.corpora.test_release_provenance import validated
from tests.factories import FilterRunFactory, ReleaseFactory, ReleaseFileFactory
from tests.filtering.stages import carried, encoding_of, frozen, leaking, release_of
from tests.frontend.pages import asks_twice, source, words
from winoplatform.runs.models import RunStatus
from workers.models import User

RESTRICTED = ("test-labels.lst", "index.jsonl", "opening.jsonl")


@pytest.fixture(scope="module")
def keys(kept: str) -> tuple[int, int, int]:
    """A snapshot, its preview, and a public release of it."""
    campaign = validated(8, dev_share="0.25", test_share="0.25")
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    release = carried(
        services.build_release(
            snapshot=snapshot,
            name="kitchen-1",
            title="Kitchen questions",
            authors=["Ada Example"],
            is_public=True,
            by=None,
        )
    )
    preview = carried(services.preview_release(snapshot=snapshot, by=None))
    return snapshot.pk, preview.pk, release.pk


@pytest.fixture
def snapshot(keys: tuple[int, int, int]) -> Snapshot:
    return Snapshot.objects.get(pk=keys[0])


@pytest.fixture
def preview(keys: tuple[int, int, int]) -> ReleasePreview:
    return ReleasePreview.objects.get(pk=keys[1])


@pytest.fixture
def release(keys: tuple[int, int, int]) -> Release:
    return Release.objects.get(pk=keys[2])


def page_of(preview: ReleasePreview) -> str:
    return reverse("release-preview", args=[preview.public_id])


def typed(**changes: str) -> dict[str, str]:
    fields = {
        "name": "kitchen-2",
        "version": "1.0.1",
        "title": "Kitchen questions",
        "authors": "Ada Example\n\n  Zoë Example \n",
        "licence": "CC-BY-4.0",
    }
    return fields | changes


def file_of(name: str, file: str) -> str:
    return reverse("release-file", args=[name, file])


def asks_to_sign_in(response: Any) -> bool:
    return response.status_code == 302 and response["Location"].startswith(reverse("account_login"))


@pytest.mark.long
def test_a_preview_is_requested_and_builds_nothing(as_dana: Client, snapshot: Snapshot) -> None:
    page = reverse("new-release", args=[snapshot.public_id])
    assert "the snapshot, unfiltered" in words(as_dana.get(page))
    before = Release.objects.count()
    response = as_dana.post(page, {"selection": "", "min_pairs": "7"})
    made = ReleasePreview.objects.latest("pk")
    assert response["Location"] == page_of(made)
    assert (made.snapshot, made.selection, made.min_pairs) == (snapshot, None, 7)
    assert made.status == RunStatus.QUEUED
    assert "hx-get" in source(as_dana.get(page_of(made)))
    assert "Build the release" not in words(as_dana.get(page_of(made)))
    assert Release.objects.count() == before


@pytest.mark.long
def test_a_selection_of_another_snapshot_is_not_offered(
    as_dana: Client, snapshot: Snapshot
) -> None:
    other = FilterRunFactory(finished=True).selection
    page = reverse("new-release", args=[snapshot.public_id])
    assert str(other.public_id) not in source(as_dana.get(page))
    response = as_dana.post(page, {"selection": other.public_id, "min_pairs": "7"})
    assert response.status_code == 400
    assert not ReleasePreview.objects.filter(selection=other).exists()


def test_a_preview_shows_its_facts(as_dana: Client, preview: ReleasePreview) -> None:
    page = as_dana.get(page_of(preview))
    text = words(page)
    assert "train, all (xl) 4 0 4" in text
    assert "test (blind) 2 0 2 secret" in text
    assert "6 people wrote the 6 questions of training and dev." in text
    assert "18 people gave 18 votes: 0 excluded" in text
    assert "that the filter removes" not in text
    for warning in preview.facts["warnings"]:
        assert warning in text
    assert preview.facts["warnings"]
    assert "Changes since 1.0.0" in text
    # The proposed version is in the form.
    assert 'value="1.0.1"' in source(page)
    assert "hx-trigger" not in source(page).partition('id="live"')[2].partition(">")[0]


def test_a_preview_shows_no_figure_that_the_build_draws(
    as_dana: Client, preview: ReleasePreview
) -> None:
    one = preview.facts["splits"]["dev"] | {"mean_words": 22.5, "questions": 8, "pairs": 4}
    preview.facts["splits"] |= {"train_l": one, "dev": one}
    drawn = [(row.draws_options, row.draws_pairs) for row in split_rows(preview.facts)]
    assert set(drawn) == {(False, False)}
    preview.save()
    text = words(as_dana.get(page_of(preview)))
    assert f"train l 8 4 {one['unpaired']} {' '.join(['drawn at the build'] * 4)} " in text
    assert f"dev 8 4 {one['unpaired']} drawn at the build 22.50 " in text
    assert "test (blind) 2 0 2 secret 8" in text
    assert "in a trial draw" in text
    assert "Sentences and options No clue found in the labelled splits among: " in text


def test_a_clue_of_a_preview_says_what_to_do(as_dana: Client, preview: ReleasePreview) -> None:
    preview.facts["leaks"] |= {"text_found": ["train: Clue found: longer option."]}
    preview.save(update_fields=["facts"])
    page = as_dana.get(page_of(preview))
    assert "without the twins of the writers who left the clue" in words(page)
    slug = preview.snapshot.campaign.slug
    assert f'<a href="{reverse("pipeline", args=[slug])}">a snapshot</a>' in page.content.decode()


def test_the_form_says_which_splits_get_a_warning(as_dana: Client, snapshot: Snapshot) -> None:
    page = as_dana.get(reverse("new-release", args=[snapshot.public_id]))
    assert "The smaller training sets are parts of it and get none." in words(page)


def test_months_and_reasons_read_well_for_one(as_dana: Client, preview: ReleasePreview) -> None:
    months = {"first_written": "2026-10", "last_written": "2026-10"}
    preview.facts["collection"] |= months
    preview.facts["left_out"] = {"blind_not_published": 1}
    preview.save()
    text = words(as_dana.get(page_of(preview)))
    assert "Written: 2026-10." in text
    assert "1 question: blind, and not published by the first release that could" in text
    preview.facts["collection"]["last_written"] = "2026-11"
    preview.save()
    assert "Written: 2026-10 to 2026-11." in words(as_dana.get(page_of(preview)))
    preview.facts["collection"] = {"writers": 3, "votes": 9}
    preview.save()
    assert "An earlier version of the platform made this" in words(as_dana.get(page_of(preview)))


@pytest.mark.long
def test_a_preview_is_published_with_name_version_authors_and_readers(
    as_dana: Client, preview: ReleasePreview, dana: User
) -> None:
    response = as_dana.post(page_of(preview), typed(is_public="on", title="Second"))
    made = Release.objects.latest("pk")
    assert response["Location"] == reverse("release", args=["kitchen-2"])
    assert (made.name, made.version, made.title) == ("kitchen-2", "1.0.1", "Second")
    assert made.authors == ["Ada Example", "Zoë Example"]
    assert (made.is_public, made.created_by, made.snapshot) == (True, dana, preview.snapshot)
    carried(made)
    text = words(as_dana.get(response["Location"]))
    assert "Second 1.0.1 · Ada Example, Zoë Example · CC-BY-4.0" in text
    assert "kitchen-2 this one 1.0.1" in text
    assert "kitchen-1 1.0.0" in text


REFUSED = [
    ("version", "1.0.0", "is not above 1.0.0"),
    ("version", "one", "version"),
    ("name", "kitchen-1", "A release with this name already exists."),
    ("name", "with space", "no spaces"),
    ("title", "", "required"),
]


@pytest.mark.long
@pytest.mark.parametrize(("field", "value", "sentence"), REFUSED)
def test_a_release_is_refused_at_the_field(
    field: str, value: str, sentence: str, as_dana: Client, preview: ReleasePreview
) -> None:
    response = as_dana.post(page_of(preview), typed(**{field: value}))
    assert response.status_code == 400
    errors = response.context["form"].errors
    assert list(errors) == [field]
    assert sentence in errors[field][0]
    assert errors[field][0] in words(response)
    assert Release.objects.count() == 1


@pytest.mark.long
def test_a_retraction_needs_a_reason_and_stays_visible(
    as_dana: Client, as_bob: Client, release: Release
) -> None:
    address = reverse("retract-release", args=[release.name])
    page = reverse("release", args=[release.name])
    assert asks_twice(as_dana.get(page), address)
    response = as_dana.post(address, {"reason": "  "})
    assert response.status_code == 400
    assert list(response.context["form"].errors) == ["reason"]
    assert as_bob.post(address, {"reason": "Mine."}).status_code == 403
    assert Client().post(address, {"reason": "Mine, and not stored."}).status_code == 403
    release.refresh_from_db()
    assert release.retracted_at is None
    as_dana.post(address, {"reason": "Ten labels are wrong."})
    for client in (as_dana, as_bob, Client()):
        assert "Retracted" in words(client.get(page))
        assert "Ten labels are wrong." in words(client.get(page))
        assert client.get(file_of(release.name, "dev.jsonl")).status_code == 200
    assert "Retract this release" not in words(as_dana.get(page))
    assert as_dana.post(address, {"reason": "Another."}).status_code == 400
    release.refresh_from_db()
    assert release.retraction_reason == "Ten labels are wrong."


@pytest.mark.long
def test_a_stranger_reads_a_public_release_and_its_public_files(release: Release) -> None:
    stranger = Client()
    page = stranger.get(reverse("release", args=[release.name]))
    assert page.status_code == 200
    assert "Kitchen questions 1.0.0 · Ada Example" in words(page)
    for file in release.files.all():
        response = stranger.get(file_of(release.name, file.name))
        assert response.status_code == (404 if file.restricted else 200), file.name
        assert (file_of(release.name, file.name) in source(page)) is not file.restricted
    archive = b"".join(stranger.get(file_of(release.name, "kitchen-1.zip")).streaming_content)
    packed = zipfile.ZipFile(io.BytesIO(archive)).namelist()
    assert "kitchen-1/test.jsonl" in packed
    assert not {f"kitchen-1/{name}" for name in RESTRICTED} & set(packed)


def curators_parts(response: Any) -> set[str]:
    parts = {"Source", "Readable", "Evaluations", "Retract this release", "Curators only", "Look"}
    return {part for part in parts if part in words(response).split("Files")[0]} | {
        part for part in parts - {"Source", "Readable", "Look"} if part in words(response)
    }


def test_a_stranger_and_a_worker_see_no_curators_parts(
    as_dana: Client, as_bob: Client, release: Release
) -> None:
    page = reverse("release", args=[release.name])
    assert "Retract this release" in curators_parts(as_dana.get(page))
    for client in (as_bob, Client()):
        response = client.get(page)
        assert curators_parts(response) == set()
        for name in RESTRICTED:
            assert name not in source(response)


def test_a_stranger_is_asked_to_sign_in_for_everything_else(
    release: Release, preview: ReleasePreview
) -> None:
    private = ReleaseFileFactory(release=ReleaseFactory(finished=True, name="private")).release
    waiting = ReleaseFactory(name="waiting", is_public=True)
    stranger = Client()
    for name in (private.name, waiting.name, "none"):
        assert asks_to_sign_in(stranger.get(reverse("release", args=[name])))
        assert asks_to_sign_in(stranger.get(file_of(name, "train_xl.jsonl")))
    others = [
        page_of(preview),
        reverse("new-release", args=[release.snapshot.public_id]),
        reverse("campaign", args=[release.snapshot.campaign.slug]),
    ]
    for address in others:
        assert asks_to_sign_in(stranger.get(address)), address


def test_a_worker_sees_public_releases_that_are_done_and_no_preview(
    as_bob: Client, preview: ReleasePreview, release: Release
) -> None:
    private = ReleaseFactory(finished=True, name="private")
    ReleaseFileFactory(release=private)
    ReleaseFactory(name="waiting", is_public=True)
    assert as_bob.get(file_of("private", "train_xl.jsonl")).status_code == 404
    assert as_bob.get(file_of(release.name, "train_xl.jsonl")).status_code == 200
    assert as_bob.get(reverse("release", args=["waiting"])).status_code == 404
    for name in RESTRICTED:
        assert as_bob.get(file_of(release.name, name)).status_code == 404
    assert as_bob.get(page_of(preview)).status_code == 403
    assert as_bob.post(page_of(preview), typed()).status_code == 403


@pytest.mark.long
def test_a_filtered_release_says_on_which_side_its_fresh_models_are_and_its_preview_how_often(
    as_dana: Client, as_bob: Client
) -> None:
    questions = frozen(pairs=100, unpaired=20)
    encoding = encoding_of(questions, leaking(questions))
    run = carried(start_filter_run(encoding=encoding, by=None))
    snapshot, selection = encoding.snapshot, run.selection
    proposed = as_dana.get(reverse("new-release", args=[snapshot.public_id])).context["form"]
    assert proposed["selection"].value() == selection.public_id
    preview = carried(services.preview_release(snapshot=snapshot, selection=selection, by=None))
    release = carried(release_of(run, "filtered-1"))
    Release.objects.update(is_public=True)
    share = run.fresh_models["all"]["grouped"]["accuracy"]["value"]
    text = words(as_dana.get(page_of(preview)))
    assert f"Before {100 * share:.1f}%" in text
    assert "It also has the training questions that the filter removes." in text
    assert "Those that the filter removes from its test are never published." in text
    page = words(as_bob.get(reverse("release", args=[release.name])))
    assert "Fresh linear models on all questions of the snapshot above one half (n = 220)" in page
    assert f"{100 * share:.1f}%" not in page


def test_a_release_whose_manifest_names_no_side_says_that_it_was_not_measured() -> None:
    selection = {"filter": {"fresh_models": {"before": {"value": 0.5, "n": 9}}}}
    [(_, direction, n, _)] = fresh_models({"selection": selection})
    assert (direction, n) == ("not measured", 9)
