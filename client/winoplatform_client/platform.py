"""A platform: its releases, evaluations and comparisons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from winoplatform_client.connection import Connection
from winoplatform_client.evaluations import Evaluation
from winoplatform_client.releases import Release


def connect(url: str, token: str = "") -> Platform:
    """Sign in to a platform by a token, or read what is public without one."""
    return Platform(Connection(url, token))


class Platform:
    """What a platform has for you.

    For operations that have no method here: ``platform.connection.get("…")``, or the functions of
    ``winoplatform_client.generated`` with ``platform.generated``.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    @property
    def generated(self) -> Any:
        """The signed-in client for the functions of ``winoplatform_client.generated.api``.

        Raises
        ------
        ImportError
            When the client was not built; see the README.
        """
        from winoplatform_client.generated import Client  # type: ignore[import-not-found,unused-ignore]

        http = self.connection.http
        return Client(base_url=str(http.base_url)).set_httpx_client(http)

    def rows(self, path: str, **query: Any) -> pd.DataFrame:
        """Return all pages of a list, such as ``releases/`` or ``evaluations/``, as one frame."""
        return pd.DataFrame(self.connection.pages(path, **query))

    def releases(self) -> pd.DataFrame:
        """Return the releases that you may see, newest first."""
        return self.rows("releases/")

    def release(self, name: str) -> Release:
        """Return a release by its name."""
        about = self.connection.get(f"releases/by-name/{name}/")
        return Release(self.connection, about, name)

    def evaluate(
        self, *, method: str, split: str, release: Release | str | None = None, **asked: Any
    ) -> Evaluation:
        """Start an evaluation; ``wait()`` for its end.

        Parameters
        ----------
        release : Release or str, optional
            Or its name. Else name a ``reference_set`` or ``snapshot``.
        **asked
            Fields of ``POST /api/v1/evaluations/``: ``model``, ``variant``, ``seed``, ….
        """
        body = {"method": method, "split": split, "release": self._id(release), **asked}
        return Evaluation(self.connection, self.connection.post("evaluations/", **body))

    def upload_predictions(
        self,
        file: str | Path,
        *,
        system_name: str,
        split: str,
        release: Release | str | None = None,
        **asked: Any,
    ) -> Evaluation:
        """Upload predictions made elsewhere, which are scored as an evaluation.

        Parameters
        ----------
        file : str or Path
            A table, logs, WinoGrande's list, or one answer a line; at most 4 MB.
        **asked
            Fields of ``POST /api/v1/evaluations/uploads/``: ``format``, ``id_column``, ….
        """
        path = Path(file)
        fields = {"system_name": system_name, "split": split, "release": self._id(release), **asked}
        given = {name: str(value) for name, value in fields.items() if value is not None}
        upload = {"file": (path.name, path.read_bytes())}
        response = self.connection.send("POST", "evaluations/uploads/", data=given, files=upload)
        return Evaluation(self.connection, response.json())

    def comparison(
        self,
        name: str,
        split: str,
        *,
        kind: str = "release",
        margin: float | None = None,
        **query: Any,
    ) -> pd.DataFrame:
        """Return every system on the same questions, the most accurate first, one a row.

        Parameters
        ----------
        kind : {'release', 'reference-set', 'snapshot'}
        margin : float, optional
            Of the test of equivalence, as a share; choose it before you look.
        **query
            ``subset`` or ``transformation``.
        """
        path = f"comparisons/{kind}/{name}/{split}/"
        return pd.DataFrame(self.connection.get(path, margin=margin, **query)["rows"])

    def _id(self, release: Release | str | None) -> str | None:
        if isinstance(release, str):
            release = self.release(release)
        return release.id if release else None
