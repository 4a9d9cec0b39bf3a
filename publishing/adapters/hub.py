"""A data set repository of the Hugging Face Hub, by its own client.

Files are handed over as open ones, which the client sends by plain HTTP: its faster protocol, Xet,
would pass by the time limits and the rules about hosts below.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import urlsplit

import httpx2
from huggingface_hub import (
    CommitOperationAdd,
    CommitOperationDelete,
    HfApi,
    set_client_factory,
)
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils._http import default_client_factory
from huggingface_hub.utils.tqdm import disable_progress_bars, enable_progress_bars

from publishing.adapters.protocol import Away, Closed, Described, Place, Refused, shortened
from publishing.core.copies import Outgoing

KIND = "dataset"
SECONDS = 60.0
"""To connect, and to wait for each part of an answer."""
OVERLOADED = (408, 412, 423, 429, 500, 502, 503, 504)
"""Repeated: 412 says that another commit came first."""
CHUNK = 1 << 20
OWN_OF_HUB = ".gitattributes"
"""The Hub adds it to each repository."""


class Hub:
    """Sends a copy as one commit, so readers see the whole release or none of it."""

    title = "The Hub"

    def __init__(self, repository: str, *, endpoint: str, token: str) -> None:
        self.repository, self.endpoint, self.token = repository, endpoint, token
        self.api = HfApi(endpoint=endpoint, token=token)

    def __enter__(self) -> Self:
        disable_progress_bars()
        set_client_factory(self._client)
        return self

    def __exit__(self, *error: object) -> None:
        set_client_factory(default_client_factory)
        enable_progress_bars()

    def open(self, about: Described, files: Sequence[Outgoing]) -> Place:
        """Make the repository if there is none; refuse one with files of others."""
        with self._failures_sorted():
            try:
                self._info()
            except RepositoryNotFoundError:
                self.api.create_repo(
                    self.repository, repo_type=KIND, visibility="public", exist_ok=True
                )
            own = {file.name: file for file in files}
            others = [
                path
                for path, there in self._tree().items()
                if path not in about.known and not (path in own and _is_same(own[path], there))
            ]
        if others:
            raise Refused(
                "repository_of_others",
                f"{self.repository} has files that this campaign did not send, such as "
                f"{shortened(others[0], self.token)}. Empty it, or choose another repository.",
            )
        return {"doi": "", "names": sorted({*about.known, *own})}

    def send(self, place: Place, file: Outgoing) -> None:
        """Send a file that is too large for a commit to the Hub's storage."""
        with self._failures_sorted(), file.open() as opened:
            self.api.preupload_lfs_files(
                self.repository, [_addition(file, opened)], repo_type=KIND, free_memory=False
            )

    def visible(self, place: Place, files: Sequence[Outgoing]) -> Closed | None:
        with self._failures_sorted():
            info, tree = self._info(), self._tree()
            missing, stale = _differences(place, files, tree)
            return None if missing or stale else self._closed(info)

    def close(self, about: Described, place: Place, files: Sequence[Outgoing]) -> Closed:
        """Commit what differs, and tag the commit with the version."""
        visible = self.visible(place, files)
        if visible is None:
            self._commit(about, place, files)
            visible = self.visible(place, files)
            if visible is None:
                raise Away("has not shown all files after the commit")
        with self._failures_sorted():
            self.api.create_tag(
                self.repository,
                tag=f"v{about.version}",
                revision=visible.revision,
                repo_type=KIND,
                exist_ok=True,  # a notice moves no tag
            )
        return visible

    def _commit(self, about: Described, place: Place, files: Sequence[Outgoing]) -> None:
        with self._failures_sorted():
            head, tree = self._info().sha, self._tree()
            missing, stale = _differences(place, files, tree)
            opened = [file.open() for file in missing]
            try:
                operations: list[Any] = [CommitOperationDelete(path) for path in stale]
                operations += map(_addition, missing, opened)
                self.api.create_commit(
                    self.repository,
                    operations,
                    commit_message=f"Release {about.name} {about.version}",
                    repo_type=KIND,
                    parent_commit=head,
                )
            finally:
                for stream in opened:
                    stream.close()

    def _info(self) -> Any:
        return self.api.dataset_info(self.repository)

    def _tree(self) -> dict[str, RepoFile]:
        entries = self.api.list_repo_tree(self.repository, recursive=True, repo_type=KIND)
        files = {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}
        files.pop(OWN_OF_HUB, None)
        return files

    def _closed(self, info: Any) -> Closed:
        return Closed(
            address=f"{self.endpoint}/datasets/{self.repository}",
            revision=info.sha,
            visibility="private" if info.private else "public",
        )

    def _client(self) -> httpx2.Client:
        """Return the client: it follows no redirect, and sends the token to the endpoint alone."""
        hooks: dict[str, list[Any]] = {
            "request": [self._keep_token],
            "response": [self._refuse_redirect],
        }
        return httpx2.Client(event_hooks=hooks, follow_redirects=False, timeout=SECONDS)

    def _keep_token(self, request: httpx2.Request) -> None:
        own, asked = urlsplit(self.endpoint), urlsplit(str(request.url))
        if (own.scheme, own.netloc) == (asked.scheme, asked.netloc):
            return
        if "authorization" in request.headers or self.token in str(request.url):
            raise Refused("token_kept", "The Hub asked to send the token to another address.")
        if asked.scheme != "https" and own.scheme == "https":
            raise Refused("storage_refused", "The Hub named a storage without HTTPS.")

    def _refuse_redirect(self, response: httpx2.Response) -> None:
        if response.has_redirect_location:
            raise Refused(
                "redirected",
                f"The Hub redirects to another address. Is {self.repository} its current name?",
            )

    @contextmanager
    def _failures_sorted(self) -> Iterator[None]:
        """Tell what can be repeated from what cannot."""
        try:
            yield
        except (HfHubHTTPError, httpx2.HTTPError, RuntimeError) as error:
            # An upload's error is the cause of the client's own.
            cause = error.__cause__ if type(error) is RuntimeError else error
            raise self._failure(cause) from None

    def _failure(self, error: BaseException | None) -> Exception:
        if isinstance(error, Refused):
            return error
        if isinstance(error, HfHubHTTPError) and error.response is not None:
            return self._answered(error)
        if isinstance(error, httpx2.HTTPError):
            return Away(f"could not be reached ({type(error).__name__})")
        return Refused("target_refused", f"The Hub’s client failed: {type(error).__name__}.")

    def _answered(self, error: HfHubHTTPError) -> Exception:
        status = error.response.status_code
        if status in OVERLOADED:
            return Away(f"answered with status {status}", wait=_seconds(error.response))
        if status in (401, 403):
            return Refused(
                "token_refused",
                f"The Hub refuses the token (status {status}). Is it one that may write to "
                f"{self.repository}?",
            )
        said = shortened(error.server_message or "", self.token)
        return Refused(
            "target_refused", f"The Hub refuses (status {status}){said and f': {said}'}."
        )


def _seconds(response: Any) -> float | None:
    """Return the seconds of Retry-After; None if it is missing or a date."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() else None


def _addition(file: Outgoing, opened: Any) -> CommitOperationAdd:
    return CommitOperationAdd(path_in_repo=file.name, path_or_fileobj=opened)


def _differences(
    place: Place, files: Sequence[Outgoing], tree: dict[str, RepoFile]
) -> tuple[list[Outgoing], list[str]]:
    """Return the files that the repository has not or otherwise, and those to be deleted."""
    missing = [
        file for file in files if file.name not in tree or not _is_same(file, tree[file.name])
    ]
    names = {file.name for file in files}
    return missing, sorted(tree.keys() & set(place["names"]) - names)


def _is_same(file: Outgoing, there: RepoFile) -> bool:
    """Compare contents: large files are named by SHA-256, small ones as Git names them."""
    if there.size != file.size:
        return False
    if there.lfs is not None:
        return there.lfs.sha256 == file.sha256
    digest = hashlib.sha1(f"blob {file.size}\0".encode(), usedforsecurity=False)
    with file.open() as opened:
        while chunk := opened.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest() == there.blob_id
