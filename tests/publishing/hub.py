"""A stand-in for the Hub: the requests of the pinned client about data sets, without Xet.

*Source*: `huggingface_hub`: ``HfApi.create_repo``, ``_commit_api``, ``lfs``, ``file_download``.
"""

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.publishing.stand_in import Asked, Reply, StandIn

LFS_FROM = 2000
"""Bytes from which a file is a large one here; binary ones always are."""
BRANCH = "main"


@dataclass
class Commit:
    oid: str
    files: dict[str, bytes]


@dataclass
class Repository:
    private: bool = False
    commits: list[Commit] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    def at(self, revision: str) -> Commit | None:
        oid = self.commits[-1].oid if revision == BRANCH else self.tags.get(revision, revision)
        return next((one for one in self.commits if one.oid == oid), None)

    def add(self, files: dict[str, bytes]) -> Commit:
        content = [(name, hashlib.sha1(data).hexdigest()) for name, data in sorted(files.items())]
        text = json.dumps([len(self.commits), content])
        self.commits.append(Commit(hashlib.sha1(text.encode()).hexdigest(), dict(files)))
        return self.commits[-1]


@dataclass
class Hub(StandIn):
    repositories: dict[str, Repository] = field(default_factory=dict)
    storage: dict[str, bytes] = field(default_factory=dict)
    storage_url: str = ""
    batch_answer: Any = None

    def made(self, name: str, files: dict[str, bytes] | None = None) -> Repository:
        repository = self.repositories[name] = Repository()
        repository.add({".gitattributes": b"*.parquet filter=lfs\n"} | (files or {}))
        return repository

    def files(self, name: str, revision: str = BRANCH) -> dict[str, bytes]:
        """Return what a stranger finds, without the Hub's own file."""
        commit = self.repositories[name].at(revision)
        assert commit is not None
        return {path: data for path, data in commit.files.items() if path != ".gitattributes"}

    def answer(self, asked: Asked) -> Reply:
        is_public = asked.method in ("GET", "HEAD") or asked.path.startswith("/storage/")
        if not (is_public or asked.path.endswith("/paths-info") or asked.has_token):
            return Reply(401, {"error": "Invalid credentials in Authorization header"})
        for pattern, method in ROUTES:
            if match := re.fullmatch(pattern, f"{asked.method} {asked.path}"):
                return method(self, asked, **match.groupdict())
        return Reply(404, {"error": "not found"}, {"X-Error-Code": "EntryNotFound"})

    def create(self, asked: Asked) -> Reply:
        name = f"{asked.json['organization']}/{asked.json['name']}"
        assert asked.json["type"] == "dataset"
        if name in self.repositories:
            return Reply(409, {"error": "You already created this dataset repo", "url": name})
        self.made(name).private = asked.json["visibility"] != "public"
        return Reply(200, {"url": f"{self.url}/datasets/{name}"})

    def info(self, asked: Asked, name: str, revision: str = BRANCH) -> Reply:
        repository = self.repositories.get(name)
        commit = repository and repository.at(revision)
        if repository is None or commit is None:
            return Reply(404, {"error": "Repository not found"}, {"X-Error-Code": "RepoNotFound"})
        siblings = [{"rfilename": path} for path in commit.files]
        about = {"id": name, "_id": "0", "sha": commit.oid, "private": repository.private}
        return Reply(200, about | {"siblings": siblings, "tags": [], "downloads": 0, "likes": 0})

    def tree(self, asked: Asked, name: str, revision: str, folder: str = "") -> Reply:
        commit = self._commit(name, revision)
        if commit is None:
            return Reply(404, {"error": "no"}, {"X-Error-Code": "RevisionNotFound"})
        inside = f"{folder}/" if folder else ""
        found = {path: data for path, data in commit.files.items() if path.startswith(inside)}
        if folder and not found:
            return Reply(404, {"error": "no"}, {"X-Error-Code": "EntryNotFound"})
        return Reply(200, [_entry(path, data) for path, data in found.items()])

    def paths(self, asked: Asked, name: str, revision: str) -> Reply:
        commit = self._commit(name, revision)
        wanted = asked.json["paths"] if asked.body.startswith(b"{") else []
        files = commit.files if commit else {}
        return Reply(200, [_entry(path, files[path]) for path in wanted if path in files])

    def preupload(self, asked: Asked, name: str, revision: str) -> Reply:
        there = self._commit(name, revision)
        assert there is not None
        modes = []
        for file in asked.json["files"]:
            is_text = b"\0" not in base64.b64decode(file["sample"])
            large = file["size"] >= LFS_FROM or not is_text or file["path"].endswith(".parquet")
            data = there.files.get(file["path"])
            modes.append(
                {
                    "path": file["path"],
                    "uploadMode": "lfs" if large else "regular",
                    "shouldIgnore": False,
                    "oid": None if data is None else _entry(file["path"], data)["oid"],
                }
            )
        return Reply(200, {"files": modes})

    def any_batch(self, asked: Asked, name: str) -> Reply:
        return (self.batch_answer or self.batch)(asked, name)

    def batch(self, asked: Asked, name: str) -> Reply:
        assert asked.json["operation"] == "upload"
        assert asked.json["hash_algo"] == "sha256"
        objects = []
        for one in asked.json["objects"]:
            known = {"oid": one["oid"], "size": one["size"]}
            if one["oid"] not in self.storage:
                storage = self.storage_url or self.url
                known["actions"] = {
                    "upload": {"href": f"{storage}/storage/{one['oid']}", "header": {}},
                    "verify": {"href": f"{self.url}/verify"},
                }
            objects.append(known)
        return Reply(200, {"transfer": "basic", "objects": objects})

    def store(self, asked: Asked, oid: str) -> Reply:
        assert "authorization" not in asked.headers  # an address that is signed by itself
        if hashlib.sha256(asked.body).hexdigest() != oid:
            return Reply(400, b"BadDigest")
        self.storage[oid] = asked.body
        return Reply(200)

    def verify(self, asked: Asked) -> Reply:
        data = self.storage.get(asked.json["oid"])
        is_whole = data is not None and len(data) == asked.json["size"]
        return Reply(200 if is_whole else 404, {})

    def yaml(self, asked: Asked) -> Reply:
        import yaml

        content = asked.json["content"]
        assert yaml.safe_load(content.split("---\n")[1])["configs"]
        return Reply(200, {"errors": [], "warnings": []})

    def commit(self, asked: Asked, name: str, revision: str) -> Reply:
        assert revision == BRANCH
        header, *lines = (json.loads(line) for line in asked.body.splitlines())
        repository = self.repositories[name]
        if header["value"].get("parentCommit", repository.commits[-1].oid) != (
            repository.commits[-1].oid
        ):
            return Reply(412, {"error": "A commit has happened since. Please refresh and retry."})
        files = dict(repository.commits[-1].files)
        for line in lines:
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                if value["oid"] not in self.storage:
                    return Reply(400, {"error": "LFS pointer pointed to a file that is not there"})
                files[value["path"]] = self.storage[value["oid"]]
            else:
                assert line["key"] == "deletedFile"
                del files[value["path"]]
        oid = repository.add(files).oid
        url = f"{self.url}/datasets/{name}/commit/{oid}"
        return Reply(200, {"success": True, "commitOid": oid, "commitUrl": url})

    def tag(self, asked: Asked, name: str, revision: str) -> Reply:
        tags = self.repositories[name].tags
        if asked.json["tag"] in tags:
            return Reply(409, {"error": "Tag reference exists already"})
        tags[asked.json["tag"]] = revision
        return Reply(200, {})

    def resolve(self, asked: Asked, name: str, revision: str, path: str) -> Reply:
        commit = self._commit(name, revision)
        if commit is None or path not in commit.files:
            return Reply(404, {"error": "no"}, {"X-Error-Code": "EntryNotFound"})
        data = commit.files[path]
        headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{_entry(path, data)["oid"]}"'}
        return Reply(200, data, headers | {"Accept-Ranges": "bytes"})

    def _commit(self, name: str, revision: str) -> Commit | None:
        repository = self.repositories.get(name)
        return repository.at(revision) if repository else None


def _entry(path: str, data: bytes) -> dict[str, Any]:
    """Return a file as a listing has it; large ones are named by the SHA-256 of their content."""
    blob = hashlib.sha1(f"blob {len(data)}\0".encode() + data).hexdigest()
    entry = {"type": "file", "path": path, "size": len(data), "oid": blob}
    if path.endswith(".parquet") or len(data) >= LFS_FROM:
        sha256 = hashlib.sha256(data).hexdigest()
        pointer = {"oid": sha256, "size": len(data), "pointerSize": 130}
        entry["oid"] = hashlib.sha1(sha256.encode()).hexdigest()
        entry["lfs"] = pointer
    return entry


NAME, REVISION = r"(?P<name>[^/]+/[^/]+)", r"(?P<revision>[^/]+)"
ROUTES: list[tuple[str, Any]] = [
    ("POST /api/repos/create", Hub.create),
    ("POST /api/validate-yaml", Hub.yaml),
    ("POST /verify", Hub.verify),
    (r"PUT /storage/(?P<oid>[0-9a-f]{64})", Hub.store),
    (rf"GET /api/datasets/{NAME}", Hub.info),
    (rf"GET /api/datasets/{NAME}/revision/{REVISION}", Hub.info),
    (rf"GET /api/datasets/{NAME}/tree/{REVISION}", Hub.tree),
    (rf"GET /api/datasets/{NAME}/tree/{REVISION}/(?P<folder>.+)", Hub.tree),
    (rf"POST /api/datasets/{NAME}/paths-info/{REVISION}", Hub.paths),
    (rf"POST /api/datasets/{NAME}/preupload/{REVISION}", Hub.preupload),
    (rf"POST /datasets/{NAME}\.git/info/lfs/objects/batch", Hub.any_batch),
    (rf"POST /api/datasets/{NAME}/commit/{REVISION}", Hub.commit),
    (rf"POST /api/datasets/{NAME}/tag/{REVISION}", Hub.tag),
    (rf"(GET|HEAD) /datasets/{NAME}/resolve/{REVISION}/(?P<path>.+)", Hub.resolve),
]
