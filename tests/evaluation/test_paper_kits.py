"""The download of a paper kit, its command, and the check of its text."""

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from corpora.core.bundle.reading import open_bundle
from corpora.models import Release
from evaluation.core.paper_kit import paper_kit
from tests.factories import ArtifactFactory, ReleaseFactory, ReleaseFileFactory, UserFactory
from workers.models import User

BUNDLE = Path(__file__).parent / "releases" / "format-3.zip"
NAME = "kitchen-1"


def release(**fields: object) -> Release:
    row = ReleaseFactory(finished=True, name=NAME, **fields)
    content = ArtifactFactory(content=BUNDLE.read_bytes())
    ReleaseFileFactory(release=row, name=f"{NAME}.zip", artifact=content)
    return row


@pytest.fixture
def as_dana(dana: User) -> Client:
    client = Client()
    client.force_login(dana)
    return client


def urls(row: Release) -> tuple[str, str]:
    return (
        f"/api/v1/releases/{row.public_id}/paper-kit/",
        reverse("release-paper-kit", args=[row.name]),
    )


def test_everyone_downloads_the_kit_of_a_public_release(client: Client) -> None:
    with open_bundle(BUNDLE) as bundle:
        expected = paper_kit(bundle)
    for url in urls(release(is_public=True)):
        response = client.get(url)
        assert response["Content-Disposition"] == f'attachment; filename="{NAME}-paper-kit.zip"'
        assert response["Content-Type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
            found = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
        assert found == expected


def test_a_kit_has_the_readers_of_its_release(client: Client, as_dana: Client) -> None:
    """Of a release that is not public, strangers and participants get none, as of its files."""
    row = release(is_public=False)
    api, page = urls(row)
    for user, statuses in ((None, (404, 302)), (UserFactory(), (404, 404))):
        if user is not None:
            client.force_login(user)
        assert (client.get(api).status_code, client.get(page).status_code) == statuses
    assert [as_dana.get(url).status_code for url in (api, page)] == [200, 200]


def test_a_release_without_a_readable_bundle_has_no_kit(as_dana: Client) -> None:
    row = ReleaseFactory(finished=True, name=NAME)
    assert [as_dana.get(url).status_code for url in urls(row)] == [404, 404]
    broken = io.BytesIO()
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr(f"{NAME}/manifest.json", '{"format": 2}')
    content = ArtifactFactory(content=broken.getvalue())
    ReleaseFileFactory(release=row, name=f"{NAME}.zip", artifact=content)
    assert [as_dana.get(url).status_code for url in urls(row)] == [404, 404]


def test_the_kit_of_a_retracted_release_says_so_first_and_its_text_is_still_checked(
    client: Client, tmp_path: Path
) -> None:
    at = datetime(2026, 11, 3, tzinfo=UTC)
    row = release(
        is_public=True, retracted_at=at, retraction_reason="17 answers --> wrong\n%@ data.name"
    )
    with zipfile.ZipFile(io.BytesIO(client.get(urls(row)[1]).content)) as archive:
        found = {
            name.partition("/")[2]: archive.read(name).decode("latin-1")
            for name in archive.namelist()
        }
    texts = [name for name in found if name.endswith((".md", ".tex")) and name != "main.tex"]
    unsaid = [name for name in texts if "etracted" not in found[name][:2000]]
    assert unsaid == []
    assert "This release was retracted." in found["methods.tex"]
    text = tmp_path / "methods.tex"
    text.write_bytes(found["methods.tex"].encode("latin-1"))
    assert "numbers follow from the files" in run("verify", BUNDLE, text=text, verbosity=2)


def test_the_page_of_a_release_leads_to_its_kit(client: Client, as_dana: Client) -> None:
    row = release(is_public=True)
    with zipfile.ZipFile(BUNDLE) as archive:
        manifest = ArtifactFactory(content=archive.read(f"{NAME}/manifest.json"))
    ReleaseFileFactory(release=row, name="manifest.json", artifact=manifest)
    for reader in (client, as_dana):
        page = reader.get(reverse("release", args=[NAME]))
        assert urls(row)[1] in page.content.decode()


def run(name: str, *args: object, **options: object) -> str:
    out = io.StringIO()
    call_command(name, *map(str, args), stdout=out, **options)
    return out.getvalue()


def test_the_command_writes_a_kit_whose_text_is_checked(tmp_path: Path) -> None:
    out = tmp_path / "kit"
    said = run("paper_kit", BUNDLE, out=out)
    assert str(out / "methods.tex") in said
    text = out / "methods.tex"
    assert "numbers follow from the files" in run("verify", BUNDLE, text=text, verbosity=2)
    changed = text.read_text().replace("gave 18 votes", "gave 19 votes")
    assert changed != text.read_text()
    text.write_text(changed)
    lines = io.StringIO()
    with pytest.raises(CommandError, match="1 things are wrong"):
        call_command("verify", str(BUNDLE), text=text, stdout=lines)
    assert "WRONG        methods.tex: “18 people gave 19 votes" in lines.getvalue()
    assert "it has 19, where the files tell 18" in lines.getvalue()


def test_the_command_overwrites_nothing_and_says_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "mine.tex").write_text("mine")
    with pytest.raises(CommandError, match="new or empty"):
        run("paper_kit", BUNDLE, out=tmp_path)
    with pytest.raises(CommandError, match="cannot be read"):
        run("paper_kit", tmp_path, out=tmp_path / "kit")
