"""A record of Zenodo, by its documented REST API of depositions.

*Source*: https://developers.zenodo.org/, "Depositions", "Deposition actions" and "Quickstart".
"""

import hashlib
import html
import json
from collections.abc import Sequence
from typing import Any, Self
from urllib.parse import quote, urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from corpora.core.bundle.licences import spdx_licence
from corpora.core.notices import ERRATUM, RETRACTION
from publishing.adapters.protocol import Away, Closed, Described, Place, Refused, shortened
from publishing.core.copies import Notice, Outgoing

SECONDS = 60.0
OVERLOADED = (408, 429, 500, 502, 503, 504)
MAX_BYTES = 4 << 20
CHUNK = 1 << 20
LISTED = 100
"""Newest depositions among which an attempt looks for its own draft."""
DEPOSITIONS = "/api/deposit/depositions"


class Zenodo:
    """Sends a copy as a deposition; a campaign's later release is a new version of the record."""

    title = "Zenodo"

    def __init__(self, *, endpoint: str, token: str) -> None:
        self.endpoint, self.token = endpoint, token
        self.pool = urllib3.PoolManager(timeout=SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.pool.clear()

    def open(self, about: Described, files: Sequence[Outgoing]) -> Place:
        """Find the release's record or draft, or make a draft; its DOI is reserved."""
        if about.own:
            return _place(self._json("GET", f"{DEPOSITIONS}/{about.own}"))
        draft = self._draft(about)
        if draft is None:
            draft = self._new_version(about) if about.earlier else self._new(about)
        return _place(draft)

    def send(self, place: Place, file: Outgoing) -> None:
        """Upload a file to the draft's bucket, unless it is there."""
        if place["is_published"]:
            return
        there = self._files(place).get(file.name)
        if there is not None and there.get("checksum", "").removeprefix("md5:") == _md5(file):
            return
        bucket = place["bucket"]
        self._keep_token(bucket)
        with file.open() as opened:
            self._json(
                "PUT",
                f"{bucket}/{quote(file.name)}",
                body=opened,
                headers={"Content-Length": str(file.size)},
            )

    def visible(self, place: Place, files: Sequence[Outgoing]) -> Closed | None:
        deposition = self._json("GET", f"{DEPOSITIONS}/{place['id']}")
        if place["is_published"] or not _is_published(deposition):
            return None
        return self._closed(deposition)

    def close(self, about: Described, place: Place, files: Sequence[Outgoing]) -> Closed:
        """Describe and publish the draft; of a record that stands, change the description alone."""
        visible = self.visible(place, files)
        if visible is not None:
            return visible
        path = f"{DEPOSITIONS}/{place['id']}"
        if place["is_published"]:
            self._edit(path)
        else:
            self._delete_others(place, files)
        self._json("PUT", path, content={"metadata": metadata(about)})
        return self._closed(self._json("POST", f"{path}/actions/publish"))

    def _draft(self, about: Described) -> dict[str, Any] | None:
        """Return the deposition that an earlier attempt has made for this content."""
        listed = self._json("GET", f"{DEPOSITIONS}?sort=mostrecent&size={LISTED}")
        mark = _mark(about)
        for one in listed:
            if mark in str(one.get("metadata", {}).get("notes", "")):
                found: dict[str, Any] = self._json("GET", f"{DEPOSITIONS}/{one['id']}")
                return found
        return None

    def _new(self, about: Described) -> dict[str, Any]:
        draft: dict[str, Any] = self._json(
            "POST", DEPOSITIONS, content={"metadata": metadata(about)}
        )
        return draft

    def _new_version(self, about: Described) -> dict[str, Any]:
        """Return the only draft of the next version; asking twice gives the same one."""
        path = f"{DEPOSITIONS}/{about.earlier}"
        try:
            answer = self._json("POST", f"{path}/actions/newversion")
        except Refused:
            answer = self._json("GET", path)  # there is such a draft already
        latest = answer.get("links", {}).get("latest_draft", "")
        self._keep_token(latest)
        draft = self._json("GET", latest)
        if _is_published(draft) or str(draft["id"]) == about.earlier:
            raise Refused("target_refused", "Zenodo has made no draft of a new version.")
        path = f"{DEPOSITIONS}/{draft['id']}"
        marked: dict[str, Any] = self._json("PUT", path, content={"metadata": metadata(about)})
        return {**draft, **marked}

    def _edit(self, path: str) -> None:
        if self._json("GET", path).get("state") != "inprogress":
            self._json("POST", f"{path}/actions/edit")

    def _delete_others(self, place: Place, files: Sequence[Outgoing]) -> None:
        """Delete what a new version has taken over from the one before."""
        names = {file.name for file in files}
        for name, there in self._files(place).items():
            if name not in names:
                self._json("DELETE", f"{DEPOSITIONS}/{place['id']}/files/{there['id']}")

    def _files(self, place: Place) -> dict[str, dict[str, Any]]:
        listed = self._json("GET", f"{DEPOSITIONS}/{place['id']}/files")
        return {one["filename"]: one for one in listed}

    def _closed(self, deposition: dict[str, Any]) -> Closed:
        record = str(deposition.get("record_id") or deposition["id"])
        address = f"{self.endpoint}/records/{record}"
        return Closed(address, str(deposition["id"]), "public", str(deposition.get("doi", "")))

    def _keep_token(self, address: str) -> None:
        own, asked = urlsplit(self.endpoint), urlsplit(address)
        if (own.scheme, own.netloc) != (asked.scheme, asked.netloc):
            raise Refused("token_kept", "Zenodo asked to send the token to another address.")

    def _json(
        self,
        method: str,
        path: str,
        *,
        content: Any = None,
        body: Any = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        kind = "application/octet-stream" if content is None else "application/json"
        try:
            response = self.pool.request(
                method,
                path if path.startswith("http") else f"{self.endpoint}{path}",
                body=body if content is None else json.dumps(content).encode(),
                headers={
                    "Authorization": f"Bearer {self.token}",
                    "Accept": "application/json",
                    "Content-Type": kind,
                    **(headers or {}),
                },
                redirect=False,
                retries=False,
                preload_content=False,
            )
            data = response.read(MAX_BYTES)
            response.release_conn()
        except HTTPError as error:
            raise Away(f"could not be reached ({type(error).__name__})") from None
        return self._answer(response, data)

    def _answer(self, response: urllib3.BaseHTTPResponse, data: bytes) -> Any:
        status = response.status
        if status in OVERLOADED:
            value = response.headers.get("Retry-After", "")
            wait = float(value) if value.isdecimal() else None
            raise Away(f"answered with status {status}", wait=wait)
        if status in (401, 403):
            raise Refused(
                "token_refused",
                f"Zenodo refuses the token (status {status}). It needs the scopes deposit:write "
                "and deposit:actions.",
            )
        if 300 <= status < 400:
            raise Refused("redirected", "Zenodo redirects to another address.")
        try:
            answer = json.loads(data) if data else {}
        except ValueError:
            raise Away(f"answered with no JSON (status {status})") from None
        if status >= 400:
            message = answer.get("message", "") if isinstance(answer, dict) else ""
            said = shortened(message, self.token)
            raise Refused(
                "target_refused", f"Zenodo refuses (status {status}){said and f': {said}'}."
            )
        return answer


def metadata(about: Described) -> dict[str, Any]:
    """Return how Zenodo describes the record."""
    facts = about.manifest
    licence = spdx_licence(facts["licence"])
    assert licence is not None  # refused before
    own = [notice for notice in about.told.notices if notice.release == about.name]
    is_retracted = any(notice.kind == RETRACTION for notice in own)
    said = [_paragraph(notice) for notice in reversed(own)]
    said.append(f"<p>Version {html.escape(about.version)} of the data set {_title(about)}.</p>")
    return {
        "upload_type": "dataset",
        "title": ("Retracted: " if is_retracted else "") + (facts["title"] or about.name),
        "creators": [{"name": name} for name in facts["authors"] if name.strip()],
        "description": "".join(said),
        "access_right": "open",
        "license": licence.hub,
        "version": about.version,
        "publication_date": facts["built_at"][:10],
        "language": "eng",
        "notes": _mark(about),
        "prereserve_doi": True,
    }


def _paragraph(notice: Notice) -> str:
    head = {RETRACTION: "Retracted", ERRATUM: "Erratum"}[notice.kind]
    return f"<p><strong>{head} ({notice.at}).</strong> {html.escape(notice.text)}</p>"


def _title(about: Described) -> str:
    return html.escape(about.manifest["title"] or about.name)


def _mark(about: Described) -> str:
    """Return the note by which a later attempt knows its draft."""
    return f"Release {about.name}; the SHA-256 of its SHA256SUMS is {about.content_hash}."


def _is_published(deposition: dict[str, Any]) -> bool:
    return bool(deposition.get("submitted"))


def _place(deposition: dict[str, Any]) -> Place:
    reserved = deposition.get("metadata", {}).get("prereserve_doi") or {}
    return {
        "id": str(deposition["id"]),
        "bucket": deposition.get("links", {}).get("bucket", ""),
        "doi": deposition.get("doi") or reserved.get("doi", ""),
        "is_published": _is_published(deposition),
        "names": [],
    }


def _md5(file: Outgoing) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    with file.open() as opened:
        while chunk := opened.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
