"""Read releases, votes and evaluations of a WinoPlatform, and start evaluations.

>>> from winoplatform_client import connect
>>> votes = connect("https://wino.example.org").release("winter-1").votes()  # doctest: +SKIP
"""

from winoplatform_client.connection import Connection
from winoplatform_client.errors import ApiError, ChecksumError, InterruptedDownload, RunFailed
from winoplatform_client.evaluations import Evaluation
from winoplatform_client.platform import Platform, connect
from winoplatform_client.releases import Release

__all__ = [
    "ApiError",
    "ChecksumError",
    "Connection",
    "Evaluation",
    "InterruptedDownload",
    "Platform",
    "Release",
    "RunFailed",
    "connect",
]
