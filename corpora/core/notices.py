"""What is told about a release after it was built: its errata and its retraction."""

from dataclasses import dataclass
from datetime import datetime

RETRACTION, ERRATUM = "retraction", "erratum"


@dataclass(frozen=True, slots=True)
class ReleaseNotice:
    """A retraction or an erratum of a release.

    Parameters
    ----------
    kind : 'retraction' or 'erratum'
    at : datetime
    text : str
        The reason, or what is wrong.
    """

    kind: str
    at: datetime
    text: str

    @property
    def is_retraction(self) -> bool:
        return self.kind == RETRACTION

    @property
    def heading(self) -> str:
        """What stands before the text."""
        return "Retracted" if self.is_retraction else f"Erratum of {self.at.date()}"
