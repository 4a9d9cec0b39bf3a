"""A stand-in for Zenodo, by its documents of depositions.

*Source*: https://developers.zenodo.org/: "Depositions", "Deposition files", "Deposition actions",
and "Quickstart - Upload" for buckets.
"""

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any

from tests.publishing.stand_in import Asked, Reply, StandIn

REQUIRED = ("title", "upload_type", "description", "creators", "access_right", "license")


@dataclass
class Deposition:
    id: int
    concept: int
    metadata: dict[str, Any] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    is_published: bool = False
    is_edited: bool = False
    edited: dict[str, Any] | None = None

    @property
    def state(self) -> str:
        if not self.is_published:
            return "unsubmitted"
        return "inprogress" if self.is_edited else "done"

    @property
    def doi(self) -> str:
        return f"10.5281/zenodo.{self.id}"


@dataclass
class Zenodo(StandIn):
    depositions: dict[int, Deposition] = field(default_factory=dict)

    @property
    def records(self) -> list[Deposition]:
        """What everybody sees."""
        return [one for one in self.depositions.values() if one.is_published]

    def answer(self, asked: Asked) -> Reply:
        if not asked.has_token:
            return Reply(401, {"status": 401, "message": "The server could not verify you."})
        assert "access_token" not in asked.query
        for pattern, method in ROUTES:
            if match := re.fullmatch(pattern, f"{asked.method} {asked.path}"):
                parts: dict[str, Any] = match.groupdict()
                if "id" in parts:
                    one = self.depositions.get(int(parts.pop("id")))
                    if one is None:
                        return Reply(404, {"status": 404, "message": "PID does not exist."})
                    parts["one"] = one
                return method(self, asked, **parts)
        return Reply(404, {"status": 404, "message": "not found"})

    def list(self, asked: Asked) -> Reply:
        size = int(asked.query["size"][0])
        newest = sorted(self.depositions.values(), key=lambda one: -one.id)
        return Reply(200, [self._shown(one) for one in newest[:size]])

    def create(self, asked: Asked) -> Reply:
        one = self._new(asked.json.get("metadata", {}))
        return Reply(201, self._shown(one))

    def show(self, asked: Asked, one: Deposition) -> Reply:
        return Reply(200, self._shown(one))

    def describe(self, asked: Asked, one: Deposition) -> Reply:
        if one.is_published and not one.is_edited:
            return Reply(403, {"status": 403, "message": "Deposition is not editable."})
        if one.is_published:
            one.edited = asked.json["metadata"]
        else:
            one.metadata = asked.json["metadata"]
        return Reply(200, self._shown(one))

    def upload(self, asked: Asked, one: Deposition, name: str) -> Reply:
        if one.is_published:
            return Reply(403, {"status": 403, "message": "Bucket is locked for modification."})
        one.files[name] = asked.body
        return Reply(201, {"key": name, "checksum": f"md5:{_md5(asked.body)}"})

    def files(self, asked: Asked, one: Deposition) -> Reply:
        return Reply(200, _files(one))

    def delete_file(self, asked: Asked, one: Deposition, file: str) -> Reply:
        if one.is_published:
            return Reply(403, {"status": 403, "message": "Deposition is not editable."})
        (name,) = (each["filename"] for each in _files(one) if each["id"] == file)
        del one.files[name]
        return Reply(204)

    def publish(self, asked: Asked, one: Deposition) -> Reply:
        described = one.edited if one.edited is not None else one.metadata
        missing = [name for name in REQUIRED if not described.get(name)]
        if missing or not one.files or (one.is_published and not one.is_edited):
            return Reply(400, {"status": 400, "message": "Validation error.", "errors": missing})
        one.metadata, one.edited = described, None
        one.is_published, one.is_edited = True, False
        return Reply(202, self._shown(one))

    def edit(self, asked: Asked, one: Deposition) -> Reply:
        if not one.is_published or one.is_edited:
            return Reply(403, {"status": 403, "message": "Deposition is not editable."})
        one.is_edited = True
        return Reply(201, self._shown(one))

    def new_version(self, asked: Asked, one: Deposition) -> Reply:
        if not one.is_published:
            return Reply(403, {"status": 403, "message": "Deposition is not published."})
        if self._draft(one) is None:
            draft = self._new(dict(one.metadata), concept=one.concept)
            draft.files = dict(one.files)
        return Reply(201, self._shown(one))

    def _new(self, metadata: dict[str, Any], concept: int | None = None) -> Deposition:
        id = 1000 + len(self.depositions) * 2
        one = Deposition(id, concept or id - 1, metadata)
        self.depositions[id] = one
        return one

    def _draft(self, one: Deposition) -> Deposition | None:
        drafts = [each for each in self.depositions.values() if not each.is_published]
        return next((each for each in drafts if each.concept == one.concept), None)

    def _shown(self, one: Deposition) -> dict[str, Any]:
        path = f"{self.url}/api/deposit/depositions"
        links = {"self": f"{path}/{one.id}", "bucket": f"{self.url}/api/files/{one.id}"}
        if one.is_published and (draft := self._draft(one)) is not None:
            links["latest_draft"] = f"{path}/{draft.id}"
        described = one.edited if one.edited is not None else one.metadata
        return {
            "id": one.id,
            "conceptrecid": str(one.concept),
            "submitted": one.is_published,
            "state": one.state,
            "metadata": described | {"prereserve_doi": {"doi": one.doi, "recid": one.id}},
            "files": _files(one),
            "links": links,
            **({"doi": one.doi, "record_id": one.id} if one.is_published else {}),
        }


def _files(one: Deposition) -> list[dict[str, Any]]:
    return [
        {
            "id": hashlib.sha1(name.encode()).hexdigest(),
            "filename": name,
            "filesize": len(data),
            "checksum": _md5(data),
        }
        for name, data in one.files.items()
    ]


def _md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


ALL, ONE = "/api/deposit/depositions", r"/api/deposit/depositions/(?P<id>\d+)"
ROUTES: list[tuple[str, Any]] = [
    (f"GET {ALL}", Zenodo.list),
    (f"POST {ALL}", Zenodo.create),
    (f"GET {ONE}", Zenodo.show),
    (f"PUT {ONE}", Zenodo.describe),
    (f"GET {ONE}/files", Zenodo.files),
    (rf"DELETE {ONE}/files/(?P<file>\w+)", Zenodo.delete_file),
    (r"PUT /api/files/(?P<id>\d+)/(?P<name>[^/]+)", Zenodo.upload),
    (f"POST {ONE}/actions/publish", Zenodo.publish),
    (f"POST {ONE}/actions/edit", Zenodo.edit),
    (f"POST {ONE}/actions/newversion", Zenodo.new_version),
]
