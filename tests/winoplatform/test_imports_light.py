"""A web process has no use for torch: half a second of every start, and 300 MB of memory each."""

import subprocess
import sys

from tests.data_dir import ROOT

ALL_PAGES = """
import sys, django
django.setup()
from django.urls import get_resolver
get_resolver().url_patterns
print(sorted({"torch", "sklearn"} & set(sys.modules)))
"""


def test_all_pages_and_routes_are_there_without_torch() -> None:
    said = subprocess.run(
        [sys.executable, "-c", ALL_PAGES],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "winoplatform.settings", "VAR_DIR": "var/test", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert said.stdout.strip() == "[]"
