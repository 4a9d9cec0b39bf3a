"""Static files: each under a name with its hash, so that browsers keep it for good.

They are collected once into one folder, which the web server or the proxy serves without Python.
"""

import fcntl
import gzip
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.files.base import ContentFile
from django.core.management import call_command

COMPRESSED = (".css", ".js", ".svg", ".json", ".txt", ".map")
STAMP = "collected"  # a file in the folder: what it was made of
_css, _js, *_ = ManifestStaticFilesStorage.patterns
_modules = ManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]  # type: ignore[attr-defined]


class HashedFiles(ManifestStaticFilesStorage):
    """Django's storage, which also replaces names in own modules and compresses.

    Where nothing was collected, as in tests and commands, addresses have no hash.
    """

    # Packages refer to source maps and modules that they do not contain.
    patterns = ((_css[0], _css[1][:2]), ("frontend/*.js", _modules))
    keep_intermediate_files = False

    def stored_name(self, name: str) -> str:
        return super().stored_name(name) if self.hashed_files else name

    def post_process(
        self, paths: Mapping[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Yield what Django yields, and put a compressed copy beside each hashed file."""
        for name, hashed, processed in super().post_process(paths, dry_run, **options):
            if hashed and hashed.endswith(COMPRESSED) and not isinstance(processed, Exception):
                self._compress(hashed)
            yield name, hashed, processed

    def _compress(self, name: str) -> None:
        if self.exists(f"{name}.gz"):
            return
        with self.open(name) as file:
            packed = gzip.compress(file.read(), mtime=0)
        self._save(f"{name}.gz", ContentFile(packed))  # type: ignore[attr-defined]


def folder() -> Path:
    return Path(settings.STATIC_ROOT)


def collect() -> None:
    """Fill the folder, unless it has been made of the same files.

    Older files stay: a page that was opened before an upgrade still finds its own.
    """
    stamp, made_of = folder() / STAMP, _fingerprint()
    folder().mkdir(parents=True, exist_ok=True)
    with stamp.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # of several processes one collects
        file.seek(0)
        if file.read() == made_of:
            return
        file.truncate(0)
        call_command("collectstatic", interactive=False, verbosity=0)
        file.write(made_of)


def _fingerprint() -> str:
    """Return a hash over the names, sizes and times of all source files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
