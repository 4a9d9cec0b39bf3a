"""Static files that come inside Python packages."""

from collections.abc import Iterator
from importlib.metadata import distribution
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage

FILE = "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds plotly.js in the wheel ``plotly``, as ``plotly/plotly.min.js``."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        folder = distribution("plotly").locate_file("plotly/package_data")
        self.storage = FileSystemStorage(location=str(folder))
        self.storage.prefix = "plotly"  # type: ignore[attr-defined]  # what Django's finders set

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        path_of_plotly = self.storage.path(FILE) if path == f"plotly/{FILE}" else None
        if find_all:
            return [path_of_plotly] if path_of_plotly else []
        return path_of_plotly

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        if not matches_patterns(FILE, ignore_patterns or []):
            yield FILE, self.storage
